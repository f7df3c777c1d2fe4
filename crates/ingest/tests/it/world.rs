//! What the tests publish, and where.

use std::sync::Arc;

use ingest::{Prepared, Publisher};
use model::{DataMode, Outlet, OutletTable, RawArticle, Timestamp, TrustLevel};
use store::{Location, Store, StoredBrief};
use text::clean::Arrival;

/// An empty store: in memory, or on the PostgreSQL of `TEST_DATABASE_URL` in a schema that nobody else uses.
pub(crate) async fn store() -> Store {
    let location = std::env::var("TEST_DATABASE_URL").map_or(Location::Memory, |base| {
        let joint = if base.contains('?') { '&' } else { '?' };
        let schema = uuid::Uuid::new_v4().simple();
        Location::Postgres(format!(
            "{base}{joint}options%5Bsearch_path%5D=assay_contract_{schema}"
        ))
    });
    Store::open(&location, DataMode::Real).await.unwrap()
}

pub(crate) fn outlets() -> Arc<OutletTable> {
    let row = |domain: &str, trust| Outlet {
        domain: domain.into(),
        name: None,
        trust,
    };
    Arc::new(OutletTable::new([
        row("harbour.example", TrustLevel::High),
        row("dock.example", TrustLevel::Medium),
    ]))
}

pub(crate) fn publisher(store: &Store) -> Publisher {
    Publisher::open(store.clone(), outlets())
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn raw(url: &str, title: &str, body: &str, published: &str) -> RawArticle {
    RawArticle {
        url: url.into(),
        title: title.into(),
        body: Some(body.into()),
        outlet: Some(url.split('/').nth(2).unwrap().into()),
        published_at: Some(at(published)),
        ..RawArticle::default()
    }
}

pub(crate) fn prepared(items: &[RawArticle]) -> Vec<Prepared> {
    ingest::prepare(items, at("2026-06-01T00:00:00Z"), Arrival::Backfill)
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

pub(crate) const RECORDED: &str = "2026-06-01T00:00:00Z";

/// Nine articles about four stories, in the order in which they became known.
pub(crate) fn week() -> Vec<RawArticle> {
    vec![
        raw(
            "https://harbour.example/port",
            "Port of Rotterdam reopens after storm",
            "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
            "2026-03-02T08:00:00Z",
        ),
        raw(
            "https://bank.example/rates",
            "Bank of Canada holds interest rates at 2.75 percent",
            "The Bank of Canada kept its key interest rate at 2.75 percent on Monday. The central bank said that inflation had eased. Economists had expected the decision.",
            "2026-03-02T08:30:00Z",
        ),
        raw(
            "https://dock.example/port",
            "Rotterdam port reopens after two-day storm closure",
            "Rotterdam's port has reopened after a storm closure of two days, the port authority said. About 40 vessels were waiting off the coast on Monday.",
            "2026-03-02T09:30:00Z",
        ),
        raw(
            "https://lens.example/telescope",
            "Astronomers find water vapour on distant planet",
            "Astronomers using a space telescope have found water vapour in the atmosphere of a planet 120 light years away. The team published its results in a journal on Monday.",
            "2026-03-02T10:00:00Z",
        ),
        raw(
            "https://ledger.example/rates",
            "Bank of Canada keeps key interest rate unchanged at 2.75 percent",
            "Canada's central bank left its key interest rate at 2.75 percent. The Bank of Canada said that inflation had eased and that it would watch the labour market.",
            "2026-03-02T11:00:00Z",
        ),
        raw(
            "https://mirror.example/port",
            "Port of Rotterdam reopens after storm",
            "The port of Rotterdam reopened on Monday after a storm closed it for two days. Ships waited off the coast. The port authority said that 40 vessels would be handled by Tuesday.",
            "2026-03-02T12:00:00Z",
        ),
        raw(
            "https://pitch.example/final",
            "Lisbon wins the cup final on penalties",
            "Lisbon won the national cup final on penalties on Tuesday evening. The match had ended without goals after extra time in front of 50,000 spectators.",
            "2026-03-03T21:00:00Z",
        ),
        raw(
            "https://news.example/telescope",
            "Water vapour detected on distant planet by astronomers",
            "Water vapour has been detected on a planet 120 light years away, astronomers reported. They used a space telescope to study its atmosphere.",
            "2026-03-03T22:00:00Z",
        ),
        raw(
            "https://harbour.example/port-again",
            "Port of Antwerp plans new container terminal",
            "The port of Antwerp plans a new container terminal on its left bank. Construction would begin in 2028 and cost 1.2 billion euros.",
            "2026-04-20T08:00:00Z",
        ),
    ]
}

/// Everything that was published, without what depends on the time of the run.
pub(crate) async fn everything(store: &Store) -> Vec<StoredBrief> {
    let mut all = Vec::new();
    let mut after = None;
    loop {
        let page = store.briefs().page_for_reindex(after, 100).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some((last.brief.id, last.brief.revision));
        all.extend(page);
    }
    all
}
