//! Which domains a feed speaks for.
//!
//! A feed speaks for the registrable domain of the address under which the operator listed it and for the domains that
//! the operator says it speaks for. What the feed says about itself never counts, because anybody can write a feed
//! whose items link to major outlets. An item that links elsewhere is only the feed's word about the page, or what the
//! page itself says, if it was read.

use model::{FeedSource, RawArticle, TextOrigin, Via};
use text::address::{answering_domain, canonical, domain_of_name, registrable_domain};
use url::Url;

/// The domains of a feed.
#[derive(Clone, Debug)]
pub(super) struct Voice {
    name: String,
    /// Its own first; empty if the address has no domain.
    domains: Vec<String>,
}

impl Voice {
    pub(super) fn of(feed: &FeedSource) -> Self {
        let address = Url::parse(feed.url.expose()).ok();
        let host = address.as_ref().and_then(Url::host_str);
        Self {
            name: feed.name.clone(),
            domains: feed
                .speaks_for
                .iter()
                .filter_map(|name| domain_of_name(name))
                .chain(host.map(|host| registrable_domain(host).to_owned()))
                .collect(),
        }
    }

    /// Whether the feed speaks for a registrable domain.
    pub(super) fn speaks_for(&self, domain: &str) -> bool {
        self.domains.iter().any(|own| own == domain)
    }

    /// The mark of an item that links elsewhere; none if the feed speaks for the address.
    pub(super) fn mark(&self, item: &RawArticle) -> Option<Via> {
        let domain = canonical(&item.url)?.domain;
        (!self.speaks_for(&domain)).then(|| Via {
            name: self.name.clone(),
            domain: self.domains.first().cloned().unwrap_or_default(),
            text: TextOrigin::Feed,
        })
    }
}

