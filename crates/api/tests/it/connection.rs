//! Over a real socket.

use api::Connections;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::support::{StillTime, TestServer};

async fn talk(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn answers_limits_and_a_graceful_end() {
    let _time = StillTime::begin();
    let server = TestServer::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let end = CancellationToken::new();
    let serving = tokio::spawn(api::serve(
        listener,
        server.router.clone(),
        Connections::default(),
        end.clone(),
    ));
    let connect = async || TcpStream::connect(address).await.unwrap();

    let answer = talk(
        &mut connect().await,
        "GET /metrics HTTP/1.1\r\nhost: localhost:8080\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(
        answer.starts_with("HTTP/1.1 200"),
        "the peer is known: {answer}"
    );
    let answer = talk(
        &mut connect().await,
        "GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains("unknown_path"));

    let long = "x".repeat(60_000);
    let answer = talk(
        &mut connect().await,
        &format!("GET /{long} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 414") && answer.contains("address_too_long"));
    let answer = talk(
        &mut connect().await,
        &format!("GET /health HTTP/1.1\r\nhost: x\r\nx-long: {long}\r\nconnection: close\r\n\r\n"),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 431") && answer.contains("headers_too_large"));
    let answer = talk(&mut connect().await, "nonsense\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");

    let mut head = connect().await;
    let answer = talk(
        &mut head,
        "HEAD /openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("\r\n\r\n"));

    let _idle = connect().await;
    // The time to drain never comes to its end here: nothing waits for a connection that is idle.
    end.cancel();
    serving.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}
