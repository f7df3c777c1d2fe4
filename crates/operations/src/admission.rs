//! What stands before every operation, whichever interface asks: may they now, may they at all, can they pay.

use crate::caller::Caller;
use crate::error::{Error, ErrorCode, Result};
use crate::limiter::{Allowance, Subject};
use crate::meter::Charge;
use crate::price::Tariff;
use crate::services::Services;

/// What came of a call before its work: what is left of the caller's minute, and whether the work may begin.
#[derive(Debug)]
pub struct Admission {
    /// Whether the work may begin; until then nothing was done.
    pub outcome: Result<()>,
    /// What is left of the minute.
    pub allowance: Allowance,
}

/// When the highest price of a call is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserving {
    /// Before anything is done.
    Now,
    /// With [`Charge::pay`], once the call is known to be no repetition: an answer that was paid for is given again for
    /// nothing.
    WhenFirst,
}

/// Refuses whoever has no credential where the operator wants none of them.
pub fn admit_anonymous(services: &Services) -> Result<()> {
    if services.settings.anonymous {
        return Ok(());
    }
    Err(Error::refused(
        ErrorCode::CredentialRequired,
        "this server only accepts personal API keys and tokens: Authorization: Bearer <key>",
    ))
}

/// Counts the call against the caller's minute, checks gate and key scope for the path with its variables filled in, and
/// sets the price aside in `charge`.
pub async fn admit(
    services: &Services,
    caller: &Caller,
    tariff: &Tariff,
    (method, path): (&str, &str),
    charge: &Charge,
    reserving: Reserving,
) -> Admission {
    let (allowance, turn) = take_turn(services, caller);
    let outcome = async {
        turn?;
        tariff.admit(caller, method, path)?;
        let terms = caller.terms(&services.settings);
        let price = match reserving {
            Reserving::Now => tariff.price.least,
            Reserving::WhenFirst => 0,
        };
        let meter = &services.meter;
        charge.hold(meter.reserve(price, caller, terms, tariff).await?);
        Ok(())
    };
    Admission {
        outcome: outcome.await,
        allowance,
    }
}

/// Counts the call against the caller's minute; says what is left of it, too.
fn take_turn(services: &Services, caller: &Caller) -> (Allowance, Result<()>) {
    let limit = caller.terms(&services.settings).requests_per_minute;
    match services
        .limiter
        .take(Subject::Payer(caller.payer()), limit, services.clock.now())
    {
        Ok(allowance) => (allowance, Ok(())),
        Err(allowance) => {
            let refusal = Error::retry_later(
                ErrorCode::RateLimited,
                u64::from(allowance.reset_seconds),
                format!(
                    "more than {limit} requests in a minute; try again in {} s",
                    allowance.reset_seconds
                ),
            );
            (allowance, Err(refusal))
        }
    }
}

/// The answer, unless it takes too long.
pub async fn in_time<T>(services: &Services, work: impl Future<Output = T>) -> Result<T> {
    tokio::time::timeout(services.settings.request_timeout, work)
        .await
        .map_err(|_| Error::retry_later(ErrorCode::Timeout, 5, "the answer took too long to make"))
}
