//! `/crypto/{symbol}` and its chart.

use analysis::market::{Coin, CoinCloses, DataIssue, PointInTime};
use model::{Day, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::rank_issue;
use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::money::formatted_usd;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Number of points in an hourly chart.
const HOURS: usize = 24;
/// The periods of a chart, in days.
const DAYS: [u64; 7] = [1, 7, 14, 30, 90, 180, 365];
/// Age at the point in time beyond which the latest price counts as stale.
const FRESH_MS: i64 = 5 * Timestamp::DAY_MS;

/// Market data for a coin. All amounts are in USD.
#[derive(Serialize, ToSchema)]
#[schema(as = Coin)]
pub(crate) struct CoinBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Name of the coin.
    name: String,
    /// Symbol of the coin.
    symbol: String,
    /// Price in USD; null if only the market value is known.
    #[schema(required)]
    price: Option<f64>,
    /// Market value, such as `$1.23T`; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap_formatted: Option<String>,
    /// Volume over the last 24 hours; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    volume_24h_formatted: Option<String>,
    /// One-hour change in percent, as reported by a provider with the price, otherwise measured from the hourly close
    /// nearest to one hour before.
    #[schema(required)]
    change_1h: Option<f64>,
    /// 24-hour change in percent, as reported by a provider with the price, otherwise measured from the daily close
    /// nearest to 24 hours before.
    #[schema(required)]
    change_24h: Option<f64>,
    /// Seven-day change, in percent.
    #[schema(required)]
    change_7d: Option<f64>,
    /// 30-day change, in percent.
    #[schema(required)]
    change_30d: Option<f64>,
    /// All-time high in USD. If no provider reports it, this is the highest price in the stored history, and
    /// `data_status` says so.
    #[schema(required)]
    ath: Option<f64>,
    /// Distance of the price from the all-time high, in percent.
    #[schema(required)]
    ath_change_pct: Option<f64>,
    /// Rank by market value, as reported by a provider, or among the coins known here if no provider reports it.
    #[schema(required)]
    market_cap_rank: Option<u32>,
    /// Market value in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap: Option<f64>,
    /// Volume over the last 24 hours, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    volume_24h: Option<f64>,
    /// Timestamp of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated_at: Option<String>,
    /// Source that reported the price; absent if it comes from candles or quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The request parameters.
pub(crate) struct ByCoin {
    symbol: String,
}

impl Parameters for ByCoin {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path(
                "symbol",
                "Symbol or name, such as `BTC`, `BTC-USD`, `bitcoin`",
            ),
        }
    }
}

/// `GET /crypto/{symbol}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ByCoin;
    type Output = CoinBody;

    const ABOUT: About = About {
        name: "show_coin",
        address: Address::get("/api/v1/crypto/{symbol}"),
        subject: "markets",
        summary: "Shows the price, market value and changes of a coin.",
        answer: "The coin",
        missing: Some("Unknown coin, with suggestions"),
        example: r#"{"symbol": "BTC"}"#,
        ..About::READS
    };

    async fn run(context: Context, input: ByCoin) -> Result<CoinBody> {
        let ByCoin { symbol } = input;
        let when = context.when();
        let coins = context.crypto.coins(when).await?;
        let coin = coins.find(&symbol).map_err(Error::UnknownSymbol)?;
        let ath = context.crypto.all_time_high(coin, when).await?;
        let mut issues = issues(coin, when);
        if coin.is_rank_among_known {
            issues.push(rank_issue(&coins));
        }
        if ath.is_some_and(|ath| ath.is_of_history) {
            issues.push(DataIssue::absent(
                "ath",
                "no provider reports an all-time high; this is the highest price in the stored history",
            ));
        }
        Ok(CoinBody {
            status: "ok",
            name: coin.name.clone(),
            symbol: coin.symbol.to_string(),
            price: coin.price,
            market_cap_formatted: coin.market_cap.map(formatted_usd),
            volume_24h_formatted: coin.volume_24h.map(formatted_usd),
            change_1h: coin.change_1h,
            change_24h: coin.change_24h,
            change_7d: coin.change_7d,
            change_30d: coin.change_30d,
            ath: ath.map(|ath| ath.price),
            ath_change_pct: ath
                .zip(coin.price)
                .and_then(|(ath, price)| ath.change_pct(price)),
            market_cap_rank: coin.market_cap_rank,
            market_cap: coin.market_cap,
            volume_24h: coin.volume_24h,
            updated_at: coin.price_at.map(|at| at.to_string()),
            source: coin.source.clone(),
            data_status: written(issues),
        })
    }
}

fn issues(coin: &Coin, when: PointInTime) -> Vec<DataIssue> {
    let mut issues = Vec::new();
    let mut missing = |field, is_missing: bool, reason: &str| {
        if is_missing {
            issues.push(DataIssue::absent(field, reason));
        }
    };
    missing("price", coin.price.is_none(), "no price is available");
    missing(
        "market_cap_formatted",
        coin.market_cap.is_none(),
        "no market value is available",
    );
    missing(
        "volume_24h_formatted",
        coin.volume_24h.is_none(),
        "no volume in USD of the 24 hours before the price is available",
    );
    missing(
        "market_cap_rank",
        coin.market_cap_rank.is_none(),
        if coin.market_cap.is_none() {
            "without a market value there is no rank"
        } else {
            "its market value is of another time than those of the other coins"
        },
    );
    missing(
        "change_1h",
        coin.change_1h.is_none(),
        "no provider reports it with this price, and no hour before it is known",
    );
    for (field, value) in [
        ("change_24h", coin.change_24h),
        ("change_7d", coin.change_7d),
        ("change_30d", coin.change_30d),
    ] {
        missing(
            field,
            value.is_none(),
            "the history does not reach back that far",
        );
    }
    if let Some(at) = coin.market_cap_at
        && coin.is_value_of_another_time()
    {
        let day = Day::of(at);
        issues.push(DataIssue::stale(
            "market_cap_formatted",
            format!("the latest market value is of {day}, and the price is not"),
            at,
        ));
    }
    if let Some(at) = coin.price_at
        && when.end.since_ms(at) > FRESH_MS
    {
        let days = when.end.since_ms(at) / Timestamp::DAY_MS;
        issues.push(DataIssue::stale(
            "price",
            format!("the latest price is {days} days old"),
            at,
        ));
    }
    issues
}

