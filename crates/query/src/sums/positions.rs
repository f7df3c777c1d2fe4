//! What somebody has, had or might have had.

use std::ops::Range;

use model::Day;
use verify::figures::{Dated, Period, Unit};

use super::{CoinConversion, Counted, GivenEnd, Position, Size};
use crate::names::Kind;
use crate::subjects::Instrument;
use crate::words::Word;

/// A first and a last day, both included.
type Days = (Day, Day);

/// The times of a position.
#[derive(Clone, Copy, Default)]
struct Spans {
    bought: Option<Days>,
    sold: Option<Days>,
    valued: Option<Days>,
}

/// Beginnings of words that speak of a value or a holding.
const VALUING: [&str; 30] = [
    "worth",
    "valu",
    "cost",
    "price",
    "profit",
    "gain",
    "loss",
    "lose",
    "lost",
    "made",
    "make",
    "earn",
    "return",
    "even",
    "own",
    "hold",
    "have",
    "sell",
    "sold",
    "buy",
    "bought",
    "invest",
    "purchas",
    "pay",
    "paid",
    "get",
    "got",
    "put",
    "portfolio",
    "position",
];
/// Words for a purchase that was made or is imagined; `buy` alone is a future one.
const BOUGHT: [&str; 7] = [
    "bought",
    "invested",
    "purchased",
    "put",
    "paid",
    "buying",
    "investing",
];
/// Words for what somebody has at a price.
const HELD: [&str; 12] = [
    "bought",
    "paid",
    "purchased",
    "basis",
    "average",
    "avg",
    "entry",
    "entered",
    "got",
    "own",
    "hold",
    "position",
];
/// If these come between a number and a name, the number counts something else: `the top 3 Apple suppliers`.
const RANKING: [&str; 10] = [
    "top", "best", "worst", "first", "last", "next", "past", "largest", "biggest", "main",
];
/// Words of people who report a purchase of their own, or imagine one.
const TELLING: [&str; 16] = [
    "i", "id", "ive", "my", "we", "wed", "weve", "our", "you", "youd", "if", "had", "would",
    "someone", "somebody", "anyone",
];
/// Words for the value of a purchase.
const WORTH: [&str; 8] = [
    "worth", "value", "valued", "become", "became", "grown", "grew", "turned",
];
/// Words between a number and the thing it counts.
const BETWEEN: [&str; 15] = [
    "share", "shares", "of", "in", "unit", "units", "coin", "coins", "token", "tokens", "stock",
    "stocks", "the", "my", "common",
];

/// What the reading of positions is based on.
pub(crate) struct Positions<'a> {
    pub(crate) text: &'a str,
    pub(crate) words: &'a [Word],
    pub(crate) instruments: &'a [(Instrument, Range<usize>)],
    pub(crate) counted: &'a [Counted],
    pub(crate) times: &'a [Dated],
    /// The day of `three years ago`, if the question says so.
    pub(crate) ago: Option<Day>,
    /// The currency in which something is wanted.
    pub(crate) wanted: Option<&'static str>,
    pub(crate) today: Day,
}

