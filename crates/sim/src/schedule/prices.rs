//! Closes of indices, currencies, commodities and bonds, and daily coin moves.

use model::Timestamp;

use super::{Givens, Schedule, size};
use crate::agreement::Given;

/// Indices other than the daily one.
const OTHER_INDICES: [&str; 6] = ["^IXIC", "^FTSE", "^GDAXI", "^FCHI", "^N225", "^STOXX"];
/// Currencies by the code of their economy: the series, and whether it rises when the currency does.
const CURRENCIES: [(&str, &str, bool); 6] = [
    ("EA", "fx:EURUSD", true),
    ("GB", "fx:GBPUSD", true),
    ("JP", "fx:USDJPY", false),
    ("CH", "fx:USDCHF", false),
    ("AU", "fx:AUDUSD", true),
    ("CA", "fx:USDCAD", false),
];
/// Metals: the series and the digits of its price.
const METALS: [(&str, usize); 3] = [
    ("commodity:gold/futures", 1),
    ("commodity:silver/futures", 2),
    ("commodity:copper/futures", 4),
];
/// Maturities of Treasury auctions, in years.
const TENORS: [u32; 4] = [2, 5, 10, 30];

impl Schedule<'_> {
    pub(super) fn add_closes(&mut self) {
        let Some(place) = self.session() else {
            return;
        };
        let Some(closes_at) = self.world.session(place).map(|session| session.closes_at) else {
            return;
        };
        if self.is_taken_up("index", 0.35) {
            self.add_index("^GSPC", place, closes_at);
        }
        let mut lots = self.chance("index", "other");
        if self.is_taken_up("other index", 0.3)
            && lots.chance(0.5)
            && let Some(index) = lots.pick(&OTHER_INDICES)
        {
            self.add_index(index, place, closes_at);
        }
        if self.is_taken_up("currency", 0.5) {
            self.add_currency(place, closes_at);
        }
        if self.is_taken_up("oil", 0.5) && self.chance("oil", "").chance(0.45) {
            self.add_oil(place, closes_at);
        }
        if self.is_taken_up("metal", 0.5) && self.chance("metal", "").chance(0.35) {
            self.add_metal(place, closes_at);
        }
        if self.day.rem_euclid(7) == 6 {
            self.add_bond_sale(place);
        }
    }

    fn add_index(&mut self, symbol: &str, place: usize, closes_at: Timestamp) {
        let key = format!("index:{symbol}");
        let Some(close) = self.world.closed(&key, place, 1) else {
            return;
        };
        let mut given: Givens = vec![
            ("idx", Given::Named(symbol.to_owned())),
            ("move", size(close.change_pct)),
            ("way", Given::way(close.change_pct)),
            ("level", Given::number(close.price, 2)),
        ];
        let ten = self.world.treasury_yield(place, 10);
        given.extend(ten.map(|ten| ("yield", Given::number(ten, 2))));
        let fear = self.world.closed("index:^VIX", place, 1);
        given.extend(fear.map(|fear| ("fear", Given::number(fear.price, 2))));
        if ["^GSPC", "^IXIC"].contains(&symbol)
            && let Some((most, least)) = self.world.sectors_by_move(place)
        {
            given.push(("lead", Given::text(shares_of(most))));
            given.push(("lag", Given::text(shares_of(least))));
        }
        let at = self.after(closes_at, [8, 75], symbol);
        self.add("index_close", symbol, at, given);
    }

    /// The currency that moved most, unless all were calm.
    fn add_currency(&mut self, place: usize, closes_at: Timestamp) {
        let world = self.world;
        let of = |key: &str, rises: bool, over: usize| {
            let priced = world.closed(key, place, over)?;
            let ratio = 1.0 + priced.change_pct / 100.0;
            let ratio = if rises { ratio } else { 1.0 / ratio };
            Some((100.0 * (ratio - 1.0), priced.price))
        };
        let by_move = CURRENCIES
            .iter()
            .filter_map(|&(code, key, rises)| Some((code, key, rises, of(key, rises, 1)?)))
            .max_by(|left, right| left.3.0.abs().total_cmp(&right.3.0.abs()));
        let Some((code, key, rises, (change, rate))) = by_move else {
            return;
        };
        if change.abs() < 0.35 || !self.chance("currency", "").chance(0.6) {
            return;
        }
        let Some((week, _)) = of(key, rises, 5) else {
            return;
        };
        let decimals = if key.contains("JPY") { 2 } else { 4 };
        let given: Givens = vec![
            ("bank", Given::Named(code.to_owned())),
            ("move", size(change)),
            ("way", Given::way(change)),
            ("week_move", size(week)),
            ("week_way", Given::way(week)),
            ("rate", Given::number(rate, decimals)),
            ("pair", Given::text(&pair(key))),
        ];
        let at = self.after(closes_at, [10, 90], code);
        self.add("currency_move", code, at, given);
    }

    fn add_oil(&mut self, place: usize, closes_at: Timestamp) {
        let Some(close) = self.world.closed("commodity:crude/futures", place, 1) else {
            return;
        };
        let given: Givens = vec![
            ("good", Given::Named("West Texas crude".to_owned())),
            ("price", Given::number(close.price, 2)),
            ("move", size(close.change_pct)),
            ("way", Given::way(close.change_pct)),
        ];
        let at = self.after(closes_at, [6, 60], "oil");
        self.add("commodity_move", "oil", at, given);
    }

    fn add_metal(&mut self, place: usize, closes_at: Timestamp) {
        let mut lots = self.chance("metal", "which");
        let row = lots.below(METALS.len());
        let (key, decimals) = METALS[row];
        let closes = [
            self.world.closed(key, place, 1),
            self.world.closed(key, place, 21),
        ];
        let [Some(close), Some(month)] = closes else {
            return;
        };
        let given: Givens = vec![
            ("good", Given::Place(row)),
            ("price", Given::number(close.price, decimals)),
            ("move", size(close.change_pct)),
            ("way", Given::way(close.change_pct)),
            ("month_move", size(month.change_pct)),
            ("month_way", Given::way(month.change_pct)),
        ];
        let at = self.after(closes_at, [6, 60], key);
        self.add("metal_move", key, at, given);
    }

    fn add_bond_sale(&mut self, place: usize) {
        let turn = self.day.div_euclid(7).rem_euclid(TENORS.len() as i64) as usize;
        let tenor = TENORS[turn];
        let yields = [
            self.world.treasury_yield(place, tenor),
            self.world
                .treasury_yield(place.saturating_sub(4 * 5), tenor),
        ];
        let [Some(now), Some(before)] = yields else {
            return;
        };
        let given: Givens = vec![
            ("place", Given::Named("US".to_owned())),
            ("tenor", Given::text(&tenor.to_string())),
            ("yield", Given::number(now, 2)),
            ("before", Given::number(before, 2)),
        ];
        let at = self.between([18 * 60, 19 * 60], "bonds");
        self.add("bond_sale", &tenor.to_string(), at, given);
    }

    /// Bitcoin's day that has ended, Ether's every other day, and Bitcoin at noon.
    pub(super) fn add_coins(&mut self) {
        if !self.is_taken_up("coins", 0.3) {
            return;
        }
        let closes = ["BTC", "ETH"].map(|symbol| self.world.coin_closed(symbol, self.day - 1));
        let [Some(bitcoin), Some(ether)] = closes else {
            return;
        };
        let coins = [("BTC", bitcoin, ether), ("ETH", ether, bitcoin)];
        for (turn, (symbol, own, other)) in coins.into_iter().enumerate() {
            if symbol == "ETH" && self.day.rem_euclid(2) == 0 {
                continue;
            }
            let given: Givens = vec![
                ("coin", Given::Named(symbol.to_owned())),
                (
                    "price",
                    Given::number(own.price, usize::from(own.price < 10_000.0) * 2),
                ),
                ("move", size(own.change_pct)),
                ("way", Given::way(own.change_pct)),
                ("other", Given::Place(turn)),
                ("other_move", size(other.change_pct)),
                ("other_way", Given::way(other.change_pct)),
            ];
            let at = self.between([6, 54], symbol);
            self.add("crypto_price", symbol, at, given);
        }
        if !self.world.has_daily_news(self.day) {
            return;
        }
        let noon = self.between([11 * 60 + 40, 13 * 60], "noon");
        let now = ["BTC", "ETH", "SOL", "XRP"]
            .map(|symbol| self.world.priced_at(&format!("crypto:{symbol}"), noon));
        let [Some(bitcoin), Some(ether), Some(solana), Some(ripple)] = now else {
            return;
        };
        let given: Givens = vec![
            ("price", Given::number(bitcoin.price, 0)),
            ("move", size(bitcoin.change_pct)),
            ("way", Given::way(bitcoin.change_pct)),
            ("ether", Given::number(ether.price, 2)),
            ("ether_move", size(ether.change_pct)),
            ("ether_way", Given::way(ether.change_pct)),
            ("solana_move", size(solana.change_pct)),
            ("solana_way", Given::way(solana.change_pct)),
            ("ripple_move", size(ripple.change_pct)),
            ("ripple_way", Given::way(ripple.change_pct)),
        ];
        self.add("coin_noon", "", noon, given);
    }
}

/// For example `EUR/USD`.
fn pair(key: &str) -> String {
    let name = key.trim_start_matches("fx:");
    let (base, quote) = name.split_at(3.min(name.len()));
    format!("{base}/{quote}")
}

/// What traders call the shares in a sector.
fn shares_of(sector: &str) -> &'static str {
    match sector {
        "Energy" => "energy shares",
        "Materials" => "miners and chemical firms",
        "Industrials" => "makers of machines",
        "Consumer Discretionary" => "carmakers and retailers",
        "Consumer Staples" => "makers of food and household goods",
        "Health Care" => "drugmakers",
        "Financials" => "banks and insurers",
        "Information Technology" => "technology shares",
        "Communication Services" => "media and telecoms shares",
        "Utilities" => "utilities",
        _ => "property firms",
    }
}
