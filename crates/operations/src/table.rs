//! Every operation with its price and gate, on one page.
//!
//! A new operation needs one file and one line here; everything else follows from that line.

use model::Plan;

use crate::price::{Gate, Price};
use crate::registry::{Line, operation};
use crate::{account, alerts, markets, news, portfolio, ticker, topics, verified};

/// The table.
pub(crate) fn table() -> Vec<Line> {
    vec![
        // News.
        operation::<news::feed::Feed>(Price::fixed(1), Gate::Read),
        operation::<news::feed::AgentFeed>(Price::fixed(1), Gate::Read),
        operation::<news::search::Search>(Price::fixed(1), Gate::Read),
        operation::<news::brief::ShowBrief>(Price::fixed(1), Gate::Read),
        operation::<news::similar::Similar>(Price::fixed(1), Gate::Read),
        operation::<news::entities::Entities>(Price::fixed(1), Gate::Read),
        operation::<news::entities::EntityBriefs>(Price::fixed(1), Gate::Read),
        operation::<news::findings::Events>(Price::fixed(1), Gate::Read),
        operation::<news::findings::Contradictions>(Price::fixed(1), Gate::Read),
        operation::<news::findings::Data>(Price::fixed(1), Gate::Read),
        operation::<news::clusters::Clusters>(Price::fixed(1), Gate::Read),
        operation::<topics::TopicContext>(Price::fixed(5), Gate::Read),
        operation::<topics::TopicIntelligence>(Price::fixed(8), Gate::Read),
        operation::<news::trending::TrendingBriefs>(Price::fixed(1), Gate::Read),
        operation::<news::trending::TrendingEntities>(Price::fixed(1), Gate::Read),
        operation::<news::suggest::Suggest>(Price::FREE, Gate::Read),
        operation::<news::timeline::Timeline>(Price::fixed(1), Gate::Read),
        operation::<news::diff::DiffBrief>(Price::fixed(1), Gate::Read),
        operation::<news::compare::CompareSources>(Price::fixed(2), Gate::Read),
        operation::<news::generate::GenerateBrief>(
            Price::fixed(news::generate::CREDITS),
            Gate::Key,
        ),
        operation::<news::extract::Extract>(Price::up_to(5, "1 per URL"), Gate::Key),
        operation::<news::web_search::SearchWeb>(Price::fixed(2), Gate::Key),
        // Verification.
        operation::<verified::claim::VerifyClaim>(
            Price::fixed(verified::claim::CREDITS),
            Gate::Read,
        ),
        operation::<verified::batch::VerifyBatch>(
            Price::between(
                verified::batch::PER_CLAIM,
                verified::batch::MOST_CREDITS,
                "3 per claim",
            ),
            Gate::Read,
        ),
        operation::<verified::output::VerifyOutput>(
            Price::between(
                verified::output::BASE,
                verified::output::MOST_CREDITS,
                "5 + 2 per claim",
            ),
            Gate::Read,
        ),
        operation::<verified::leaderboard::ShowLeaderboard>(Price::FREE, Gate::Read),
        operation::<verified::receipt::ShowReceipt>(Price::FREE, Gate::None),
        operation::<verified::log::ShowCheckpoint>(Price::FREE, Gate::None),
        operation::<verified::log::ProveConsistency>(Price::FREE, Gate::None),
        operation::<verified::log::ShowKeys>(Price::FREE, Gate::None),
        operation::<verified::feedback::GiveFeedback>(Price::FREE, Gate::Read),
        operation::<verified::health::CheckHealth>(Price::fixed(1), Gate::Plan(Plan::Startup)),
        operation::<verified::monitor::Create>(
            Price::fixed(1),
            Gate::Plan(verified::monitor::PLAN),
        ),
        operation::<verified::monitor::List>(Price::FREE, Gate::Key),
        operation::<verified::monitor::Show>(Price::FREE, Gate::Key),
        operation::<verified::monitor::SetState>(Price::FREE, Gate::Key),
        operation::<verified::monitor::Remove>(Price::FREE, Gate::Key),
        operation::<verified::memory::Store>(Price::FREE, Gate::Key),
        operation::<verified::memory::Recall>(Price::FREE, Gate::Key),
        operation::<verified::memory::List>(Price::FREE, Gate::Key),
        operation::<verified::consolidation::Consolidate>(Price::FREE, Gate::Key),
        operation::<verified::knowledge::Upload>(Price::FREE, Gate::Key),
        operation::<verified::knowledge::Search>(Price::FREE, Gate::Key),
        operation::<verified::knowledge::List>(Price::FREE, Gate::Key),
        operation::<verified::knowledge::Remove>(Price::FREE, Gate::Key),
        // Tickers.
        operation::<ticker::resolve::Resolve>(Price::fixed(1), Gate::Read),
        operation::<ticker::record::Record>(Price::fixed(1), Gate::Read),
        operation::<ticker::price::Price>(Price::fixed(1), Gate::Read),
        operation::<ticker::score::Score>(Price::fixed(5), Gate::Read),
        operation::<ticker::sentiment::History>(Price::fixed(2), Gate::Read),
        operation::<ticker::sentiment::Signals>(Price::fixed(2), Gate::Read),
        operation::<ticker::impact::MeasureImpact>(
            Price::fixed(ticker::impact::CREDITS),
            Gate::Read,
        ),
        operation::<ticker::news::News>(Price::fixed(1), Gate::Read),
        operation::<ticker::analysis::Analysis>(
            Price::fixed(ticker::analysis::CREDITS),
            Gate::Read,
        ),
        operation::<ticker::candles::ListCandles>(Price::fixed(1), Gate::Read),
        operation::<ticker::several::ListPrices>(
            Price::up_to(ticker::several::MOST_CREDITS, "1 per 10 symbols"),
            Gate::Read,
        ),
        operation::<ticker::several::ListCandles>(
            Price::up_to(ticker::several::MOST_CANDLES as u64, "1 per symbol"),
            Gate::Read,
        ),
        operation::<ticker::actions::ListActions>(Price::fixed(1), Gate::Read),
        operation::<ticker::technicals::ShowTechnicals>(Price::fixed(2), Gate::Read),
        operation::<ticker::earnings::Earnings>(Price::fixed(2), Gate::Read),
        operation::<ticker::financials::ShowFinancials>(Price::fixed(2), Gate::Read),
        operation::<ticker::statements::ListStatements>(Price::fixed(2), Gate::Read),
        operation::<ticker::competitors::Competitors>(Price::fixed(2), Gate::Read),
        operation::<ticker::full::Full>(Price::fixed(5), Gate::Read),
        operation::<ticker::insider::OfTicker>(Price::fixed(2), Gate::Read),
        operation::<ticker::insider::Recent>(Price::fixed(2), Gate::Read),
        operation::<ticker::filings::OfTicker>(Price::fixed(2), Gate::Read),
        operation::<ticker::filings::Search>(Price::fixed(2), Gate::Read),
        operation::<ticker::analysts::Analysts>(Price::fixed(2), Gate::Read),
        operation::<ticker::congress::Trades>(Price::fixed(2), Gate::Read),
        operation::<ticker::institutions::Institutions>(Price::fixed(2), Gate::Read),
        // Trading.
        operation::<portfolio::feed::PortfolioFeed>(
            Price::fixed(portfolio::feed::CREDITS),
            Gate::Read,
        ),
        operation::<markets::sectors::Sectors>(Price::fixed(2), Gate::Read),
        operation::<markets::screener::ScreenTickers>(
            Price::fixed(markets::screener::CREDITS),
            Gate::Read,
        ),
        operation::<markets::screener::Presets>(Price::FREE, Gate::Read),
        operation::<markets::screener::natural::ScreenInWords>(
            Price::up_to(
                markets::screener::CREDITS,
                "0 if nothing of the query is understood",
            ),
            Gate::Read,
        ),
        operation::<markets::backtest::Backtest>(
            Price::fixed(markets::backtest::CREDITS),
            Gate::Read,
        ),
        operation::<markets::correlation::Correlate>(
            Price::fixed(markets::correlation::CREDITS),
            Gate::Read,
        ),
        operation::<portfolio::watchlists::Create>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist"),
        operation::<portfolio::watchlists::List>(Price::FREE, Gate::Key).also("/api/v1/watchlist"),
        operation::<portfolio::watchlists::Show>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}"),
        operation::<portfolio::watchlists::Remove>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}"),
        operation::<portfolio::watchlists::AddItems>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items"),
        operation::<portfolio::watchlists::RemoveItem>(Price::FREE, Gate::Key)
            .also("/api/v1/watchlist/{id}/items/{ticker}"),
        operation::<portfolio::watchlists::technicals::ShowTechnicals>(Price::fixed(3), Gate::Key)
            .also("/api/v1/watchlists/{id}/technicals"),
        // Alerts.
        operation::<alerts::Create>(Price::fixed(1), Gate::Key),
        operation::<alerts::List>(Price::fixed(1), Gate::Key),
        operation::<alerts::Triggered>(Price::fixed(1), Gate::Key),
        operation::<alerts::Remove>(Price::fixed(1), Gate::Key),
        // Markets, economy, coins.
        operation::<markets::overview::Movers>(Price::fixed(1), Gate::Read),
        operation::<markets::overview::Summary>(Price::fixed(1), Gate::Read),
        operation::<markets::forex::List>(Price::fixed(1), Gate::Read),
        operation::<markets::forex::Show>(Price::fixed(1), Gate::Read),
        operation::<markets::commodities::List>(Price::fixed(1), Gate::Read),
        operation::<markets::commodities::Show>(Price::fixed(1), Gate::Read),
        operation::<markets::economy::List>(Price::fixed(2), Gate::Read),
        operation::<markets::economy::Yields>(Price::fixed(2), Gate::Read),
        operation::<markets::economy::Show>(Price::fixed(2), Gate::Read),
        operation::<markets::crypto::Overview>(Price::fixed(1), Gate::Read),
        operation::<markets::crypto::Top>(Price::fixed(1), Gate::Read),
        operation::<markets::crypto::defi::Overview>(Price::fixed(2), Gate::Read),
        operation::<markets::crypto::defi::Show>(Price::fixed(2), Gate::Read),
        operation::<markets::crypto::coin::Show>(Price::fixed(1), Gate::Read),
        operation::<markets::crypto::coin::Chart>(Price::fixed(1), Gate::Read),
        operation::<markets::calendar::Calendar>(Price::fixed(1), Gate::Read),
        // Account.
        operation::<account::keys::Create>(Price::FREE, Gate::Jwt),
        operation::<account::keys::List>(Price::FREE, Gate::Key),
        operation::<account::keys::Revoke>(Price::FREE, Gate::Jwt),
        operation::<account::usage::Show>(Price::FREE, Gate::Key),
        // Operations.
        operation::<account::webhooks::Create>(Price::FREE, Gate::Key),
        operation::<account::webhooks::List>(Price::FREE, Gate::Key),
        operation::<account::webhooks::Remove>(Price::FREE, Gate::Key),
        operation::<account::webhooks::Test>(Price::FREE, Gate::Key),
        operation::<account::webhooks::Rotate>(Price::FREE, Gate::Jwt),
        operation::<account::webhooks::Deliveries>(Price::FREE, Gate::Key),
        operation::<account::webhooks::Replay>(Price::FREE, Gate::Key),
        operation::<account::billing::SetCap>(Price::FREE, Gate::Jwt),
    ]
}
