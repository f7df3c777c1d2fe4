//! How a call that works in steps is getting on, for an interface that passes it on.

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Steps that wait to be passed on; of more, the rest is not told.
const WAITING: usize = 64;
/// Characters of what came of a step.
const SUMMARY: usize = 300;

/// A step that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepTold {
    /// Its name.
    pub name: String,
    /// `complete`, `failed` or `skipped`.
    pub status: String,
    /// What came of it.
    pub summary: String,
}

/// Whom a call tells of its steps.
#[derive(Clone, Debug)]
pub struct StepListener(Sender<StepTold>);

impl StepListener {
    /// A listener and what it hears.
    pub fn channel() -> (Self, Receiver<StepTold>) {
        let (sender, receiver) = channel(WAITING);
        (Self(sender), receiver)
    }

    /// Tells that a step has ended. It never waits: work must not stand still for whoever reads slowly, and a step that
    /// is not told is on record all the same.
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
