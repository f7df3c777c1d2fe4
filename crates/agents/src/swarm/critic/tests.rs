use serde_json::json;

use super::*;

fn faults(question: &str, vertical: Option<Vertical>, briefs: &Value) -> Vec<String> {
    let today = Day::parse("2022-03-14").unwrap();
    let reading = query::read(question, today, &query::Names::default());
    let Value::Object(data) = json!({
        "news": {"briefs": briefs},
        "context": {"perspectives": {"opposing": "“It is bad”."}},
    }) else {
        panic!()
    };
    let material = Material {
        reading: &reading,
        today,
        vertical,
        data: &data,
        missing: &[],
        tested: &[],
    };
    review(&material)
        .into_iter()
        .map(|fault| fault.statement)
        .collect()
}

fn briefs(headline: &str) -> Value {
    let briefs = (0..4).map(|place| {
        json!({
            "id": format!("PR-{place}"), "headline": headline, "summary": "", "published_at": "2022-03-14T10:00:00Z",
            "sentiment": 0.2, "sources": [{"name": format!("Outlet {place}")}],
        })
    });
    briefs.collect()
}

#[test]
fn whom_no_report_names_is_said() {
    let question = "How exposed is Volkswagen to the war in Ukraine?";
    let said = "None of the 4 reports that were found names Volkswagen.";
    let found = faults(question, None, &briefs("War in Ukraine goes on"));
    assert!(found.iter().any(|one| one == said), "{found:?}");
    let found = faults(question, None, &briefs("Volkswagen stops its plants"));
    assert!(!found.iter().any(|one| one.contains("names")), "{found:?}");
}

#[test]
fn that_reports_are_of_one_kind_is_said_once_and_in_whole_numbers() {
    let found = faults("War in the east and prices", None, &briefs("War"));
    let sides: Vec<&String> = found
        .iter()
        .filter(|one| one.contains("sentiment") || one.contains("speak"))
        .collect();
    assert_eq!(sides, ["The sentiment of all 4 reports is unfavourable."]);
}

#[test]
fn reports_without_an_authority_are_reports() {
    let question = "What sanctions rules apply to banks of the east?";
    let of = |briefs: &Value| faults(question, Some(Vertical::Compliance), briefs);
    let found = of(&briefs("Banks meet on payments freeze"));
    let said = "Of 4 reports found, none names the authority that decides; that is no clearance.";
    assert!(found.iter().any(|one| one == said), "{found:?}");
    let found = of(&json!([]));
    assert!(
        found
            .iter()
            .any(|one| one.starts_with("No report on rules")),
        "{found:?}"
    );
}
