//! What the law makes people disclose: filings, trades of insiders, holdings of institutions, trades of lawmakers.

use serde::{Deserialize, Serialize};

use crate::{Day, Symbol, Timestamp};

/// A filing at the SEC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filing {
    /// Accession number, such as `0000320193-25-000079`.
    pub accession: String,
    /// The company's first symbol, if it has one.
    pub symbol: Option<Symbol>,
    /// The filer's number at the SEC.
    pub cik: u64,
    /// The filer's name.
    pub company_name: String,
    /// For example `10-K`, `10-Q`, `8-K`, `S-1`, `4`.
    pub form_type: String,
    /// The day of filing.
    pub filed_date: Day,
    /// When the SEC accepted it. If absent, it counts as known from the end of its day.
    pub accepted_at: Option<Timestamp>,
    /// Last day of the period it reports on.
    pub period_of_report: Option<Day>,
    /// Address of the document.
    pub filing_url: String,
    /// What it is, in words: the document's own description and, for an 8-K, its items.
    pub description: String,
    /// The other parties to it, as long as none is known to have a symbol: one of them may turn out to be listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_parties: Vec<FilingParty>,
}

/// A party to a filing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilingParty {
    /// The number at the SEC.
    pub cik: u64,
    /// The name.
    pub name: String,
}

impl Filing {
    /// How many parties of one filing are kept.
    const PARTIES: usize = 32;

    /// Records another party.
    pub fn add_party(&mut self, cik: u64, name: String) {
        if self.other_parties.len() < Self::PARTIES {
            self.other_parties.push(FilingParty { cik, name });
        }
    }

    /// The filing, attributed to its first party that has a symbol.
    #[must_use]
    pub fn of_listed(mut self, symbol_of: impl Fn(u64) -> Option<Symbol>) -> Option<Self> {
        let symbol = symbol_of(self.cik).or_else(|| {
            let listed = |party: &FilingParty| Some((party.clone(), symbol_of(party.cik)?));
            let (party, symbol) = self.other_parties.iter().find_map(listed)?;
            let (old, new) = (self.cik, party.cik);
            self.filing_url =
                self.filing_url
                    .replacen(&format!("/data/{old}/"), &format!("/data/{new}/"), 1);
            self.cik = party.cik;
            self.company_name = party.name;
            Some(symbol)
        })?;
        Some(Self {
            symbol: Some(symbol),
            other_parties: Vec::new(),
            ..self
        })
    }
}

/// What an insider did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each kind names itself")]
pub enum InsiderAction {
    /// Code P: bought on the open market.
    Buy,
    /// Code S: sold on the open market.
    Sell,
    /// Code A.
    Award,
    /// Codes M, O, X.
    Exercise,
    /// Code F.
    TaxWithholding,
    /// Code G.
    Gift,
    /// Code C.
    Conversion,
    /// Code D.
    Disposition,
    Other,
}

impl InsiderAction {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Buy => "buy",
            Self::Sell => "sell",
            Self::Award => "award",
            Self::Exercise => "exercise",
            Self::TaxWithholding => "tax_withholding",
            Self::Gift => "gift",
            Self::Conversion => "conversion",
            Self::Disposition => "disposition",
            Self::Other => "other",
        }
    }

    /// What a transaction code on Form 4 means.
    pub fn of_code(code: &str) -> Self {
        match code.trim() {
            "P" => Self::Buy,
            "S" => Self::Sell,
            "A" => Self::Award,
            "M" | "O" | "X" => Self::Exercise,
            "F" => Self::TaxWithholding,
            "G" => Self::Gift,
            "C" => Self::Conversion,
            "D" => Self::Disposition,
            _ => Self::Other,
        }
    }
}

/// A Form 4 or 5: who filed it, about which share, and its lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InsiderForm {
    /// Accession number.
    pub accession: String,
    /// The share it is about.
    pub symbol: Symbol,
    /// The issuer's name.
    pub issuer: String,
    /// The insider's number at the SEC.
    pub owner_cik: u64,
    /// The insider, first name first.
    pub name: String,
    /// For example `Chief Financial Officer`, `Director`, `10% owner`.
    pub title: String,
    /// Day of filing.
    pub filed: Day,
    /// When the SEC accepted it. If absent, it counts as known from the end of its day.
    pub accepted_at: Option<Timestamp>,
    /// For an amendment: the day on which the form it replaces was filed.
    pub amends: Option<Day>,
    /// Address of the filing.
    pub filing_url: String,
    /// Its lines.
    pub trades: Vec<InsiderTrade>,
}

/// One line of a Form 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InsiderTrade {
    /// What was done.
    pub transaction_type: InsiderAction,
    /// The code of the form.
    pub code: String,
    /// How many shares or derivatives.
    pub shares: f64,
    /// The price of each; absent if the form gives none, or zero.
    pub price: Option<f64>,
    /// Shares times price in USD; absent if there is no price.
    pub value: Option<f64>,
    /// When it was done.
    pub date: Day,
    /// Whether it concerns a derivative, such as an option.
    pub derivative: bool,
}

