//! Where output goes: how wide it is and whether it shows colours.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

/// Columns where nobody knows better: a pipe or a file.
const PIPED_WIDTH: usize = 100;
/// Lines longer than this are hard to read, however wide the window.
const MOST_WIDTH: usize = 200;
const LEAST_WIDTH: usize = 40;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();

/// Results go to `out`, everything else to `remarks`.
pub struct Terminal {
    out: Box<dyn Write>,
    remarks: Box<dyn Write>,
    width: usize,
    colours: Colours,
}

/// Which of the two outputs show colours.
#[derive(Clone, Copy, Debug, Default)]
struct Colours {
    out: bool,
    remarks: bool,
}

impl Terminal {
    /// Standard output and standard error of this process.
    pub fn of_process() -> Self {
        let shows = |is_terminal: bool| {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            is_terminal && !refused && !is_dumb
        };
        let width = terminal_size::terminal_size_of(io::stdout())
            .map_or(PIPED_WIDTH, |(width, _)| usize::from(width.0));
        Self {
            colours: Colours {
                out: shows(io::stdout().is_terminal()),
                remarks: shows(io::stderr().is_terminal()),
            },
            out: Box::new(io::stdout()),
            remarks: Box::new(io::stderr()),
            width: width.clamp(LEAST_WIDTH, MOST_WIDTH),
        }
    }

    /// Other outputs, without colours.
    pub fn plain(out: Box<dyn Write>, remarks: Box<dyn Write>, width: usize) -> Self {
        Self {
            out,
            remarks,
            width: width.clamp(LEAST_WIDTH, MOST_WIDTH),
            colours: Colours::default(),
        }
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Whether results show colours.
    pub(crate) const fn has_colours(&self) -> bool {
        self.colours.out
    }

    /// Writes a part of the result and shows it at once.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Writes a line of the result.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        self.write(&format!("{line}\n"))
    }

    /// Writes a line in bold.
    pub(crate) fn title(&mut self, line: &str) -> io::Result<()> {
        let line = self.painted(BOLD, line);
        self.say(&line)
    }

    /// A remark that is no result. That it cannot be shown is no reason to fail.
    pub(crate) fn remark(&mut self, line: &str) {
        let line = if self.colours.remarks {
            paint(DIM, line)
        } else {
            line.to_owned()
        };
        let _ = writeln!(self.remarks, "{line}");
    }

    /// The text in that style, where the output shows colours.
    pub(crate) fn painted(&self, style: Style, text: &str) -> String {
        if self.colours.out {
            paint(style, text)
        } else {
            text.to_owned()
        }
    }
}

pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
