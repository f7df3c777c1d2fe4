//! Which tags of US GAAP, IFRS and the cover page mean which concept.
//!
//! Where one filing reports the same period under several tags, the row with the lowest tier counts. Rows of one tier with
//! different parts are added up, such as notes payable and the current part of long-term debt; of one part the first counts.
//! Totals stand before their parts: `Revenues` before revenue from contracts, which leaves out leases and interest.

use model::Concept;

use Concept::{
    Assets, CapitalExpenditure, Cash, DilutedShares, DividendsPerShare, EpsBasic, EpsDiluted,
    Equity, GrossProfit, Liabilities, LongTermDebt, NetIncome, OperatingCashFlow, OperatingIncome,
    Revenue, SharesOutstanding, ShortTermDebt, TotalDebt,
};

/// One meaning of one tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) concept: Concept,
    /// The lowest that a filing has for a period counts.
    pub(super) tier: u8,
    /// Parts of one tier are added up.
    pub(super) part: u8,
    /// Of one part the lowest counts.
    pub(super) order: usize,
}

/// Tag, concept, tier, part.
type Row = (&'static str, Concept, u8, u8);

const US_GAAP: &[Row] = &[
    ("Revenues", Revenue, 0, 0),
    ("RevenuesNetOfInterestExpense", Revenue, 1, 0),
    (
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        Revenue,
        2,
        0,
    ),
    (
        "RevenueFromContractWithCustomerIncludingAssessedTax",
        Revenue,
        3,
        0,
    ),
    ("SalesRevenueNet", Revenue, 4, 0),
    ("SalesRevenueGoodsNet", Revenue, 5, 0),
    ("SalesRevenueServicesNet", Revenue, 5, 1),
    ("GrossProfit", GrossProfit, 0, 0),
    ("OperatingIncomeLoss", OperatingIncome, 0, 0),
    ("NetIncomeLoss", NetIncome, 0, 0),
    ("ProfitLoss", NetIncome, 1, 0),
    (
        "NetIncomeLossAvailableToCommonStockholdersBasic",
        NetIncome,
        2,
        0,
    ),
    ("EarningsPerShareBasic", EpsBasic, 0, 0),
    ("EarningsPerShareBasicAndDiluted", EpsBasic, 1, 0),
    ("EarningsPerShareDiluted", EpsDiluted, 0, 0),
    ("EarningsPerShareBasicAndDiluted", EpsDiluted, 1, 0),
    ("Assets", Assets, 0, 0),
    ("Liabilities", Liabilities, 0, 0),
    ("StockholdersEquity", Equity, 0, 0),
    (
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
        Equity,
        1,
        0,
    ),
    ("PartnersCapital", Equity, 2, 0),
    ("CashAndCashEquivalentsAtCarryingValue", Cash, 0, 0),
    (
        "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",
        Cash,
        1,
        0,
    ),
    ("LongTermDebtNoncurrent", LongTermDebt, 0, 0),
    ("LongTermDebtAndCapitalLeaseObligations", LongTermDebt, 1, 0),
    ("ConvertibleDebtNoncurrent", LongTermDebt, 2, 0),
    ("ConvertibleNotesPayableNoncurrent", LongTermDebt, 2, 0),
    ("SeniorLongTermNotes", LongTermDebt, 2, 1),
    ("LongTermNotesPayable", LongTermDebt, 3, 0),
    ("DebtCurrent", ShortTermDebt, 0, 0),
    ("ShortTermBorrowings", ShortTermDebt, 1, 0),
    ("CommercialPaper", ShortTermDebt, 1, 0),
    ("LongTermDebtCurrent", ShortTermDebt, 1, 1),
    (
        "LongTermDebtAndCapitalLeaseObligationsCurrent",
        ShortTermDebt,
        1,
        1,
    ),
    ("ConvertibleDebtCurrent", ShortTermDebt, 2, 0),
    ("ConvertibleNotesPayableCurrent", ShortTermDebt, 2, 0),
    ("DebtLongtermAndShorttermCombinedAmount", TotalDebt, 0, 0),
    // Despite its name this tag includes what is due within a year.
    ("LongTermDebt", TotalDebt, 1, 0),
    ("ShortTermBorrowings", TotalDebt, 1, 1),
    ("CommercialPaper", TotalDebt, 1, 1),
    (
        "NetCashProvidedByUsedInOperatingActivities",
        OperatingCashFlow,
        0,
        0,
    ),
    (
        "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
        OperatingCashFlow,
        1,
        0,
    ),
    (
        "PaymentsToAcquirePropertyPlantAndEquipment",
        CapitalExpenditure,
        0,
        0,
    ),
    (
        "PaymentsToAcquireProductiveAssets",
        CapitalExpenditure,
        1,
        0,
    ),
    ("CommonStockSharesOutstanding", SharesOutstanding, 1, 0),
    (
        "WeightedAverageNumberOfDilutedSharesOutstanding",
        DilutedShares,
        0,
        0,
    ),
    (
        "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
        DilutedShares,
        1,
        0,
    ),
    (
        "CommonStockDividendsPerShareDeclared",
        DividendsPerShare,
        0,
        0,
    ),
    (
        "CommonStockDividendsPerShareCashPaid",
        DividendsPerShare,
        1,
        0,
    ),
];

const IFRS_FULL: &[Row] = &[
    ("Revenue", Revenue, 0, 0),
    ("RevenueFromContractsWithCustomers", Revenue, 1, 0),
    ("RevenueFromSaleOfGoods", Revenue, 2, 0),
    ("RevenueFromRenderingOfServices", Revenue, 2, 1),
    ("GrossProfit", GrossProfit, 0, 0),
    ("ProfitLossFromOperatingActivities", OperatingIncome, 0, 0),
    ("ProfitLossAttributableToOwnersOfParent", NetIncome, 0, 0),
    ("ProfitLoss", NetIncome, 1, 0),
    ("BasicEarningsLossPerShare", EpsBasic, 0, 0),
    ("BasicAndDilutedEarningsLossPerShare", EpsBasic, 1, 0),
    ("DilutedEarningsLossPerShare", EpsDiluted, 0, 0),
    ("BasicAndDilutedEarningsLossPerShare", EpsDiluted, 1, 0),
    ("Assets", Assets, 0, 0),
    ("Liabilities", Liabilities, 0, 0),
    ("EquityAttributableToOwnersOfParent", Equity, 0, 0),
    ("Equity", Equity, 1, 0),
    ("CashAndCashEquivalents", Cash, 0, 0),
    (
        "NoncurrentPortionOfNoncurrentBorrowings",
        LongTermDebt,
        0,
        0,
    ),
    (
        "NoncurrentPortionOfNoncurrentBondsIssued",
        LongTermDebt,
        0,
        1,
    ),
    (
        "CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings",
        ShortTermDebt,
        0,
        0,
    ),
    ("CurrentPortionOfLongtermBorrowings", ShortTermDebt, 1, 0),
    ("ShorttermBorrowings", ShortTermDebt, 1, 1),
    ("Borrowings", TotalDebt, 0, 0),
    // As with US GAAP, what is due within a year is part of it.
    ("LongtermBorrowings", TotalDebt, 1, 0),
    ("ShorttermBorrowings", TotalDebt, 1, 1),
    (
        "CashFlowsFromUsedInOperatingActivities",
        OperatingCashFlow,
        0,
        0,
    ),
    ("CashFlowsFromUsedInOperations", OperatingCashFlow, 1, 0),
    (
        "PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
        CapitalExpenditure,
        0,
        0,
    ),
    ("NumberOfSharesOutstanding", SharesOutstanding, 1, 0),
    ("AdjustedWeightedAverageShares", DilutedShares, 0, 0),
    (
        "DividendsPaidOrdinarySharesPerShare",
        DividendsPerShare,
        0,
        0,
    ),
    (
        "DividendsRecognisedAsDistributionsToOwnersPerShare",
        DividendsPerShare,
        1,
        0,
    ),
];

const DEI: &[Row] = &[(
    "EntityCommonStockSharesOutstanding",
    SharesOutstanding,
    0,
    0,
)];

/// What a tag of a taxonomy means; nothing for tags that are not used.
pub(super) fn meanings(taxonomy: &str, tag: &str) -> impl Iterator<Item = Meaning> {
    let rows = match taxonomy {
        "us-gaap" => US_GAAP,
        "ifrs-full" => IFRS_FULL,
        "dei" => DEI,
        _ => &[],
    };
    rows.iter()
        .enumerate()
        .filter(move |(_, (name, ..))| *name == tag)
        .map(|(order, &(_, concept, tier, part))| Meaning {
            concept,
            tier,
            part,
            order,
        })
}
