"""What a schema cannot say: corrects requests that fit every schema and yet contradict themselves or an earlier one."""

import uuid
from datetime import datetime, timedelta, timezone

import schemathesis


PIPELINE = """name = "Movers"
description = "Tells what moved."
category = "trading"
summary = ["${movers.compared} shares were compared."]

[[steps]]
name = "movers"
operation = "list_market_movers"
"""
KNOWN = {"sector": "Information Technology", "exchange": "NASDAQ"}


def is_future(value):
    """Whether a moment is too new to be asked about."""
    try:
        moment = datetime.fromisoformat(value.upper().replace("Z", "+00:00"))
    except ValueError:
        return False
    return moment.tzinfo is not None and moment > datetime.now(timezone.utc) - timedelta(days=1)


@schemathesis.hook
def before_call(context, case, kwargs):
    # What is meant to be wrong stays wrong.
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    path = case.operation.path
    query = dict(case.query or {})
    if isinstance(query.get("as_of"), str) and is_future(query["as_of"]):
        query["as_of"] = (datetime.now(timezone.utc) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    # Either of two, not both.
    if path.endswith("/compare/sources") and ("brief" in query) == ("topic" in query):
        query.pop("brief", None)
        query["topic"] = "interest rates"
    # The first not after the second, which has a bound that moves with it.
    if path.endswith("/events/calendar"):
        query.pop("to", None)
    for low, high in (("from", "to"), ("min_bias", "max_bias")):
        if low in query:
            query.pop(high, None)
    # Their product is bounded.
    if path.endswith("/search"):
        query.pop("page", None)
    # Revisions that exist.
    if path.endswith("/diff"):
        query.pop("from", None)
        query.pop("to", None)
    # Which sectors and exchanges something is listed under is known only to the server.
    if "sector" in query:
        query["sector"] = KNOWN["sector"]
    case.query = query
    # The same key with another body is a 422 by design.
    headers = case.headers
    if headers and len(headers.get("Idempotency-Key", "")) > 0:
        headers["Idempotency-Key"] = uuid.uuid4().hex
    body = case.body
    # What a plan costs depends on the question.
    if path.endswith("/ask"):
        query.pop("budget", None)
    if not isinstance(body, dict):
        return
    if path.endswith("/ask"):
        body.pop("budget", None)
        if isinstance(body.get("as_of"), str) and is_future(body["as_of"]):
            body.pop("as_of")
    # A pipeline is a text with a grammar; who rates an agent has run it, and never made it.
    if path.endswith("/agents") or path.endswith("/agents/{slug}"):
        body["pipeline"] = PIPELINE
        body.pop("slug", None)
        if path.endswith("/agents"):
            body["slug"] = f"a-{uuid.uuid4().hex[:20]}"
    if path.endswith("/fork"):
        body["new_slug"] = f"f-{uuid.uuid4().hex[:20]}"
    if path.endswith(("/reviews", "/schedules", "/fork")):
        case.path_parameters["slug"] = "morning-brief"
    if path.endswith("/schedules"):
        for name in ("at", "time_zone", "delivery_target_id", "budget"):
            body.pop(name, None)
        body["every"], body["inputs"] = "4h", {}
    # The first not after the second, and both of the past.
    if path.endswith("/backtest"):
        body.pop("to", None)
        if isinstance(body.get("from"), str):
            body["from"] = "2026-01-05"
    # What a threshold may be depends on the type; addresses of others are refused.
    if path.endswith("/alerts"):
        body["ticker"] = "AAPL"
        body.pop("callback_url", None)
        if isinstance(body.get("threshold"), (int, float)):
            body["threshold"] = min(max(body["threshold"], 0.01), 1)
    if path.endswith("/webhooks"):
        body["url"] = "https://127.0.0.1:9/in"
    strategy = body.get("strategy") if isinstance(body.get("strategy"), dict) else {}
    for filters in (body, strategy):
        for name, known in KNOWN.items():
            if isinstance(filters.get(name), str):
                filters[name] = known
    # Filters that leave nothing over contradict each other.
    for filters in (body.get("filters"), strategy.get("entry_filters")):
        if isinstance(filters, dict):
            for low in [name for name in filters if name.endswith(("_below", "_bearish")) or name.startswith("below_")]:
                filters.pop(low)
    holdings = body.get("holdings")
    if isinstance(holdings, list) and all(isinstance(one, dict) for one in holdings):
        # Each symbol once.
        seen = set()
        holdings[:] = [one for one in holdings if not (str(one.get("ticker")) in seen or seen.add(str(one.get("ticker"))))]
    # Something is held.
    if isinstance(holdings, list) and holdings and all(
        isinstance(one, dict) and isinstance(one.get("weight"), (int, float)) and one["weight"] < 1e-6 for one in holdings
    ):
        holdings[0]["weight"] = 1
    # In one unit, not percent beside fractions.
    if isinstance(holdings, list) and all(isinstance(one, dict) for one in holdings):
        for one in holdings:
            if isinstance(one.get("weight"), (int, float)) and 1e-6 < one["weight"] < 1:
                one["weight"] = 1
    # A reason stands in for the type.
    if path.endswith("/feedback") and body.get("type") is None and not body.get("reason"):
        body["type"] = "incorrect"
    if path.endswith("/items") and not body.get("ticker") and not body.get("tickers"):
        body["ticker"] = "AAPL"
