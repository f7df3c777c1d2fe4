//! The rows themselves, read past the program that wrote them.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, SqliteConnection};

use crate::clients::Sums;
use crate::place::Place;

pub(crate) enum Rows {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

/// Charges of every payer less refunds: by the ledger, by the sums of months and by those of days.
const CHARGED: [&str; 3] = [
    "SELECT account, CAST(SUM(CASE WHEN kind = 'refund' THEN -credits ELSE credits END) AS BIGINT) \
     FROM ledger GROUP BY account",
    "SELECT account, CAST(SUM(credits) AS BIGINT) FROM usage WHERE LENGTH(period) = 7 GROUP BY account",
    "SELECT account, CAST(SUM(credits) AS BIGINT) FROM usage WHERE LENGTH(period) = 10 GROUP BY account",
];

/// What must be nowhere.
const FAULTS: [(&str, &str); 12] = [
    (
        "articles without their brief",
        "SELECT COUNT(*) FROM article WHERE brief NOT IN (SELECT id FROM brief)",
    ),
    (
        "articles in another story than their brief",
        "SELECT COUNT(*) FROM article JOIN brief ON brief.id = article.brief WHERE brief.story <> article.story",
    ),
    (
        "articles without features",
        "SELECT COUNT(*) FROM article WHERE seq NOT IN (SELECT seq FROM article_feature)",
    ),
    (
        "briefs without an article",
        "SELECT COUNT(*) FROM brief WHERE merged_into IS NULL AND id NOT IN (SELECT brief FROM article)",
    ),
    (
        "briefs without a revision",
        "SELECT COUNT(*) FROM brief WHERE id NOT IN (SELECT brief FROM brief_revision)",
    ),
    (
        "briefs whose revisions are no chain",
        "SELECT COUNT(*) FROM (SELECT brief FROM brief_revision GROUP BY brief HAVING COUNT(*) <> MAX(revision) \
         OR MIN(revision) <> 1 OR SUM(CASE WHEN known_to = 9223372036854775807 THEN 1 ELSE 0 END) <> \
         (SELECT CASE WHEN b.merged_into IS NULL THEN 1 ELSE 0 END FROM brief b WHERE b.id = brief_revision.brief)) AS broken",
    ),
    (
        "revisions that do not begin where the one before ends",
        "SELECT COUNT(*) FROM brief_revision AS one JOIN brief_revision AS two ON two.brief = one.brief \
         AND two.revision = one.revision + 1 WHERE two.known_from <> one.known_to",
    ),
    (
        "revisions without their document",
        "SELECT COUNT(*) FROM brief_revision LEFT JOIN brief_document ON brief_document.brief = brief_revision.brief \
         AND brief_document.revision = brief_revision.revision WHERE brief_document.brief IS NULL",
    ),
    (
        "revisions that the outbox does not name once",
        "SELECT COUNT(*) FROM (SELECT brief_revision.brief, brief_revision.revision FROM brief_revision \
         LEFT JOIN outbox ON outbox.brief = brief_revision.brief AND outbox.revision = brief_revision.revision \
         AND outbox.kind <> 'brief.trending' GROUP BY brief_revision.brief, brief_revision.revision \
         HAVING COUNT(outbox.id) <> 1) AS odd",
    ),
    (
        "outbox rows of revisions that are not there",
        "SELECT COUNT(*) FROM outbox LEFT JOIN brief_revision ON brief_revision.brief = outbox.brief \
         AND brief_revision.revision = outbox.revision WHERE brief_revision.brief IS NULL",
    ),
    (
        "outbox rows without a position",
        "SELECT COUNT(*) FROM outbox WHERE position IS NULL",
    ),
    (
        "holes or doubles in the positions of the outbox",
        "SELECT COALESCE(MAX(position), 0) - COUNT(DISTINCT position) + COUNT(position) - COUNT(DISTINCT position) \
         FROM outbox",
    ),
];

impl Rows {
    pub(crate) async fn open(place: &Place) -> Self {
        if let Some((url, _)) = &place.postgres {
            return Self::Postgres(PgConnection::connect(url).await.unwrap());
        }
        let options = SqliteConnectOptions::new()
            .filename(place.data().join("assay.sqlite"))
            .busy_timeout(std::time::Duration::from_secs(30));
        Self::Sqlite(options.connect().await.unwrap())
    }

    pub(crate) async fn number(&mut self, sql: &'static str) -> i64 {
        match self {
            Self::Sqlite(connection) => sqlx::query_scalar(sql).fetch_one(connection).await,
            Self::Postgres(connection) => sqlx::query_scalar(sql).fetch_one(connection).await,
        }
        .unwrap()
    }

    /// Numbers by name.
    pub(crate) async fn sums(&mut self, sql: &'static str) -> BTreeMap<String, i64> {
        let rows: Vec<(String, i64)> = match self {
            Self::Sqlite(connection) => sqlx::query_as(sql).fetch_all(connection).await,
            Self::Postgres(connection) => sqlx::query_as(sql).fetch_all(connection).await,
        }
        .unwrap();
        rows.into_iter().collect()
    }

    pub(crate) async fn execute(&mut self, sql: &str) {
        let query = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            Self::Sqlite(connection) => query.execute(connection).await.map(drop),
            Self::Postgres(connection) => query.execute(connection).await.map(drop),
        }
        .unwrap();
    }

    /// What is wrong with the rows of news.
    pub(crate) async fn faults(&mut self) -> Vec<String> {
        let mut faults = Vec::new();
        for (fault, sql) in FAULTS {
            match self.number(sql).await {
                0 => {}
                count => faults.push(format!("{fault}: {count}")),
            }
        }
        faults
    }

    /// What is wrong with the charges, given what each payer knows of them.
    pub(crate) async fn uncharged(&mut self, known: &BTreeMap<String, Sums>) -> Vec<String> {
        let mut faults = Vec::new();
        let member = self.member().await;
        let [ledger, months, days] = [
            self.sums(CHARGED[0]).await,
            self.sums(CHARGED[1]).await,
            self.sums(CHARGED[2]).await,
        ];
        if ledger != months || ledger != days {
            faults.push(format!(
                "ledger {ledger:?}, months {months:?}, days {days:?}"
            ));
        }
        let of = |payer: &str| {
            let name = if payer.is_empty() { &member } else { payer };
            ledger.get(name).copied().unwrap_or_default()
        };
        for (payer, sums) in known {
            let (least, most) = (sums.received as i64, (sums.received + sums.lost) as i64);
            let charged = of(payer);
            if !(least..=most).contains(&charged) {
                faults.push(format!(
                    "{} was charged {charged} credits and knows of {least}; at most {} more can have been lost",
                    if payer.is_empty() { "the account" } else { payer },
                    sums.lost
                ));
            }
        }
        faults
    }

    /// The account of the key.
    async fn member(&mut self) -> String {
        let sql = "SELECT id FROM account";
        match self {
            Self::Sqlite(connection) => sqlx::query_scalar(sql).fetch_one(connection).await,
            Self::Postgres(connection) => sqlx::query_scalar(sql).fetch_one(connection).await,
        }
        .unwrap()
    }
}
