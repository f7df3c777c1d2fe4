//! The baseline of the throughput benchmark: a bare axum handler that answers `GET /` with the bytes of a file as JSON.
//!
//! usage: `bare FILE ADDR`

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(address)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bare FILE ADDR".into());
    };
    let body = Bytes::from(std::fs::read(file)?);
    let app = Router::new().route(
        "/",
        get(move || {
            let body = body.clone();
            async move { ([(CONTENT_TYPE, "application/json")], body) }
        }),
    );
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, app).await?;
    Ok(())
}
