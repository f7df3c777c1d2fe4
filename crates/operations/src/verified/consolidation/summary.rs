//! The text of a snapshot: the texts of the memories that it replaces, as far as they fit.
//!
//! The first line says how many there are and what period they cover. Each text is an entry in a list, newest first,
//! with its further lines indented. This allows the next snapshot to find the entries of this one again.

use std::fmt::Write as _;

use store::{Memory, Snapshot};

/// Maximum size of a snapshot's text, in bytes.
const LONGEST: usize = 64 << 10;
/// Bytes reserved for the first and the last line.
const FRAME: usize = 256;
/// A fragment of a text shorter than this many bytes is not worth keeping.
const LEAST: usize = 80;
/// Suffix of the key of a contradicted claim.
const MARK: &str = " (contradicted)";
/// How an entry and each of its further lines begin.
const ENTRY: &str = "- ";
const FURTHER: &str = "  ";

/// The text of a snapshot of these memories, which are given oldest first.
pub(super) fn of(old: &[Memory], stands_for: &Snapshot) -> String {
    let mut text = first_line(old, stands_for);
    let mut room = LONGEST - FRAME;
    let mut named = 0;
    for entry in entries(old) {
        if entry.len() + 1 > room {
            if let Some(cut) = cut(&entry, room) {
                text.push('\n');
                text.push_str(&cut);
                named += 1;
            }
            break;
        }
        text.push('\n');
        text.push_str(&entry);
        room -= entry.len() + 1;
        named += 1;
    }
    let left_out = stands_for.memories.saturating_sub(named);
    if left_out > 0 {
        // Writing to a text does not fail.
        let _ = write!(text, "\nand {left_out} older ones, whose text is left out");
    }
    text
}

fn first_line(old: &[Memory], stands_for: &Snapshot) -> String {
    let own = old.iter().filter(|memory| memory.snapshot.is_none());
    let last = own.map(|memory| memory.updated_at).max();
    let first = stands_for.since.date();
    let span = match last.map(model::Timestamp::date) {
        Some(last) if last != first => format!("{first} to {last}"),
        _ => first,
    };
    let contradicted = match stands_for.contradicted {
        0 => String::new(),
        count => format!(", {count} of them contradicted claims"),
    };
    format!("{} memories of {span}{contradicted}.", stands_for.memories)
}

/// The entries of the list, newest first. The contents of a snapshot are older than the memories that became due after
/// it.
fn entries(old: &[Memory]) -> impl Iterator<Item = String> {
    let newest_first = || old.iter().rev();
    let own = newest_first().filter(|memory| memory.snapshot.is_none());
    let earlier = newest_first().filter(|memory| memory.snapshot.is_some());
    own.map(entry).chain(earlier.flat_map(entries_of))
}

/// The entry for a memory. A contradicted claim is marked so that nobody mistakes it for a fact.
fn entry(memory: &Memory) -> String {
    let mark = if memory.is_contradicted() { MARK } else { "" };
    let mut lines = memory.content.value.lines();
    let first = lines.next().unwrap_or_default();
    let key = in_one_line(&memory.content.key);
    let mut entry = format!("{ENTRY}{key}{mark}: {first}");
    for line in lines {
        entry.push('\n');
        entry.push_str(FURTHER);
        entry.push_str(line);
    }
    entry
}

fn in_one_line(key: &str) -> String {
    key.replace(['\n', '\r'], " ")
}

/// The entries of an earlier snapshot, without contradicted claims that have been stored again since. A snapshot from
/// before entries were introduced counts as a single entry.
fn entries_of(snapshot: &Memory) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in snapshot.content.value.lines().skip(1) {
        if line.starts_with(ENTRY) {
            entries.push(line.to_owned());
        } else if let Some(entry) = entries.last_mut().filter(|_| line.starts_with(FURTHER)) {
            entry.push('\n');
            entry.push_str(line);
        }
    }
    if entries.is_empty() {
        entries.push(entry(snapshot));
    }
    let stands_for = snapshot.snapshot.iter();
    for key in stands_for.flat_map(Snapshot::superseded) {
        let superseded = format!("{ENTRY}{}{MARK}: ", in_one_line(key));
        entries.retain(|entry| !entry.starts_with(&superseded));
    }
    entries
}

/// As much of an entry as fits, up to the end of a word; `None` if that is too little.
fn cut(entry: &str, room: usize) -> Option<String> {
    const MARK: &str = " …";
    let most = room.checked_sub(1 + MARK.len())?;
    let full = &entry[..entry.floor_char_boundary(most)];
    // A text without spaces is cut where it is full.
    let end = full
        .rfind(char::is_whitespace)
        .filter(|end| *end > full.len() / 2);
    let kept = full[..end.unwrap_or(full.len())].trim_end();
    (kept.len() >= LEAST).then(|| format!("{kept}{MARK}"))
}

#[cfg(test)]
mod tests {
    use model::{AccountId, Timestamp};
    use store::NewMemory;

