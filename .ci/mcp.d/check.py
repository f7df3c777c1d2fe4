"""The official Python client against the interface for models: everything it offers, and what goes wrong at its edges.

usage: check.py http URL KEY
       check.py stdio KEY COMMAND ARGUMENT...

Structured answers are compared with the schemas of their tools, small ones and full ones.
"""

import json
import sys
import time
from contextlib import asynccontextmanager

import anyio
import httpx2
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SMALL = 8_000

# One call of each tool that answers without the live web.
CALLS = {
    "ask": {"question": "How is AAPL doing?"},
    "search_briefs": {"q": "interest rates"},
    "list_briefs": {},
    "show_brief": {"id": "BRIEF", "explain": True},
    "compare_sources": {"topic": "interest rates"},
    "list_events": {},
    "show_topic_context": {"topic": "inflation"},
    "verify_claim": {"claim": "The central bank raised its key interest rate."},
    "verify_output": {"text": "The central bank raised its key interest rate. Oil prices fell on Monday."},
    "resolve_tickers": {"q": "apple"},
    "show_ticker_in_full": {"symbol": "AAPL"},
    "analyze_ticker": {"symbol": "AAPL"},
    "show_price": {"symbol": "AAPL"},
    "list_candles": {"symbol": "AAPL", "range": "1y"},
    "show_technicals": {"symbol": "AAPL"},
    "show_financials": {"symbol": "MSFT"},
    "list_earnings": {"symbol": "AAPL"},
    "list_filings": {"symbol": "AAPL"},
    "list_insider_trades": {"symbol": "AAPL", "days": 365},
    "show_analyst_ratings": {"symbol": "AAPL"},
    "list_ticker_news": {"symbol": "AAPL"},
    "screen_tickers": {"filters": {"rsi_below": 45}},
    "backtest_strategy": {
        "strategy": {"entry_filters": {"rsi_below": 35}, "exit_filters": {"rsi_above": 55}},
        "period": "2y",
    },
    "show_market_summary": {},
    "list_market_movers": {},
    "list_economic_indicators": {},
    "list_calendar_events": {},
    "show_coin": {"symbol": "BTC"},
    "store_memory": {"agent_id": "check", "key": "view", "value": "Rates stay where they are."},
    "recall_memories": {"agent_id": "check", "q": "rates"},
    "show_usage": {},
    "run_swarm": {"query": "How is AAPL doing?"},
    "research": {"query": "interest rates"},
    "make_forecast": {"topic": "AAPL", "timeframe": "30d"},
    "generate_report": {"ticker": "AAPL"},
    "show_report": {"id": "REPORT"},
    "list_agents": {},
    "run_agent": {"slug": "yield-curve-watch", "inputs": {}},
}
ELSEWHERE = {"search_web", "extract_pages"}


def connection(arguments, mode):
    if arguments[0] == "stdio":
        key, command, *rest = arguments[1:]
        parameters = StdioServerParameters(command=command, args=rest, env={"ASSAY_API_KEY": key})
        return Client(parameters, mode=mode)
    url, key = arguments[1:]
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)
    return Client(streamable_http_client(url, http_client=http), mode=mode)


@asynccontextmanager
async def refused(code):
    """What is inside fails as an error of the protocol with that code."""
    try:
        yield
    except MCPError as error:
        assert error.error.code == code, (error.error.code, code, error)
    else:
        raise AssertionError(f"no error {code}")


async def tools(client):
    listed = (await client.list_tools()).tools
    names = [tool.name for tool in listed]
    assert len(names) <= 40 and set(CALLS) <= set(names) <= set(CALLS) | ELSEWHERE, names
    for tool in listed:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.description and tool.title and tool.annotations.read_only_hint is not None
    schemas = {tool.name: Draft202012Validator(tool.output_schema) for tool in listed}
    size = sum(len(tool.model_dump_json(exclude_none=True, by_alias=True)) for tool in listed)
    inputs = sum(len(json.dumps(tool.input_schema)) + len(tool.description) for tool in listed)
    print(f"  {len(names)} tools in {size:,} bytes, {inputs:,} without output schemas")

    briefs = (await client.call_tool("list_briefs", {})).structured_content["briefs"]
    ids = {"BRIEF": briefs[0]["id"]}
    sizes = {}
    for name, arguments in CALLS.items():
        arguments = {key: ids.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}
        lengths = []
        for detail in ({}, {"detail": "full"}):
            result = await client.call_tool(name, arguments | detail)
            assert not result.is_error, (name, result.content)
            schemas[name].validate(result.structured_content)
            assert json.loads(result.content[0].text) == result.structured_content, name
            assert result.meta["assay/credits_charged"] >= 0
            lengths.append(len(result.content[0].text.encode()))
            if name == "verify_claim":
                ids["RECEIPT"] = result.structured_content["receipt_id"]
            if name == "generate_report":
                ids["REPORT"] = result.structured_content["report_id"]
        sizes[name] = lengths
    for name, (small, full) in sorted(sizes.items(), key=lambda item: -item[1][0]):
        assert small <= SMALL, (name, small, full)
    longest = sorted(sizes.items(), key=lambda item: -item[1][1])[:6]
    print("  small of full:", ", ".join(f"{name} {small:,}/{full:,}" for name, (small, full) in longest))
    return ids


