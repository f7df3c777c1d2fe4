use model::Category;

use super::*;

fn faults(query: &str, read: impl FnOnce(&mut Arguments<'_>)) -> String {
    let mut arguments = Arguments::of_query(query);
    read(&mut arguments);
    arguments
        .finish()
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

fn read(arguments: &mut Arguments<'_>) {
    arguments.integer("page", 1..=500, 1, "Page");
    arguments.number("min_confidence", 0.0..=1.0, "Least confidence");
    arguments.category("category", "Category");
    arguments.flag("updates_only", false, "Only updates");
    arguments.required_text("q", 2..=500, "Words");
    arguments.date("from", "First day");
    arguments.list("tags", 2, "Tags");
    arguments.integer_of("days", &[7, 30], 30, "Days");
}

#[test]
fn a_query_does_not_stand_in_for_the_path() {
    let mut arguments = Arguments::of_request(
        [("symbol", "AAPL")].into_iter(),
        "symbol=MSFT&symbol=X&id=7",
    );
    assert_eq!(arguments.path("symbol", "Symbol"), "AAPL");
    assert!(arguments.finish().is_ok());
    let mut arguments = Arguments::of_request(std::iter::empty(), "id=7");
    arguments.path("id", "Id");
    assert_eq!(
        arguments.finish().unwrap_err().to_string(),
        "id is required"
    );
}

#[test]
fn faults_name_the_parameter_and_its_bounds() {
    assert_eq!(
        faults(
            "q=ab&page=7&min_confidence=0.5&category=AI_ML&updates_only=1&from=2026-01-01&other=1&other=2",
            read
        ),
        ""
    );
    for (query, fault) in [
        ("q=ab&page=abc", "page must be an integer from 1 to 500"),
        ("q=ab&page=501", "page must be an integer from 1 to 500"),
        (
            "q=ab&min_confidence=NaN",
            "min_confidence must be a number from 0 to 1",
        ),
        ("q=a", "q must have from 2 to 500 characters"),
        ("", "q is required and must have from 2 to 500 characters"),
        ("q=ab&page=", "page must be an integer from 1 to 500"),
        ("q=ab&from=", "from must be a date such as 2026-03-01"),
        ("q=ab&page=1&page=2", "page must be given once"),
        ("q=ab&days=8", "days must be one of 7, 30"),
    ] {
        assert_eq!(faults(query, read), fault, "{query}");
    }
    let several = faults("q=ab&page=0&category=nonsense&from=tomorrow", read);
    assert!(
        several.contains("page") && several.contains("category") && several.contains("from"),
        "{several}"
    );
}

#[test]
fn the_character_zero_is_refused_wherever_it_stands() {
    let ignore = |_: &mut Arguments<'_>| {};
    assert_eq!(
        faults("q=a%00b", ignore),
        "q must not contain the character U+0000"
    );
    assert_eq!(
        faults("a%00=1&q=ab", read),
        "the name of a parameter must not contain the character U+0000"
    );
    let of_path = Arguments::of_request([("symbol", "A\0")].into_iter(), "");
    assert!(of_path.finish().is_err());
    for body in [
        serde_json::json!({"key": "a\0"}),
        serde_json::json!({"key": ["a", {"b": "\0"}]}),
        serde_json::json!({"key": {"\0": 1}}),
        serde_json::json!({"\0": 1}),
    ] {
        let arguments = Arguments::of_object(body.as_object().unwrap());
        assert!(arguments.finish().is_err(), "{body}");
    }
}

#[test]
fn an_optional_text_is_absent_where_it_is_blank_and_bounded_else() {
    let read = |query: &str| {
        let mut arguments = Arguments::of_query(query);
        let text = arguments.text("q", 2..=5, "Words");
        arguments.finish().map(|()| text)
    };
    assert_eq!(read("").unwrap(), None);
    assert_eq!(read("q=+++").unwrap(), None);
    assert_eq!(read("q=+ab+").unwrap().as_deref(), Some("ab"));
    for query in ["q=a", "q=abcdef", "q=++++++"] {
        let fault = read(query).unwrap_err().to_string();
        assert_eq!(fault, "q must have from 2 to 5 characters", "{query}");
    }
}

#[test]
fn lists_are_trimmed_and_bounded() {
    let mut arguments = Arguments::of_query("tags=a,%20b,,a");
    assert_eq!(arguments.list("tags", 3, "Tags"), ["a", "b"]);
    assert!(arguments.finish().is_ok());
    // What stands twice is counted twice, as the document says it.
    let mut arguments = Arguments::of_query("tags=a,%20b,,a");
    arguments.list("tags", 2, "Tags");
    assert!(arguments.finish().is_err());
}

#[test]
fn an_object_is_read_as_a_query_is() {
    let object = serde_json::json!({"q": "ab", "page": 7, "updates_only": true, "tags": ["a", "b"], "from": null});
    let mut arguments = Arguments::of_object(object.as_object().unwrap());
    assert_eq!(arguments.integer("page", 1..=500, 1, "Page"), 7);
    assert!(arguments.flag("updates_only", false, "Only updates"));
    assert_eq!(arguments.list("tags", 2, "Tags"), ["a", "b"]);
    read(&mut arguments);
    assert!(arguments.finish().is_ok());
    let object = serde_json::json!({"q": {"ab": 1}});
    let mut arguments = Arguments::of_object(object.as_object().unwrap());
    read(&mut arguments);
    let fault = arguments.finish().unwrap_err().to_string();
    assert!(fault.starts_with("q must be a single value"), "{fault}");
}

#[test]
fn what_is_read_is_what_is_described() {
    let fields = Arguments::describe(read);
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(
        names,
        [
            "page",
            "min_confidence",
            "category",
            "updates_only",
            "q",
            "from",
            "tags",
            "days"
        ]
    );
    let page = serde_json::to_value(&fields[0].schema).unwrap();
    assert_eq!(
        page,
        serde_json::json!({"type": "integer", "minimum": 1, "maximum": 500, "default": 1})
    );
    assert!(fields[4].is_required && !fields[0].is_required);
    let category = serde_json::to_value(&fields[2].schema).unwrap();
    assert_eq!(
        category["enum"].as_array().unwrap().len(),
        Category::ALL.len()
    );
}
