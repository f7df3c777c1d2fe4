use model::Day;
use verify::grounding::What;

use super::*;

fn grounds() -> Grounds {
    let mut grounds =
        Grounds::new(Day::parse("2026-11-23").unwrap_or(Day::of(Timestamp::from_ms(0))));
    grounds.subject("ACME", &["Acme Industries"]);
    grounds.figure(217.11, None, What::Level);
    grounds.figure(-3.42, None, What::Change);
    grounds
}

/// A text piece by piece, as it came through the gate.
fn passed(text: &str, length: usize) -> (String, usize, usize) {
    let grounds = grounds();
    let mut gate = Gate::new(&grounds);
    let mut told = String::new();
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(length) {
        told.push_str(&gate.take(&piece.iter().collect::<String>()));
    }
    told.push_str(&gate.finish(false));
    assert_eq!(told, gate.text, "what is told is what is written");
    (told, gate.kept, gate.struck)
}

const TEXT: &str = "Acme closed at $217.11. It fell 3.42%.\n\n- It may reach $500 soon.\n- The price, approx. the same, is lower.\n\nBuy now! Samsung is a rival. That is all.";

#[test]
fn sentences_are_judged_one_by_one_however_they_come() {
    let whole = passed(TEXT, TEXT.len());
    for length in [1, 2, 7, 40] {
        assert_eq!(passed(TEXT, length), whole, "in pieces of {length}");
    }
    let (text, kept, struck) = whole;
    assert!(
        text.starts_with("Acme closed at $217.11. It fell 3.42%.\n\n"),
        "{text}"
    );
    for gone in ["500", "Buy", "Samsung"] {
        assert!(!text.contains(gone), "{text}");
    }
    assert!(text.ends_with("That is all."));
    assert_eq!((kept, struck), (4, 3));
}

#[test]
fn a_text_of_inventions_is_no_answer() {
    let grounds = grounds();
    let mut gate = Gate::new(&grounds);
    for place in 0..4 {
        gate.take(&format!("It will reach {} dollars. ", 1_000 + place));
    }
    assert!(gate.is_hopeless());
    assert!(matches!(gate.written(false), Err(Unwritten::Struck(3))));
    let mut empty = Gate::new(&grounds);
    empty.take("Hello there, this is what can be said about it.");
    empty.finish(false);
    assert!(matches!(empty.written(true), Err(Unwritten::Empty)));
    let mut silent = Gate::new(&grounds);
    silent.finish(false);
    assert!(matches!(
        silent.written(false),
        Err(Unwritten::Failed(ChatError::Unreadable))
    ));
}

#[test]
fn what_was_cut_off_is_left_out() {
    let grounds = grounds();
    let mut gate = Gate::new(&grounds);
    gate.take("Acme closed at $217.11. It is also worth not");
    gate.finish(true);
    assert_eq!(
        gate.written(false).ok().map(|prose| prose.text).as_deref(),
        Some("Acme closed at $217.11.")
    );
}
