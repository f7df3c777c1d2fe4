//! What a claim is about: a series by its name, a currency, a symbol, or a name that is resolved by whoever has the
//! listings.

mod maturity;

pub(super) use maturity::is_of_bonds;

use super::claim::Subject;

use crate::central_banks::{self, CentralBank, Mention};

use super::phrases::{MEASURE, RELATION, SUBJECT, UNIT, is_filler};

use super::token::{Join, Token};

/// A subject among the tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) subject: Subject,
    pub(super) first: usize,
    pub(super) next: usize,
    /// The place of the second currency in a pair.
    pub(super) also: Option<(usize, usize)>,
}

/// The code for figures that no series measures.
pub(super) const NOT_HELD: &str = "none";

/// Currencies whose rates are published every day.
const CURRENCIES: [&str; 32] = [
    "USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "BGN", "BRL", "CNY", "CZK", "DKK",
    "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "KRW", "MXN", "MYR", "NOK", "PHP", "PLN", "RON",
    "RUB", "SEK", "SGD", "THB", "TRY", "ZAR",
];

/// Words in capitals that are not symbols.
const NO_SYMBOLS: [&str; 74] = [
    "US",
    "USA",
    "UK",
    "EU",
    "SEC",
    "CEO",
    "CFO",
    "COO",
    "FY",
    "YTD",
    "ATH",
    "AND",
    "THE",
    "OF",
    "IN",
    "ON",
    "AT",
    "TO",
    "BY",
    "FOR",
    "IPO",
    "ETF",
    "GAAP",
    "SMA",
    "EMA",
    "MA",
    "DMA",
    "USD",
    "EUR",
    "GBP",
    "JPY",
    "CHF",
    "CAD",
    "AUD",
    "NZD",
    "NYSE",
    "AMEX",
    "FRED",
    "BLS",
    "BEA",
    "ECB",
    "FED",
    "EIA",
    "FOMC",
    "TTM",
    "QOQ",
    "YOY",
    "MOM",
    "Q1",
    "Q2",
    "Q3",
    "Q4",
    "H1",
    "H2",
    "I",
    "A",
    "OTC",
    "PM",
    "AM",
    "EST",
    "NAV",
    "NOT",
    "BTU",
    "Rep",
    "Sen",
    "Senator",
    "Representative",
    "Congressman",
    "Congresswoman",
    "Mr",
    "Ms",
    "Mrs",
    "Dr",
    "EBIT",
];

/// The code of a currency, from `cur:SEK` or `sek`.
pub(super) fn currency(code: &str) -> Option<&'static str> {
    let code = code.strip_prefix("cur:").unwrap_or(code);
    CURRENCIES
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(code))
}

