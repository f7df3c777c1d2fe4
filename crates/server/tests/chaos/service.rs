//! The running service, its sudden end and its orderly one.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::place::Place;

const PATIENCE: Duration = Duration::from_mins(2);

pub(crate) struct Service {
    child: Child,
    /// `http://127.0.0.1:PORT`.
    pub(crate) base: String,
}

impl Service {
    /// Starts it and waits until it listens.
    pub(crate) async fn start(place: &Place, options: &[&str]) -> Self {
        let arguments = [&["serve"][..], options].concat();
        let mut child = place.assay(&arguments).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let listening = async {
            while let Some(line) = lines.next_line().await.unwrap() {
                if let Some(base) = line.strip_prefix("listening on ") {
                    return Some(base.to_owned());
                }
            }
            None
        };
        let base = tokio::time::timeout(PATIENCE, listening).await.unwrap();
        let Some(base) = base else {
            panic!("the server ended before it listened\n{}", place.log());
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, base }
    }

    /// `kill -9`.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// As an operator stops it.
    pub(crate) async fn stop(mut self, place: &Place) {
        let id = self.child.id().unwrap().to_string();
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .await
            .unwrap();
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let status = ended.unwrap().unwrap();
        assert!(
            status.success(),
            "the server ended with {status}\n{}",
            place.log()
        );
    }
}
