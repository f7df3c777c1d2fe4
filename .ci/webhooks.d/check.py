"""Creates an alert and a webhook in the demo, receives what they send, and verifies it with a foreign library."""

import json
import queue
import sys
import threading
import time
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

URL, KEY = sys.argv[1], sys.argv[2]
received = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        received.put((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def call(method, path, body=None, credential=KEY):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {credential}", "Content-Type": "application/json"}
    request = urllib.request.Request(URL + path, data=data, method=method, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def next_message(path):
    found = received.get(timeout=90)
    assert found[0] == path, found[0]
    return found[1], found[2]


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

# A stream of the coin, on which the alert and a price are to be seen.
events = queue.Queue()


def listen():
    headers = {"Authorization": f"Bearer {KEY}"}
    request = urllib.request.Request(f"{URL}/api/v1/subscribe?tickers=BTC&events=price,alert", headers=headers)
    with urllib.request.urlopen(request, timeout=90) as stream:
        name = None
        for line in stream:
            line = line.decode().rstrip("\n")
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            elif line.startswith("data:"):
                events.put((name, json.loads(line.removeprefix("data:"))))


threading.Thread(target=listen, daemon=True).start()
time.sleep(1)

# An alert whose condition holds already.
started = time.monotonic()
created = call("POST", "/api/v1/alerts", {"ticker": "BTC", "alert_type": "price_below", "threshold": 10_000_000, "callback_url": f"{base}/alert"})
headers, body = next_message("/alert")
took = time.monotonic() - started
message = Webhook(created["secret"]).verify(body, headers)
assert message["type"] == "alert.triggered" and message["data"]["simulated"] is True, message
assert message["data"]["alert"]["id"] == created["alert"]["id"]
listed = call("GET", "/api/v1/alerts/triggered")
assert listed["total"] == 1 and listed["triggered"][0]["context"]["figure"]["name"] == "price", listed
try:
    Webhook(created["secret"]).verify(body + b" ", headers)
except WebhookVerificationError:
    pass
else:
    raise AssertionError("a changed message was accepted")

kinds = set()
while kinds != {"price", "alert"}:
    name, data = events.get(timeout=60)
    assert data["ticker"] == "BTC" and data["simulated"] is True, data
    kinds.add(name)

# A webhook, tested before and after its secret changed; both secrets count.
email = f"{uuid.uuid4()}@mail.example"
token = call("POST", "/auth/register", {"email": email, "password": "correct horse battery"})["token"]
events_wanted = ["brief.published", "brief.trending", "brief.corrected"]
webhook = call("POST", "/api/v1/webhooks", {"url": f"{base}/hook", "events": events_wanted}, token)["webhook"]


def test():
    sent = call("POST", f"/api/v1/webhooks/{webhook['id']}/test", {}, token)["delivery"]
    while True:
        headers, body = next_message("/hook")
        if headers["webhook-id"] == sent["id"]:
            return headers, body


headers, body = test()
assert Webhook(webhook["secret"]).verify(body, headers)["type"] == "webhook.test"
rotated = call("POST", f"/api/v1/webhooks/{webhook['id']}/rotate", {}, token)["webhook"]
headers, body = test()
for secret in (webhook["secret"], rotated["secret"]):
    Webhook(secret).verify(body, headers)
log = call("GET", f"/api/v1/webhooks/{webhook['id']}/deliveries", None, token)
assert any(one["event"] == "webhook.test" for one in log["deliveries"]), log
print(f"an alert fired and arrived within {took:.1f} s; signatures verified by standardwebhooks; prices and alerts streamed")
