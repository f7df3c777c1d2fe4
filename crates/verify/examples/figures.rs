//! Prints how claims about figures are read: one claim a line on standard input, the day as an argument.
#![expect(clippy::print_stdout, reason = "an example")]

use model::Day;

fn main() {
    let today = std::env::args()
        .nth(1)
        .and_then(|text| Day::parse(&text))
        .unwrap_or_default();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match verify::figures::read(&line, today) {
            Some(reading) => println!("{line}\n    {reading:?}"),
            None => println!("{line}\n    no claim about a figure"),
        }
    }
}
