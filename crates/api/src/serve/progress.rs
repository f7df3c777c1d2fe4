//! A socket whose peer has to read.
//!
//! hyper waits for a peer that does not read for as long as that peer likes, with the answer in memory. Here a write
//! that makes no progress for a while fails, which ends the connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The socket, and how long the peer is allowed.
pub(super) struct Progress<S> {
    stream: S,
    within: Duration,
    /// Set while a write is waiting.
    deadline: Option<Pin<Box<Sleep>>>,
    is_waiting: bool,
}

impl<S> Progress<S> {
    pub(super) fn new(stream: S, within: Duration) -> Self {
        Self {
            stream,
            within,
            deadline: None,
            is_waiting: false,
        }
    }

    /// The result of a write: progress ends the wait, and a wait has a limit.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.is_waiting = false;
            return written;
        }
        let ends = Instant::now() + self.within;
        let deadline = match &mut self.deadline {
            Some(deadline) => {
                if !self.is_waiting {
                    deadline.as_mut().reset(ends);
                }
                deadline
            }
            None => self
                .deadline
                .insert(Box::pin(tokio::time::sleep_until(ends))),
        };
        self.is_waiting = true;
        if deadline.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        metrics::counter!("assay_http_connections_stalled_total").increment(1);
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the peer does not read",
        )))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Progress<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Progress<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.watch(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.watch(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(context);
        // A socket has nothing to flush: only a pending result means something.
        if flushed.is_ready() {
            return flushed;
        }
        this.watch(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_goes_on_is_never_cut_off_and_one_that_stops_is() {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let mut ours = Progress::new(ours, Duration::from_millis(200));
        let reader = tokio::spawn(async move {
            let mut buffer = [0; 64];
            for _ in 0..20 {
                theirs.read_exact(&mut buffer).await.unwrap();
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            theirs
        });
        // Takes 400 ms altogether, twice as long as a single wait may last.
        ours.write_all(&[0; 64 * 20]).await.unwrap();
        let _theirs = reader.await.unwrap();
        let began = Instant::now();
        let stalled = ours.write_all(&[0; 1024]).await.unwrap_err();
        assert_eq!(stalled.kind(), io::ErrorKind::TimedOut);
        let waited = began.elapsed().as_millis();
        assert!((200..=201).contains(&waited), "{waited} ms");
    }
}
