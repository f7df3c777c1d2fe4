//! The three depths of a report, with price and time.

/// How deep a report goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    /// An executive summary.
    Quick,
    /// Five analysts and where they disagree.
    Full,
    /// The same with a debate, ranges of outcomes and an audit of bias.
    Deep,
}

impl Tier {
    /// Cheapest first.
    pub(super) const ALL: [Self; 3] = [Self::Quick, Self::Full, Self::Deep];

    /// The word for it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Deep => "deep",
        }
    }

    /// The tier for a word.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == word)
    }

    /// What it costs.
    pub(super) const fn credits(self) -> u64 {
        match self {
            Self::Quick => 10,
            Self::Full => 250,
            Self::Deep => 1_000,
        }
    }

    /// The longest it takes if nothing else is waiting.
    pub(super) const fn seconds(self) -> u64 {
        match self {
            Self::Quick => 1,
            Self::Full => 3,
            Self::Deep => 8,
        }
    }

    /// The steps in which it is written, as the progress names them.
    pub(super) const fn steps(self) -> &'static [&'static str] {
        match self {
            Self::Quick => &["summary", "verification"],
            Self::Full => &[
                "fundamental",
                "technical",
                "sentiment",
                "news",
                "macro",
                "conclusion",
                "verification",
            ],
            Self::Deep => &[
                "fundamental",
                "technical",
                "sentiment",
                "news",
                "macro",
                "conclusion",
                "debate",
                "outlook",
                "bias_audit",
                "verification",
            ],
        }
    }
}
