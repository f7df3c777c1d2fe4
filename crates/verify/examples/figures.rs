//! Prints how claims about figures are read: one claim a line on standard input, the day as an argument.
#![expect(clippy::print_stdout, reason = "an example")]

use model::Day;
use verify::figures::Reading;

fn main() {
    let today = std::env::args()
        .nth(1)
        .and_then(|text| Day::parse(&text))
        .unwrap_or_default();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match verify::figures::read(&line, today) {
            Some(reading @ Reading::Claim(_)) => println!("{line}\n    {reading:?}"),
            other => {
                println!("{line}\n    {other:?}");
                for claim in verify::figures::plain_claims(&line, today).unwrap_or_default() {
                    println!("    - {claim:?}");
                }
                let loose = verify::figures::loose_claims(&line, today);
                for loose in loose.into_iter().flat_map(|loose| loose.figures) {
                    println!("    ~ {loose:?}");
                }
            }
        }
    }
}