/// The period to chart.
pub(crate) struct ChartQuery {
    symbol: String,
    days: i32,
}

impl Parameters for ChartQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path(
                "symbol",
                "Symbol or name, such as `BTC`, `BTC-USD`, `bitcoin`",
            ),
            days: arguments.integer_of("days", &DAYS, 30, "Number of days up to the latest close")
                as i32,
        }
    }
}

/// Price history of a coin.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChartBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    symbol: String,
    /// The prices, oldest first.
    prices: Vec<PointBody>,
    /// `daily` for daily closes in UTC; `hourly` for hourly closes, in a one-day chart if hourly prices of the coin are
    /// known.
    resolution: &'static str,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A price point.
#[derive(Serialize, ToSchema)]
#[schema(as = PricePoint)]
pub(crate) struct PointBody {
    /// Date of the price, YYYY-MM-DD; for an hourly close, the time at which the hour ended. A one-day chart without
    /// hourly prices ends with the date of the latest price on the unfinished day.
    #[schema(format = "date or date-time")]
    date: String,
    /// Price in USD.
    price: f64,
}

/// `GET /crypto/{symbol}/chart`.
pub(crate) struct Chart;

impl Operation for Chart {
    type Input = ChartQuery;
    type Output = ChartBody;

    const ABOUT: About = About {
        name: "list_coin_prices",
        address: Address::get("/api/v1/crypto/{symbol}/chart"),
        subject: "markets",
        summary: "Lists the prices of a coin, oldest first.",
        description: "Returns daily closes up to the latest completed day. A one-day chart has the hourly closes of the last 24 hours; if these are not known, it has the latest daily close and any later price, and `data_status` says so.",
        answer: "The prices",
        missing: Some("Unknown coin, with suggestions"),
        example: r#"{"symbol": "BTC", "days": 30}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: ChartQuery) -> Result<ChartBody> {
        let when = context.when();
        let coins = context.crypto.coins(when).await?;
        let coin = coins.find(&asked.symbol).map_err(Error::UnknownSymbol)?;
        if asked.days == 1
            && let Some(hourly) = hourly(&context, coin).await?
        {
            return Ok(hourly);
        }
        let closes = context.crypto.closes(&coin.symbol, when).await?;
        let mut prices: Vec<PointBody> = closes
            .last_days(asked.days)
            .iter()
            .map(|one| PointBody {
                date: one.day.to_string(),
                price: one.value,
            })
            .collect();
        let mut issues = Vec::new();
        if asked.days == 1 {
            prices.extend(unfinished(coin, &closes));
            issues.push(DataIssue::absent(
                "prices",
                "no hours of the last day are known of this coin; these are the latest daily close and the latest price after it",
            ));
        }
        if prices.is_empty() {
            issues.push(DataIssue::absent("prices", "no daily closes are available"));
        }
        if let Some(newest) = closes.newest()
            && Day::of(when.end).since(newest.day) > 5
        {
            issues.push(DataIssue {
                newest_available: Some(newest.day.plus(1).starts_at()),
                ..DataIssue::stale(
                    "prices",
                    format!("the latest close is from {}", newest.day),
                    newest.day.plus(1).starts_at(),
                )
            });
        }
        Ok(ChartBody {
            status: "ok",
            symbol: coin.symbol.to_string(),
            prices,
            resolution: "daily",
            data_status: written(issues),
        })
    }
}

/// The last 24 hours of a coin; `None` if none of them is known.
async fn hourly(context: &Context, coin: &Coin) -> Result<Option<ChartBody>> {
    let when = context.when();
    let since = when.end.plus_ms(-Timestamp::DAY_MS);
    let days = (Day::of(since).plus(-1), Day::of(when.end));
    let mut hours = context.crypto.hours(&coin.symbol, days, when).await?;
    hours.retain(|hour| hour.ends_at() > since);
    if hours.is_empty() {
        return Ok(None);
    }
    let missing = HOURS.saturating_sub(hours.len());
    let issues = DataIssue::absent_if(
        missing > 0,
        "prices",
        &format!("{missing} of the last {HOURS} hours are not known"),
    );
    Ok(Some(ChartBody {
        status: "ok",
        symbol: coin.symbol.to_string(),
        prices: hours
            .iter()
            .map(|hour| PointBody {
                date: hour.ends_at().to_string(),
                price: hour.close,
            })
            .collect(),
        resolution: "hourly",
        data_status: written(issues),
    }))
}

/// The latest price, if it is later than the latest close.
fn unfinished(coin: &Coin, closes: &CoinCloses) -> Option<PointBody> {
    let (price, at) = coin.price.zip(coin.price_at)?;
    let is_later = closes
        .newest()
        .is_none_or(|newest| at > newest.day.plus(1).starts_at());
    is_later.then(|| PointBody {
        date: Day::of(at).to_string(),
        price,
    })
}
