use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{body_string, header, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;

fn callbacks(allow: &[&str], reach: Reach) -> Callbacks {
    let settings = TransportSettings {
        allow: Allow::parse(allow).unwrap(),
        ..TransportSettings::default()
    };
    Callbacks::new(&settings, reach).unwrap()
}

fn request(url: String) -> CallbackRequest {
    CallbackRequest {
        url,
        headers: vec![("webhook-id", "al_1".to_owned())],
        body: Bytes::from_static(b"{}"),
    }
}

#[tokio::test]
async fn hostile_addresses_are_refused_when_they_are_named() {
    let callbacks = callbacks(&[], Reach::Public);
    let long = format!("https://hooks.example/{}", "x".repeat(LONGEST_ADDRESS));
    for (address, fault) in [
        ("", CallbackFault::Malformed),
        ("/in", CallbackFault::Malformed),
        ("https://", CallbackFault::Malformed),
        (&*long, CallbackFault::TooLong),
        ("http://8.8.8.8/in", CallbackFault::Scheme),
        ("ftp://8.8.8.8/in", CallbackFault::Scheme),
        ("file:///etc/passwd", CallbackFault::Scheme),
        ("https://user:word@8.8.8.8/in", CallbackFault::Credentials),
        ("https://user@8.8.8.8/in", CallbackFault::Credentials),
        ("https://8.8.8.8:22/in", CallbackFault::Port),
        ("https://8.8.8.8:0/in", CallbackFault::Port),
        ("https://8.8.8.8:1023/in", CallbackFault::Port),
        ("https://127.0.0.1/in", CallbackFault::Private),
        ("https://2130706433/in", CallbackFault::Private),
        ("https://0x7f.1/in", CallbackFault::Private),
        ("https://10.0.0.1:8443/in", CallbackFault::Private),
        ("https://169.254.169.254/latest", CallbackFault::Private),
        ("https://[::1]/in", CallbackFault::Private),
        ("https://[::ffff:10.0.0.1]/in", CallbackFault::Private),
        ("https://localhost:8443/in", CallbackFault::Private),
        ("https://localhost./in", CallbackFault::Private),
        ("https://app.localhost/in", CallbackFault::Private),
        ("https://hooks.internal/in", CallbackFault::Private),
        ("https://no-such-name.invalid/in", CallbackFault::Private),
        ("https://intranet/in", CallbackFault::Private),
        ("https://8.8.8.8\n/in", CallbackFault::Characters),
        ("https://8.8.8.8/in\r", CallbackFault::Characters),
        ("https://8.8.8.8/in?a=\u{1}", CallbackFault::Characters),
        ("https:\\\\8.8.8.8/in", CallbackFault::Characters),
        ("https://8.8.8.8\\in", CallbackFault::Characters),
        ("https://8.8.8.8/a\\b?c=d", CallbackFault::Characters),
        ("https://localhost../in", CallbackFault::Private),
    ] {
        assert_eq!(callbacks.check(address).await, Err(fault), "{address}");
    }
    for address in [
        "https://8.8.8.8/in",
        "https://8.8.8.8:443/in",
        "https://8.8.8.8:1024/in?token=a",
        "https://8.8.8.8/in?f=a\\b",
        "https://8.8.8.8/in#a\\b",
        "https://[2606:4700::1]:8443/in",
        "https://no-such-name.example.com/in",
    ] {
        assert_eq!(callbacks.check(address).await, Ok(()), "{address}");
    }
}

#[tokio::test]
async fn only_what_is_opened_may_be_private_and_without_tls() {
    let listed = callbacks(&["127.0.0.1:81"], Reach::Public);
    assert_eq!(listed.check("http://127.0.0.1:81/in").await, Ok(()));
    let fault = Err(CallbackFault::Private);
    assert_eq!(listed.check("http://127.0.0.1:8081/in").await, fault);
    let open = callbacks(&[], Reach::Private);
    for address in [
        "http://127.0.0.1:81/in",
        "http://localhost:8081/in",
        "https://10.0.0.1/in",
    ] {
        assert_eq!(open.check(address).await, Ok(()), "{address}");
    }
    let fault = Err(CallbackFault::Credentials);
    assert_eq!(open.check("http://user@127.0.0.1/in").await, fault);
}

#[tokio::test]
async fn private_addresses_are_not_dialled() {
    let server = MockServer::start().await;
    let port = server.address().port();
    let callbacks = callbacks(&[], Reach::Public);
    // By address and, which only the resolver can see, by name.
    for host in ["127.0.0.1", "localhost"] {
        let reply = callbacks
            .post(request(format!("https://{host}:{port}/in")))
            .await;
        assert!(
            matches!(reply, Err(Error::Blocked { .. })),
            "{host}: {reply:?}"
        );
    }
    let plain = callbacks.post(request("http://hooks.example/in".to_owned()));
    let fault = AddressFault::Scheme;
    assert!(matches!(plain.await, Err(Error::Address { fault: found, .. }) if found == fault));
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_status_comes_back_and_no_redirect_is_followed() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(header("webhook-id", "al_1"))
        .and(header("content-type", "application/json"))
        .and(body_string("{}"))
        .respond_with(
            ResponseTemplate::new(307)
                .insert_header("location", "/elsewhere")
                .insert_header("retry-after", "120"),
        )
        .expect(1)
        .mount(&server)
        .await;
    let callbacks = callbacks(&[], Reach::Private);
    let reply = callbacks
        .post(request(format!("{}/in", server.uri())))
        .await;
    let expected = CallbackReply {
        status: 307,
        retry_after: Some(Duration::from_mins(2)),
    };
    assert_eq!(reply.unwrap(), expected);
}

#[tokio::test]
async fn an_answer_without_end_is_not_read() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 4096]).await;
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let mut written = stream.write_all(head).await;
        while written.is_ok() {
            written = stream.write_all(b"4\r\nmore\r\n").await;
        }
    });
    let callbacks = callbacks(&[], Reach::Private);
    let reply = callbacks
        .post(request(format!("http://{address}/in")))
        .await;
    assert_eq!(reply.unwrap().status, 200);
}