/// The subjects of a claim, in order. `taken` says which tokens already have another meaning.
pub(super) fn find(text: &str, tokens: &[Token<'_>], taken: &[bool]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut free: Vec<bool> = taken.iter().map(|taken| !taken).collect();
    let spans = known_names(text, tokens);
    let mut at = 0;
    while at < tokens.len() {
        if !free[at] {
            at += 1;
            continue;
        }
        let read = pair(tokens, at)
            .or_else(|| maturity::maturity(tokens, at))
            .or_else(|| {
                let in_table = catalogue(tokens, at);
                let named = spans.iter().find(|span| span.first == at).cloned();
                match (in_table, named) {
                    (Some(table), Some(named)) if named.next > table.next => Some(named),
                    (Some(table), _) => Some(table),
                    (None, named) => named,
                }
            })
            .or_else(|| coin(tokens, at))
            .or_else(|| listed_run(text, tokens, at))
            .or_else(|| with_digits(text, tokens, at))
            .or_else(|| symbol(tokens, at))
            .filter(|read| (read.first..read.next).all(|place| free[place]));
        if let Some(read) = read {
            free[read.first..read.next].fill(false);
            at = read.next;
            found.push(read);
        } else {
            at += 1;
        }
    }
    capitals(tokens, &mut free, &mut found);
    found.sort_by_key(|found| found.first);
    without_other_banks(text, tokens, &mut found);
    merged(tokens, found)
}

/// Rates set by central banks other than the Federal Reserve are not on record: `the ECB raised its key rate`.
fn without_other_banks(text: &str, tokens: &[Token<'_>], found: &mut [Found]) {
    let is_rate = |one: &Found| matches!(one.subject, Subject::Series("fed_funds" | "fed_target"));
    if !found.iter().any(is_rate) {
        return;
    }
    let banks = central_banks::named(text);
    for one in found.iter_mut().filter(|one| is_rate(one)) {
        let own = tokens[one.first].start..tokens[one.next - 1].end;
        let is_own = |bank: &&Mention| own.contains(&bank.bytes.start);
        let before = |bank: &&Mention| bank.bytes.end <= own.start;
        let whose = banks
            .iter()
            .find(is_own)
            .or_else(|| banks.iter().rfind(before))
            .or_else(|| banks.first());
        if whose.is_some_and(|whose| whose.bank != CentralBank::FEDERAL_RESERVE) {
            one.subject = Subject::Series(NOT_HELD);
        }
    }
}

/// Companies and coins known to the gazetteer.
fn known_names(text: &str, tokens: &[Token<'_>]) -> Vec<Found> {
    text::entities::spans("", text)
        .into_iter()
        .filter_map(|span| {
            let ticker = span.ticker?;
            let first = tokens
                .iter()
                .position(|token| token.start >= span.bytes.start)?;
            let next = tokens
                .iter()
                .rposition(|token| token.start < span.bytes.end)?
                + 1;
            (first < next).then(|| Found {
                subject: Subject::Named {
                    text: text[span.bytes.clone()].to_owned(),
                    ticker: Some(ticker),
                },
                first,
                next,
                also: None,
            })
        })
        .collect()
}

/// `EUR/USD`, `EURUSD`, `euro-dollar`.
fn pair(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let token = &tokens[at];
    if token.text.len() == 6
        && token.text.is_ascii()
        && let (Some(base), Some(quote)) = (currency(&token.text[..3]), currency(&token.text[3..]))
    {
        return Some(pair_found(base, quote, at, at + 1));
    }
    let (base, base_length) = currency_at(tokens, at)?;
    let next = at + base_length;
    let second = tokens.get(next)?;
    if !matches!(second.join, Join::Slash | Join::Hyphen) {
        return None;
    }
    let (quote, quote_length) = currency_at(tokens, next)?;
    Some(pair_found(base, quote, at, next + quote_length))
}

/// A currency by its name or, in a pair, by its code: on their own some codes are share symbols.
fn currency_at(tokens: &[Token<'_>], at: usize) -> Option<(&'static str, usize)> {
    let named = SUBJECT
        .at(tokens, at)
        .filter(|(code, _)| code.starts_with("cur:"))
        .and_then(|(code, length)| Some((currency(code)?, length)));
    let text = tokens.get(at)?.text;
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    named.or_else(|| Some((currency(text).filter(|_| is_code)?, 1)))
}

fn pair_found(base: &'static str, quote: &'static str, first: usize, next: usize) -> Found {
    Found {
        subject: Subject::Currency {
            base,
            quote,
            is_pair: true,
        },
        first,
        next,
        also: None,
    }
}

/// What the table of subjects contains. A currency after a number is its unit.
fn catalogue(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let (code, length) = SUBJECT.at(tokens, at)?;
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let subject = if code.starts_with("cur:") {
        let is_unit = before.is_some_and(|before| {
            before.number.is_some()
                || UNIT.at(tokens, at - 1).is_some()
                || tokens[at].is("pound") && before.is_any(&["per", "a"])
        });
        // `120-dollar`, and `USD 120`.
        let is_currency_of_number = tokens
            .get(at + length)
            .is_some_and(|next| next.number.is_some() && length == 1 && tokens[at].text.len() == 3);
        if is_unit || is_currency_of_number {
            return None;
        }
        Subject::Currency {
            base: currency(code)?,
            quote: "USD",
            is_pair: false,
        }
    } else {
        // `the Nasdaq: NVDA`, `Gold Fields`: part of something else.
        let next = tokens.get(at + length);
        let is_prefix = code == "nasdaq_composite"
            && length == 1
            && next.is_some_and(|next| {
                next.join == Join::Break && is_symbol(next.text) && !next.text.is_empty()
            })
            && tokens[at].text.chars().all(char::is_uppercase);
        let in_name = length == 1
            && tokens[at].is_capital()
            && next.is_some_and(|next| {
                next.is_capital()
                    && next.join == Join::Space
                    && next.number.is_none()
                    && !tokens[at].possessive
                    && SUBJECT.at(tokens, at + length).is_none()
                    && MEASURE.at(tokens, at + length).is_none()
                    && !is_filler(next)
                    && super::dates::month_day::month(next).is_none()
            });
        if is_prefix || in_name {
            return None;
        }
        Subject::Series(code)
    };
    Some(Found {
        subject,
        first: at,
        next: at + length,
        also: None,
    })
}

fn is_symbol(text: &str) -> bool {
    let (root, class) = text.split_once('.').unwrap_or((text, "A"));
    (1..=5).contains(&root.len())
        && class.len() == 1
        && root
            .bytes()
            .chain(class.bytes())
            .all(|byte| byte.is_ascii_uppercase())
}

/// A coin in lower case: `ether`, `dogecoin`.
fn coin(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let token = &tokens[at];
    if !token.is_word() || token.lower.len() < 4 || token.is_capital() {
        return None;
    }
    let mut name = token.lower.clone();
    name.get_mut(..1)?.make_ascii_uppercase();
    let (kind, ticker) = text::entities::listed(&name)?;
    let ticker = ticker.filter(|_| kind == model::EntityKind::Product)?;
    Some(Found {
        subject: Subject::Named {
            text: name,
            ticker: Some(ticker.to_owned()),
        },
        first: at,
        next: at + 1,
        also: None,
    })
}

/// A listed name of several words whose first word has another meaning: `Best Buy`.
fn listed_run(text: &str, tokens: &[Token<'_>], at: usize) -> Option<Found> {
    if !tokens[at].is_capital() || RELATION.at(tokens, at).is_none() {
        return None;
    }
    (at + 2..=tokens.len().min(at + 4)).rev().find_map(|next| {
        let words = &tokens[at..next];
        let is_name = words[1..]
            .iter()
            .all(|word| word.is_capital() && word.join == Join::Space);
        let name = text.get(tokens[at].start..tokens[next - 1].end)?;
        let name = name
            .strip_suffix("'s")
            .or_else(|| name.strip_suffix("’s"))
            .unwrap_or(name);
        let (ticker, _) = text::entities::traded(name).filter(|_| is_name)?;
        Some(Found {
            subject: Subject::Named {
                text: name.to_owned(),
                ticker: Some(ticker.to_owned()),
            },
            first: at,
            next,
            also: None,
        })
    })
}

/// A listed name that begins with digits: `3M`.
fn with_digits(text: &str, tokens: &[Token<'_>], at: usize) -> Option<Found> {
    tokens[at].number?;
    let next = tokens
        .get(at + 1)
        .filter(|next| next.join == Join::Tight && next.is_capital())?;
    let name = text.get(tokens[at].start..next.end)?;
    let name = name.split(['\'', '’']).next().unwrap_or_default();
    let (_, ticker) = text::entities::listed(name)?;
    Some(Found {
        subject: Subject::Named {
            text: name.to_owned(),
            ticker: Some(ticker?.to_owned()),
        },
        first: at,
        next: at + 2,
        also: None,
    })
}

/// A symbol: `$AAPL`, `NVDA`, `BRK.B`, `BTC-USD`, `NASDAQ: NVDA`.
fn symbol(tokens: &[Token<'_>], at: usize) -> Option<Found> {
    let token = &tokens[at];
    if token.is("$")
        && let Some(next) = tokens.get(at + 1)
        && next.join == Join::Tight
        && next.is_word()
        && next.text.len() <= 6
    {
        return Some(named(next, at, at + 2));
    }
    if token.is_any(&["nasdaq", "nyse", "amex"])
        && let Some(next) = tokens.get(at + 1)
        && next.join == Join::Break
        && is_symbol(&next.text[..next.text.find(['\'', '’']).unwrap_or(next.text.len())])
    {
        return Some(named(next, at, at + 2));
    }
    let bare = token.text.split(['\'', '’']).next().unwrap_or_default();
    let shouts = tokens
        .iter()
        .filter(|token| token.is_word())
        .all(|token| token.text.chars().all(|one| !one.is_lowercase()));
    if !token.is_word() || !is_symbol(bare) || shouts && tokens.len() > 1 && at > 0 {
        return None;
    }
    if NO_SYMBOLS.contains(&bare)
        || bare.len() == 1
            && !(at == 0 || tokens[at].possessive || matches!(token.join, Join::Break))
    {
        return None;
    }
    // `V3`, and not `V`.
    let is_part = tokens
        .get(at + 1)
        .is_some_and(|next| next.join == Join::Tight && next.number.is_some());
    if is_part {
        return None;
    }
    let length = |found: Option<(&str, usize)>| found.map_or(0, |(_, length)| length);
    let phrase = length(MEASURE.at(tokens, at)).max(length(RELATION.at(tokens, at)));
    if phrase > 1 || phrase == 1 && bare.len() > 1 || is_filler(token) {
        return None;
    }
    // Part of a name in capitals: `IBM Corp`, `ABB Ltd` are read as names.
    let next = tokens.get(at + 1);
    let dollar_pair = next.is_some_and(|next| {
        matches!(next.join, Join::Hyphen | Join::Slash) && next.is_any(&["usd", "usdt"])
    });
    let class = next.filter(|next| {
        matches!(next.join, Join::Hyphen | Join::Slash)
            && next.text.len() == 1
            && next.is_capital()
            && !next.is("k")
            && !next.is("q")
    });
    if let Some(class) = class {
        return Some(Found {
            subject: Subject::Named {
                text: format!("{bare}.{}", class.text),
                ticker: Some(format!("{bare}.{}", class.text)),
            },
            first: at,
            next: at + 2,
            also: None,
        });
    }
    Some(named(token, at, at + 1 + usize::from(dollar_pair)))
}

fn named(token: &Token<'_>, first: usize, next: usize) -> Found {
    let bare = token.text.split(['\'', '’']).next().unwrap_or_default();
    Found {
        subject: Subject::Named {
            text: bare.to_owned(),
            ticker: Some(bare.to_uppercase()),
        },
        first,
        next,
        also: None,
    }
}

/// Words without possessive endings.
fn words(tokens: &[Token<'_>]) -> String {
    let words: Vec<&str> = tokens
        .iter()
        .map(|token| {
            token
                .text
                .strip_suffix("'s")
                .or(token.text.strip_suffix("’s"))
                .unwrap_or(token.text)
        })
        .collect();
    words.join(" ")
}

/// Runs of capitalised words that nothing else explains.
fn capitals(tokens: &[Token<'_>], free: &mut [bool], found: &mut Vec<Found>) {
    let is_part = |at: usize, free: &[bool]| {
        let token = &tokens[at];
        free[at]
            && token.is_word()
            && token.is_capital()
            && !NO_SYMBOLS.contains(&token.text)
            && super::dates::month_day::month(token).is_none()
            && !super::dates::month_day::is_weekday(token)
            && !(at == 0 && ordinary(token) && !is_traded(tokens, at))
    };
    let mut at = 0;
    while at < tokens.len() {
        let begins = is_part(at, free)
            && !is_filler(&tokens[at])
            && MEASURE.at(tokens, at).is_none()
            && (RELATION.at(tokens, at).is_none() || at > 0 && tokens[at].is_capital())
            && super::phrases::ELSEWHERE.at(tokens, at).is_none();
        if !begins {
            at += 1;
            continue;
        }
        let mut next = at + 1;
        while next < tokens.len() && !tokens[next - 1].possessive {
            // `Delta, United and American`, `Apple and American`: two names, in a list or if the first is listed.
            let is_list = tokens[next].is("and")
                && (tokens[at].join == Join::Break && at > 0
                    || text::entities::traded(&words(&tokens[at..next])).is_some());
            let joins = tokens[next].is_any(&["of", "and", "&", "the"])
                && !is_list
                && free[next]
                && tokens
                    .get(next + 1)
                    .is_some_and(|after| after.join != Join::Break)
                && next + 1 < tokens.len()
                && is_part(next + 1, free);
            let goes_on =
                is_part(next, free) && !matches!(tokens[next].join, Join::Break | Join::Stop);
            if joins {
                next += 2;
            } else if goes_on {
                next += 1;
            } else {
                break;
            }
        }
        free[at..next].fill(false);
        found.push(Found {
            subject: Subject::Named {
                text: words(&tokens[at..next]),
                ticker: None,
            },
            first: at,
            next,
            also: None,
        });
        at = next;
    }
}

/// `Target lost a quarter of its value`: a word at the beginning that is the name of a share, followed by what prices
/// do.
fn is_traded(tokens: &[Token<'_>], at: usize) -> bool {
    let moves = |code: &str| {
        matches!(
            code,
            "up" | "down" | "close" | "double" | "triple" | "halve"
        )
    };
    let mut next = at + 1;
    while tokens.get(next).is_some_and(is_filler) {
        next += 1;
    }
    RELATION
        .at(tokens, next)
        .is_some_and(|(code, _)| moves(code))
        && text::entities::traded(tokens[at].text).is_some()
}

/// Whether a capital at the beginning says nothing about a word.
fn ordinary(token: &Token<'_>) -> bool {
    is_filler(token)
        || text::token::is_stop_word(&token.lower)
        || token.text.chars().skip(1).all(char::is_lowercase)
            && text::entities::is_common_word(&token.lower)
            && !token.possessive
}

/// A symbol in brackets after its name is the same subject; two currencies with a word between them are a pair.
fn merged(tokens: &[Token<'_>], found: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for one in found {
        let Some(before) = merged.last_mut() else {
            merged.push(one);
            continue;
        };
        let between = tokens.get(before.next..one.first).unwrap_or_default();
        match (&before.subject, &one.subject) {
            (
                Subject::Named { text, .. },
                Subject::Named {
                    text: symbol,
                    ticker: Some(ticker),
                },
            ) if is_symbol(symbol)
                && tokens[one.first].join == Join::Break
                && between.iter().all(is_filler)
                && one.next - one.first <= 2 =>
            {
                before.subject = Subject::Named {
                    text: text.clone(),
                    ticker: Some(ticker.clone()),
                };
                before.next = one.next;
            }
            (
                Subject::Currency {
                    base,
                    is_pair: false,
                    ..
                },
                Subject::Currency {
                    base: other,
                    is_pair: false,
                    ..
                },
            ) if base != other && between.len() <= 13 => {
                before.subject = Subject::Currency {
                    base,
                    quote: other,
                    is_pair: true,
                };
                // The words between are left to be read.
                before.also = Some((one.first, one.next));
            }
            _ => merged.push(one),
        }
    }
    merged
}
