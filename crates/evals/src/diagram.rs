//! Diagrams of the documents, drawn as SVG.

use std::fmt::Write as _;

use crate::score::interval;

/// A reliability diagram: the share right in each tenth of confidence beside the diagonal on which they would be equal.
pub(crate) fn reliability(of: &[(f64, f64)]) -> String {
    const SIDE: f64 = 300.0;
    const EDGE: f64 = 50.0;
    const TENTHS: usize = 10;
    let (x, y) = (
        |share: f64| EDGE + SIDE * share,
        |share: f64| 20.0 + SIDE * (1.0 - share),
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 380\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <title>Confidence of {} verdicts and the share of them that is right</title>\n\
         <rect width=\"400\" height=\"380\" fill=\"#fff\"/>\n\
         <path d=\"M{} {}H{}V{}H{}Z\" fill=\"none\" stroke=\"#888\"/>\n\
         <path d=\"M{} {}L{} {}\" stroke=\"#888\" stroke-dasharray=\"4\"/>\n",
        of.len(),
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0),
        x(0.0),
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0),
    );
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{share:.1}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{share:.1}</text>",
            x(share),
            y(0.0) + 16.0,
            x(0.0) - 6.0,
            y(share) + 4.0,
        );
    }
    for tenth in 0..TENTHS {
        let inside: Vec<&(f64, f64)> = of
            .iter()
            .filter(|(confidence, _)| {
                ((confidence * TENTHS as f64) as usize).min(TENTHS - 1) == tenth
            })
            .collect();
        if inside.is_empty() {
            continue;
        }
        let count = inside.len() as f64;
        let confidence = inside.iter().map(|(confidence, _)| confidence).sum::<f64>() / count;
        let right = inside.iter().map(|(_, right)| right).sum::<f64>() / count;
        let (low, high) = interval(right * count, count);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"#26c\"/><circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#26c\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            y(low),
            y(high),
            y(right),
            x(confidence) + 7.0,
            y(right) + 4.0,
            inside.len(),
            x = x(confidence),
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">confidence</text>\
         <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">share right (95 % interval; number of claims)</text>\n</svg>",
        x(0.5),
        y(0.0) + 36.0,
        y(0.5),
    );
    svg
}
