//! The handle for readers.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use model::{Brief, BriefId, Category, Timestamp};
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::index::SegmentComponent;
use tantivy::store::Compressor;
use tantivy::tokenizer::TokenizerManager;
use tantivy::{IndexReader, IndexSettings, ReloadPolicy};

use crate::analysis;
use crate::checkpoint::{Checkpoint, Committed};
use crate::collect::{Found, Likeness, collect, nearest, scores};
use crate::completion::{self, Completion, CompletionRequest};
use crate::error::{Error, Result};
use crate::fusion::{Fusion, WINDOW};
use crate::highlight::highlight;
use crate::query::{Compiled, Query, Wanted};
use crate::related::{VOTERS, related_queries};
use crate::replacement::{self, Replacement};
use crate::request::{Filters, Highlight, Hit, SearchPage, SearchRequest, Similar};
use crate::schema::{self, Fields};
use crate::texts::{HitText, Lexed, Texts};
use crate::vectors;
use crate::view::View;
use crate::writer::Writer;

/// Smaller blocks than the engine's own, because a page of hits reads short texts in scattered places.
const STORED_BLOCK_BYTES: usize = 4 * 1024;
const CACHED_STORED_BLOCKS: usize = 64;

/// A handle for searching. Clones share one state and see every commit of the writer at once.
#[derive(Clone)]
pub struct Index {
    shared: Arc<Shared>,
}

/// What all clones of a handle and its writer share.
pub(crate) struct Shared {
    place: Place,
    live: RwLock<Arc<Live>>,
    texts: Texts,
}

/// Where the files are.
enum Place {
    Files(PathBuf),
    /// Memory, or a test's replacement for it.
    Engine(Box<dyn Directory>),
}

/// One opened index.
pub(crate) struct Live {
    pub(crate) index: tantivy::Index,
    reader: IndexReader,
    pub(crate) fields: Fields,
    view: RwLock<Arc<View>>,
}

/// A revision as held in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexedRevision {
    /// The brief.
    pub brief_id: BriefId,
    /// The revision number.
    pub revision: u32,
    /// The time from which it was known.
    pub known_from: Timestamp,
    /// The time until which it was known, exclusive.
    pub known_to: Timestamp,
}

impl Index {
    /// Opens the index in a directory, or creates it. A finished replacement waiting next to it is first put in its
    /// place. An index that cannot be used as it is gives [`Error::Rebuild`].
    pub fn open(directory: &Path) -> Result<Self> {
        // A replacement that is still waiting does not change what is served.
        let _ = replacement::settle(directory)?;
        Self::open_place(Place::Files(directory.to_owned()))
    }

    /// An empty index that lives as long as its handles.
    pub fn in_memory() -> Result<Self> {
        Self::open_in(RamDirectory::create())
    }

    /// The index in a directory of the engine's own type: for tests, whose directories fail when they should.
    #[doc(hidden)]
    pub fn open_in(directory: impl Directory) -> Result<Self> {
        Self::open_place(Place::Engine(Box::new(directory)))
    }

    fn open_place(place: Place) -> Result<Self> {
        let live = Live::open(&place, None)?;
        Ok(Self {
            shared: Arc::new(Shared {
                place,
                live: RwLock::new(Arc::new(live)),
                texts: Texts::default(),
            }),
        })
    }

    /// Starts to build another index for this directory next to the existing one, which may be in use or damaged.
    pub fn build_beside(directory: &Path) -> Result<Replacement> {
        Replacement::start(directory)
    }

    /// The writer. Only one exists at a time among all processes, or else the result is [`Error::Locked`]. Looks at the
    /// directory again as [`Index::reopen`] does.
    pub fn writer(&self) -> Result<Writer> {
        self.reopen()?;
        Writer::start(Arc::clone(&self.shared))
    }

    /// Whether a finished replacement is waiting for the writer to be dropped and the index to be reopened.
    pub fn replacement_waits(&self) -> bool {
        self.directory().is_some_and(replacement::is_waiting)
    }

    /// The index directory; `None` in memory.
    pub fn directory(&self) -> Option<&Path> {
        match &self.shared.place {
            Place::Files(directory) => Some(directory),
            Place::Engine(_) => None,
        }
    }

    /// Looks at the directory again: puts a waiting replacement in place if there is no writer, and serves what is
    /// there. On failure all handles continue with what they had.
    pub fn reopen(&self) -> Result<()> {
        if let Some(directory) = self.directory() {
            let _ = replacement::settle(directory)?;
        }
        let former = self.shared.live().view();
        let live = Live::open(&self.shared.place, Some(&former))?;
        self.shared.serve(Arc::new(live));
        Ok(())
    }

