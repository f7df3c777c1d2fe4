//! What `serve --demo` prints for someone who starts it for the first time.

use std::net::SocketAddr;

use model::{KeyScope, Plan};
use rand::distr::{Alphanumeric, SampleString};
use store::Store;

use crate::credentials::{new_account, new_key};
use crate::output::say;

const EMAIL: &str = "you@demo.example";
const WELCOMED: &str = "demo.welcomed";

/// Creates the personal account and key for a new demo world and prints the key, once, with three calls to try.
pub(crate) async fn welcome(store: &Store, address: SocketAddr) -> anyhow::Result<()> {
    if store.setting(WELCOMED).await?.is_some() {
        return Ok(());
    }
    let account = if let Some(account) = store.accounts().find_by_email(EMAIL).await? {
        account.id
    } else {
        // Nobody knows this password: the account is used through its key.
        let password = Alphanumeric.sample_string(&mut rand::rng(), 40);
        let account = new_account(EMAIL, &password, "Demo", Plan::Scale)?;
        store.accounts().insert(&account).await?;
        account.id
    };
    let (raw, key) = new_key(account, "first key", KeyScope::default());
    store.keys().insert(&key).await?;
    say(&first_lines(&raw, address));
    store.put_setting(WELCOMED, "yes").await?;
    Ok(())
}

fn first_lines(key: &str, address: SocketAddr) -> String {
    format!(
        "\nThis is a simulated world: real places and harmless names, invented news.\n\
         Your personal key (Scale plan), shown only now:\n\n  export ASSAY_API_KEY={key}\n\n\
         Try it:\n\n  \
         curl -s 'http://{address}/api/v1/feed?per_page=3' -H \"Authorization: Bearer $ASSAY_API_KEY\"\n  \
         curl -s 'http://{address}/api/v1/search?q=interest+rates' -H \"Authorization: Bearer $ASSAY_API_KEY\"\n  \
         curl -s 'http://{address}/api/v1/usage' -H \"Authorization: Bearer $ASSAY_API_KEY\"\n\n\
         The reference is at http://{address}/docs\n"
    )
}
