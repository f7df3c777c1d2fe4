//! What `check` accepts and at which step it refuses.

use serde_json::{Map, Value, json};
use verify::receipt::{MAX_BYTES, Outcome, Receipt, Report, Signed, StepName, TrustedKey, check};

use crate::changes;
use crate::signer::{Signer, body, busy_signer, disclosure};

fn trusted(signer: &Signer) -> [TrustedKey; 1] {
    [TrustedKey::Key(signer.public_key())]
}

fn by_fingerprint(signer: &Signer) -> [TrustedKey; 1] {
    [TrustedKey::Fingerprint(signer.public_key().fingerprint())]
}

fn check_value(receipt: &Value, trusted: &[TrustedKey]) -> Report {
    check(receipt.to_string().as_bytes(), trusted)
}

fn value(file: &[u8]) -> Value {
    serde_json::from_slice(file).unwrap()
}

#[test]
fn every_receipt_of_the_log_is_valid() {
    let signer = busy_signer();
    for index in 0..9 {
        let file = signer.file(index);
        for trusted in [trusted(&signer), by_fingerprint(&signer)] {
            let report = check(&file, &trusted);
            assert_eq!(report.outcome, Outcome::Valid, "{:?}", report.steps);
            assert!(report.steps.iter().all(|step| step.passed));
        }
    }
    let report = check(&signer.file(0), &trusted(&signer));
    assert_eq!(report.body["claim"], "The Fed cut rates by 0.25 points.");
    assert_eq!(report.key_id, Some(signer.public_key().id()));
    assert_eq!(report.steps.len(), 8);
}

#[test]
fn without_a_trusted_key_it_is_only_self_consistent() {
    let signer = busy_signer();
    let stranger = Signer::new(2);
    let file = signer.file(3);
    for keys in [&[][..], &trusted(&stranger), &by_fingerprint(&stranger)] {
        let report = check(&file, keys);
        assert_eq!(report.outcome, Outcome::SelfConsistent);
        assert_eq!(
            report.outcome.to_string(),
            "self-consistent, signer unknown"
        );
    }
    let both = [trusted(&stranger)[0], trusted(&signer)[0]];
    assert_eq!(check(&file, &both).outcome, Outcome::Valid);
}

#[test]
fn the_receipt_need_not_carry_its_key() {
    let signer = busy_signer();
    let mut receipt = value(&signer.file(2));
    receipt.as_object_mut().unwrap().shift_remove("public_key");
    assert_eq!(
        check_value(&receipt, &trusted(&signer)).outcome,
        Outcome::Valid
    );
    for keys in [&[][..], &by_fingerprint(&signer)] {
        let outcome = check_value(&receipt, keys).outcome;
        assert_eq!(outcome, Outcome::Invalid(StepName::Key));
    }
}

/// A forger who signs with an own key and writes the trusted key's id, or carries the trusted key.
#[test]
fn a_forged_receipt_gains_nothing_from_what_it_carries() {
    let honest = busy_signer();
    let mut forger = Signer::new(66);
    forger.append(&body(0, "Anything at all", 1.0));
    let forged = value(&forger.file(0));
    for keys in [trusted(&honest), by_fingerprint(&honest)] {
        assert_eq!(check_value(&forged, &keys).outcome, Outcome::SelfConsistent);
        let id = json!(honest.public_key().id());
        let key = json!(honest.public_key());
        for (names_id, carries_key) in [(true, false), (false, true), (true, true)] {
            let mut forged = forged.clone();
            if names_id {
                forged["key_id"] = id.clone();
            }
            if carries_key {
                forged["public_key"] = key.clone();
            }
            let outcome = check_value(&forged, &keys).outcome;
            assert!(matches!(outcome, Outcome::Invalid(_)), "{outcome}");
        }
    }
}

#[test]
fn each_step_is_the_one_that_fails() {
    let signer = busy_signer();
    let receipt = value(&signer.file(4));
    let other = value(&signer.file(5));
    let fails = |change: &dyn Fn(&mut Value), step| {
        let mut receipt = receipt.clone();
        change(&mut receipt);
        let report = check_value(&receipt, &trusted(&signer));
        assert_eq!(report.outcome, Outcome::Invalid(step), "{:?}", report.steps);
    };
    fails(
        &|r| r["version"] = "assay-receipt-2".into(),
        StepName::Format,
    );
    fails(&|r| r["log"]["more"] = 1.into(), StepName::Format);
    fails(&|r| r["key_id"] = "0000000000000000".into(), StepName::Key);
    fails(&|r| r["verdict"] = "contradicted".into(), StepName::Hash);
    fails(&|r| r["added"] = "unsigned".into(), StepName::Hash);
    fails(&|r| r["hash"] = other["hash"].clone(), StepName::Hash);
    fails(
        &|r| r["signature"] = other["signature"].clone(),
        StepName::Signature,
    );
    fails(&|r| r["log"]["index"] = 5.into(), StepName::Inclusion);
    fails(
        &|r| r["log"]["proof"] = other["log"]["proof"].clone(),
        StepName::Inclusion,
    );
    fails(
        &|r| r["log"]["checkpoint"] = "".into(),
        StepName::Checkpoint,
    );
    let mut longer = busy_signer();
    longer.append(&body(7, "one more", 0.5));
    let later = value(&longer.file(4));
    fails(
        &|r| r["log"]["checkpoint"] = later["log"]["checkpoint"].clone(),
        StepName::Root,
    );
    // The same receipt with the proof of the longer log is valid.
    let mut moved = receipt.clone();
    moved["log"] = later["log"].clone();
    assert_eq!(
        check_value(&moved, &trusted(&signer)).outcome,
        Outcome::Valid
    );
}