    /// The outbox position that the last commit reached; 0 if nothing was ever committed.
    pub fn position(&self) -> i64 {
        self.shared.live().view().checkpoint.position
    }

    /// How far the last commit came, and in which store.
    pub fn checkpoint(&self) -> Checkpoint {
        self.shared.live().view().checkpoint.clone()
    }

    /// What a search sees.
    #[cfg(test)]
    pub(crate) fn view(&self) -> Arc<View> {
        self.shared.live().view()
    }

    /// Passes every revision that can be found to `each`, in no particular order.
    pub fn for_each_revision(&self, mut each: impl FnMut(IndexedRevision)) {
        let view = self.shared.live().view();
        for (segment, columns) in view.searcher.segment_readers().iter().zip(&view.segments) {
            for document in segment.doc_ids_alive() {
                each(IndexedRevision {
                    brief_id: columns.brief_id(document),
                    revision: columns.revision(document),
                    known_from: Timestamp::from_ms(columns.known_from.get_val(document)),
                    known_to: Timestamp::from_ms(columns.known_to.get_val(document)),
                });
            }
        }
    }

    /// Number of revisions that can be found.
    pub fn documents(&self) -> u64 {
        self.shared.live().view().searcher.num_docs()
    }

    /// Reads every file and compares checksums, which opening does not do; takes seconds for a large index.
    pub fn verify(&self) -> Result<()> {
        let damaged = self.shared.live().index.validate_checksum()?;
        if damaged.is_empty() {
            Ok(())
        } else {
            Err(Error::rebuild("a checksum is wrong"))
        }
    }

    /// The newest headlines that contain the words of a text that is still being typed.
    pub fn complete(&self, request: &CompletionRequest) -> Result<Vec<Completion>> {
        completion::complete(&self.shared.live().view(), request)
    }

    /// Answers a search. No query text is an error; a query that asks for nothing finds nothing.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchPage> {
        let view = self.shared.live().view();
        let query = Query::parse(&request.query);
        let wanted = query.wanted();
        let fusion = Fusion::new(&view, request, &query, &wanted);
        let least = fusion.as_ref().map_or(VOTERS, |_| WINDOW);
        let keep = request.offset.saturating_add(request.limit).max(least);
        let find = |condition| -> Result<Option<(Compiled, Found)>> {
            let Some(compiled) = Compiled::new(&condition, &wanted, &view.fields) else {
                return Ok(None);
            };
            let found = collect(&view, &compiled, request, keep)?;
            Ok((found.total > 0).then_some((compiled, found)))
        };
        let mut answer = query.strict().map(find).transpose()?.flatten();
        let mut is_relaxed = false;
        if answer.is_none() {
            answer = query.relaxed().map(find).transpose()?.flatten();
            is_relaxed = answer.is_some();
        }
        let (compiled, mut found) = match answer {
            Some((compiled, found)) => (Some(compiled), found),
            None => (None, Found::default()),
        };
        if let Some(fusion) = fusion {
            fusion.arrange(&mut found)?;
        }
        let texts = &self.shared.texts;
        let answered = page((&view, texts), request, &wanted, compiled.as_ref(), &found)?;
        Ok(SearchPage {
            is_relaxed,
            ..answered
        })
    }

    /// The briefs most like this one in meaning, the most similar first, without the brief itself: revisions that were
    /// known at that time, otherwise the current ones.
    pub fn similar(
        &self,
        brief: &Brief,
        filters: &Filters,
        as_of: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<Similar>> {
        let view = self.shared.live().view();
        let found = nearest(
            &view,
            &Likeness {
                vector: &vectors::of(brief),
                filters,
                as_of,
                least: f32::MIN_POSITIVE,
                keep: limit,
                leave_out: &[brief.id],
            },
        )?;
        let similar = found.into_iter().map(|ranked| Similar {
            brief_id: ranked.brief_id,
            revision: ranked.revision,
            similarity: ranked.key,
        });
        Ok(similar.collect())
    }
}