/// The item with what its page says: the text alone if the feed speaks for the page, everything if it does not.
///
/// A page that was answered from another domain says nothing about the address, so the item stays as the feed gave it.
pub(super) fn with_page(item: &mut RawArticle, page: RawArticle) {
    let wanted = canonical(&item.url).map(|address| address.domain);
    if wanted.is_none() || answering_domain(&page.url) != wanted {
        return;
    }
    match item.via.take() {
        None => item.body = page.body,
        Some(via) => {
            *item = RawArticle {
                url: std::mem::take(&mut item.url),
                via: Some(Via {
                    text: TextOrigin::Page,
                    ..via
                }),
                ..page
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(url: &str, speaks_for: &[&str]) -> Voice {
        Voice::of(&FeedSource {
            url: url.into(),
            name: "Harbour News".into(),
            category: None,
            enabled: true,
            speaks_for: speaks_for.iter().map(|name| (*name).to_owned()).collect(),
        })
    }

    fn item(url: &str) -> RawArticle {
        RawArticle {
            url: url.into(),
            title: "Port reopens".into(),
            ..RawArticle::default()
        }
    }

    #[test]
    fn a_page_speaks_only_for_the_domain_that_answered() {
        let voice = feed("https://anybody.example/rss.xml", &[]);
        let outlet = "https://great.example/port";
        let after = |link: &str, answered: &str| {
            let mut item = item(link);
            item.via = voice.mark(&item);
            let page = RawArticle {
                url: answered.into(),
                title: "What the page says".into(),
                ..RawArticle::default()
            };
            with_page(&mut item, page);
            item.via.map(|via| via.text)
        };
        assert_eq!(after(outlet, outlet), Some(TextOrigin::Page));
        // A host that merely begins like a search engine's wraps nothing, and one that does wrap did not write the page
        // itself.
        let wrapped =
            |host: &str| format!("https://{host}/url?q=https%3A%2F%2Fgreat.example%2Fport");
        let (false_one, true_one) = (
            wrapped("www.google.anybody.example"),
            wrapped("www.google.com"),
        );
        let domain = |url: &str| canonical(url).map(|address| address.domain);
        assert_eq!(domain(&false_one).as_deref(), Some("anybody.example"));
        assert_eq!(domain(&true_one).as_deref(), Some("great.example"));
        for (link, answered) in [
            (outlet, false_one.as_str()),
            (outlet, true_one.as_str()),
            (true_one.as_str(), true_one.as_str()),
        ] {
            let text = after(link, answered);
            assert_eq!(text, Some(TextOrigin::Feed), "{link} by {answered}");
        }
    }

    fn marked(voice: &Voice, url: &str) -> Option<String> {
        voice.mark(&item(url)).map(|via| via.domain)
    }

    #[test]
    fn a_feed_speaks_for_its_domain_and_those_that_the_operator_names() {
        let own = feed("https://feeds.paper.co.uk/rss.xml", &[]);
        assert_eq!(marked(&own, "https://www.paper.co.uk/port"), None);
        assert_eq!(marked(&own, "http://paper.co.uk:8080/port"), None);
        let foreign = Some("paper.co.uk".to_owned());
        assert_eq!(marked(&own, "https://other.co.uk/port"), foreign);
        assert_eq!(
            marked(
                &own,
                "https://www.google.com/url?q=https%3A%2F%2Fother.example%2Fport"
            ),
            foreign
        );
        let hosted = feed(
            "https://feeds.bbci.co.uk/rss.xml",
            &["BBC.co.uk", "bbc.com"],
        );
        assert_eq!(marked(&hosted, "https://www.bbc.co.uk/news/1"), None);
        assert_eq!(marked(&hosted, "https://www.bbc.com/news/1"), None);
        assert_eq!(
            marked(&hosted, "https://www.bbc.example/1"),
            Some("bbc.co.uk".to_owned())
        );
    }

    #[test]
    fn neighbours_on_one_host_are_strangers() {
        let blog = feed("https://someone.github.io/feed.xml", &[]);
        assert_eq!(marked(&blog, "https://someone.github.io/post"), None);
        assert!(marked(&blog, "https://other.github.io/post").is_some());
        let machine = feed("http://10.0.0.7:8080/feed", &[]);
        assert_eq!(marked(&machine, "http://10.0.0.7/post"), None);
        assert!(marked(&machine, "http://10.0.0.8:8080/post").is_some());
        let suffix = feed("https://feed.example/rss", &["co.uk"]);
        assert!(marked(&suffix, "https://paper.co.uk/port").is_some());
        let international = feed("https://feed.example/rss", &["bücher.example"]);
        assert_eq!(
            marked(&international, "https://www.xn--bcher-kva.example/1"),
            None
        );
    }

    #[test]
    fn the_starter_feeds_keep_their_outlets() {
        let feeds = providers::starter_feeds();
        let voice_of = |name: &str| Voice::of(feeds.iter().find(|feed| feed.name == name).unwrap());
        for (name, link) in [
            ("BBC News World", "https://www.bbc.com/news/articles/c1"),
            ("BBC Sport", "https://www.bbc.co.uk/sport/1"),
            ("MarketWatch", "https://www.marketwatch.com/story/1"),
            (
                "The Hacker News",
                "https://thehackernews.com/2026/03/1.html",
            ),
            (
                "The New York Times",
                "https://www.nytimes.com/2026/03/02/1.html",
            ),
            ("NPR News", "https://www.npr.org/2026/03/02/1"),
            ("Ars Technica", "https://arstechnica.com/1"),
        ] {
            assert_eq!(voice_of(name).mark(&item(link)), None, "{name}");
        }
        let aggregator = voice_of("Hacker News").mark(&item("https://www.nytimes.com/1"));
        assert_eq!(aggregator.unwrap().domain, "ycombinator.com");
        // Feeds hosted by others are the ones that need it; their first domain is the outlet's.
        for feed in feeds.iter().filter(|feed| !feed.speaks_for.is_empty()) {
            let outlet = &feed.speaks_for[0];
            assert_eq!(
                domain_of_name(outlet).as_ref(),
                Some(outlet),
                "{}",
                feed.name
            );
        }
    }

    #[test]
    fn a_page_speaks_for_its_own_domain_only() {
        let voice = feed("https://feed.example/rss", &[]);
        let page = |url: &str| RawArticle {
            title: "What the page says".into(),
            body: Some("Its text.".into()),
            ..item(url)
        };
        let mut read = item("https://outlet.example/port");
        read.via = voice.mark(&read);
        let mut elsewhere = read.clone();
        with_page(&mut read, page("https://www.outlet.example/port?page=1"));
        assert_eq!(read.title, "What the page says");
        assert_eq!(read.url, "https://outlet.example/port");
        assert_eq!(read.via.unwrap().text, TextOrigin::Page);
        with_page(&mut elsewhere, page("https://consent.example/wall"));
        assert_eq!(elsewhere.title, "Port reopens");
        assert_eq!(elsewhere.via.unwrap().text, TextOrigin::Feed);

        let mut own = item("https://feed.example/port");
        with_page(&mut own, page("https://outlet.example/port"));
        assert_eq!(own.body, None, "another domain's text is not the feed's");
        with_page(&mut own, page("https://feed.example/port"));
        assert_eq!(
            (own.title.as_str(), own.body.is_some()),
            ("Port reopens", true)
        );
    }
}
