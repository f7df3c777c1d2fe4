use super::*;

const PLAIN: Line = Line {
    operation: "plain",
    description: "",
    omits: &[],
    latest: &[],
};

fn prose(characters: usize) -> String {
    "word ".repeat(characters / 5)
}

#[test]
fn what_is_small_stays_whole() {
    let answer = json!({"status": "ok", "items": [1, 2, 3], "text": prose(500)});
    assert_eq!(small(answer.clone(), &PLAIN), answer);
}

#[test]
fn long_lists_and_texts_are_cut_with_a_count() {
    let item =
        json!({"id": "b", "text": prose(900), "parts": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}]});
    let answer = json!({"items": vec![item; 100], "summary": prose(5_000)});
    let reduced = small(answer, &PLAIN);
    assert!(reduced.to_string().len() < TARGET + 500);
    let shown = reduced["items"].as_array().unwrap().len();
    assert!((5..40).contains(&shown));
    let lists = reduced[LEFT_OUT]["lists"].as_array().unwrap();
    let noted = lists.iter().find(|list| list["list"] == "items").unwrap();
    assert_eq!(
        (&noted["shown"], &noted["of"]),
        (&json!(shown), &json!(100))
    );
    assert_eq!(reduced[LEFT_OUT]["texts"], shown + 1);
    let summary = reduced["summary"].as_str().unwrap();
    assert!(summary.ends_with("more characters]"), "{summary}");
    assert!(
        reduced[LEFT_OUT]["hint"]
            .as_str()
            .unwrap()
            .contains("detail=full")
    );
}

#[test]
fn the_end_of_a_series_is_kept_where_the_line_says_so() {
    let line = Line {
        latest: &["candles"],
        ..PLAIN
    };
    let candles: Vec<Value> = (0..500)
        .map(|day| json!({"day": day, "close": 10.5}))
        .collect();
    let reduced = small(json!({"candles": candles.clone(), "other": candles}), &line);
    let days = |name: &str| reduced[name].as_array().unwrap().clone();
    assert_eq!(days("candles").last().unwrap()["day"], 499);
    assert_eq!(days("other")[0]["day"], 0);
}

#[test]
fn fields_that_the_line_names_are_left_out_everywhere() {
    let line = Line {
        omits: &["body"],
        ..PLAIN
    };
    let reduced = small(
        json!({"body": "x", "items": [{"body": "y", "id": 1}]}),
        &line,
    );
    assert_eq!(reduced["items"], json!([{"id": 1}]));
    assert_eq!(reduced[LEFT_OUT]["fields"], json!(["body"]));
}

#[test]
fn what_is_missing_or_stale_is_named_in_full() {
    let status: Vec<Value> = (0..30)
        .map(|number| json!({"field": format!("field_{number}"), "reason": prose(400), "stale": true}))
        .collect();
    let answer = json!({
        "updated_at": "2026-03-10T12:00:00Z",
        "data_status": status.clone(),
        "items": vec![json!({"text": prose(900)}); 100],
        "data": {"price": {"data_status": status}},
    });
    let ask = crate::tools::TOOLS
        .iter()
        .find(|line| line.operation == "ask");
    let reduced = small(answer, ask.unwrap());
    assert!(reduced["items"].as_array().unwrap().len() < 100);
    assert_eq!(reduced["updated_at"], "2026-03-10T12:00:00Z");
    for list in ["/data_status", "/data/price/data_status"] {
        let list = reduced.pointer(list).unwrap().as_array().unwrap();
        assert_eq!(list.len(), 30);
        assert_eq!(list[29]["field"], "field_29");
    }
}

#[test]
fn ids_addresses_and_points_are_never_cut() {
    let (address, point) = (
        format!("https://a.example/{}", "x".repeat(9_000)),
        vec![1; 12],
    );
    let answer = json!({"url": address, "items": [{"point": point}]});
    assert_eq!(small(answer.clone(), &PLAIN), answer);
}

#[test]
fn texts_end_at_a_word_and_a_character() {
    assert_eq!(shortened(&prose(100), 100), None);
    assert_eq!(shortened("aé", 1), None);
    let cut = shortened(&"é".repeat(200), 100).unwrap();
    assert!(cut.starts_with(&"é".repeat(100)) && cut.ends_with("[100 more characters]"));
    let cut = shortened(&prose(200), 102).unwrap();
    assert!(cut.contains("word… ["), "{cut}");
}

#[test]
fn whatever_comes_nothing_breaks() {
    for answer in [
        json!(null),
        json!([]),
        json!("text"),
        json!(7),
        json!([[[[prose(90_000)]]]]),
    ] {
        let _ = small(answer, &PLAIN);
    }
}