/// The requested part of what was found, with its texts.
fn page(
    (view, kept): (&View, &Texts),
    request: &SearchRequest,
    wanted: &Wanted,
    compiled: Option<&Compiled>,
    found: &Found,
) -> Result<SearchPage> {
    let mut analyzer = analysis::analyzer();
    let best = &found.best;
    let from = request.offset.min(best.len());
    let to = request.offset.saturating_add(request.limit).min(best.len());
    let shown = &best[from..to];
    let scores = match compiled {
        Some(compiled) => scores(view, compiled, request, shown)?,
        None => shown.iter().map(|hit| hit.key).collect(),
    };
    // The best hits shape the related queries even if another page is shown.
    let voters = &best[..best.len().min(VOTERS)];
    let mut texts: Vec<Arc<HitText>> = Vec::with_capacity(voters.len());
    for voter in voters {
        texts.push(kept.get(view, voter.address, &mut analyzer)?);
    }
    let mut hits = Vec::with_capacity(shown.len());
    for (place, (ranked, score)) in (from..to).zip(shown.iter().zip(scores)) {
        let fetched;
        let text = if let Some(text) = texts.get(place) {
            text
        } else {
            fetched = kept.get(view, ranked.address, &mut analyzer)?;
            &fetched
        };
        let highlight = Highlight {
            headline: highlight(&text.headline, wanted),
            summary: highlight(&text.summary, wanted),
        };
        hits.push(Hit {
            brief_id: ranked.brief_id,
            revision: ranked.revision,
            score,
            highlight,
            by_meaning: ranked.by_meaning,
        });
    }
    let topics: Vec<&[Lexed]> = texts.iter().map(|text| text.topics.as_slice()).collect();
    let mut facets: Vec<(Category, u64)> = Category::ALL
        .into_iter()
        .zip(found.by_category)
        .filter(|(_, count)| *count > 0)
        .collect();
    facets.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let related_queries = related_queries(&topics, wanted);
    Ok(SearchPage {
        total: found.total,
        is_relaxed: false,
        hits,
        facets,
        related_queries,
    })
}

impl Shared {
    pub(crate) fn live(&self) -> Arc<Live> {
        Arc::clone(&self.live.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes all handles answer from this index.
    pub(crate) fn serve(&self, live: Arc<Live>) {
        *self.live.write().unwrap_or_else(PoisonError::into_inner) = live;
    }
}

impl Live {
    /// Opens what is there. What an earlier view has read of the same segments is taken from that view.
    fn open(place: &Place, former: Option<&View>) -> Result<Self> {
        // The engine answers some kinds of damage with a panic. Nothing shared has been touched at this point.
        std::panic::catch_unwind(AssertUnwindSafe(|| Self::try_open(place, former)))
            .unwrap_or_else(|_| Err(Error::rebuild("a file is damaged")))
    }

    fn try_open(place: &Place, former: Option<&View>) -> Result<Self> {
        let (schema, fields) = schema::schema();
        let tokenizers = TokenizerManager::default();
        tokenizers.register(analysis::NAME, analysis::analyzer());
        let settings = IndexSettings {
            docstore_compression: Compressor::Lz4,
            docstore_compress_dedicated_thread: false,
            docstore_blocksize: STORED_BLOCK_BYTES,
            ..IndexSettings::default()
        };
        let builder = tantivy::Index::builder()
            .schema(schema)
            .tokenizers(tokenizers)
            .settings(settings);
        let files: Box<dyn Directory> = match place {
            Place::Engine(directory) => directory.clone(),
            Place::Files(path) => {
                std::fs::create_dir_all(path).map_err(Error::Files)?;
                Box::new(MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?)
            }
        };
        let index = builder
            .open_or_create(files)
            .map_err(Error::while_opening)?;
        let committed = Committed::load(&index)?;
        // The engine treats a segment without a positions file as one without phrases.
        for segment in index.searchable_segments().map_err(Error::while_opening)? {
            segment
                .open_read(SegmentComponent::Positions)
                .map_err(|error| Error::while_opening(error.into()))?;
        }
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(CACHED_STORED_BLOCKS)
            .try_into()
            .map_err(Error::while_opening)?;
        let view = View::open(reader.searcher(), fields, committed.checkpoint, former)
            .map_err(Error::while_opening)?;
        Ok(Self {
            index,
            reader,
            fields,
            view: RwLock::new(Arc::new(view)),
        })
    }

    pub(crate) fn view(&self) -> Arc<View> {
        Arc::clone(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes the last commit visible to readers, if all its documents are there.
    pub(crate) fn publish(&self, committed: &Committed) -> Result<()> {
        self.reader.reload()?;
        let former = self.view();
        let searcher = self.reader.searcher();
        committed.check(searcher.num_docs())?;
        let checkpoint = committed.checkpoint.clone();
        let view = View::open(searcher, self.fields, checkpoint, Some(&former))?;
        // Here, because nobody is waiting for an answer.
        view.prepare();
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(view);
        Ok(())
    }
}
