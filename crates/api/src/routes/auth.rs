//! Accounts and log-ins.

use axum::extract::{Request, State};
use axum::response::Response;
use operations::{
    Done, Error, Login, Registration, Session, admit_registration, log_in, log_out, open_account,
    parse_body, say_simulated,
};

use crate::error::Failure;
use crate::extract::{ClientOf, OwnerOf, ValidJson};
use crate::idempotency::{self, Idempotent, Scope};
use crate::state::AppState;

/// Creates an account on the free plan and logs in.
#[utoipa::path(post, path = "/auth/register", tag = "account",
    request_body(content = Registration, example = json!({"email": "you@example.org", "password": "correct horse battery"})),
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes the request safe to repeat: requests with the same key get the first response, without the token")),
    responses((status = 200, description = "The account was created", body = Session),
              (status = 403, description = "`registration_closed`: this server does not allow self-registration"),
              (status = 409, description = "`email_taken`: an account with this e-mail address exists")))]
pub(crate) async fn register(
    State(state): State<AppState>,
    ClientOf(client): ClientOf,
    request: Request,
) -> Result<Response, Failure> {
    let request = Idempotent::of_request(request, &state).await?;
    let asked: Registration = parse_body(&request.body)?;
    admit_registration(&state, client)?;
    let work = async |_, attempt: std::sync::Arc<operations::Attempt>| {
        let (session, stored) = open_account(&state, asked, &attempt).await?;
        let body = serde_json::to_vec(&session).map_err(Error::internal)?;
        Ok(idempotency::Done {
            body: say_simulated(state.store.mode(), body),
            stored: Some(stored),
        })
    };
    let route = "POST /auth/register".to_owned();
    request
        .once(&state, Scope::of_client(client), route, work)
        .await
}

/// Issues a token for an e-mail address and password.
#[utoipa::path(post, path = "/auth/login", tag = "account",
    request_body(content = Login, example = json!({"email": "you@example.org", "password": "correct horse battery"})),
    responses((status = 200, description = "Logged in", body = Session),
              (status = 401, description = "`wrong_password`: no account has this e-mail address and password"),
              (status = 403, description = "`account_disabled`: the operator has disabled this account")))]
pub(crate) async fn login(
    State(state): State<AppState>,
    ClientOf(client): ClientOf,
    ValidJson(asked): ValidJson<Login>,
) -> Result<Response, Failure> {
    let session = log_in(&state, client, asked).await?;
    Ok(idempotency::answered(state.store.mode(), &session)?)
}

/// Revokes the token of this request.
#[utoipa::path(post, path = "/auth/logout", tag = "account",
    responses((status = 200, description = "The token was revoked", body = Done)))]
pub(crate) async fn logout(
    State(state): State<AppState>,
    OwnerOf(owner): OwnerOf,
) -> Result<Response, Failure> {
    log_out(&state, &owner).await?;
    let done = Done::new("the token is revoked");
    Ok(idempotency::answered(state.store.mode(), &done)?)
}
