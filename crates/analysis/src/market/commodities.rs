//! The commodities.

use super::{Unknown, nearest};

/// A commodity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commodity {
    /// Its word in paths, such as `crude`.
    pub slug: &'static str,
    /// Such as `Crude Oil (WTI)`.
    pub name: &'static str,
    /// Series of its price; that with the newest value counts, of equals the first.
    pub series: &'static [&'static str],
}

const fn commodity(
    slug: &'static str,
    name: &'static str,
    series: &'static [&'static str],
) -> Commodity {
    Commodity { slug, name, series }
}

/// Every commodity. Futures are daily; the world prices of the IMF, which FRED carries, are monthly.
pub const COMMODITIES: [Commodity; 10] = [
    commodity(
        "crude",
        "Crude Oil (WTI)",
        &[
            "commodity:crude/futures",
            "commodity:crude/spot",
            "macro:DCOILWTICO",
        ],
    ),
    commodity(
        "gold",
        "Gold",
        &["commodity:gold/futures", "commodity:gold/spot"],
    ),
    commodity(
        "silver",
        "Silver",
        &["commodity:silver/futures", "commodity:silver/spot"],
    ),
    commodity(
        "copper",
        "Copper",
        &[
            "commodity:copper/futures",
            "commodity:copper/spot",
            "macro:PCOPPUSDM",
        ],
    ),
    commodity(
        "natgas",
        "Natural Gas",
        &[
            "commodity:natgas/futures",
            "commodity:natgas/spot",
            "macro:DHHNGSP",
        ],
    ),
    commodity(
        "wheat",
        "Wheat",
        &[
            "commodity:wheat/futures",
            "commodity:wheat/spot",
            "macro:PWHEAMTUSDM",
        ],
    ),
    commodity(
        "corn",
        "Corn",
        &[
            "commodity:corn/futures",
            "commodity:corn/spot",
            "macro:PMAIZMTUSDM",
        ],
    ),
    commodity(
        "coffee",
        "Coffee",
        &[
            "commodity:coffee/futures",
            "commodity:coffee/spot",
            "macro:PCOFFOTMUSDM",
        ],
    ),
    commodity(
        "cotton",
        "Cotton",
        &[
            "commodity:cotton/futures",
            "commodity:cotton/spot",
            "macro:PCOTTINDUSDM",
        ],
    ),
    commodity(
        "sugar",
        "Sugar",
        &[
            "commodity:sugar/futures",
            "commodity:sugar/spot",
            "macro:PSUGAISAUSDM",
        ],
    ),
];

impl Commodity {
    /// The commodity of a slug, in any case.
    pub fn find(text: &str) -> Result<&'static Self, Unknown> {
        let slug = text.trim();
        COMMODITIES
            .iter()
            .find(|one| one.slug.eq_ignore_ascii_case(slug))
            .ok_or_else(|| nearest(slug, COMMODITIES.iter().map(|one| one.slug)))
    }
}
