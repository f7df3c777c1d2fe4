//! The progress of a call that works in steps, for an interface that forwards it.

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Number of steps that can wait to be forwarded. Any beyond that are not reported.
const WAITING: usize = 64;
/// Maximum length of a step's result, in characters.
const SUMMARY: usize = 300;

/// A step that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepTold {
    /// Name of the step.
    pub name: String,
    /// `complete`, `failed` or `skipped`.
    pub status: String,
    /// Result of the step.
    pub summary: String,
}

/// Receives the steps of a call as they end.
#[derive(Clone, Debug)]
pub struct StepListener(Sender<StepTold>);

impl StepListener {
    /// A listener and the channel of what it hears.
    pub fn channel() -> (Self, Receiver<StepTold>) {
        let (sender, receiver) = channel(WAITING);
        (Self(sender), receiver)
    }

    /// Reports that a step has ended. This never waits, because a slow reader must not hold up the work, and a step
    /// that is not reported is recorded all the same.
    pub fn tell(&self, name: &str, status: &str, summary: &str) {
        let _ = self.0.try_send(StepTold {
            name: name.to_owned(),
            status: status.to_owned(),
            summary: summary.chars().take(SUMMARY).collect(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_that_does_not_listen_keeps_nobody_waiting() {
        let (listener, mut heard) = StepListener::channel();
        for step in 0..WAITING + 10 {
            listener.tell(&step.to_string(), "complete", &"é".repeat(SUMMARY + 5));
        }
        let mut told = Vec::new();
        while let Ok(step) = heard.try_recv() {
            told.push(step);
        }
        assert_eq!(told.len(), WAITING);
        assert_eq!(
            (&*told[0].name, told[0].summary.chars().count()),
            ("0", SUMMARY)
        );
        drop(heard);
        listener.tell("late", "complete", "nobody is there");
    }
}
