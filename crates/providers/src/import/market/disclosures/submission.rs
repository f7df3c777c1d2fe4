//! The complete submission: a header of `KEY: value` lines and the documents, each between tags that are not always
//! closed in the same way.
//!
//! Both formats are supported: the archive's text file (`ACCESSION NUMBER:`) and the feed's (`<ACCESSION-NUMBER>`).

use model::{Day, Timestamp};

use super::edgar;

/// Documents beyond this number are ignored.
const MOST_DOCUMENTS: usize = 2_000;

/// A submission, split into its parts.
#[derive(Debug)]
pub(super) struct Submission<'a> {
    pub(super) accession: String,
    pub(super) form: String,
    pub(super) filed: Day,
    pub(super) accepted_at: Option<Timestamp>,
    pub(super) period: Option<Day>,
    /// The filers, subjects and issuers: name and number, in header order.
    pub(super) parties: Vec<Party>,
    pub(super) items: Vec<String>,
    pub(super) documents: Vec<Document<'a>>,
}

/// A party named in the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Party {
    /// For example `ISSUER`, `FILER`, `REPORTING-OWNER`, `FILED BY`.
    pub(super) role: String,
    pub(super) name: String,
    pub(super) cik: u64,
}

/// One document of a submission.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) file_name: Option<&'a str>,
    pub(super) description: Option<&'a str>,
    pub(super) text: &'a str,
}

impl<'a> Submission<'a> {
    /// Whether a file begins as a submission does.
    pub(super) fn recognises(text: &str) -> bool {
        let start = text.trim_start();
        [
            "<SEC-DOCUMENT>",
            "<SEC-HEADER>",
            "<SUBMISSION>",
            "-----BEGIN PRIVACY-ENHANCED",
        ]
        .iter()
        .any(|mark| start.starts_with(mark))
    }

    /// Splits a submission into its parts; `None` without an accession number, form or filing date.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (header, body) = text.split_at(text.find("<DOCUMENT>").unwrap_or(text.len()));
        let mut found = Header::default();
        for line in header.lines() {
            found.take_line(line);
        }
        Some(Self {
            accession: found.accession?,
            form: found.form?,
            filed: found.filed?,
            accepted_at: found.accepted_at,
            period: found.period,
            parties: found.parties,
            items: found.items,
            documents: documents(body),
        })
    }

    /// The first party with one of these roles, otherwise the first of all.
    pub(super) fn party(&self, roles: &[&str]) -> Option<&Party> {
        roles
            .iter()
            .find_map(|role| self.parties.iter().find(|party| party.role == *role))
            .or_else(|| self.parties.first())
    }
}

#[derive(Default)]
struct Header {
    accession: Option<String>,
    form: Option<String>,
    filed: Option<Day>,
    accepted_at: Option<Timestamp>,
    period: Option<Day>,
    parties: Vec<Party>,
    items: Vec<String>,
    role: String,
    name: Option<String>,
}

impl Header {
    fn take_line(&mut self, line: &str) {
        let line = line.trim();
        let pair = line
            .strip_prefix('<')
            .and_then(|rest| rest.split_once('>'))
            .or_else(|| line.split_once(':'));
        let Some((key, value)) = pair else {
            return;
        };
        let value = value.trim();
        match key.trim() {
            "ACCESSION NUMBER" | "ACCESSION-NUMBER" => self.accession = edgar::accession(value),
            "CONFORMED SUBMISSION TYPE" => self.form = Some(value.to_owned()),
            // In the feed's format the same tag later names the type of each document, but those come after the
            // header.
            "TYPE" if self.form.is_none() => self.form = Some(value.to_owned()),
            "FILED AS OF DATE" | "FILING-DATE" => self.filed = edgar::day(value),
            "ACCEPTANCE-DATETIME" => self.accepted_at = edgar::header_time(value),
            "CONFORMED PERIOD OF REPORT" | "PERIOD" => self.period = edgar::day(value),
            "ITEM INFORMATION" | "ITEMS" if !value.is_empty() => self.items.push(value.to_owned()),
            "ISSUER" | "FILER" | "REPORTING-OWNER" | "SUBJECT COMPANY" | "SUBJECT-COMPANY"
            | "FILED BY" | "FILED-BY" | "FILED-FOR" => {
                self.role = key.trim().replace("SUBJECT-COMPANY", "SUBJECT COMPANY");
            }
            "COMPANY CONFORMED NAME" | "CONFORMED-NAME" => self.name = Some(value.to_owned()),
            "CENTRAL INDEX KEY" | "CIK" => {
                if let (Some(name), Ok(cik)) = (self.name.take(), value.parse()) {
                    let role = self.role.clone();
                    self.parties.push(Party { role, name, cik });
                }
            }
            _ => {}
        }
    }
}

fn documents(body: &str) -> Vec<Document<'_>> {
    body.split("<DOCUMENT>")
        .skip(1)
        .take(MOST_DOCUMENTS)
        .filter_map(|document| {
            let (head, rest) = document.split_once("<TEXT>")?;
            let tag = |name: &str| {
                head.lines()
                    .find_map(|line| line.trim().strip_prefix(name))
                    .map(str::trim)
                    .filter(|value| !value.is_empty())
            };
            let text = rest.split_once("</TEXT>").map_or(rest, |(text, _)| text);
            let text = text.split_once("<XML>").map_or(text, |(_, xml)| {
                xml.split_once("</XML>").map_or(xml, |(xml, _)| xml)
            });
            Some(Document {
                file_name: tag("<FILENAME>"),
                description: tag("<DESCRIPTION>"),
                text: text.trim(),
            })
        })
        .collect()
}