    use super::*;

    fn memory(day: i64, key: &str, value: &str) -> Memory {
        let at = Timestamp::start_of_day(20_000 + day);
        Memory {
            account: AccountId(uuid::Uuid::nil()),
            agent: "desk".to_owned(),
            content: NewMemory {
                id: String::new(),
                key: key.to_owned(),
                value: value.to_owned(),
                category: "note".to_owned(),
                tickers: Vec::new(),
                confidence: None,
                verdict: None,
                stale_at: None,
                expires_at: None,
                receipt: None,
            },
            created_at: at,
            updated_at: at,
            snapshot: None,
        }
    }

    fn text_of(old: &[Memory]) -> String {
        of(old, &Snapshot::of_all(old).unwrap())
    }

    fn contradicted(mut memory: Memory) -> Memory {
        memory.content.verdict = Some("contradicted".to_owned());
        memory
    }

    fn consolidated(day: i64, old: &[Memory]) -> Memory {
        Memory {
            snapshot: Snapshot::of_all(old),
            ..memory(day, "snapshot", &text_of(old))
        }
    }

    #[test]
    fn texts_stay_whole_and_contradicted_claims_are_marked() {
        let wrong = contradicted(memory(1, "claim:1", "Apple closed at $900."));
        let long = "word ".repeat(300);
        let old = [
            memory(0, "list", "one\n- two"),
            wrong,
            memory(2, "long", &long),
        ];
        let text = text_of(&old);
        let expected = format!(
            "3 memories of 2024-10-04 to 2024-10-06, 1 of them contradicted claims.\n- long: {long}\n\
             - claim:1 (contradicted): Apple closed at $900.\n- list: one\n  - two"
        );
        assert_eq!(text, expected);
        // The next snapshot has the entries of this one behind its own.
        let again = text_of(&[consolidated(3, &old), memory(2, "late", "New.")]);
        let expected = expected
            .replace("3 memories", "4 memories")
            .replace("\n- long", "\n- late: New.\n- long");
        assert_eq!(again, expected);
    }

    #[test]
    fn a_claim_that_was_stored_again_is_no_longer_said_to_be_contradicted() {
        let wrong = contradicted(memory(1, "claim:1", "Apple closed at $900."));
        // Its key only looks as if it were marked.
        let note = memory(0, "claim:2 (contradicted)", "A note.");
        let mut before = consolidated(2, &[note, wrong]);
        let stands_for = before.snapshot.as_mut().unwrap();
        stands_for.claims[0].is_superseded = true;
        stands_for.memories -= 1;
        stands_for.contradicted -= 1;
        let text = text_of(&[before, memory(3, "late", "New.")]);
        let expected = "2 memories of 2024-10-04 to 2024-10-07.\n- late: New.\n- claim:2 (contradicted): A note.";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let value = "twelve bytes ".repeat(700);
        let many: Vec<Memory> = (0..20)
            .map(|day| memory(day, &format!("m{day}"), &value))
            .collect();
        let text = text_of(&many);
        assert!(
            text.len() <= LONGEST && text.len() > LONGEST - 2 * FRAME,
            "{}",
            text.len()
        );
        let entries: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("- m"))
            .collect();
        let (last, whole) = entries.split_last().unwrap();
        assert!(whole.iter().all(|entry| entry.ends_with("twelve bytes ")));
        assert!(
            last.ends_with("twelve …") || last.ends_with("bytes …"),
            "{last}"
        );
        assert!(entries[0].starts_with("- m19: "));
        let left_out = format!(
            "and {} older ones, whose text is left out",
            20 - entries.len()
        );
        assert_eq!(text.lines().last(), Some(left_out.as_str()));
        // Those left out before are still counted afterwards.
        let again = text_of(&[consolidated(30, &many), memory(31, "late", "New.")]);
        assert!(
            again.starts_with("21 memories of ") && again.len() <= LONGEST,
            "{}",
            again.len()
        );
        let named = again.lines().filter(|line| line.starts_with("- ")).count();
        let left_out = format!("and {} older ones, whose text is left out", 21 - named);
        assert_eq!(again.lines().last(), Some(left_out.as_str()));
    }

    #[test]
    fn a_text_without_spaces_and_an_old_snapshot_are_kept_too() {
        let text = text_of(&[memory(0, "a", &"营".repeat(30_000))]);
        assert!(
            text.len() <= LONGEST && text.ends_with('…'),
            "{}",
            text.len()
        );
        let before = Memory {
            snapshot: Snapshot::of_all(&[memory(0, "a", "b")]),
            ..memory(
                1,
                "snapshot:1",
                "9 memories of 2024-10-04.\nnote-1: Oil fell.",
            )
        };
        let text = text_of(&[before, memory(2, "c", "d")]);
        assert!(
            text.ends_with("- c: d\n- snapshot:1: 9 memories of 2024-10-04.\n  note-1: Oil fell."),
            "{text}"
        );
    }
}
