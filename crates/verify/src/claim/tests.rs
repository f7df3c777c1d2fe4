use super::*;

fn texts(text: &str) -> Vec<String> {
    Claim::all(text)
        .into_iter()
        .map(|claim| claim.text)
        .collect()
}

#[test]
fn claims_can_be_read_alone() {
    let found = texts(
        "Apple reported record revenue on Thursday. Its profit rose to $36 billion. The company also raised its dividend. \
         Tim Cook has led Apple since 2011. He joined in 1998.",
    );
    assert_eq!(found[0], "Apple reported record revenue on Thursday.");
    assert!(found[1].starts_with("Apple"), "{found:?}");
    assert!(found[2].starts_with("Apple"), "{found:?}");
    assert!(found[4].starts_with("Tim Cook joined"), "{found:?}");
}

#[test]
fn a_name_in_front_that_nobody_knows_is_still_the_subject() {
    let found = texts(
        "Quillentis will build vehicles for the United States Marine Corps. The company won the order on Monday. \
         It hires 200 people for it. Its shares rose 4%.",
    );
    for claim in &found[1..] {
        assert!(claim.starts_with("Quillentis"), "{found:?}");
    }
}

#[test]
fn what_cannot_be_checked_is_kept_and_marked() {
    let found =
        Claim::all("Is oil cheap? Oil fell to $70 on Monday. I think it is a good time to buy.");
    let kinds: Vec<Option<Unchecked>> = found.iter().map(|claim| claim.unchecked).collect();
    assert_eq!(
        kinds,
        [Some(Unchecked::Question), None, Some(Unchecked::Opinion)]
    );
}

#[test]
fn a_text_without_end_is_bounded() {
    let text = "Oil fell to $70 on Monday the 3rd. ".repeat(10)
        + &"Gold rose by 1 % on day N. ".repeat(5_000);
    assert!(Claim::all(&text).len() <= MOST);
    for odd in [
        "",
        "\u{0}",
        "???",
        "** **",
        "- \n- \n",
        "1. 2. 3.",
        "“",
        &"(".repeat(9_000),
    ] {
        assert!(Claim::all(odd).len() <= 2, "{odd:?}");
    }
}

#[test]
fn only_what_is_said_of_the_future_makes_a_direction_of_it() {
    let is_plan = |text: &str| Claim::parse(text).is_plan();
    assert!(is_plan("Northwind cut prices and will open 30 shops"));
    assert!(is_plan(
        "Northwind has put up three mills, and its rivals will pay for them"
    ));
    assert!(!is_plan("Northwind will cut prices"));
    assert!(!is_plan("Northwind shares will rise"));
    assert!(!is_plan("The decline in Northwind shares will continue"));
    assert!(!is_plan("Northwind opened 30 shops"));
}
