//! Writes what a revision says about tickers: closes the previous revision's rows and opens its own.

use model::{Brief, Timestamp};

use super::NewsTransaction;
use crate::database::values;
use crate::{Result, brief_sentiments};

impl NewsTransaction {
    /// Writes the brief sentiments of a revision that replaces `previous`.
    pub(super) async fn write_brief_sentiments(
        &mut self,
        brief: &Brief,
        known_from: Timestamp,
        previous: Option<&Brief>,
    ) -> Result<()> {
        if previous.is_some_and(brief_sentiments::has_some) {
            let sql = "UPDATE opinion SET known_to = $1 WHERE brief = $2 AND known_to = 9223372036854775807";
            self.tx.queue(sql, values![known_from, brief.id.0]).await?;
        }
        brief_sentiments::push(
            &mut self.pending.brief_sentiments,
            brief,
            known_from,
            Timestamp::END,
        );
        Ok(())
    }
}
