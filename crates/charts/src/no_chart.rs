//! Why there is no chart.

/// Why there is no chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChart {
    /// Fewer than two points.
    #[error("there are too few points to draw")]
    TooFew,
    /// The drawing failed.
    #[error("the chart cannot be drawn")]
    Failed,
}
