"""A dozen calls by a client that was generated from the document; `mypy --strict` checks what they take and give.

usage: calls.py BASE_URL KEY
"""

import datetime
import sys
from typing import TypeVar

from assay_client import AuthenticatedClient
from assay_client.api.account import get_usage
from assay_client.api.news import get_brief_id, get_context, get_feed, get_search
from assay_client.api.ticker import get_ticker_symbol_technicals
from assay_client.api.trading import delete_watchlists_id, get_watchlists, post_screener, post_watchlists
from assay_client.models import (
    BriefAnswer,
    ContextBody,
    Done,
    Error,
    FeedBody,
    NewWatchlist,
    ScreenBody,
    ScreenRequest,
    SearchBody,
    TechnicalsBody,
    Usage,
    WatchlistAnswer,
    WatchlistsAnswer,
)
from assay_client.types import Response

T = TypeVar("T")
calls = 0


def given(kind: type[T], response: Response[Error | T]) -> T:
    """What a call that must succeed gave."""
    global calls
    calls += 1
    assert isinstance(response.parsed, kind), response.content
    return response.parsed


def refused(response: Response[Error | T]) -> Error:
    """What a call that must fail gave."""
    global calls
    calls += 1
    assert isinstance(response.parsed, Error), response.content
    assert response.status_code == response.parsed.code
    return response.parsed


def main(base_url: str, key: str) -> None:
    client = AuthenticatedClient(base_url=base_url, token=key)
    stranger = AuthenticatedClient(base_url=base_url, token="as_live_nobody")

    feed = given(FeedBody, get_feed.sync_detailed(client=client, per_page=2))
    assert len(feed.briefs) == 2 and feed.meta.total > 300
    newest = feed.briefs[0]
    assert isinstance(newest.published_at, datetime.datetime) and 0 <= newest.confidence <= 1

    brief = given(BriefAnswer, get_brief_id.sync_detailed(newest.id, client=client, explain=True)).brief
    assert brief.id == newest.id and brief.bias_analysis.direction

    since = datetime.date(2020, 1, 1)
    found = given(SearchBody, get_search.sync_detailed(client=client, q="interest rates", from_=since))
    assert found.total > 0 and "<mark>" in found.briefs[0].highlights.headline + found.briefs[0].highlights.summary

    context = given(ContextBody, get_context.sync_detailed(client=client, topic="interest rates"))
    assert context.source_count > 0 and all(one.mentions > 0 for one in context.key_entities)

    technicals = given(TechnicalsBody, get_ticker_symbol_technicals.sync_detailed("AAPL", client=client))
    assert technicals.signal_summary and technicals.signal_summary.total == 20
    assert technicals.latest and isinstance(technicals.latest.rsi_14, float)

    asked = ScreenRequest.from_dict({"filters": {"rsi_below": 60}, "sort": "rsi", "limit": 3})
    screen = given(ScreenBody, post_screener.sync_detailed(client=client, body=asked))
    assert len(screen.matches) == 3 and screen.total_matches >= 3

    created = given(WatchlistAnswer, post_watchlists.sync_detailed(client=client, body=NewWatchlist("generated", ["AAPL", "BTC"])))
    assert created.watchlist.ticker_count == 2
    listed = given(WatchlistsAnswer, get_watchlists.sync_detailed(client=client))
    assert created.watchlist.id in [one.id for one in listed.watchlists]
    given(Done, delete_watchlists_id.sync_detailed(created.watchlist.id, client=client))

    usage = given(Usage, get_usage.sync_detailed(client=client))
    assert usage.calls_today >= calls - 2 and usage.by_endpoint

    missing = refused(get_brief_id.sync_detailed("PR-1999-0101-001", client=client))
    assert (missing.code, missing.error_code) == (404, "not_found")
    unknown = refused(get_watchlists.sync_detailed(client=stranger))
    assert (unknown.code, unknown.error_code) == (401, "invalid_credential")

    print(f"Python: {calls} calls")


main(*sys.argv[1:])