async def edges(client):
    async with refused(-32602):
        await client.session.call_tool("delete_everything", {})
    for name, arguments, words in [
        ("show_price", {"symbol": "NOSUCHSYMBOL"}, "unknown_symbol"),
        ("show_price", {}, "invalid_request"),
        ("list_briefs", {"per_page": 0}, "per_page"),
        ("list_briefs", {"per_pge": 5}, "takes no"),
        ("list_briefs", {"detail": "huge"}, "small or full"),
        ("show_brief", {"id": "PR-1999-0101-001"}, "not_found"),
        ("search_web", {"q": "rates"}, "source_unavailable"),
    ]:
        result = await client.call_tool(name, arguments)
        text = result.content[0].text
        assert result.is_error and words in text and "Next: " in text, (name, text)


async def cancelling(client):
    begun = anyio.Event()
    reports = []

    async def report(progress, total, message):
        reports.append(progress)
        begun.set()

    async with anyio.create_task_group() as group:

        async def call():
            await client.call_tool("backtest_strategy", CALLS["backtest_strategy"], progress_callback=report)

        group.start_soon(call)
        await begun.wait()
        group.cancel_scope.cancel()
    # The conversation goes on.
    reports.clear()
    result = await client.call_tool("show_price", {"symbol": "MSFT"}, progress_callback=report)
    assert not result.is_error and len(reports) >= 2 and reports == sorted(set(reports)), reports


async def resources(client, ids):
    templates = [template.uri_template for template in (await client.list_resource_templates()).resource_templates]
    assert templates == ["assay://brief/{id}", "assay://ticker/{symbol}", "assay://receipt/{id}"], templates
    for uri, word in [
        (f"assay://brief/{ids['BRIEF']}", ids["BRIEF"]),
        ("assay://ticker/AAPL", "Apple"),
        (f"assay://receipt/{ids['RECEIPT']}", ids["RECEIPT"]),
    ]:
        contents = (await client.read_resource(uri)).contents[0]
        assert contents.mime_type == "application/json" and word in contents.text, uri
        json.loads(contents.text)
    missing = -32602 if client.protocol_version >= "2026" else -32002
    for uri in ["assay://brief/PR-1999-0101-001", "assay://nothing/1"]:
        async with refused(missing):
            await client.read_resource(uri)


async def prompts(client):
    arguments = {
        "morning_brief": {"tickers": "AAPL"},
        "claim_check": {"claim": "It rains."},
        "ticker_deep_dive": {"ticker": "AAPL"},
    }
    assert {prompt.name for prompt in (await client.list_prompts()).prompts} == set(arguments)
    for name, given in arguments.items():
        prompt = await client.get_prompt(name, given)
        assert next(iter(given.values())) in prompt.messages[0].content.text
    async with refused(-32602):
        await client.get_prompt("claim_check", {})
    async with refused(-32602):
        await client.get_prompt("nothing", {})


async def time_calls(client):
    started = time.perf_counter()
    for _ in range(100):
        await client.call_tool("show_price", {"symbol": "AAPL"})
    print(f"  show_price: {(time.perf_counter() - started) * 10:.2f} ms a call, the client's part included")


async def main(arguments):
    for mode in ("auto", "legacy"):
        async with connection(arguments, mode) as client:
            print(f"{arguments[0]} {mode}: protocol {client.protocol_version}")
            assert client.server_info is None or client.server_info.name == "assay"
            ids = await tools(client)
            await edges(client)
            await cancelling(client)
            await resources(client, ids)
            await prompts(client)
            await time_calls(client)


anyio.run(main, sys.argv[1:])
