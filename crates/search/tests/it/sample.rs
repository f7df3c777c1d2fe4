//! Briefs for tests and measurements, made of nothing but a seed.

use model::{
    ArticleId, BiasDirection, Brief, BriefBias, BriefConfidence, BriefId, BriefSource, Category,
    EntityKind, EntityMention, EntityRole, PublicBriefId, Score, Timestamp, TrustLevel,
};
use search::Checkpoint;
use uuid::Uuid;

/// Midnight of 1 March 2026.
pub(crate) const START: Timestamp = Timestamp::from_ms(1_772_323_200_000);

/// The checkpoint of an index that is fed by nothing but a test.
pub(crate) fn at(position: i64) -> Checkpoint {
    Checkpoint {
        position,
        ..Checkpoint::default()
    }
}

/// A brief with nothing in it but its number.
pub(crate) fn brief(number: u128) -> Brief {
    Brief {
        id: BriefId(Uuid::from_u128(number)),
        public_id: PublicBriefId::new(START, number as u64),
        revision: 1,
        headline: String::new(),
        summary: String::new(),
        body: String::new(),
        sentences: Vec::new(),
        category: Category::Markets,
        published_at: START,
        updated_at: START,
        confidence: BriefConfidence {
            score: Score::NEUTRAL,
            corroboration: Score::NEUTRAL,
            source_trust: Score::NEUTRAL,
            agreement: Score::NEUTRAL,
            freshness: Score::NEUTRAL,
        },
        bias: BriefBias {
            score: Score::ZERO,
            direction: BiasDirection::None,
            framing_notes: String::new(),
            loaded_wording: Score::ZERO,
            framing: Score::ZERO,
            one_sidedness: Score::ZERO,
        },
        counter_argument: String::new(),
        sources: Vec::new(),
        source_count: 1,
        update_count: 0,
        sentiment: Score::NEUTRAL,
        tags: Vec::new(),
        entities: Vec::new(),
        events: Vec::new(),
        data_points: Vec::new(),
        contradictions: Vec::new(),
        language: "en".into(),
        simulated: true,
        split: model::Split::default(),
        merged: model::Merged::default(),
    }
}

/// A brief with a headline, a summary and a body.
pub(crate) fn written(number: u128, headline: &str, summary: &str, body: &str) -> Brief {
    Brief {
        headline: headline.into(),
        summary: summary.into(),
        body: body.into(),
        ..brief(number)
    }
}

/// A source of the given domain.
pub(crate) fn source(domain: &str) -> BriefSource {
    BriefSource {
        article_id: ArticleId(Uuid::nil()),
        name: domain.into(),
        url: format!("https://{domain}/1"),
        domain: domain.into(),
        trust_level: TrustLevel::Medium,
        title: String::new(),
        published_at: START,
        known_at: START,
        copy_of: None,
        via: None,
    }
}

/// A named company.
pub(crate) fn entity(name: &str, ticker: Option<&str>) -> EntityMention {
    EntityMention {
        name: name.into(),
        kind: EntityKind::Organization,
        ticker: ticker.map(Into::into),
        role: EntityRole::Subject,
        mentions: 1,
        sentiment: Score::NEUTRAL,
    }
}

/// The `SplitMix64` generator: small, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
