//! `/extract`: the articles of pages that the caller names. Nothing is stored.

use std::collections::HashMap;
use std::time::Duration;

use extraction::WebPage;
use futures::future::join_all;
use model::AccountId;
use providers::{AddressFault, ParseError};
use serde::{Deserialize, Serialize};
use text::page::Page;
use utoipa::ToSchema;

use crate::checked::{Checked, Faults};
use crate::error::{Error, ErrorCode, Result};
use crate::services::Services;
use crate::{About, Address, Context, Keeping, Operation, Posted};

/// Maximum number of pages in one request. All are read at the same time.
const MOST_URLS: usize = 5;
/// Maximum length of a returned text, in characters.
const LONGEST_TEXT: usize = 200_000;

/// The pages to extract.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ExtractRequest {
    /// Addresses of the pages, http or https. An address that appears twice is read and charged once.
    #[schema(min_items = 1, max_items = 5)]
    urls: Vec<String>,
    /// Whether to add the page's own metadata.
    #[serde(default)]
    include_metadata: bool,
}

impl Checked for ExtractRequest {
    fn check(&self, faults: &mut Faults) {
        if !(1..=MOST_URLS).contains(&self.urls.len()) {
            faults.note(format!("urls must have from 1 to {MOST_URLS} entries"));
        }
    }
}

/// What was extracted.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExtractBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// One result for each address, in the order of the request.
    results: Vec<ExtractedBody>,
    /// Credits charged for this call.
    credits_used: u64,
}

/// What was extracted from one page. If `success` is false, `error` says why and all other fields are null.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ExtractedBody {
    /// The address as requested.
    url: String,
    /// Headline.
    #[schema(required)]
    title: Option<String>,
    /// Readable text, with paragraphs separated by a blank line; at most 200,000 characters.
    #[schema(required)]
    text: Option<String>,
    /// Number of words in the whole text.
    #[schema(required)]
    word_count: Option<usize>,
    /// ISO 639-1 code, or `und` if the language is unknown.
    #[schema(required)]
    language: Option<String>,
    /// Publication date as stated by the page, `YYYY-MM-DD`. Null if the page does not state one.
    #[schema(required)]
    published_date: Option<String>,
    /// Registrable domain that responded.
    #[schema(required)]
    domain: Option<String>,
    /// Whether the page was read.
    success: bool,
    /// Why it could not be read.
    #[schema(required)]
    error: Option<String>,
    /// The same reason as a stable code: `malformed_url`, `private_address`, `disallowed`, `timeout`, `too_large`,
    /// `unsupported_type`, `http_status`, `redirect`, `unreachable`, `busy`, `challenge`, `too_complex`, `overloaded`
    /// or `no_article`.
    #[schema(required)]
    error_code: Option<&'static str>,
    /// Metadata of the page. Present only with `include_metadata`, and only if the page was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    metadata: Option<PageMetadataBody>,
}

/// What a page says about itself.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PageMetadataBody {
    /// The address that responded, after redirects.
    final_url: String,
    /// The canonical address that the page states.
    #[schema(required)]
    canonical_url: Option<String>,
    /// Name of the site.
    #[schema(required)]
    site_name: Option<String>,
    /// Author.
    #[schema(required)]
    author: Option<String>,
    /// Teaser of the article.
    #[schema(required)]
    description: Option<String>,
    /// Publication time as stated by the page, to the second.
    #[schema(required)]
    published_at: Option<String>,
    /// Language as stated by the page.
    #[schema(required)]
    claimed_language: Option<String>,
    /// Whether `text` was cut.
    truncated: bool,
}

/// Why a page was not read.
#[derive(Debug)]
struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// A page that did not get its turn. Retrying makes sense.
const OVERLOADED: &str = "overloaded";

/// Part of the request time that is reserved for returning what was read until then.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// `POST /extract`.
pub(crate) struct Extract;

impl Operation for Extract {
    type Input = Posted<(), ExtractRequest>;
    type Output = ExtractBody;

