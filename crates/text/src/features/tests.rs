use model::Features;
use proptest::prelude::*;

use super::{TEMPLATE, cosine, features, term_hash};

fn headline(title: &str) -> Features {
    features(title, "", "", &[])
}

#[test]
fn hashes_are_stable_because_they_are_stored() {
    assert_eq!(term_hash("inflat"), term_hash("inflat"));
    assert_eq!(term_hash(""), 2_872_998_921);
}

#[test]
fn inflections_and_accents_do_not_matter() {
    let left = headline("Ministers approve Nestlé's factories");
    let right = headline("Minister approved Nestle factory");
    assert!(cosine(&left, &right) > 0.99, "{}", cosine(&left, &right));
}

#[test]
fn different_events_are_far_apart() {
    let left = headline("Central bank raises interest rates to curb inflation");
    let right = headline("Earthquake destroys villages in northern Chile");
    assert!(cosine(&left, &right) < 0.05);
}

#[test]
fn templates_are_marked_and_do_not_resemble_each_other() {
    let left = headline("Stock market today: chip makers slide");
    let right = headline("Stock market today: oil majors rally");
    assert_eq!(left.terms[0], (TEMPLATE, 0.0));
    assert!(cosine(&left, &right) < 0.1);
}

proptest! {
    #[test]
    fn terms_are_sorted_and_of_unit_length(title in ".{0,80}", body in ".{0,400}") {
        let found = features(&title, "", &body, &[]);
        prop_assert!(found.terms.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let length: f32 = found.terms.iter().map(|(_, weight)| weight * weight).sum();
        prop_assert!(found.terms.is_empty() || (length - 1.0).abs() < 1e-3 || length == 0.0);
        prop_assert!((0.0..=1.0).contains(&cosine(&found, &found)));
    }
}
