//! Feeds on loopback that grow with every visit.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::files::news;
use crate::random::Random;

pub(crate) const FEEDS: usize = 4;
/// New items of a feed at each visit.
const AT_ONCE: usize = 3;
/// A feed stays short enough to be read by an unoptimised build.
const MOST: usize = 60;

/// Title and text of each item of a feed.
type Items = Vec<(String, String)>;

/// The feeds and who serves them.
pub(crate) struct Upstream {
    pub(crate) port: u16,
    feeds: Arc<[Mutex<Items>; FEEDS]>,
    is_growing: Arc<AtomicBool>,
    visits: Arc<AtomicU64>,
}

impl Upstream {
    pub(crate) async fn start(random: &mut Random) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let upstream = Self {
            port: listener.local_addr().unwrap().port(),
            feeds: Arc::new(std::array::from_fn(|_| Mutex::default())),
            is_growing: Arc::new(AtomicBool::new(true)),
            visits: Arc::default(),
        };
        let random = Arc::new(Mutex::new(random.clone()));
        let (feeds, is_growing) = (upstream.feeds.clone(), upstream.is_growing.clone());
        let (visits, port) = (upstream.visits.clone(), upstream.port);
        // Ends with the runtime of the test.
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (feeds, random) = (feeds.clone(), random.clone());
                let grows = is_growing.load(Ordering::SeqCst);
                let visits = visits.clone();
                tokio::spawn(async move {
                    let _ = serve(stream, |path| {
                        let number: usize = path.strip_prefix("/feed/")?.parse().ok()?;
                        let mut feed = feeds.get(number)?.lock();
                        visits.fetch_add(1, Ordering::SeqCst);
                        if grows && feed.len() < MOST {
                            let mut random = random.lock();
                            feed.extend((0..AT_ONCE).map(|_| news(&mut random)));
                        }
                        Some(rss(port, number, &feed))
                    })
                    .await;
                });
            }
        });
        upstream
    }

    /// The part of the configuration that names the feeds.
    pub(crate) fn configuration(&self) -> String {
        let port = self.port;
        let mut text = format!(
            "[network]\nallow = [\"127.0.0.1:{port}\"]\n\
             [ingest]\npoll_minutes = 1\nstarter_feeds = false\nfull_text = false\n"
        );
        for number in 0..FEEDS {
            write!(
                text,
                "[[feeds]]\nurl = \"http://127.0.0.1:{port}/feed/{number}\"\nname = \"Wire {number}\"\nenabled = true\n"
            )
            .unwrap();
        }
        text
    }

    /// No more news from now on; how many items there are.
    pub(crate) fn stop_growing(&self) -> u64 {
        self.is_growing.store(false, Ordering::SeqCst);
        self.feeds.iter().map(|feed| feed.lock().len() as u64).sum()
    }

    pub(crate) fn visits(&self) -> u64 {
        self.visits.load(Ordering::SeqCst)
    }
}

/// Answers one request and closes.
async fn serve(
    mut stream: TcpStream,
    answer: impl Fn(&str) -> Option<String>,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut piece = [0; 1_024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < 1 << 16 {
        match stream.read(&mut piece).await? {
            0 => break,
            count => request.extend(&piece[..count]),
        }
    }
    let text = String::from_utf8_lossy(&request);
    let path = text.split(' ').nth(1).unwrap_or_default();
    let (status, body) = match answer(path) {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", String::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/rss+xml\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

fn rss(port: u16, feed: usize, items: &[(String, String)]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Wire {feed}</title>\
         <link>http://127.0.0.1:{port}/</link><description>Harbours</description>"
    );
    for (number, (title, body)) in items.iter().enumerate() {
        let minute = number % 60;
        write!(
            text,
            "<item><title>{title}</title><link>http://127.0.0.1:{port}/wire/{feed}/{number}</link>\
             <pubDate>Mon, 02 Mar 2026 0{feed}:{minute:02}:00 GMT</pubDate><description>{body}</description></item>"
        )
        .unwrap();
    }
    text.push_str("</channel></rss>");
    text
}
