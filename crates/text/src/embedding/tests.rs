use proptest::prelude::*;

use super::*;

fn alike(left: &str, right: &str) -> f32 {
    similarity(&embed(left), &embed(right))
}

#[test]
fn pieces_are_those_of_the_models_own_tokenizer() {
    let golden = include_str!("../../data/embedding/golden.jsonl");
    let mut checked = 0;
    for line in golden.lines() {
        let (text, expected): (String, Vec<u16>) = serde_json::from_str(line).unwrap();
        assert_eq!(word_pieces(&text), expected, "{text:?}");
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn the_table_has_a_row_for_every_piece() {
    let pieces = include_str!("../../data/embedding/vocabulary.txt")
        .lines()
        .count();
    assert_eq!(TABLE.len(), pieces * DIMENSIONS);
}

#[test]
fn other_words_for_the_same_thing_are_alike() {
    let near = alike(
        "The central bank raised interest rates to fight inflation",
        "Fed hikes borrowing costs as prices climb",
    );
    let far = alike(
        "The central bank raised interest rates to fight inflation",
        "The striker scored twice in the cup final",
    );
    assert!(near > 0.4 && far < 0.2, "{near} {far}");
    assert!(alike("cardiologist", "heart doctor") > alike("cardiologist", "tax lawyer"));
}

#[test]
fn what_says_nothing_is_like_nothing() {
    for text in [
        "",
        " \n",
        "the of and to",
        "?! … —",
        "東京株",
        "привет мир",
        "🙂",
    ] {
        let vector = embed(text);
        assert!(vector.is_zero(), "{text:?}");
        assert_eq!(similarity(&vector, &vector), 0.0);
        assert_eq!(similarity(&vector, &embed("Oil prices fall")), 0.0);
    }
}

#[test]
fn case_accents_and_marks_do_not_count() {
    assert_eq!(
        embed("Zürich CAFÉ, reopened!"),
        embed("zurich cafe reopened")
    );
}

#[test]
fn passages_are_embedded_one_by_one() {
    let texts = ["Oil prices fall", "", "Chip makers rally"];
    let vectors = embed_passages(&texts);
    assert_eq!(vectors, texts.map(embed));
}

proptest! {
    #[test]
    fn any_text_has_a_vector_like_itself(left in any::<String>(), right in "[a-zA-Z ,.'é0-9]{0,80}") {
        let (left, right) = (embed(&left), embed(&right));
        let likeness = similarity(&left, &right);
        prop_assert!((-1.0..=1.0).contains(&likeness));
        prop_assert_eq!(likeness, similarity(&right, &left));
        for vector in [left, right] {
            let own = similarity(&vector, &vector);
            let expected = if vector.is_zero() { 0.0 } else { 1.0 };
            prop_assert!((own - expected).abs() < 1e-5);
            prop_assert_eq!(Embedding::from_bytes(&vector.to_bytes()), vector);
        }
    }

    #[test]
    fn pieces_lie_in_the_vocabulary(text in any::<String>()) {
        for piece in word_pieces(&text) {
            prop_assert!(usize::from(piece) < TABLE.len() / DIMENSIONS);
        }
    }
}
