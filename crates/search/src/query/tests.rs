use super::*;
use proptest::prelude::*;

/// A condition as bracketed text, so that tests are readable: `&` all, `|` any, `!` not, `+` required.
fn show(condition: &Condition) -> String {
    let join = |parts: Vec<String>, sign: &str| format!("({})", parts.join(sign));
    match condition {
        Condition::Terms {
            terms,
            quoted: true,
        } => format!("\"{}\"", terms.join(" ")),
        Condition::Terms {
            terms,
            quoted: false,
        } => terms.join("_"),
        Condition::All(operands) => {
            let show_operand = |operand: &Operand| {
                format!(
                    "{}{}",
                    if operand.required { "+" } else { "" },
                    show(&operand.condition)
                )
            };
            join(operands.iter().map(show_operand).collect(), "&")
        }
        Condition::Any(conditions) => join(conditions.iter().map(show).collect(), "|"),
        Condition::Not(condition) => format!("!{}", show(condition)),
    }
}

fn check(text: &str, strict: &str, relaxed: &str) {
    let query = Query::parse(text);
    let show_or_none =
        |condition: Option<Condition>| condition.as_ref().map(show).unwrap_or_default();
    assert_eq!(show_or_none(query.strict()), strict, "{text:?}");
    assert_eq!(show_or_none(query.relaxed()), relaxed, "{text:?} relaxed");
}

#[test]
fn words_phrases_and_operators() {
    check("oil prices", "(oil&price)", "((oil|price))");
    check("oil", "oil", "");
    check("oil -gold", "(oil&!gold)", "");
    check(
        "oil zinc NOT gold",
        "(oil&zinc&!gold)",
        "(!gold&(oil|zinc))",
    );
    check("oil AND gold", "(+oil&+gold)", "");
    check("oil AND gold iron", "(+oil&+gold&iron)", "(+oil&+gold)");
    check("oil OR gold", "(oil|gold)", "");
    check(
        "oil zinc OR gold",
        "((oil&zinc)|gold)",
        "(((oil|zinc))|gold)",
    );
    check("(oil OR gold) zinc", "((oil|gold)&zinc)", "((oil|gold))");
    check(
        "\"oil price\" zinc",
        "(\"oil price\"&zinc)",
        "(\"oil price\")",
    );
    check("zinc -\"oil price\"", "(zinc&!\"oil price\")", "");
    check("zinc -(oil OR gold)", "(zinc&!(oil|gold))", "");
    check(
        "covid-19 BRK.B AT&T ai_ml",
        "(covid_19&brk_b&at&t&ai_ml)",
        "((covid_19|brk_b|at&t|ai_ml))",
    );
}

#[test]
fn stop_words_count_only_in_quotes_or_alone() {
    check("what is the oil of a", "oil", "");
    check("\"the oil\"", "\"the oil\"", "");
    check("the who", "(the&who)", "((the|who))");
    check("who made it in the US", "(made&us)", "((made|us))");
    check("WHAT IS OIL", "oil", "");
    check("oil -the", "oil", "");
    check("-the oil", "oil", "");
}

#[test]
fn nothing_positive_is_nothing() {
    for text in [
        "",
        " ",
        "-oil",
        "NOT oil",
        "-oil -gold",
        "?!",
        "\"\"",
        "()",
        "(",
        "AND",
        "OR NOT",
        "-(oil)",
        "*",
        "🙂",
    ] {
        check(text, "", "");
    }
    check("oil OR -gold", "(oil|!gold)", "");
}

#[test]
fn foreign_syntax_is_punctuation() {
    check("headline:oil", "(headlin&oil)", "((headlin|oil))");
    check("oil* ~2 gold^3", "(oil&2&gold&3)", "((oil|2|gold|3))");
    check("/o.l/ [a1 TO b1]", "(ol&a1&b1)", "((ol|a1|b1))");
    check("body:-oil", "(bodi&oil)", "((bodi|oil))");
    check("btc/usd", "(btc&usd)", "((btc|usd))");
}

#[test]
fn what_is_unfinished_is_read_as_words() {
    check("\"oil price", "(oil&price)", "((oil|price))");
    check("(oil gold", "(oil&gold)", "((oil|gold))");
    check("oil) gold", "(oil&gold)", "((oil|gold))");
    check("oil AND", "oil", "");
    check("AND OR oil", "oil", "");
    check("oil OR OR gold", "(oil|gold)", "");
    check("oil -", "oil", "");
    check("oil NOT", "oil", "");
    check("\"a\"\"b oil\"", "(\"a\"&\"b oil\")", "");
    check("NOT NOT oil", "oil", "");
    check("“oil price” up", "(\"oil price\"&up)", "(\"oil price\")");
}

#[test]
fn size_and_depth_are_bounded() {
    let deep = format!("{}oil{}", "(".repeat(10_000), ")".repeat(10_000));
    check(&deep, "oil", "");
    let negated = format!("{}oil", "NOT ".repeat(10_001));
    check(&negated, "", "");
    let wide = "oil ".repeat(10_000);
    let Some(Condition::All(operands)) = Query::parse(&wide).strict() else {
        panic!("no conjunction")
    };
    assert!(operands.len() <= 48);
}

proptest! {
    #[test]
    fn any_text_is_a_query(text in any::<String>()) {
        let query = Query::parse(&text);
        query.strict();
        query.relaxed();
        query.wanted();
    }

    #[test]
    fn any_mixture_of_syntax_is_a_query(parts in prop::collection::vec(
        prop::sample::select(vec!["oil", "the", "\"", "(", ")", "-", "AND", "OR", "NOT", " ", ":", "'", "é", "東", "3.5%"]), 0..40)) {
        let query = Query::parse(&parts.concat());
        prop_assert!(query.strict().is_some() || query.relaxed().is_none());
        let spaced = Query::parse(&parts.join(" "));
        prop_assert!(spaced.strict().is_some() || spaced.relaxed().is_none());
    }
}