impl Positions<'_> {
    /// What somebody has or might have had; nothing if the question values nothing.
    pub(crate) fn find(&self) -> Vec<Position> {
        let mut distinct: Vec<&(Instrument, Range<usize>)> = Vec::new();
        for one in self.instruments {
            if distinct
                .iter()
                .all(|(known, _)| known.symbol != one.0.symbol)
            {
                distinct.push(one);
            }
        }
        // `10 pltr 5 ko`: somebody who counts each of several and names no time is stating their holdings.
        let is_list = distinct.len() > 1
            && self.times.is_empty()
            && distinct
                .iter()
                .all(|(_, range)| self.units(range).is_some());
        let is_one = distinct.len() == 1;
        // `0.5 ETH in euros`, `the price of bitcoin in pounds`.
        let is_converted = distinct
            .iter()
            .any(|(one, _)| self.wanted.is_some_and(|code| code != one.currency));
        let sum_in = is_one
            && distinct
                .iter()
                .all(|(_, range)| self.sum_in(range).is_some());
        let are_sums = distinct.len() > 1
            && self.times.is_empty()
            && distinct
                .iter()
                .all(|(_, range)| self.sum_in(range).is_some());
        let values = is_list || are_sums || is_converted || sum_in || self.begins(&VALUING);
        if distinct.is_empty() || !values {
            return Vec::new();
        }
        let Spans {
            bought,
            sold,
            valued,
        } = self.spans(is_one);
        let position = |(instrument, range): &&(Instrument, Range<usize>)| {
            let own = || self.own_shares().filter(|_| is_one);
            let units = self.units(range).or_else(own).map(Size::Units);
            let money = || {
                let of_one = || self.money().filter(|_| is_one);
                let sum = self.sum_in(range).or_else(of_one);
                // The exchange rate then is not looked up: what was bought at that time was paid for in the currency of
                // its price.
                sum.filter(|size| {
                    let is_same =
                        matches!(size, Size::Money(_, code) if *code == instrument.currency);
                    is_same || bought.is_none()
                })
            };
            let one = || (is_one && is_converted).then_some(Size::Units(1.0));
            let size = units.or_else(money).or_else(one).unwrap_or(Size::Unsaid);
            let paid = is_one.then(|| self.paid(size)).flatten();
            let given = is_one
                .then(|| self.given_end(&instrument.currency))
                .flatten();
            Position {
                symbol: instrument.symbol.clone(),
                size,
                paid,
                // A price that is given takes precedence over the one at that time.
                bought: bought.filter(|_| paid.is_none()),
                sold,
                valued,
                given: given.filter(|_| sold.is_none() && valued.is_none()),
            }
        };
        let all: Vec<Position> = distinct.iter().map(position).collect();
        let is_valued = |one: &Position| {
            one.size != Size::Unsaid || is_one && (one.paid.is_some() || one.bought.is_some())
        };
        if all.iter().all(is_valued) {
            all
        } else {
            Vec::new()
        }
    }

    /// `3 bitcoin in ethereum`, `how many ETH is 3 BTC`.
    pub(crate) fn coin_conversion(&self) -> Option<CoinConversion> {
        let [first, second] = self.instruments else {
            return None;
        };
        let are_coins = [first, second]
            .iter()
            .all(|(one, _)| one.kind == Kind::Coin);
        if !are_coins || first.0.symbol == second.0.symbol || first.1.end > second.1.start {
            return None;
        }
        let before = first.1.start.checked_sub(1).map(|at| &self.words[at]);
        let between = &self.words[first.1.end..second.1.start];
        let is_joined = matches!(between, [only] if only.is_any(&["in", "into", "to", "for"]));
        let is_turned = before.is_some_and(|word| word.is("many"));
        // `the ETH/BTC ratio`: one of the first in the second.
        let is_ratio = self.is_coin_ratio(&first.1, &second.1);
        let amount = |name: &Range<usize>| self.units(name);
        let (from, to, amount) = if is_turned {
            (second, first, amount(&second.1))
        } else if is_joined || is_ratio {
            (first, second, amount(&first.1))
        } else {
            return None;
        };
        // `from bitcoin to ethereum` is about a change of mind, not a rate.
        let is_sum = is_turned
            || is_ratio
            || amount.is_some()
            || self.begins(&["convert", "worth", "price"]);
        is_sum.then(|| CoinConversion {
            amount: amount.unwrap_or(1.0),
            from: from.0.symbol.clone(),
            to: to.0.symbol.clone(),
        })
    }

    /// `ETH/BTC ratio`, `the ETH to BTC cross`, `ratio of ETH to BTC`; but not a golden cross or a Sharpe ratio, nor
    /// anything that crosses below something.
    fn is_coin_ratio(&self, first: &Range<usize>, second: &Range<usize>) -> bool {
        const SIDES: [&str; 8] = [
            "above", "below", "over", "under", "past", "its", "the", "through",
        ];
        const LEADS: [&str; 9] = [
            "the", "a", "what", "whats", "is", "was", "were", "show", "s",
        ];
        let words = self.words;
        let written = words[first.start..second.end].windows(2).find_map(|pair| {
            let is_second = pair[1].bytes.start == words[second.start].bytes.start;
            let written = self.text.get(pair[0].bytes.end..pair[1].bytes.start)?;
            is_second.then_some(written)
        });
        let is_joined = match &words[first.end..second.start] {
            [] => written.is_some_and(|written| ["", "/", "-"].contains(&written.trim())),
            [only] => only.is("to") || only.is("/"),
            _ => false,
        };
        let is_named = |word: &Word| word.is_any(&["ratio", "cross"]);
        let behind = words.get(second.end).is_some_and(is_named)
            && !words
                .get(second.end + 1)
                .is_some_and(|next| next.is_any(&SIDES));
        let before = match &words[..first.start] {
            [rest @ .., ratio, of] if of.is("of") && is_named(ratio) => Some(rest),
            [rest @ .., ratio] if is_named(ratio) => Some(rest),
            _ => None,
        };
        let before = before.is_some_and(|rest| rest.last().is_none_or(|last| last.is_any(&LEADS)));
        is_joined && (behind || before)
    }

    /// Whether the question gives neither a number of shares nor a sum, and wants only another currency.
    pub(crate) fn is_only_converted(&self) -> bool {
        let mut named = self.instruments.iter();
        self.wanted.is_some()
            && !named.any(|(_, range)| self.units(range).is_some())
            && self.money().is_none()
    }

    /// Whether a sum is invested in something.
    pub(crate) fn puts_money(&self) -> bool {
        self.money().is_some()
    }

    fn begins(&self, beginnings: &[&str]) -> bool {
        let begins = |word: &Word| beginnings.iter().any(|one| word.lower.starts_with(one));
        self.words.iter().any(begins)
    }

    /// The number of shares before a name, or after it if `shares` follows.
    fn units(&self, name: &Range<usize>) -> Option<f64> {
        let is_between = |words: &[Word]| words.iter().all(|word| word.is_any(&BETWEEN));
        self.counted.iter().find_map(|(amount, range)| {
            let is_before = range.end <= name.start
                && matches!(amount.unit, Unit::Bare | Unit::Count)
                && is_between(&self.words[range.end..name.start]);
            let is_behind = amount.unit == Unit::Count
                && range.start >= name.end
                && is_between(&self.words[name.end..range.start]);
            let ranks = range.start.checked_sub(1);
            let is_rank = ranks.is_some_and(|before| self.words[before].is_any(&RANKING));
            let follows = &self.text[self.words[range.end - 1].bytes.end..];
            let is_percent = follows.trim_start().starts_with('%');
            ((is_before || is_behind) && !is_percent && !is_rank).then_some(amount.value)
        })
    }

    /// `my 20 shares`, wherever the name is.
    fn own_shares(&self) -> Option<f64> {
        self.counted.iter().find_map(|(amount, range)| {
            let before = range.start.checked_sub(1).map(|before| &self.words[before]);
            let is_own =
                before.is_some_and(|before| before.is_any(&["my", "our", "those", "these"]));
            let next = self.words.get(range.end);
            let are_shares = amount.unit == Unit::Count
                || next.is_some_and(|next| next.is_any(&["shares", "share", "coins", "units"]));
            (is_own && are_shares).then_some(amount.value)
        })
    }

    /// A sum that is invested in something.
    fn money(&self) -> Option<Size> {
        let puts = self.begins(&["invest", "put", "buy", "bought", "purchas", "get", "got"])
            || self.words.iter().any(|word| word.is("worth"));
        let sum = self.counted.iter().find_map(|(amount, range)| {
            let is_bare = amount.unit == Unit::Bare
                && self.begins(&["invest", "put"])
                && amount.value >= 100.0;
            let currency = match amount.unit {
                Unit::Money(code) => code,
                Unit::Bare if is_bare => "USD",
                _ => return None,
            };
            (!self.is_price(range)).then_some(Size::Money(amount.value, currency))
        });
        sum.filter(|_| puts)
    }

    /// A sum that is held in something: `5,000 euros in Apple`, `$200 of bitcoin`.
    fn sum_in(&self, name: &Range<usize>) -> Option<Size> {
        self.counted.iter().find_map(|(amount, range)| {
            let Unit::Money(code) = amount.unit else {
                return None;
            };
            let between = self.words.get(range.end..name.start)?;
            let (joint, money) = between.split_last()?;
            let is_money = money.iter().all(|word| {
                word.is_any(&[
                    "dollars", "dollar", "euros", "euro", "pounds", "yen", "francs", "worth",
                    "usd", "eur", "gbp",
                ])
            });
            let stands_in = joint.is_any(&["in", "into", "of", "worth"]) && is_money;
            (stands_in && !self.is_price(range)).then_some(Size::Money(amount.value, code))
        })
    }

    /// Whether a number is the price per unit: `at 200`, `@ 200`, `cost basis of 150`, `$95 a share`.
    fn is_price(&self, range: &Range<usize>) -> bool {
        let mut before = self.words[..range.start].iter().rev();
        let last = before.clone().next();
        let is_at = last.is_some_and(|word| word.is("at"))
            || self.text[..self.words[range.start].bytes.start]
                .trim_end_matches(['$', '€', '£', ' '])
                .ends_with('@');
        let is_basis = before
            .by_ref()
            .take(6)
            .any(|word| word.is_any(&["basis", "average", "avg", "entry"]));
        let behind = &self.words[range.end..];
        let is_each = behind
            .first()
            .is_some_and(|next| next.is_any(&["each", "apiece"]))
            || matches!(behind, [first, second, ..] if first.is_any(&["a", "per"]) && second.is("share"));
        is_at || is_basis || is_each
    }

    /// The price that was paid per unit.
    fn paid(&self, size: Size) -> Option<f64> {
        if !self.begins(&HELD) {
            return None;
        }
        self.counted.iter().find_map(|(amount, range)| {
            let is_money = matches!(amount.unit, Unit::Money(_) | Unit::Bare);
            let is_size = matches!(size, Size::Units(units) if units == amount.value && !self.is_price(range));
            (is_money && !is_size && self.is_price(range) && !self.is_of_sale(range))
                .then_some(amount.value)
        })
    }

    /// Whether the last deed before a price is a sale: `bought at 100 and sold at 130`.
    fn is_of_sale(&self, range: &Range<usize>) -> bool {
        const SALES: [&str; 5] = ["sold", "sell", "selling", "exit", "exited"];
        let before = self.words[..range.start].iter().rev();
        let mut deeds = before.filter(|word| word.is_any(&SALES) || word.is_any(&HELD));
        deeds.next().is_some_and(|deed| deed.is_any(&SALES))
    }

    /// The price or the change that the question supposes: `sold at 130`, `if it goes to 250`, `if it falls by 15%`.
    fn given_end(&self, currency: &str) -> Option<GivenEnd> {
        const SUPPOSING: [&str; 4] = ["if", "assuming", "suppose", "supposing"];
        const RISING: [&str; 10] = [
            "rises", "rise", "gains", "gain", "climbs", "climb", "jumps", "jump", "grows", "goes",
        ];
        const FALLING: [&str; 12] = [
            "falls", "fall", "drops", "drop", "loses", "lose", "declines", "decline", "crashes",
            "crash", "tanks", "slides",
        ];
        const REACHING: [&str; 8] = [
            "to", "reaches", "reach", "hits", "hit", "at", "touches", "trades",
        ];
        /// What the clause is about: the position.
        const OWN: [&str; 8] = [
            "it", "they", "that", "the", "its", "price", "stock", "shares",
        ];
        let supposes = self.words.iter().position(|word| word.is_any(&SUPPOSING));
        self.counted.iter().find_map(|(amount, range)| {
            if matches!(amount.unit, Unit::Money(code) if code != currency) {
                return None;
            }
            let is_money = matches!(amount.unit, Unit::Money(_) | Unit::Bare);
            if is_money && self.is_price(range) && self.is_of_sale(range) {
                let is_over = self.words.iter().any(|word| word.is("sold"));
                return Some(if is_over {
                    GivenEnd::Sold(amount.value)
                } else {
                    GivenEnd::At(amount.value)
                });
            }
            let begins = supposes.filter(|begins| *begins < range.start)?;
            // `if I own 100 shares and it falls`: the last part of the clause.
            let joint = (begins + 1..range.start)
                .rev()
                .find(|at| self.words[*at].is_any(&["and", "but"]));
            let begins = joint.unwrap_or(begins);
            let clause = &self.words[begins + 1..range.start];
            let is_name = |at: usize| {
                let mut names = self.instruments.iter();
                names.any(|(_, name)| name.contains(&at))
            };
            let is_own =
                is_name(begins + 1) || clause.first().is_some_and(|first| first.is_any(&OWN));
            // `if I bought 10 at 150` says what was paid.
            let tells_purchase = clause
                .iter()
                .any(|word| word.is_any(&HELD) || word.is_any(&BOUGHT));
            if !is_own || tells_purchase {
                return None;
            }
            let last = clause
                .iter()
                .rev()
                .find(|word| !word.is_any(&["by", "another", "about", "around", "the", "a"]));
            let says = |all: &[&str]| clause.iter().any(|word| word.is_any(all));
            match amount.unit {
                Unit::Percent if says(&FALLING) => {
                    (amount.value < 100.0).then_some(GivenEnd::By(-amount.value))
                }
                Unit::Percent if says(&RISING) => Some(GivenEnd::By(amount.value)),
                Unit::Money(_) | Unit::Bare if last.is_some_and(|last| last.is_any(&REACHING)) => {
                    Some(GivenEnd::At(amount.value))
                }
                _ => None,
            }
        })
    }

    /// What is asked of somebody's money and not computed here, by its usual name.
    pub(crate) fn unserved(&self) -> Option<&'static str> {
        const SPANS: [&str; 5] = ["month", "week", "paycheck", "fortnight", "quarter"];
        let words = self.words;
        let says = |all: &[&str]| words.iter().any(|word| word.is_any(all));
        let has_sum = self
            .counted
            .iter()
            .any(|(amount, _)| matches!(amount.unit, Unit::Money(_) | Unit::Bare));
        let is_each = (1..words.len()).any(|at| {
            let (before, span) = (&words[at - 1], &words[at]);
            // `$100 a month`, but not `a month ago`.
            let of_sum = before.is("a") && self.counted.iter().any(|(_, sum)| sum.end == at - 1);
            let is_ago = words
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["ago", "back", "earlier", "later"]));
            span.is_any(&SPANS) && !is_ago && (of_sum || before.is_any(&["every", "each", "per"]))
        });
        let is_plan = words.windows(2).any(|pair| {
            pair[0].is_any(&["monthly", "weekly", "biweekly"])
                && pair[1].is_any(&[
                    "investment",
                    "investments",
                    "contribution",
                    "contributions",
                    "purchases",
                    "savings",
                    "into",
                    "in",
                ])
        });
        let is_regular = is_each || is_plan || says(&["dca", "dcaing"]);
        let puts = says(&[
            "invest",
            "invested",
            "investing",
            "put",
            "putting",
            "buy",
            "buying",
            "bought",
            "save",
            "saved",
            "saving",
            "contribute",
            "contributed",
            "dca",
            "monthly",
            "weekly",
        ]);
        if has_sum && is_regular && puts {
            return Some("plans with regular purchases");
        }
        let is_goal = says(&["dividends", "dividend"])
            && has_sum
            && says(&[
                "need", "income", "generate", "earn", "receive", "collect", "live",
            ]);
        if is_goal {
            return Some("sums that dividends pay");
        }
        let of_taxes = words.iter().any(|word| word.lower.starts_with("tax"))
            || says(&["commission", "commissions"]);
        (of_taxes && self.instruments.len() == 1 && has_sum).then_some("taxes and fees on a sale")
    }

    /// When it was bought, and when it was sold or its value is wanted.
    fn spans(&self, is_one: bool) -> Spans {
        let tells = self.words.iter().any(|word| word.is_any(&TELLING))
            || self
                .counted
                .iter()
                .any(|(amount, _)| matches!(amount.unit, Unit::Money(_)));
        // `what would 500 dollars in bitcoin in 2018 be worth`: invested in it.
        let buys = self.words.iter().any(|word| word.is_any(&BOUGHT)) || self.puts_money();
        if !is_one || !tells || !buys {
            return Spans::default();
        }
        let dated = self.times.iter().filter_map(|dated| {
            let (from, to) = self.span(dated)?;
            let from = self.last_session(dated, to).unwrap_or(from);
            (from < self.today).then(|| ((from, to.min(self.today)), dated.bytes.clone()))
        });
        let dated: Vec<(Days, Range<usize>)> = dated.collect();
        let ago = self.ago.map(|day| (day, day));
        let [(first, said), (second, also_said), ..] = &dated[..] else {
            let bought = dated.first().map(|(days, _)| *days).or(ago);
            return Spans {
                bought,
                ..Spans::default()
            };
        };
        let says_between = |all: &[&str]| {
            let between = said.end..also_said.start;
            let mut words = self.words.iter();
            words.any(|word| between.contains(&word.bytes.start) && word.is_any(all))
        };
        let sells = self.begins(&["sold", "sell"]);
        if !sells && first.1 < second.0 && says_between(&WORTH) {
            return Spans {
                bought: Some(*first),
                valued: Some(*second),
                sold: None,
            };
        }
        // `what was it worth in 2022 if I had put 500 dollars into it in 2018`.
        if !sells && second.1 < first.0 && says_between(&BOUGHT) {
            return Spans {
                bought: Some(*second),
                valued: Some(*first),
                sold: None,
            };
        }
        let ends =
            sells || self.begins(&["until", "till"]) || self.times.iter().any(|dated| dated.is_end);
        Spans {
            bought: Some(*first),
            sold: ends.then_some(*second),
            valued: None,
        }
    }

    /// The last day of a period with a price, if its end is meant: `at the end of 2020`.
    fn last_session(&self, dated: &Dated, to: Day) -> Option<Day> {
        let said = self.text[..dated.bytes.end].to_ascii_lowercase();
        let before = said[..dated.bytes.start].trim_end();
        let own = &said[dated.bytes.start..];
        // Whole words only: a dividend, a weekend and a trend do not end anything.
        let mut words = before.split_whitespace().rev();
        let says_end = matches!(
            (words.next(), words.next()),
            (Some("end"), _) | (Some("of"), Some("end" | "close"))
        );
        let is_end = says_end
            || own
                .trim_start_matches("at ")
                .trim_start_matches("the ")
                .starts_with("end of");
        let is_coin = self
            .instruments
            .iter()
            .any(|(one, _)| one.kind == Kind::Coin);
        let to = to.min(self.today);
        let mut days = (0..10).map(|back| to.plus(-back));
        days.find(|day| is_coin || market::calendar::is_session(*day))
            .filter(|_| is_end)
    }

    fn span(&self, dated: &Dated) -> Option<Days> {
        match dated.period {
            Period::Unsaid | Period::Latest => None,
            Period::In(span) | Period::Since(span) => Some((span.first, span.last)),
            Period::Between(first, last) => Some((first.first, last.last)),
            Period::Past(count, length) => {
                let day = crate::time::back(self.today, count, length);
                Some((day, day))
            }
        }
    }
}
