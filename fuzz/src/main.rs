//! All targets behind libFuzzer; `FUZZ_TARGET` names the one that runs. With `FUZZ_EXAMPLES` the examples are written to that
//! folder instead, one folder for each target, to begin from.
//!
//! A panic of a library that its reader catches is the reader's business; only what leaves a target is a crash.
#![no_main]

mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use libfuzzer_sys::fuzz_target;

static CHOSEN: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    if let Some(folder) = std::env::var_os("FUZZ_EXAMPLES") {
        for target in targets::TARGETS {
            let folder = Path::new(&folder).join(target.name);
            std::fs::create_dir_all(&folder).expect("folder can be made");
            std::fs::write(folder.join("example"), target.example).expect("file can be written");
        }
        std::process::exit(0);
    }
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    match targets::TARGETS.iter().find(|target| target.name == name) {
        Some(target) => target.run,
        None => {
            let names: Vec<&str> = targets::TARGETS.iter().map(|target| target.name).collect();
            eprintln!("FUZZ_TARGET must be one of: {}", names.join(" "));
            std::process::exit(2);
        }
    }
});

/// What the last panic said; most are caught and never shown.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

fn start() {
    LazyLock::force(&CHOSEN);
    // Instead of libFuzzer's own hook, which aborts before a reader can catch anything.
    set_hook(Box::new(|panic| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
}

fn run(bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| (CHOSEN)(bytes))).is_err() {
        let said = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        eprintln!("{said}");
        std::process::abort();
    }
}

fuzz_target!(init: start(), |bytes: &[u8]| run(bytes));
