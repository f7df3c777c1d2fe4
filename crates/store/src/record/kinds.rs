//! The fields by which each kind of record is found.

use model::{
    AnalystRating, Chain, CoinSnapshot, CongressTrade, CorporateAction, CryptoGlobal, Day,
    Earnings, FactSet, Filing, HoldingLine, HourBar, InsiderLine, Protocol, Valuation,
};

use super::{Comparison, Record, RecordFacets};

impl Record for FactSet {
    const KIND: &'static str = "facts";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{}|{}", self.symbol, self.accession),
            symbol: self.symbol.to_string(),
            day: self.filed,
            word: self.form.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for CorporateAction {
    const KIND: &'static str = "action";

    const COMPARE: Option<fn(&str, &str) -> Comparison> = Some(|document, other| {
        let (Ok(one), Ok(other)) = (Self::parse(document), Self::parse(other)) else {
            return Comparison::Other;
        };
        match (one.repeats(&other), other.repeats(&one)) {
            (true, true) => Comparison::Same(one.source.cmp(&other.source)),
            (true, false) => Comparison::Less,
            (false, true) => Comparison::More,
            (false, false) => Comparison::Other,
        }
    });

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        // An inferred record never replaces one that somebody reports.
        let inferred = if self.is_inferred() { "|inferred" } else { "" };
        RecordFacets {
            id: format!(
                "{}|{}|{}{inferred}",
                self.symbol,
                self.kind.as_str(),
                self.ex_date
            ),
            symbol: self.symbol.to_string(),
            day: self.ex_date,
            word: self.kind.as_str().to_owned(),
            amount: self.ratio.or(self.amount),
            bundle: self.symbol.to_string(),
            ..RecordFacets::default()
        }
    }
}

impl Record for Valuation {
    const KIND: &'static str = "valuation";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{}|{}", self.symbol, self.source),
            symbol: self.symbol.to_string(),
            word: self.source.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for Earnings {
    const KIND: &'static str = "earnings";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{}|{}", self.symbol, self.fiscal_quarter),
            symbol: self.symbol.to_string(),
            day: self.date,
            word: self.status.as_str().to_owned(),
            ..RecordFacets::default()
        }
    }
}

impl Record for AnalystRating {
    const KIND: &'static str = "rating";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{}|{}|{}", self.symbol, self.firm, self.day),
            symbol: self.symbol.to_string(),
            day: self.day,
            word: self.rating.as_str().to_owned(),
            amount: self.target,
            ..RecordFacets::default()
        }
    }
}

impl Record for Filing {
    const KIND: &'static str = "filing";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        let symbol = self.symbol.as_ref().map(ToString::to_string);
        let symbol = symbol.unwrap_or_default();
        RecordFacets {
            id: format!("{}|{}", self.accession, self.cik),
            text: format!(
                "{} {symbol} {} {}",
                self.company_name, self.form_type, self.description
            )
            .to_lowercase(),
            symbol,
            day: self.filed_date,
            word: self.form_type.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for InsiderLine {
    const KIND: &'static str = "insider";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{}|{}", self.accession, self.line),
            symbol: self.symbol.to_string(),
            day: self.trade.date,
            word: self.trade.transaction_type.as_str().to_owned(),
            amount: self.trade.value,
            text: self.name.to_lowercase(),
            bundle: format!("{}|{}|{}", self.symbol, self.owner_cik, self.filed),
        }
    }
}

impl Record for HoldingLine {
    const KIND: &'static str = "holding";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        let bundle = format!("{}|{}", self.institution_cik, self.report_date);
        RecordFacets {
            id: format!("{bundle}|{}", self.holding.cusip),
            symbol: self
                .holding
                .symbol
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            day: self.report_date,
            word: self.institution_cik.to_string(),
            amount: Some(self.holding.value),
            text: self.institution.to_lowercase(),
            bundle,
        }
    }
}

impl Record for CongressTrade {
    const KIND: &'static str = "congress";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: self.id.clone(),
            symbol: self
                .symbol
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            day: self.disclosure_date,
            word: self.chamber.as_str().to_owned(),
            amount: self.amount_low,
            text: self.member.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for CoinSnapshot {
    const KIND: &'static str = "coin";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: self.symbol.to_string(),
            symbol: self.symbol.to_string(),
            day: Day::of(self.at),
            amount: self.market_cap,
            text: self.name.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for HourBar {
    const KIND: &'static str = "hour";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: format!("{} {}", self.symbol, self.at),
            symbol: self.symbol.to_string(),
            day: Day::of(self.at),
            word: self.hour().to_string(),
            ..RecordFacets::default()
        }
    }
}

impl Record for CryptoGlobal {
    const KIND: &'static str = "crypto_global";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: self.source.clone(),
            day: Day::of(self.at),
            amount: self.total_market_cap,
            ..RecordFacets::default()
        }
    }
}

impl Record for Protocol {
    const KIND: &'static str = "protocol";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: self.slug.clone(),
            day: Day::of(self.at),
            word: self.category.to_lowercase(),
            amount: Some(self.tvl),
            text: self.name.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}

impl Record for Chain {
    const KIND: &'static str = "chain";

    fn parse(document: &str) -> serde_json::Result<Self> {
        serde_json::from_str(document)
    }

    fn facets(&self) -> RecordFacets {
        RecordFacets {
            id: self.name.to_lowercase(),
            day: Day::of(self.at),
            amount: Some(self.tvl),
            text: self.name.to_lowercase(),
            ..RecordFacets::default()
        }
    }
}
