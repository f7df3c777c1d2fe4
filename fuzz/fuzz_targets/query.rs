//! The query language of search, against an empty index.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use search::{Index, SearchRequest};

static INDEX: LazyLock<Option<Index>> = LazyLock::new(|| Index::in_memory().ok());

fuzz_target!(|query: &str| {
    if let Some(index) = INDEX.as_ref() {
        let request = SearchRequest {
            query: query.to_owned(),
            limit: 10,
            ..SearchRequest::default()
        };
        assert!(index.search(&request).is_ok_and(|page| page.hits.is_empty()));
    }
});
