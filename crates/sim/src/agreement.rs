//! What a story is about: drawn at random, or given by the markets where these say it.

use model::Timestamp;

use super::assignments::Story;
use super::facts::{Facts, Recipe, Slot, Value};
use super::world::World;

/// What makes a story that the markets tell: a time, and the values that are theirs.
#[derive(Clone, Debug)]
pub(crate) struct Occasion {
    pub(crate) at: Timestamp,
    pub(crate) given: Vec<(&'static str, Given)>,
    /// Where there are many of its kind, its place among them: headlines take turns by it. Chance would open some alike.
    pub(crate) turn: Option<usize>,
}

/// A value of a story that is not drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// As it is.
    Value(Value),
    /// The row of the slot's own list at this place.
    Place(usize),
    /// The row of the slot's own list that has this field.
    Named(String),
}

impl Given {
    /// A number with that many digits after the point.
    pub(crate) const fn number(value: f64, decimals: usize) -> Self {
        Self::Value(Value::Number { value, decimals })
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Value(Value::Row(text.to_owned()))
    }

    /// The first row of the slot's list for a rise, the second one for a fall.
    pub(crate) fn way(change: f64) -> Self {
        Self::Place(usize::from(change < 0.0))
    }

    fn value(&self, slot: &Slot) -> Option<Value> {
        let rows = || match &slot.recipe {
            Recipe::One(rows) => rows.as_slice(),
            Recipe::Pool(name) => World::get().pool(name),
            _ => &[],
        };
        match self {
            Self::Value(value) => Some(value.clone()),
            Self::Place(place) => rows().get(*place).cloned().map(Value::Row),
            Self::Named(name) => {
                let row = rows()
                    .iter()
                    .find(|row| row.split(';').any(|field| field.trim() == name))?;
                Some(Value::Row(row.clone()))
            }
        }
    }
}

impl Story {
    /// What it is about. `mistaken` names the slot that the outlet has wrong.
    pub(crate) fn facts(&self, mistaken: Option<&str>) -> Facts {
        let mut facts = Facts::default();
        for slot in &self.kind.slots {
            if let Some(value) = self.given(&slot.name).and_then(|given| given.value(slot)) {
                facts.put(slot, value);
            } else {
                facts.draw(std::slice::from_ref(slot), self.seed, self.day, mistaken);
            }
        }
        facts
    }

    /// Whether a figure is that of the markets: no outlet has it wrong.
    pub(crate) fn is_given(&self, slot: &str) -> bool {
        self.given(slot).is_some()
    }

    fn given(&self, slot: &str) -> Option<&Given> {
        let given = &self.occasion.as_ref()?.given;
        given
            .iter()
            .find(|(name, _)| *name == slot)
            .map(|(_, value)| value)
    }
}
