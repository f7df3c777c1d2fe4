//! The agents that come with the program: the files in `data/agents`, checked like the agents of accounts.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::catalogue::Agent;
use super::read::read;

macro_rules! sources {
    ($($slug:literal),* $(,)?) => {
        [$(($slug, include_str!(concat!("../../data/agents/", $slug, ".toml")))),*]
    };
}

/// Slug and pipeline.
const SOURCES: [(&str, &str); 26] = sources![
    "analyst-change-watch",
    "claim-audit",
    "coin-check",
    "commodities-and-currencies",
    "congress-watch",
    "contradiction-watch",
    "correlation-check",
    "crypto-overview",
    "defi-health",
    "dividend-quality",
    "drawdown-check",
    "earnings-preview",
    "filing-radar",
    "insider-cluster-watch",
    "macro-dashboard",
    "merger-radar",
    "momentum-screen",
    "morning-brief",
    "news-impact-study",
    "peer-comparison",
    "portfolio-risk-scan",
    "sector-rotation",
    "source-bias-audit",
    "topic-briefing",
    "what-changed-since",
    "yield-curve-watch",
];

/// Which of them are featured, and which belong together.
const MARKETPLACE: &str = include_str!("../../data/marketplace.toml");

/// The agents, ordered by slug.
#[expect(
    clippy::expect_used,
    reason = "constant; a test reads every one of them"
)]
pub(crate) static BUILT_IN: LazyLock<Vec<Arc<Agent>>> = LazyLock::new(|| {
    let agents = SOURCES.iter().map(|(slug, source)| {
        let pipeline = read(source, None).expect(slug);
        Arc::new(Agent {
            slug: (*slug).to_owned(),
            pipeline,
            source: (*source).to_owned(),
            account: None,
            updated_at: None,
        })
    });
    agents.collect()
});

/// Agents that belong together.
#[derive(Debug, Deserialize)]
pub(crate) struct Collection {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) agents: Vec<String>,
}

#[derive(Deserialize)]
struct Marketplace {
    featured: Vec<String>,
    collections: Vec<Collection>,
}

#[expect(clippy::expect_used, reason = "constant; a test reads it")]
static READ: LazyLock<Marketplace> =
    LazyLock::new(|| toml::from_str(MARKETPLACE).expect("marketplace.toml"));

/// The collections.
pub(crate) static COLLECTIONS: LazyLock<&'static [Collection]> =
    LazyLock::new(|| &READ.collections);

/// Whether it is one of the featured agents.
pub(crate) fn is_featured(slug: &str) -> bool {
    READ.featured.iter().any(|one| one == slug)
}

/// Its position among them.
pub(crate) fn place_of_featured(slug: &str) -> usize {
    let place = READ.featured.iter().position(|one| one == slug);
    place.unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::super::catalogue::{FIXED_WORDS, is_slug};
    use super::super::pipeline::CATEGORIES;
    use super::*;

    #[test]
    fn every_file_is_an_agent_that_can_run() {
        let mut faults = Vec::new();
        for (slug, source) in SOURCES {
            if let Err(fault) = read(source, None) {
                faults.push(format!("{slug}: {fault}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/agents");
        let files: HashSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|file| {
                file.unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        let known: HashSet<String> = SOURCES.iter().map(|(slug, _)| (*slug).to_owned()).collect();
        assert_eq!(files, known);
        for agent in BUILT_IN.iter() {
            assert!(
                is_slug(&agent.slug) && !FIXED_WORDS.contains(&&*agent.slug),
                "{}",
                agent.slug
            );
            assert!(
                !agent.pipeline.is_personal(),
                "{}: everybody may run it",
                agent.slug
            );
            assert!(!agent.pipeline.tags.is_empty(), "{}", agent.slug);
        }
    }

    #[test]
    fn collections_name_agents_that_exist() {
        let exists = |slug: &String| SOURCES.iter().any(|(one, _)| one == slug);
        assert!(READ.featured.iter().all(exists), "{:?}", READ.featured);
        for collection in *COLLECTIONS {
            assert!(
                collection.agents.iter().all(exists),
                "{:?}",
                collection.agents
            );
        }
    }

    #[test]
    fn there_is_something_for_everybody() {
        for category in CATEGORIES {
            assert!(
                BUILT_IN
                    .iter()
                    .any(|agent| agent.pipeline.category == category),
                "{category}"
            );
        }
        assert!(BUILT_IN.len() >= 20);
        // The documentation states the number.
        let said = format!("{} agents of `assay`", BUILT_IN.len());
        for (name, text) in [
            ("agents.md", include_str!("../../../../docs/agents.md")),
            ("api.md", include_str!("../../../../docs/api.md")),
        ] {
            assert!(text.contains(&said), "{name} does not say {said:?}");
        }
    }
}
