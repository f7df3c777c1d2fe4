//! `/` for anybody who opens the address in a browser: what this is, which data it holds, and three calls to start
//! with.
//!
//! A plain page without scripts; everything on it is a link or text. Programs find the same in `/health` and
//! `/openapi.json`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};
use model::DataMode;

use crate::state::AppState;

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";
/// Characters of an address that are shown.
const LONGEST_HOST: usize = 255;

/// `GET /`.
pub(crate) async fn front(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .filter(|host| host.len() <= LONGEST_HOST)
        .unwrap_or("127.0.0.1:8080");
    let scheme = match headers
        .get("x-forwarded-proto")
        .and_then(|scheme| scheme.to_str().ok())
    {
        Some("https") => "https",
        _ => "http",
    };
    let page = page(&format!("{scheme}://{host}"), state.store.mode());
    (
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
        ],
        page,
    )
        .into_response()
}

fn page(address: &str, mode: DataMode) -> String {
    let address = escaped(address);
    let data = match mode {
        DataMode::Demo => {
            "<strong>Demo:</strong> everything here is simulated: the news is invented and the prices are computed."
        }
        DataMode::Real => {
            "<strong>Real data:</strong> what was fetched or imported into this server. Whatever it does not hold is absent and says why."
        }
    };
    let call = |path: &str| {
        format!(
            "<pre>curl -s '{address}{path}' -H \"Authorization: Bearer $ASSAY_API_KEY\"</pre>\n"
        )
    };
    let calls = [
        "/api/v1/feed?per_page=3",
        "/api/v1/ticker/AAPL",
        "/api/v1/market/movers",
    ]
    .map(call)
    .concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Assay</title>\n\
         <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}}\
         pre{{background:#f3f3f3;color:#111;padding:.6rem;overflow-x:auto}}</style>\n</head>\n<body>\n\
         <h1>Assay</h1>\n<p>Intelligence and market data on your own machine: news as briefs with their sources, prices and company \
         figures with their dates, and claims checked against both.</p>\n<p>{data}</p>\n\
         <h2>First calls</h2>\n{calls}\
         <p>A key is printed by <code>assay serve --demo</code> at its first start and made by <code>assay key create</code>; \
         <code>POST {address}/auth/register</code> opens an account where that is allowed.</p>\n\
         <ul>\n<li><a href=\"/docs\">Reference</a> of every operation</li>\n\
         <li><a href=\"/openapi.json\">OpenAPI document</a></li>\n\
         <li><a href=\"/health\">Health</a></li>\n</ul>\n</body>\n</html>\n"
    )
}

/// Text escaped so that a page shows it as nothing but text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_which_data_it_serves_and_where() {
        let demo = page("http://localhost:9", DataMode::Demo);
        assert!(demo.contains("curl -s 'http://localhost:9/api/v1/feed?per_page=3'"));
        assert!(demo.contains("simulated"));
        assert_eq!(demo.matches("curl -s 'http://localhost:9/").count(), 3);
        assert!(demo.contains("href=\"/docs\""));
        let real = page("http://<script>'", DataMode::Real);
        assert!(!real.contains("simulated") && !real.contains("<script>"));
    }
}
