//! Claims about what was filed, traded by insiders or members of Congress, or held by institutions.

use super::Bound;
use super::amount::Unit;
use super::assertions;
use super::claim::{
    Assertion, Disclosure, FigureClaim, Measure, Over, PriceField, Reading, Subject, Unclear,
    Undated,
};
use super::items::{Item, Items, What};
use super::parts::Parts;
use super::period::Period;
use super::times::Times;
use super::token::{Join, Token};
use super::{doubts, mend};

const BOUGHT: [&str; 9] = [
    "bought",
    "buy",
    "buys",
    "purchased",
    "purchase",
    "purchases",
    "acquired",
    "buying",
    "purchasing",
];
/// Verbs for filing a form; a sentence without one may be about the contents of a form.
const FILED: [&str; 22] = [
    "filed",
    "files",
    "file",
    "submitted",
    "submits",
    "submit",
    "filing",
    "lodged",
    "lodges",
    "handed",
    "landed",
    "furnished",
    "delivered",
    "published",
    "released",
    "issued",
    "put",
    "sent",
    "turned",
    "appeared",
    "arrived",
    "went",
];
const SOLD: [&str; 11] = [
    "sold",
    "sell",
    "sells",
    "selling",
    "sale",
    "sales",
    "dumped",
    "disposed",
    "offloaded",
    "unloaded",
    "divested",
];
const INSIDERS: [&str; 26] = [
    "insider",
    "insiders",
    "director",
    "directors",
    "ceo",
    "cfo",
    "coo",
    "officer",
    "officers",
    "executive",
    "executives",
    "chairman",
    "president",
    "owner",
    "founder",
    "chief",
    "chair",
    "cto",
    "counsel",
    "treasurer",
    "controller",
    "vice",
    "vp",
    "svp",
    "evp",
    "general",
];
const LAWMAKERS: [&str; 16] = [
    "senator",
    "senators",
    "sen",
    "rep",
    "representative",
    "representatives",
    "congressman",
    "congresswoman",
    "lawmaker",
    "lawmakers",
    "congress",
    "senate",
    "house",
    "congressional",
    "speaker",
    "politician",
];
/// Words in these claims that change nothing.
const PLAIN: [&str; 48] = [
    "partial",
    "spousal",
    "dated",
    "periodic",
    "ptr",
    "full",
    "form",
    "report",
    "filing",
    "filings",
    "sec",
    "annual",
    "quarterly",
    "current",
    "securities",
    "commission",
    "edgar",
    "disclosed",
    "disclosure",
    "disclosing",
    "reported",
    "transaction",
    "transactions",
    "trade",
    "trades",
    "stake",
    "spouse",
    "open",
    "filed",
    "files",
    "submitted",
    "member",
    "members",
    "former",
    "stocks",
    "financial",
    "results",
    "proxy",
    "statement",
    "amended",
    "registration",
    "worth",
    "husband",
    "wife",
    "household",
    "position",
    "family",
    "10-k",
];

