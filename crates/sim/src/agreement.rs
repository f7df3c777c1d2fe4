//! What a story is about: drawn at random, or given by the markets if they provide it.

use model::Timestamp;

use super::assignments::Story;
use super::facts::{Facts, Recipe, Slot, Value};
use super::world::World;

/// What defines a story told by the markets: a time, and the values they supply.
#[derive(Clone, Debug)]
pub(crate) struct Occasion {
    pub(crate) at: Timestamp,
    pub(crate) given: Vec<(&'static str, Given)>,
    /// If there are many of its kind, its position among them: headlines take turns by it. Chance would give some the
    /// same opening.
    pub(crate) turn: Option<usize>,
}

/// A value in a story that is not drawn at random.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// As it is.
    Value(Value),
    /// The row at this position in the slot's own list.
    Place(usize),
    /// The row in the slot's own list that has this field.
    Named(String),
}

impl Given {
    /// A number with that many decimal places.
    pub(crate) const fn number(value: f64, decimals: usize) -> Self {
        Self::Value(Value::Number { value, decimals })
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Self {
        Self::Value(Value::Row(text.to_owned()))
    }

    /// The first row of the slot's list for a rise, the second for a fall.
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
    /// What it is about. `mistaken` names the slot that the outlet gets wrong.
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

    /// Whether a figure comes from the markets: no outlet gets it wrong.
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
