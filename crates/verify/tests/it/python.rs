//! The verifier in Python shares no code with this crate and comes to the same outcome.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use verify::receipt::{Outcome, StepName, TrustedKey, check};

use crate::changes;
use crate::signer::{Signer, busy_signer, disclosure};

/// Reads one receipt and key a line, and writes one outcome a line.
const DRIVER: &str = "
import base64, sys
sys.path.insert(0, sys.argv[1])
import verify_receipt
for line in sys.stdin:
    receipt, key = line.split()
    print(verify_receipt.check(base64.b64decode(receipt), None if key == '-' else key)[0])
";

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn python_is_there() -> bool {
    let there = Command::new("python3")
        .args(["-c", "import cryptography"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        println!("left out: python3 with the package cryptography is missing");
    }
    there
}

/// A file and the key to check it with.
type Case = (Vec<u8>, Option<TrustedKey>);

/// The outcomes of the verifier in Python.
fn python(cases: &[Case]) -> Vec<String> {
    let mut child = Command::new("python3")
        .args(["-B", "-c", DRIVER])
        .arg(docs())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: Vec<String> = cases
        .iter()
        .map(|(file, key)| {
            let key = key.map_or("-".to_owned(), |key| key.to_string());
            format!("{} {key}\n", STANDARD.encode(file))
        })
        .collect();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for line in lines {
            input.write_all(line.as_bytes()).unwrap();
        }
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Both verifiers come to the same outcome. Where this one cannot read the file, the other may find the fault later.
fn check_both(cases: &[Case]) -> Vec<Outcome> {
    let theirs = python(cases);
    assert_eq!(theirs.len(), cases.len(), "python stopped");
    cases
        .iter()
        .zip(theirs)
        .map(|((file, key), theirs)| {
            let ours = check(file, key.as_slice()).outcome;
            let agrees = match ours {
                Outcome::Invalid(StepName::Format) => theirs.starts_with("invalid: "),
                ours => ours.to_string() == theirs,
            };
            let file = String::from_utf8_lossy(file);
            assert!(agrees, "{ours} here, {theirs} in Python: {file}");
            ours
        })
        .collect()
}

fn keys(signer: &Signer) -> [Option<TrustedKey>; 3] {
    let key = signer.public_key();
    [
        Some(TrustedKey::Key(key)),
        Some(TrustedKey::Fingerprint(key.fingerprint())),
        None,
    ]
}

#[test]
fn both_accept_the_same_receipts() {
    if !python_is_there() {
        return;
    }
    let signer = busy_signer();
    let stranger = keys(&Signer::new(2));
    let mut cases = Vec::new();
    for index in 0..9 {
        for key in keys(&signer).into_iter().chain(stranger) {
            cases.push((signer.file(index), key));
            if (0..6).contains(&index) {
                let opened = signer.receipt(index).with_disclosures(vec![disclosure()]);
                cases.push((serde_json::to_vec(&opened).unwrap(), key));
            }
        }
    }
    let outcomes = check_both(&cases);
    for (outcome, (_, key)) in outcomes.into_iter().zip(&cases) {
        let is_signer = key.is_some() && keys(&signer).contains(key);
        let expected = if is_signer {
            Outcome::Valid
        } else {
            Outcome::SelfConsistent
        };
        assert_eq!(outcome, expected);
    }
}

#[test]
fn both_refuse_a_receipt_with_any_field_changed() {
    if !python_is_there() {
        return;
    }
    let signer = busy_signer();
    let mut cases = Vec::new();
    let mut originals = HashMap::new();
    for index in [2, 6] {
        let opened = signer.receipt(index).with_disclosures(match index {
            2 => vec![disclosure()],
            _ => Vec::new(),
        });
        let receipt = serde_json::to_value(&opened).unwrap();
        for changed in changes::of_fields(&receipt) {
            let file = changed.to_string().into_bytes();
            originals.insert(file.clone(), receipt.clone());
            cases.extend(keys(&signer).map(|key| (file.clone(), key)));
        }
    }
    assert!(cases.len() > 1_000, "only {} changes", cases.len());
    for (outcome, (file, _)) in check_both(&cases).into_iter().zip(&cases) {
        let changed: Value = serde_json::from_slice(file).unwrap();
        let original = &originals[file];
        // Withholding or repeating what is not signed changes nothing that is.
        let key = changed.get("public_key").unwrap_or(&Value::Null);
        let is_harmless = signed_part(&changed) == signed_part(original)
            && (key.is_null() || *key == original["public_key"]);
        let is_refused = matches!(outcome, Outcome::Invalid(_));
        assert!(is_refused || is_harmless, "{outcome}: {changed}");
    }
}

/// A receipt without what may be left out.
fn signed_part(receipt: &Value) -> Value {
    let mut receipt = receipt.clone();
    for name in ["public_key", "disclosures"] {
        receipt.as_object_mut().unwrap().remove(name);
    }
    receipt
}

#[test]
fn both_refuse_a_file_with_any_byte_changed() {
    if !python_is_there() {
        return;
    }
    let signer = busy_signer();
    let mut cases = Vec::new();
    for index in [0, 3] {
        let opened = signer.receipt(index).with_disclosures(vec![disclosure()]);
        let file = serde_json::to_vec(&opened).unwrap();
        let original: Value = serde_json::from_slice(&file).unwrap();
        let changed = changes::of_bytes(&file, index as usize, 17);
        let [key, ..] = keys(&signer);
        cases.extend(
            changed
                .into_iter()
                .map(|file| (file, key, original.clone())),
        );
    }
    assert!(cases.len() > 3_000, "only {} changes", cases.len());
    let files: Vec<Case> = cases
        .iter()
        .map(|(file, key, _)| (file.clone(), *key))
        .collect();
    for (outcome, (file, _, original)) in check_both(&files).into_iter().zip(&cases) {
        if !matches!(outcome, Outcome::Invalid(_)) {
            // White space outside of texts, or another spelling of the same value.
            let read: Value = serde_json::from_slice(file).unwrap();
            assert_eq!(read, *original, "{}", String::from_utf8_lossy(file));
        }
    }
}

#[test]
fn the_command_says_the_steps_and_exits_by_the_outcome() {
    if !python_is_there() {
        return;
    }
    let signer = busy_signer();
    let folder = tempfile::tempdir().unwrap();
    let receipt = folder.path().join("receipt.json");
    std::fs::write(&receipt, signer.file(0)).unwrap();
    let pem = folder.path().join("key.pem");
    std::fs::write(&pem, signer.public_key().to_pem().unwrap()).unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new("python3")
            .arg("-B")
            .arg(docs().join("verify_receipt.py"))
            .arg(&receipt)
            .args(arguments)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let steps: Vec<String> = check(&signer.file(0), keys(&signer)[0].as_slice())
        .steps
        .iter()
        .map(|step| format!("ok    {}\n", step.name))
        .collect();
    let valid = (Some(0), format!("{}valid\n", steps.concat()));
    assert_eq!(run(&["--key", pem.to_str().unwrap()]), valid);
    assert_eq!(run(&["--key", &signer.public_key().to_base64()]), valid);
    let (code, text) = run(&[]);
    assert_eq!(code, Some(1));
    assert!(
        text.ends_with("\nself-consistent, signer unknown\n"),
        "{text}"
    );
    std::fs::write(&receipt, "{}").unwrap();
    let (code, text) = run(&["--key", pem.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("\ninvalid: format\n"), "{text}");
}

/// It is read before it is trusted.
#[test]
fn the_verifier_in_python_has_at_most_150_lines() {
    let text = std::fs::read_to_string(docs().join("verify_receipt.py")).unwrap();
    assert!(text.lines().count() <= 150);
}
