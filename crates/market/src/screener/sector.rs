//! What people call the eleven sectors of the Global Industry Classification Standard.

/// The sectors, and the words that mean one.
const SECTORS: [(&str, &[&str]); 11] = [
    (
        "Information Technology",
        &[
            "tech",
            "technology",
            "techs",
            "software",
            "semiconductor",
            "semiconductors",
            "chip",
            "chips",
        ],
    ),
    (
        "Health Care",
        &[
            "healthcare",
            "health",
            "pharma",
            "pharmaceutical",
            "pharmaceuticals",
            "biotech",
            "medical",
        ],
    ),
    (
        "Financials",
        &[
            "financial",
            "finance",
            "bank",
            "banks",
            "banking",
            "insurance",
            "insurers",
            "financial services",
        ],
    ),
    ("Energy", &["oil", "gas", "oil and gas"]),
    ("Utilities", &["utility"]),
    ("Real Estate", &["reit", "reits", "property"]),
    (
        "Materials",
        &[
            "material",
            "basic materials",
            "mining",
            "miners",
            "chemical",
            "chemicals",
        ],
    ),
    (
        "Industrials",
        &[
            "industrial",
            "aerospace",
            "defense",
            "airlines",
            "machinery",
        ],
    ),
    (
        "Consumer Discretionary",
        &[
            "discretionary",
            "consumer cyclical",
            "retail",
            "retailers",
            "automotive",
        ],
    ),
    (
        "Consumer Staples",
        &["staples", "consumer defensive", "food", "beverages"],
    ),
    (
        "Communication Services",
        &[
            "communication",
            "communications",
            "telecom",
            "telecoms",
            "media",
        ],
    ),
];

/// The sector that a word or phrase means, in any case.
pub fn find(text: &str) -> Option<&'static str> {
    let lower = text.trim().to_lowercase();
    SECTORS
        .into_iter()
        .find(|(name, words)| name.eq_ignore_ascii_case(&lower) || words.contains(&lower.as_str()))
        .map(|(name, _)| name)
}

/// The sector that is meant, or the text as it is: listings may know other sectors.
pub fn canonical(text: &str) -> String {
    find(text).unwrap_or(text.trim()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_mean_sectors() {
        assert_eq!(find("TECH"), Some("Information Technology"));
        assert_eq!(find(" utilities"), Some("Utilities"));
        assert_eq!(find("space"), None);
        assert_eq!(canonical(" Space "), "Space");
    }
}
