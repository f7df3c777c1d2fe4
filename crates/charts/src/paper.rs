//! The canvas for charts.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::NoChart;
use crate::axis::tick;

/// Width and height in the units of the picture, which scales with its page.
pub(crate) const WIDTH: u32 = 860;
/// A placeholder for the page's text colour until the picture is finished.
pub(crate) const INK: RGBColor = RGBColor(1, 2, 3);
/// A placeholder for the same colour, faint.
pub(crate) const FAINT: RGBColor = RGBColor(3, 2, 1);

/// Line colours, distinguishable to most eyes, on light and on dark pages.
pub(crate) const LINES: [RGBColor; 6] = [
    RGBColor(0x2f, 0x7e, 0xd8),
    RGBColor(0xe0, 0x7b, 0x1a),
    RGBColor(0x1f, 0x9d, 0x78),
    RGBColor(0xb0, 0x4f, 0xc4),
    RGBColor(0xc8, 0x3e, 0x4d),
    RGBColor(0x80, 0x80, 0x80),
];

/// The text style of axes and legends.
pub(crate) fn letters(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// The same, anchored at its left end and at half its height.
pub(crate) fn legend_letters() -> TextStyle<'static> {
    letters(13).pos(Pos::new(HPos::Left, VPos::Center))
}

/// Anything that may fail while a picture is drawn.
pub(crate) type Drawn<T> = Result<T, Box<dyn std::error::Error>>;
/// A part of a picture with its axes.
pub(crate) type Plot<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Faint lines at this many values of the vertical axis, with labels next to it.
pub(crate) fn grid(plot: &mut Plot<'_, '_>, values: usize) -> Drawn<()> {
    plot.configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(values)
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(FAINT)
        .label_style(letters(12))
        .y_label_formatter(&|value| tick(*value))
        .draw()?;
    Ok(())
}

/// A legend entry from `x` on; returns where the next one begins.
pub(crate) fn entry(
    legend: &DrawingArea<SVGBackend<'_>, Shift>,
    x: i32,
    name: &str,
    colour: RGBColor,
) -> Drawn<i32> {
    legend.draw(&Rectangle::new([(x, 9), (x + 14, 13)], colour.filled()))?;
    legend.draw_text(name, &legend_letters(), (x + 19, 11))?;
    Ok(x + 40 + 8 * i32::try_from(name.chars().count()).unwrap_or(40))
}

/// Draws a picture of the given height and describes it.
pub(crate) fn drawn<F>(height: u32, title: &str, draw: F) -> Result<String, NoChart>
where
    F: FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Drawn<()>,
{
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw(&area).map_err(|_| NoChart::Failed)?;
        area.present().map_err(|_| NoChart::Failed)?;
    }
    let body = svg
        .find('>')
        .and_then(|end| svg.get(end + 1..))
        .ok_or(NoChart::Failed)?;
    let body = body
        .replace("fill=\"#010203\"", "fill=\"currentColor\"")
        .replace("stroke=\"#010203\"", "stroke=\"currentColor\"")
        .replace(
            "stroke=\"#030201\"",
            "stroke=\"currentColor\" stroke-opacity=\"0.18\"",
        );
    let title = escaped(title);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         style=\"max-width:100%;height:auto\" font-family=\"system-ui,sans-serif\"><title>{title}</title>{body}"
    ))
}

/// A text that is valid in XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML allows no other characters below a space.
            control if control < ' ' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Anchored at the middle.
pub(crate) fn centred() -> Pos {
    Pos::new(HPos::Center, VPos::Center)
}
