//! From the names and values in a request to checked filters.

use super::{Condition, FilterKey, Metric};
use crate::Error;

/// The name of the exit filter that is not a comparison of a metric.
const STOP_LOSS: &str = "stop_loss_pct";

/// A value as it appears in a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FilterValue {
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// Anything else: text, a list, null.
    Other,
}

impl From<f64> for FilterValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<bool> for FilterValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

/// Filters that must all hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    conditions: Vec<Condition>,
}

impl Filters {
    /// Whether a price is compared with a number, so that its currency must be known.
    pub fn bound_prices(&self) -> bool {
        let of_price = |key: FilterKey| key.metric() == Metric::Price && key.reference().is_none();
        self.conditions().iter().any(|one| of_price(one.key()))
    }

    /// Checks the filters of a request: names, types, ranges, and that they can hold together.
    ///
    /// ```
    /// use market::filters::{FilterValue, Filters};
    ///
    /// let filters = Filters::parse([("rsi_below", 30.0.into()), ("above_sma_200", true.into())]).unwrap();
    /// assert_eq!(filters.conditions().len(), 2);
    ///
    /// let error = Filters::parse([("rsi_under", FilterValue::Number(30.0))]).unwrap_err();
    /// assert_eq!(error.key(), "rsi_under");
    /// ```
    pub fn parse<'a>(
        given: impl IntoIterator<Item = (&'a str, FilterValue)>,
    ) -> Result<Self, Error> {
        let mut conditions = Vec::new();
        for (name, value) in given {
            let key = FilterKey::find(name).ok_or_else(|| unknown(name, None))?;
            conditions.extend(condition(key, value)?);
        }
        let filters = Self { conditions };
        match filters.contradiction() {
            Some((key, other)) => Err(Error::Contradiction { key, other }),
            None => Ok(filters),
        }
    }

    /// The filters that are applied, in the order of the request.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Whether any filter needs a metric.
    pub fn need(&self, metric: Metric) -> bool {
        need(&self.conditions, metric)
    }

    /// The sum of the distances to each filter if all hold, otherwise `None`.
    pub fn distance(&self, metric: impl Fn(Metric) -> Option<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for condition in &self.conditions {
            sum += condition.distance(&metric)?;
        }
        Some(sum)
    }

    /// Why a symbol matches, one reason per filter.
    pub fn reasons(&self, metric: impl Fn(Metric) -> Option<f64>) -> Vec<String> {
        let conditions = self.conditions.iter();
        conditions
            .map(|condition| condition.reason(&metric))
            .collect()
    }

    /// Two filters that no value can satisfy together.
    fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let find = |key| {
            self.conditions
                .iter()
                .find(|condition| condition.key == key)
        };
        FilterKey::OPPOSITES.into_iter().find_map(|(above, below)| {
            let (above, below) = (find(above)?, find(below)?);
            (above.threshold >= below.threshold).then(|| (above.key.as_str(), below.key.as_str()))
        })
    }
}

/// Filters of which one is enough to sell, and a stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExitFilters {
    conditions: Vec<Condition>,
    stop_loss_pct: Option<f64>,
}

impl ExitFilters {
    /// Checks the exit filters of a request: those of the screener, and `stop_loss_pct` between 0 and 100.
    pub fn parse<'a>(
        given: impl IntoIterator<Item = (&'a str, FilterValue)>,
    ) -> Result<Self, Error> {
        let mut filters = Self::default();
        for (name, value) in given {
            if name == STOP_LOSS {
                filters.stop_loss_pct = Some(stop_loss(value)?);
            } else {
                let key = FilterKey::find(name).ok_or_else(|| unknown(name, Some(STOP_LOSS)))?;
                filters.conditions.extend(condition(key, value)?);
            }
        }
        Ok(filters)
    }

    /// The filters that are applied, in the order of the request.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Percent below the entry price at which a position is sold.
    pub fn stop_loss_pct(&self) -> Option<f64> {
        self.stop_loss_pct
    }

    /// Whether any filter needs a metric.
    pub fn need(&self, metric: Metric) -> bool {
        need(&self.conditions, metric)
    }

    /// The first filter that holds.
    pub fn matching(&self, metric: impl Fn(Metric) -> Option<f64>) -> Option<&Condition> {
        self.conditions
            .iter()
            .find(|condition| condition.distance(&metric).is_some())
    }
}

fn need(conditions: &[Condition], metric: Metric) -> bool {
    conditions.iter().any(|condition| {
        condition.key.metric() == metric || condition.key.reference() == Some(metric)
    })
}

fn condition(key: FilterKey, value: FilterValue) -> Result<Option<Condition>, Error> {
    let (least, most, wanted) = key.bounds();
    match value {
        FilterValue::Flag(applied) if key.is_flag() => Ok(applied.then_some(Condition {
            key,
            threshold: 0.0,
        })),
        FilterValue::Number(threshold) if !key.is_flag() => {
            if (least..=most).contains(&threshold) {
                Ok(Some(Condition { key, threshold }))
            } else {
                Err(Error::FilterRange {
                    key: key.as_str(),
                    wanted,
                })
            }
        }
        _ => Err(Error::FilterType {
            key: key.as_str(),
            wanted: if key.is_flag() {
                "true or false"
            } else {
                wanted
            },
        }),
    }
}

fn stop_loss(value: FilterValue) -> Result<f64, Error> {
    let wanted = "a number above 0 and below 100";
    match value {
        FilterValue::Number(percent) if percent > 0.0 && percent < 100.0 => Ok(percent),
        FilterValue::Number(_) => Err(Error::FilterRange {
            key: STOP_LOSS,
            wanted,
        }),
        _ => Err(Error::FilterType {
            key: STOP_LOSS,
            wanted,
        }),
    }
}

fn unknown(name: &str, also: Option<&'static str>) -> Error {
    let known: Vec<_> = FilterKey::ALL
        .into_iter()
        .map(FilterKey::as_str)
        .chain(also)
        .collect();
    Error::UnknownFilter {
        key: name.to_owned(),
        known: known.join(", "),
    }
}
