//! What items have in common with those before them, for fitting: measured at the moment when the later one comes.

use std::io::{BufWriter, Write};
use std::path::Path;

use model::Features;
use text::stories::pair::FEATURES;
use text::stories::{Compared, StoryIndex};

use crate::articles::{self, Streamed};
use crate::data::Data;

/// How much of the items of the streams is known: all of it, the headline alone, and nothing of the time.
const VARIANTS: [&str; 3] = ["whole", "headline", "timeless"];

/// Writes, for each stream and variant and for each order of each labelled set, `NAME.names` with a line for each item (digits of
/// its address, or its story) and `NAME.pairs` with the numbers of two items and what is measured, as 32-bit numbers.
pub(crate) fn write(data: &Data, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("features"), FEATURES.join("\n"))?;
    for stream in articles::streams(data, "stories")? {
        let names: Vec<&str> = stream
            .articles
            .iter()
            .map(|one| one.hash.as_str())
            .collect();
        for variant in VARIANTS {
            let features: Vec<Features> = stream
                .articles
                .iter()
                .map(|one| of_variant(one, variant))
                .collect();
            let compared = stream
                .articles
                .iter()
                .zip(&features)
                .map(|(streamed, features)| Compared {
                    features,
                    domain: &streamed.article.domain,
                    time: (variant != "timeless").then_some(streamed.article.published_at),
                });
            rows(
                folder,
                &format!("{}-{variant}", stream.year),
                &names,
                compared,
            )?;
        }
    }
    for set in articles::labelled(data, "stories")? {
        for (number, order) in super::orders(&set).iter().enumerate() {
            let names: Vec<&str> = order.iter().map(|one| one.story.as_str()).collect();
            let compared = order.iter().map(|one| one.compared());
            rows(folder, &format!("{}-{number}", set.name), &names, compared)?;
        }
    }
    Ok(())
}

fn rows<'a>(
    folder: &Path,
    name: &str,
    names: &[&str],
    articles: impl Iterator<Item = Compared<'a>>,
) -> anyhow::Result<()> {
    std::fs::write(folder.join(format!("{name}.names")), names.join("\n"))?;
    let mut out = BufWriter::new(std::fs::File::create(folder.join(format!("{name}.pairs")))?);
    let mut index = StoryIndex::new();
    for (number, compared) in articles.enumerate() {
        for (other, measured) in index.measure(compared) {
            for value in [number as f32, other as f32].into_iter().chain(measured) {
                out.write_all(&value.to_le_bytes())?;
            }
        }
        let story = index.place(compared).story.unwrap_or(number as u64);
        index.insert(number as u64, story, compared);
    }
    out.flush()?;
    Ok(())
}

fn of_variant(streamed: &Streamed, variant: &str) -> Features {
    if variant == "headline" {
        let title = &streamed.article.title;
        text::features::features(title, "", "", &text::entities::find(title, ""))
    } else {
        streamed.annotations.features.clone()
    }
}