/// Inclusion proofs of some leaves fit several sizes; the checkpoint does not.
#[test]
fn another_size_is_refused() {
    let signer = busy_signer();
    let receipt = value(&signer.file(0));
    for size in (0..20).filter(|size| *size != 9) {
        let mut receipt = receipt.clone();
        receipt["log"]["size"] = size.into();
        let outcome = check_value(&receipt, &trusted(&signer)).outcome;
        assert!(matches!(outcome, Outcome::Invalid(_)), "size {size}");
    }
}

#[test]
fn private_evidence_is_a_hash_until_its_owner_opens_it() {
    let signer = busy_signer();
    let served = String::from_utf8(signer.file(0)).unwrap();
    assert!(!served.contains("margin") && !served.contains("minutes"));
    let check_with = |disclosures: Value| {
        let mut receipt = value(served.as_bytes());
        receipt["disclosures"] = disclosures;
        check_value(&receipt, &trusted(&signer)).outcome
    };
    let opened = signer.receipt(0).with_disclosures(vec![disclosure()]);
    let opened = serde_json::to_value(&opened).unwrap()["disclosures"].clone();
    assert_eq!(check_with(opened.clone()), Outcome::Valid);
    for changed in changes::of_fields(&opened) {
        let outcome = check_with(changed.clone());
        if changed != json!([]) && changed != json!([opened[0], opened[0]]) {
            assert!(matches!(outcome, Outcome::Invalid(_)), "{changed}");
        }
    }
}

#[test]
fn what_a_later_version_adds_stays_signed() {
    let signer = busy_signer();
    let receipt = signer.receipt(1);
    let mut body: Map<String, Value> = receipt.body.clone();
    body.insert(
        "evidence_chain".into(),
        json!([{"\u{fb33}": 1, "😀": 2}, 0.1, "x"]),
    );
    // As a later version would store it.
    let canonical = verify::receipt::canonical::canonical(&body).unwrap();
    let stored = Signed::from_stored(canonical, receipt.proof.signature, receipt.proof.key_id);
    let log = receipt.proof.log.clone();
    let served = Receipt::new(&stored.unwrap(), signer.public_key(), log);
    let bytes = serde_json::to_vec(&served).unwrap();
    assert_eq!(Receipt::parse(&bytes).unwrap(), served);
    let report = check(&bytes, &trusted(&signer));
    assert_eq!(report.outcome, Outcome::Invalid(StepName::Signature));
    assert!(report.body.contains_key("evidence_chain"));
}

#[test]
fn a_stored_body_must_be_canonical() {
    let receipt = busy_signer().receipt(1);
    let proof = receipt.proof;
    for text in [r#"{"b":1,"a":2}"#, r#"{"a": 1}"#, r#"{"a":1.0}"#, "[]", ""] {
        let stored = Signed::from_stored(text.into(), proof.signature, proof.key_id);
        assert!(stored.is_err(), "{text}");
    }
}

#[test]
fn bad_files_are_refused_with_a_sentence() {
    let signer = busy_signer();
    let file = signer.file(0);
    let padded = |size: usize| [&file[..], &vec![b' '; size - file.len()]].concat();
    assert_eq!(
        check(&padded(MAX_BYTES), &trusted(&signer)).outcome,
        Outcome::Valid
    );
    let nested = format!("{{\"version\":{}", "[".repeat(500_000));
    let doubled = String::from_utf8(file.clone()).unwrap().replacen(
        "\"verdict\"",
        "\"verdict\": \"contradicted\", \"verdict\"",
        1,
    );
    let bad = [
        padded(MAX_BYTES + 1),
        Vec::new(),
        b"null".to_vec(),
        b"{}".to_vec(),
        b"\xff\xfe".to_vec(),
        [b"\xef\xbb\xbf", &file[..]].concat(),
        nested.into_bytes(),
        doubled.into_bytes(),
    ];
    for bytes in bad {
        let report = check(&bytes, &trusted(&signer));
        assert_eq!(report.outcome, Outcome::Invalid(StepName::Format));
        assert_eq!(report.steps.len(), 1);
        assert!(
            report.steps[0].sentence.ends_with('.'),
            "{}",
            report.steps[0].sentence
        );
    }
}
