//! A command run in this process, with what it wrote.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Parser;
use client::{Command, Error, Service, Terminal};
use parking_lot::Mutex;

use crate::server::Server;

/// What a command wrote and how it ended.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) out: String,
    pub(crate) remarks: String,
    pub(crate) outcome: Result<(), Error>,
}

impl Output {
    pub(crate) fn exit_code(&self) -> u8 {
        self.outcome.as_ref().err().map_or(0, Error::exit_code)
    }
}

#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The command that is typed like this; its words are separated by blanks, `~` stands for one within a word.
pub(crate) fn command(line: &str) -> Command {
    let words = line.split(' ').map(|word| word.replace('~', " "));
    CommandLine::try_parse_from(std::iter::once("assay".to_owned()).chain(words))
        .unwrap()
        .command
}

/// Runs a command against a server, with output of that width.
pub(crate) fn run_at(width: usize, line: &str, server: &Server) -> Output {
    run_on(width, line, &server.address)
}

/// The same against a server at that address.
pub(crate) fn run_on(width: usize, line: &str, address: &str) -> Output {
    let (out, remarks) = (Buffer::default(), Buffer::default());
    let mut terminal = Terminal::plain(Box::new(out.clone()), Box::new(remarks.clone()), width);
    let outcome = ask_at(line, address, &mut terminal);
    Output {
        out: out.text(),
        remarks: remarks.text(),
        outcome,
    }
}

pub(crate) fn run(line: &str, server: &Server) -> Output {
    run_at(100, line, server)
}

pub(crate) fn ask(line: &str, server: &Server, terminal: &mut Terminal) -> Result<(), Error> {
    ask_at(line, &server.address, terminal)
}

fn ask_at(line: &str, address: &str, terminal: &mut Terminal) -> Result<(), Error> {
    let service = Service::new(address, Some("as_live_secret"))?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(command(line).run(&service, terminal))
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().clone()).unwrap()
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