    const ABOUT: About = About {
        name: "extract_pages",
        address: Address::post("/api/v1/extract"),
        subject: "news",
        summary: "Extracts the articles from web pages.",
        description: "Each URL is fetched once. The robots.txt of its site is respected, private addresses are refused at every redirect, and a page may take at most 8 MiB and 15 seconds. A page that cannot be read does not affect the others. Each page that was read costs one credit; a failed one costs nothing, even if it exceeded the limits on time or memory. Nothing is stored except, with an `Idempotency-Key`, the response for 24 hours.",
        answer: "The extracted articles, page by page",
        example: r#"{"urls": ["https://example.com/news/1"]}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<ExtractBody> {
        let Posted { body, .. } = asked;
        let account = context.owner()?.account;
        let read = read_all(&context.services, account, &body).await?;
        let credits = read.values().filter(|page| page.success).count() as u64;
        context.charge.claim(credits);
        Ok(ExtractBody {
            status: "ok",
            results: body
                .urls
                .iter()
                .filter_map(|url| read.get(url.trim()))
                .cloned()
                .collect(),
            credits_used: credits,
        })
    }
}

/// Reads every distinct address, all at the same time.
async fn read_all(
    services: &Services,
    account: AccountId,
    body: &ExtractRequest,
) -> Result<HashMap<String, ExtractedBody>> {
    let mut distinct: Vec<&str> = body.urls.iter().map(|url| url.trim()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let pages = distinct
        .into_iter()
        .map(|url| async move { (url.to_owned(), read(services, account, url).await) });
    let outcomes = join_all(pages).await;
    let unturned = |outcome: &Result<_, Failure>| matches!(outcome, Err(failure) if failure.code == OVERLOADED);
    if outcomes.iter().all(|(_, outcome)| unturned(outcome)) {
        return Err(Error::retry_later(
            ErrorCode::Busy,
            5,
            "this server is already reading as many pages as it can at a time, please try again",
        ));
    }
    let mut found = HashMap::new();
    for (url, outcome) in outcomes {
        let page = match outcome {
            Ok(mut page) => {
                if !body.include_metadata {
                    page.metadata = None;
                }
                page
            }
            Err(failure) => failed(&url, failure),
        };
        found.insert(url, page);
    }
    Ok(found)
}

/// Reads one page. Its outcome affects no other page and is known before the time of the request is up.
async fn read(
    services: &Services,
    account: AccountId,
    url: &str,
) -> Result<ExtractedBody, Failure> {
    let whole = services.settings.request_timeout;
    let limit = whole.saturating_sub(LAST_MOMENT).max(whole / 2);
    let late = || {
        Failure::new(
            "timeout",
            "the page could not be read before the request timed out",
        )
    };
    tokio::time::timeout(limit, read_in_turn(services, account, url))
        .await
        .unwrap_or_else(|_| Err(late()))
}

async fn read_in_turn(
    services: &Services,
    account: AccountId,
    url: &str,
) -> Result<ExtractedBody, Failure> {
    let place = services.extractions.place(account).await?;
    let limit = services.settings.page_timeout;
    let fetched = match tokio::time::timeout(limit, services.web.fetch(url)).await {
        Ok(Ok(fetched)) => fetched,
        Ok(Err(error)) => return Err(reason(&error)),
        Err(_) => {
            let message = format!("the page did not arrive within {} s", limit.as_secs_f64());
            return Err(Failure::new("timeout", message));
        }
    };
    let final_url = fetched.url.clone();
    let page = WebPage {
        url: fetched.url,
        html: fetched.html,
    };
    let page = services
        .extractions
        .read(account, place, page)
        .await?
        .ok_or_else(|| Failure::new("no_article", "no article was found in the page"))?;
    let asked = url.to_owned();
    tokio::task::spawn_blocking(move || article(asked, final_url, page))
        .await
        .map_err(|_| Failure::new("no_article", "the page cannot be read"))
}

impl From<extraction::Error> for Failure {
    fn from(error: extraction::Error) -> Self {
        if error.blames_page() {
            let message = "reading the page took more time or memory than allowed";
            Self::new("too_complex", message)
        } else {
            let message = "this server is reading as many pages as it can, try again later";
            Self::new(OVERLOADED, message)
        }
    }
}

fn article(asked: String, url: String, page: Page) -> ExtractedBody {
    let Page {
        title,
        text,
        author,
        published_at,
        language,
        canonical_url,
        site_name,
        description,
    } = page;
    let cut = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
    let told = match text::language::detect(&text) {
        "und" => language.clone().unwrap_or_else(|| "und".to_owned()),
        told => told.to_owned(),
    };
    ExtractedBody {
        url: asked,
        title: Some(title),
        word_count: Some(text.split_whitespace().count()),
        language: Some(told),
        published_date: published_at.map(model::Timestamp::date),
        domain: text::address::canonical(&url).map(|address| address.domain),
        success: true,
        error: None,
        error_code: None,
        metadata: Some(PageMetadataBody {
            final_url: url,
            canonical_url,
            site_name,
            author,
            description,
            published_at: published_at.map(|at| at.to_string()),
            claimed_language: language,
            truncated: cut.is_some(),
        }),
        text: Some(match cut {
            Some(end) => text[..end].to_owned(),
            None => text,
        }),
    }
}

fn failed(url: &str, failure: Failure) -> ExtractedBody {
    ExtractedBody {
        url: url.to_owned(),
        title: None,
        text: None,
        word_count: None,
        language: None,
        published_date: None,
        domain: None,
        success: false,
        error: Some(failure.message),
        error_code: Some(failure.code),
        metadata: None,
    }
}

/// The reason in our own words: the HTTP client's message would tell a stranger which private address a name resolves
/// to.
fn reason(error: &providers::Error) -> Failure {
    use providers::Error as Cause;
    match error {
        Cause::Address { fault, .. } => Failure::new(
            "malformed_url",
            match fault {
                AddressFault::Scheme => "only http and https addresses are read",
                AddressFault::Credentials => "the address holds a user name or password",
                AddressFault::Port => "the port belongs to another service than the web",
                AddressFault::Malformed | AddressFault::Host | AddressFault::Header => {
                    "not an absolute address such as https://example.org/article"
                }
            },
        ),
        Cause::Blocked { .. } => Failure::new("private_address", "the address is not a public one"),
        Cause::Redirect { fault, .. } => {
            Failure::new("redirect", format!("a redirect was not followed: {fault}"))
        }
        Cause::Timeout { .. } => Failure::new("timeout", "the site did not answer in time"),
        Cause::Connection { .. } | Cause::Client(_) => {
            Failure::new("unreachable", "the site cannot be reached")
        }
        Cause::Status { status, .. } => {
            Failure::new("http_status", format!("the site answered {status}"))
        }
        Cause::TooLarge { limit, .. } => Failure::new(
            "too_large",
            format!("the page is larger than {limit} bytes"),
        ),
        Cause::Resting { .. } | Cause::Queued { .. } => Failure::new(
            "busy",
            "requests to this site are paused for now, try again later",
        ),
        Cause::Disallowed { .. } => Failure::new(
            "disallowed",
            "the site asks programs to stay out of this page (robots.txt)",
        ),
        Cause::Answer { source, .. } => match source {
            ParseError::Unsupported(kind) => Failure::new(
                "unsupported_type",
                format!("documents of type {kind:?} are not read, only web pages"),
            ),
            ParseError::TooLarge(limit) => Failure::new(
                "too_large",
                format!("the page is larger than {limit} bytes"),
            ),
            ParseError::Outage(_) => Failure::new(
                "challenge",
                "the site returned a bot check instead of the article",
            ),
            ParseError::NotAFeed
            | ParseError::Empty
            | ParseError::Json(_)
            | ParseError::Damaged(_)
            | ParseError::Defect => Failure::new("no_article", "the page cannot be read"),
        },
    }
}
