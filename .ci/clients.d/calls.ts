// A dozen calls by a client that was generated from the document; `tsc --strict` checks what they take and give.
//
// usage: node calls.js BASE_URL KEY

import createClient from "openapi-fetch";

import type { components, paths } from "./assay.js";

type Schemas = components["schemas"];

declare const process: { argv: string[] };

const [baseUrl, key] = process.argv.slice(2);
if (!baseUrl || !key) throw new Error("usage: calls.js BASE_URL KEY");
const headers = { Authorization: `Bearer ${key}` };
const client = createClient<paths, "application/json">({ baseUrl, headers });
let calls = 0;

/** What a call that must succeed gave. */
function given<T>({ data, error }: { data?: T; error?: unknown }): T {
  calls += 1;
  if (data === undefined) throw new Error(`an answer was expected, not ${JSON.stringify(error)}`);
  return data;
}

/** What a call that must fail gave. */
function refused({ data, error }: { data?: unknown; error?: Schemas["Error"] }): Schemas["Error"] {
  calls += 1;
  if (error === undefined) throw new Error(`an error was expected, not ${JSON.stringify(data)}`);
  return error;
}

function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`not true: ${what}`);
}

const feed: Schemas["FeedBody"] = given(await client.GET("/api/v1/feed", { params: { query: { per_page: 2, sort: "updated" } } }));
const newest = feed.briefs[0];
holds(newest !== undefined && feed.briefs.length === 2 && feed.meta.total > 300, "the feed has two briefs of many");

const { brief } = given(await client.GET("/api/v1/brief/{id}", { params: { path: { id: newest.id }, query: { explain: true } } }));
holds(brief.id === newest.id && brief.bias_analysis.direction.length > 0, "a brief has its id and bias");

const found: Schemas["SearchBody"] = given(
  await client.GET("/api/v1/search", { params: { query: { q: "interest rates", from: "2020-01-01" } } }),
);
holds(found.total > 0 && (found.briefs[0]?.highlights.headline ?? "") !== "", "a search finds and marks");

const context = given(await client.GET("/api/v1/context", { params: { query: { topic: "interest rates", period: "90d" } } }));
holds(context.source_count > 0 && context.key_entities.every((one) => one.mentions > 0), "a topic has sources and entities");

const technicals = given(
  await client.GET("/api/v1/ticker/{symbol}/technicals", { params: { path: { symbol: "AAPL" }, query: { range: "1y" } } }),
);
holds(technicals.signal_summary?.total === 20 && typeof technicals.latest?.rsi_14 === "number", "twenty indicators vote");

const screen: Schemas["ScreenBody"] = given(
  await client.POST("/api/v1/screener", { body: { filters: { rsi_below: 60 }, sort: "rsi", limit: 3 } }),
);
holds(screen.matches.length === 3 && screen.total_matches >= 3, "a screen shows three matches");

const created = given(await client.POST("/api/v1/watchlists", { body: { name: "generated", tickers: ["AAPL", "BTC"] } }));
const id: string = created.watchlist.id;
holds(created.watchlist.ticker_count === 2, "a watchlist has two tickers");
const listed = given(await client.GET("/api/v1/watchlists"));
holds(listed.watchlists.some((one) => one.id === id), "the watchlist is listed");
const removed = given(await client.DELETE("/api/v1/watchlists/{id}", { params: { path: { id } } }));
holds(removed.status === "ok", "the watchlist is removed");

const usage = given(await client.GET("/api/v1/usage"));
holds(usage.calls_today >= calls - 1 && usage.by_endpoint.length > 0, "the calls were counted");

const missing = refused(await client.GET("/api/v1/brief/{id}", { params: { path: { id: "PR-1999-0101-001" } } }));
holds(missing.code === 404 && missing.error_code === "not_found", "an unknown brief is a 404");
const stranger = createClient<paths, "application/json">({ baseUrl });
const unknown = refused(await stranger.GET("/api/v1/watchlists"));
holds(unknown.code === 401 && unknown.error_code === "credential_required", "no credential is a 401");

console.log(`TypeScript: ${calls} calls`);