/// Reads a claim about a disclosure; `None` if it is not one.
pub(super) fn read(tokens: &[Token<'_>], marks: &Items) -> Option<Reading> {
    // `Best Buy` is a name and not a trade.
    let in_name = |at: usize| {
        marks.items.iter().any(|item| {
            matches!(item.what, What::Subject(_))
                && (item.first..item.next).contains(&at)
                && item.next - item.first > 1
        })
    };
    let any =
        |words: &[&str]| (0..tokens.len()).find(|at| tokens[*at].is_any(words) && !in_name(*at));
    let names: Vec<(&Item, &String, &Option<String>)> = marks
        .items
        .iter()
        .filter_map(|item| match &item.what {
            What::Subject(Subject::Named { text, ticker }) => Some((item, text, ticker)),
            _ => None,
        })
        .filter(|(_, text, _)| !is_form_name(text))
        .collect();
    let form = form(tokens);
    // `its 10-K of February shows a revenue of …` is about the revenue.
    let says_more = marks.items.iter().any(|item| {
        matches!(
            item.what,
            What::Amount(_) | What::Relation("up" | "down" | "above" | "below")
        )
    });
    let files = any(&FILED).is_some_and(|at| {
        !says_more || tokens[at].is_any(&["filed", "files", "file", "submitted", "filing"])
    });
    if let Some(form) = form.filter(|_| files) {
        let (_, text, ticker) = names.first()?;
        let subject = Subject::Named {
            text: (*text).clone(),
            ticker: (*ticker).clone(),
        };
        return finish(tokens, marks, subject, Disclosure::Filing { form }, true);
    }
    let bought = any(&BOUGHT);
    let sold = any(&SOLD);
    let verb = bought.or(sold)?;
    let is_purchase = bought.is_some();
    let is_lawmaker = any(&LAWMAKERS).is_some();
    let is_insider = any(&INSIDERS).is_some();
    let says_stock = any(&["shares", "stock", "share", "stocks"]).is_some();
    // The company: a name with a symbol, otherwise the one after the verb.
    let behind = |item: &&(&Item, &String, &Option<String>)| item.0.first > verb;
    let company = names
        .iter()
        .find(|(_, _, ticker)| ticker.is_some())
        .or_else(|| names.iter().find(behind))
        .or_else(|| names.first().filter(|_| is_insider))?;
    // `Louisiana congressman Cleo Fields`: the name after the title.
    let titled = |name: &&(&Item, &String, &Option<String>)| {
        let before = name.0.first.checked_sub(1).map(|at| &tokens[at]);
        before.is_some_and(|before| before.is_any(&LAWMAKERS) || before.is_any(&INSIDERS))
    };
    let others = || names.iter().filter(|name| name.0.first != company.0.first);
    let who = others()
        .find(titled)
        .or_else(|| others().next())
        .map(|name| person(name.1));
    let is_trade = says_stock || company.2.is_some();
    let is_person = is_lawmaker || is_insider;
    if !is_trade || !(is_person || who.is_some()) {
        return None;
    }
    if !is_person && is_by_company(tokens, verb, &names) {
        return None;
    }
    // Anyone who buys a company by its name, and not shares in it, may be taking it over; records of trades alone can
    // say that a person traded it.
    let is_symbol = names
        .iter()
        .any(|(_, text, ticker)| ticker.as_deref() == Some(text.as_str()));
    let is_certain = says_stock || is_person || is_symbol;
    let subject = Subject::Named {
        text: company.1.clone(),
        ticker: company.2.clone(),
    };
    let chamber = if any(&["senator", "senators", "sen", "senate"]).is_some() {
        Some("senate")
    } else if any(&[
        "rep",
        "representative",
        "representatives",
        "congressman",
        "congresswoman",
        "house",
    ])
    .is_some()
    {
        Some("house")
    } else {
        None
    };
    let disclosure = if is_insider && !is_lawmaker {
        Disclosure::Insider { is_purchase, who }
    } else {
        Disclosure::Congress {
            is_purchase,
            who,
            chamber,
        }
    };
    finish(tokens, marks, subject, disclosure, is_certain)
}

/// Reads such a claim without the words in it that are not understood; `None` if one of them could change what it says.
pub(super) fn passing(tokens: &[Token<'_>], marks: &Items) -> Option<(FigureClaim, Vec<String>)> {
    const TURNS: [&str; 40] = [
        "calls",
        "puts",
        "call",
        "put",
        "options",
        "option",
        "warrants",
        "bonds",
        "notes",
        "gift",
        "gifted",
        "donated",
        "gave",
        "plans",
        "planned",
        "intends",
        "intended",
        "exercised",
        "exercise",
        "granted",
        "awarded",
        "inherited",
        "half",
        "purchases",
        "short",
        "brother",
        "sister",
        "son",
        "daughter",
        "father",
        "mother",
        "foundation",
        "before",
        "after",
        "until",
        "nearly",
        "barely",
        "no",
        "nothing",
        "sells",
    ];
    let passed: Vec<String> = marks
        .unexplained
        .iter()
        .filter(|word| !is_plain(word))
        .cloned()
        .collect();
    let turns = |word: &String| {
        word.ends_with("ed")
            || word.ends_with("ing")
            || !word
                .chars()
                .all(|one| one.is_ascii_lowercase() || one == '-')
            || TURNS.contains(&word.as_str())
            || doubts::is_superlative(word)
    };
    if passed.is_empty() || passed.len() > 3 || passed.iter().any(turns) {
        return None;
    }
    let understood = Items {
        items: marks.items.clone(),
        ..Items::default()
    };
    match read(tokens, &understood)? {
        Reading::Claim(claim) => Some((*claim, passed)),
        Reading::Listed(_) | Reading::Unclear(_) => None,
    }
}

/// Whether a word that is not understood changes nothing in such a claim.
fn is_plain(word: &str) -> bool {
    let lower = word.to_lowercase();
    let known = |list: &[&str]| list.contains(&lower.as_str());
    known(&PLAIN)
        || known(&BOUGHT)
        || known(&SOLD)
        || known(&FILED)
        || known(&INSIDERS)
        || known(&LAWMAKERS)
        || lower.len() == 1
        || lower.chars().all(|one| one.is_ascii_digit())
}

/// Whether the buyer or seller is a company: it is taking over or investing, and no insider or lawmaker is disclosing a
/// trade.
fn is_by_company(
    tokens: &[Token<'_>],
    verb: usize,
    names: &[(&Item, &String, &Option<String>)],
) -> bool {
    let by = (verb + 1..tokens.len().min(verb + 3)).find(|at| tokens[*at].is("by"));
    // `its shares were sold on 20 December`: who sold them is stated elsewhere.
    let is_passive = verb > 0 && tokens[verb - 1].is_any(&["was", "were"]);
    let is_told = tokens.iter().any(|token| token.is_any(&["said", "says"]));
    if is_passive && by.is_none() && !is_told {
        return false;
    }
    let buyer = match by {
        Some(by) => names.iter().find(|(item, ..)| item.first > by),
        None => names.iter().rev().find(|(item, ..)| item.first < verb),
    };
    // If it is the same company as the one traded, its insiders are meant.
    let another = |one: &(&Item, &String, &Option<String>)| {
        names
            .iter()
            .any(|(item, _, ticker)| item.first != one.0.first && *ticker != one.2)
    };
    buyer.is_some_and(|one| one.2.is_some() && another(one))
}

/// A name without its title.
fn person(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    while words.len() > 1
        && words.first().is_some_and(|first| {
            let bare = first.trim_end_matches('.').to_lowercase();
            LAWMAKERS.contains(&bare.as_str()) || INSIDERS.contains(&bare.as_str())
        })
    {
        words.remove(0);
    }
    words.join(" ")
}

fn is_form_name(text: &str) -> bool {
    matches!(
        text,
        "Form" | "SEC" | "Securities" | "Congress" | "Senate" | "House"
    )
}

/// The form of a filing: `10-K`, `8-K`, `Form 4`, `S-1`, `annual report`.
fn form(tokens: &[Token<'_>]) -> Option<String> {
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens
            .get(at + 1)
            .filter(|next| matches!(next.join, Join::Hyphen | Join::Tight));
        if let (Some(number), Some(next)) = (token.whole(), next) {
            let letters = next.lower.as_str();
            let known = matches!(
                (number, letters),
                (6 | 8 | 10 | 11, "k") | (10, "q") | (13 | 20 | 40, "f")
            );
            if known {
                return Some(format!("{number}-{}", letters.to_uppercase()));
            }
        }
        if token.is("s") && next.is_some_and(|next| next.whole().is_some()) {
            let number = next.and_then(Token::whole)?;
            return Some(format!("S-{number}"));
        }
        if token.is("form")
            && let Some(number) = tokens
                .get(at + 1)
                .and_then(Token::whole)
                .filter(|number| (3..=5).contains(number) || *number == 144)
        {
            return Some(number.to_string());
        }
        let second = tokens.get(at + 1);
        if token.is("annual") && second.is_some_and(|second| second.is("report")) {
            return Some("10-K".to_owned());
        }
        if token.is("quarterly") && second.is_some_and(|second| second.is("report")) {
            return Some("10-Q".to_owned());
        }
    }
    None
}

fn finish(
    tokens: &[Token<'_>],
    marks: &Items,
    subject: Subject,
    disclosure: Disclosure,
    is_certain: bool,
) -> Option<Reading> {
    let mut unexplained = marks.unexplained.iter().filter(|word| !is_plain(word));
    if unexplained.clone().count() > 2 {
        return None;
    }
    if let Some(word) = unexplained.next() {
        if !is_certain {
            return None;
        }
        return Some(Reading::Unclear(Unclear {
            why: format!("what `{word}` means for the disclosure is not understood"),
            is_uncheckable: false,
            is_certain: true,
        }));
    }
    let is_filing = matches!(disclosure, Disclosure::Filing { .. });
    let when = Times::of_disclosure(&marks.items).or_else(|| {
        // `Its 10-K for fiscal 2024 was filed on 30 June`: that day.
        let is_day =
            |item: &Item| matches!(item.what, What::Period(Period::In(span), _) if span.is_day());
        let mut days = marks.items.iter().filter(|item| is_day(item)).cloned();
        let day = days.next().filter(|_| is_filing && days.next().is_none())?;
        Times::of_disclosure(&[day])
    })?;
    let is_negated = tokens
        .iter()
        .any(|token| token.is_any(&["not", "never", "didn't"]));
    let parts = Parts::default();
    let said = if is_filing {
        None
    } else {
        assertions::of(&mend::counted(&marks.items, tokens), tokens, &parts)
    };
    let assertions: Vec<Assertion> = said
        .into_iter()
        .flat_map(|said| said.assertions)
        .filter(|one| matches!(one, Assertion::Value(bound) if is_size(bound)))
        .collect();
    let is_each = tokens.iter().enumerate().any(|(at, token)| {
        token.is_any(&["price", "prices", "each", "apiece"])
            && !tokens.get(at + 1).is_some_and(|next| next.is("of"))
    });
    let sums = assertions
        .iter()
        .filter(|one| matches!(one, Assertion::Value(bound) if is_money(bound)));
    let of_one_share = (assertions::says_per_share(tokens) || is_each) && sums.count() == 1;
    Some(Reading::Claim(Box::new(FigureClaim {
        subject,
        measure: of_one_share.then_some(Measure::Price(PriceField::Traded)),
        period: when,
        undated: Undated::Newest,
        base: None,
        base_over: Over::Unsaid,
        basis: None,
        over: Over::Any,
        assertions,
        disclosure: Some(disclosure),
        in_a_row: None,
        is_first: false,
        is_negated,
        is_certain,
    })))
}

fn is_money(bound: &Bound) -> bool {
    matches!(bound.amount().unit, Unit::Money(_))
}

/// Money or a number of shares.
fn is_size(bound: &Bound) -> bool {
    matches!(bound.amount().unit, Unit::Money(_) | Unit::Count)
}