/// What an amendment of a Form 13F does to the previous form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amendment {
    /// Replaces it.
    Restatement,
    /// Adds holdings to it.
    NewHoldings,
}

/// A Form 13F: what an institution held at the end of a quarter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldingsReport {
    /// Accession number.
    pub accession: String,
    /// The institution that holds them.
    pub institution: String,
    /// The holder's number at the SEC.
    pub institution_cik: u64,
    /// Last day of the quarter.
    pub report_date: Day,
    /// Day of filing.
    pub filed: Day,
    /// Set if it amends an earlier form for the quarter.
    pub amendment: Option<Amendment>,
    /// Its lines; lines for the same security are added together.
    pub holdings: Vec<Holding>,
}

/// One security on a Form 13F.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Holding {
    /// The share, if the issuer could be identified.
    pub symbol: Option<Symbol>,
    /// The security's number.
    pub cusip: String,
    /// The issuer, as the filer writes it.
    pub issuer: String,
    /// The title of its class, as the filer writes it, such as `CAP STK CL C`.
    #[serde(default)]
    pub class: String,
    /// Number of shares; lines for the same security are added together.
    pub shares: f64,
    /// Value in whole USD, whatever unit the form used.
    pub value: f64,
    /// Its share of the form's total value, in percent.
    pub portfolio_pct: Option<f64>,
}

/// The chamber a lawmaker sits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each chamber names itself")]
pub enum Chamber {
    House,
    Senate,
}

impl Chamber {
    /// The word used in the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::House => "house",
            Self::Senate => "senate",
        }
    }
}

/// A disclosed trade by a lawmaker or their family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CongressTrade {
    /// Identity, made from what an amendment would leave unchanged: chamber, member, asset, trade date, what was done
    /// and whose it is. Equal ones disclosed on the same day are numbered. A later disclosure with the same identity
    /// replaces the earlier one.
    pub id: String,
    /// Who.
    pub member: String,
    /// `Democrat`, `Republican` or `Independent`; absent if nobody of that name sits there now.
    pub party: Option<String>,
    /// Which chamber they sit in.
    pub chamber: Chamber,
    /// The share; absent for bonds, for funds without a symbol and for anything that cannot be identified.
    pub symbol: Option<Symbol>,
    /// What was traded, as disclosed.
    pub asset: String,
    /// `buy`, `sell`, `sell_partial`, `sell_full`, `exchange` or `receive`.
    pub transaction_type: String,
    /// As disclosed, such as `$1,001 - $15,000`.
    pub amount_range: String,
    /// Lower end of the range, in USD.
    pub amount_low: Option<f64>,
    /// Upper end of the range, in USD.
    pub amount_high: Option<f64>,
    /// When it was done; absent if the disclosure names an impossible date.
    pub transaction_date: Option<Day>,
    /// When it was disclosed.
    pub disclosure_date: Day,
    /// `self`, `spouse`, `joint` or `dependent`, if stated.
    pub owner: Option<String>,
    /// Address of the disclosure.
    pub url: Option<String>,
}

/// One line of an insider's form, together with what the form says about all of its lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the form and its line")]
pub struct InsiderLine {
    pub symbol: Symbol,
    pub issuer: String,
    pub owner_cik: u64,
    pub name: String,
    pub title: String,
    pub accession: String,
    /// Its position in the form, from zero.
    pub line: u32,
    pub filed: Day,
    pub filing_url: String,
    pub trade: InsiderTrade,
}

impl InsiderForm {
    /// Its lines, each complete in itself.
    pub fn lines(&self) -> impl Iterator<Item = InsiderLine> + '_ {
        (0_u32..)
            .zip(&self.trades)
            .map(|(line, trade)| InsiderLine {
                symbol: self.symbol.clone(),
                issuer: self.issuer.clone(),
                owner_cik: self.owner_cik,
                name: self.name.clone(),
                title: self.title.clone(),
                accession: self.accession.clone(),
                line,
                filed: self.filed,
                filing_url: self.filing_url.clone(),
                trade: trade.clone(),
            })
    }
}

/// One security on a Form 13F, together with what the form says about all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are those of the form and its line")]
pub struct HoldingLine {
    pub institution: String,
    pub institution_cik: u64,
    pub report_date: Day,
    pub accession: String,
    pub filed: Day,
    pub holding: Holding,
}

impl HoldingsReport {
    /// Its lines, each complete in itself.
    pub fn lines(&self) -> impl Iterator<Item = HoldingLine> + '_ {
        self.holdings.iter().map(|holding| HoldingLine {
            institution: self.institution.clone(),
            institution_cik: self.institution_cik,
            report_date: self.report_date,
            accession: self.accession.clone(),
            filed: self.filed,
            holding: holding.clone(),
        })
    }
}
