//! The examples of the README, run in order in one shell, against a demo world and against a real directory beside it.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::markdown::{Block, blocks};
use super::service::{Service, assay};
use super::shape;

/// Stands between the outputs of two blocks.
const END: &str = "\u{1e}";

#[test]
fn the_examples_of_the_readme_work() {
    if let Some(missing) = ["bash", "curl", "jq"]
        .into_iter()
        .find(|tool| !is_there(tool))
    {
        assert!(
            std::env::var_os("CI").is_none(),
            "{missing} is not installed"
        );
        println!("skipped: the examples need {missing}, which is not installed");
        return;
    }
    let readme = fs::read_to_string(crate::root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_assay"), tools.join("assay")).unwrap();
    write_samples(folder.path());

    let mut demo = Service::start(folder.path(), &["--demo", "--allow-private-callbacks"]);
    let key = demo.printed_key();
    let real = Service::start(folder.path(), &[]);
    let real_key = account_with_key(folder.path());

    let shell: Vec<(usize, Block)> = blocks(&readme)
        .into_iter()
        .enumerate()
        .filter(|(_, block)| block.language == "sh" && !block.text.contains("cargo run"))
        .collect();
    let shown = blocks(&readme);
    let mut script = String::from("set -eo pipefail\nPASSWORD='correct horse battery'\n");
    for (_, block) in &shell {
        let (base, key) = if block.text.contains("import candles") {
            (&real.base, &real_key)
        } else {
            (&demo.base, &key)
        };
        writeln!(
            script,
            "BASE={base}\nexport ASSAY_URL={base}\nASSAY_API_KEY={key}"
        )
        .unwrap();
        script.push_str(&runnable(&block.text));
        writeln!(script, "printf '{END}'").unwrap();
    }
    // What an example leaves running would keep its output open.
    let output = Command::new("timeout")
        .args(["--kill-after=10", "600", "bash", "-c"])
        .arg(format!(
            "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}"
        ))
        .current_dir(folder.path())
        .env(
            "PATH",
            format!("{}:{}", tools.display(), std::env::var("PATH").unwrap()),
        )
        .env_remove("ASSAY_DATA")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let given: Vec<&str> = text.split(END).collect();
    assert!(
        output.status.success(),
        "an example of the README fails after block {} of {}: {}\n{text}",
        given.len() - 1,
        shell.len(),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(given.len(), shell.len() + 1);

    let mut compared = 0;
    for ((index, block), given) in shell.iter().zip(given) {
        let Some(answer) = shown.get(index + 1).filter(|next| next.language == "json") else {
            continue;
        };
        let expected = shape::documents(&answer.text).unwrap();
        let given = shape::documents(given)
            .unwrap_or_else(|error| panic!("README line {}: {error}: {given}", block.line));
        let differences = shape::differences(&expected, &given);
        assert!(
            differences.is_empty(),
            "README line {}: {differences:?}\n{given:#?}",
            answer.line
        );
        compared += 1;
    }
    assert!(compared >= 6, "only {compared} answers were compared");
    assert!(
        text.contains(r#"["webhook.test",true]"#),
        "the message is verified: {text}"
    );
}

/// A block as the test runs it: at the test's addresses and keys, and without the commands that go out to the world,
/// of which only the spelling is checked.
fn runnable(block: &str) -> String {
    let mut lines = String::new();
    for line in block.lines() {
        if line.starts_with("export ASSAY_API_KEY=") {
            lines.push_str("export ASSAY_API_KEY");
        } else if line.starts_with("assay serve --live") || line.starts_with("assay import urls") {
            let command = line.split(" #").next().unwrap().trim_end();
            lines.push_str(command);
            lines.push_str(" --help > help.txt");
        } else {
            lines.push_str(&line.replace("http://127.0.0.1:8080", "$BASE"));
        }
        lines.push('\n');
    }
    lines
}

fn is_there(tool: &str) -> bool {
    Command::new(tool)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

fn account_with_key(folder: &Path) -> String {
    let email = ["--email", "examples@assay.example"];
    let mut add = assay(folder)
        .args(["user", "add", "--password-stdin"])
        .args(email)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    add.stdin
        .take()
        .unwrap()
        .write_all(b"another long password")
        .unwrap();
    assert!(add.wait().unwrap().success());
    let created = assay(folder)
        .args(["key", "create", "--name", "examples"])
        .args(email)
        .output()
        .unwrap();
    assert!(created.status.success());
    String::from_utf8(created.stdout).unwrap().trim().to_owned()
}

/// The files that the examples read, under the names and with the columns that the README means.
fn write_samples(folder: &Path) {
    let article = r#"{"url":"https://harbour.example/a","title":"Port reopens after storm","text":"The port reopened on Monday after a storm closed it for two days. Ships waited off the coast.","source":"Harbour News","published_at":"2026-03-02T08:00:00Z"}"#;
    compress(&folder.join("news.jsonl.gz"), article);
    fs::write(
        folder.join("sp500_constituents.csv"),
        "Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,CIK,Founded\n\
         ACME,Acme Corporation,Industrials,Machinery,\"Springfield\",1990-01-02,12345,1950\n",
    )
    .unwrap();
    let mut bars = String::from("date,symbol,open,high,low,close,volume\n");
    for day in 1..=5 {
        writeln!(bars, "2023-06-{:02},ACME,10,11,9,10.{day},1000", 11 + day).unwrap();
    }
    compress(&folder.join("sp500_daily.csv.gz"), &bars);
}

fn compress(path: &Path, text: &str) {
    let mut file = GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
    file.write_all(text.as_bytes()).unwrap();
    file.finish().unwrap();
}
