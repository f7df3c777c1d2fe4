//! Streams of news as a server holds them: published into a store in memory, and indexed.

use std::sync::Arc;

use ingest::{ImportOptions, Publisher, import_articles};
use model::{DataMode, Timestamp};
use providers::import::articles::Reader;
use search::Index;
use store::{Location, Store};
use text::clean::Arrival;

use crate::news::shipped_outlets;

/// A store with its index.
pub(crate) struct Published {
    pub(crate) store: Store,
    pub(crate) index: Index,
    /// When the newest brief changed last.
    pub(crate) end: Timestamp,
}

impl Published {
    /// Publishes streams, given as lines of JSON, one after the other.
    pub(crate) async fn of(streams: impl IntoIterator<Item = String>) -> anyhow::Result<Self> {
        let store = Store::open(&Location::Memory, DataMode::Real).await?;
        let publisher = Publisher::open(store.clone(), Arc::new(shipped_outlets()));
        for text in streams {
            let mut reader = Reader::new(std::io::Cursor::new(text));
            let lines = std::iter::from_fn(move || {
                let (line, item) = reader.next()?;
                Some((line, item.map_err(|error| error.fault.to_string())))
            });
            let options = ImportOptions {
                arrival: Arrival::Backfill,
                dry_run: false,
                now: Timestamp::END.plus_ms(-1),
            };
            import_articles(lines, &store, &publisher, options, |_| ()).await?;
        }
        let index = Index::in_memory()?;
        let mut writer = index.writer()?;
        store.outbox().sequence().await?;
        while ingest::follow::catch_up(&store, &index, &mut writer, &|_| ()).await? {}
        let newest = store
            .briefs()
            .list(&store::BriefQuery {
                sort: store::BriefSort::Updated,
                limit: 1,
                ..store::BriefQuery::default()
            })
            .await?;
        let end = newest
            .briefs
            .first()
            .map_or(Timestamp::END, |stored| stored.brief.updated_at);
        Ok(Self { store, index, end })
    }
}
