//! What a story is about: values drawn at random, the same for every outlet that covers it.

use serde::Deserialize;

use super::calendar;
use super::cast::{self, Company, CompanyFilter};
use super::outlets::Language;
use super::prose;
use super::random::{Random, hash_word};
use super::world::World;

/// A named value in a story and how it is determined, written `name = recipe`.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) recipe: Recipe,
}

/// How a value is determined.
#[derive(Debug)]
pub(crate) enum Recipe {
    /// `int 2..40 [step]`, `dec 0.1..2`, `dec2 0.1..2`: a number with that many decimal places.
    Number {
        low: f64,
        high: f64,
        step: f64,
        decimals: usize,
    },
    /// `one A | B | C`: one of the rows given here.
    One(Vec<String>),
    /// `pool NAME`: a row of a named list.
    Pool(String),
    /// `company real|fictional|any sector,sector|*`.
    Company(CompanyFilter),
    /// `product SLOT`: something made by the company in that slot.
    Product(String),
    /// `person`: an invented name.
    Person,
    /// `markets`: never drawn; supplied by the markets.
    Markets,
    /// `date 3..20`: a day relative to the story.
    Date { low: i64, high: i64 },
    /// `sum a b`, `less a b`, `up a percent`, `before a percent`: computed from other numbers.
    Computed {
        how: Arithmetic,
        left: String,
        right: String,
    },
}

/// What is computed from two numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arithmetic {
    Sum,
    Less,
    /// The left number increased by the right one in percent.
    Up,
    /// What the left number was before it increased by the right one in percent.
    Before,
}

/// A value in a story.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number { value: f64, decimals: usize },
    Row(String),
    Company(&'static Company),
    Person(String),
    Day(i64),
}

/// The values of a story as one outlet has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    values: Vec<(&'static str, Value)>,
}

impl Facts {
    /// Draws a story's slots. `mistaken` names the slot that this outlet gets wrong.
    pub(crate) fn draw(
        &mut self,
        slots: &'static [Slot],
        seed: u64,
        day: i64,
        mistaken: Option<&str>,
    ) {
        let world = World::get();
        for slot in slots {
            // Each slot has its own random stream, so that a mistake in one leaves the others unchanged.
            let mut random = Random::of(&[seed, hash_word(&slot.name)]);
            let mut value = self.find(&slot.recipe, world, day, &mut random);
            for _ in 0..8 {
                if !self.is_taken(&value) {
                    break;
                }
                value = self.find(&slot.recipe, world, day, &mut random);
            }
            if mistaken == Some(slot.name.as_str()) {
                value = mistake(&slot.recipe, value, world, &mut random);
            }
            self.values.push((slot.name.as_str(), value));
        }
    }

    /// Accepts a value that is known from elsewhere.
    pub(crate) fn put(&mut self, slot: &'static Slot, value: Value) {
        self.values.push((slot.name.as_str(), value));
    }

    /// The value in a slot.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values
            .iter()
            .rev()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The same values except for one.
    pub(crate) fn with(&self, name: &str, value: Value) -> Self {
        let mut facts = self.clone();
        for (known, old) in &mut facts.values {
            if *known == name {
                *old = value.clone();
            }
        }
        facts
    }

    /// Every company in the story.
    #[cfg(test)]
    pub(crate) fn companies(&self) -> impl Iterator<Item = &'static Company> + '_ {
        self.values.iter().filter_map(|(_, value)| match value {
            Value::Company(company) => Some(*company),
            _ => None,
        })
    }

    fn number(&self, name: &str) -> (f64, usize) {
        match self.get(name) {
            Some(&Value::Number { value, decimals }) => (value, decimals),
            _ => (0.0, 0),
        }
    }

    fn is_taken(&self, value: &Value) -> bool {
        matches!(value, Value::Company(_) | Value::Person(_) | Value::Row(_))
            && self.values.iter().any(|(_, known)| known == value)
    }

    fn find(&self, recipe: &Recipe, world: &'static World, day: i64, random: &mut Random) -> Value {
        match recipe {
            Recipe::Number {
                low,
                high,
                step,
                decimals,
            } => {
                let steps = ((high - low) / step).round().max(0.0) as i64;
                Value::Number {
                    value: low + step * random.range(0, steps) as f64,
                    decimals: *decimals,
                }
            }
            Recipe::One(rows) => row(rows, random),
            Recipe::Pool(name) => row(world.pool(name), random),
            Recipe::Company(filter) => filter
                .pick(world, random)
                .map_or(Value::Row(String::new()), Value::Company),
            Recipe::Product(slot) => match self.get(slot) {
                Some(Value::Company(company)) => {
                    row(world.pool(&format!("product_{}", company.sector)), random)
                }
                _ => Value::Row(String::new()),
            },
            Recipe::Person => Value::Person(cast::person(world, random)),
            Recipe::Markets => Value::Row(String::new()),
            Recipe::Date { low, high } => Value::Day(day + random.range(*low, *high)),
            Recipe::Computed { how, left, right } => {
                let ((left, left_decimals), (right, right_decimals)) =
                    (self.number(left), self.number(right));
                let (value, decimals) = match how {
                    Arithmetic::Sum => (left + right, left_decimals.max(right_decimals)),
                    Arithmetic::Less => (left - right, left_decimals.max(right_decimals)),
                    Arithmetic::Up => (left * (1.0 + right / 100.0), left_decimals),
                    Arithmetic::Before => (left / (1.0 + right / 100.0), left_decimals),
                };
                Value::Number { value, decimals }
            }
        }
    }
}

impl Value {
    /// How it is written. Rows respond to a field number, companies to `ticker`, `city`, `noun` and `sector`, people to
    /// `last`, and days to `weekday`.
    pub(crate) fn text(&self, field: &str, language: Language) -> Option<String> {
        match self {
            Self::Number { value, decimals } => Some(prose::number(*value, *decimals, language)),
            Self::Row(row) => {
                let index = if field.is_empty() {
                    0
                } else {
                    field.parse::<usize>().ok()?
                };
                let cell = row.split(';').nth(index)?;
                let chosen = cell
                    .split('~')
                    .nth(language as usize)
                    .or_else(|| cell.split('~').next());
                chosen.map(|text| text.trim().to_owned())
            }
            Self::Company(company) => match field {
                "" => Some(company.name.clone()),
                "ticker" => Some(company.ticker.clone()),
                "city" => Some(company.city.clone()),
                "noun" => {
                    let world = World::get();
                    let noun = world.pool(&format!("noun_{}", company.sector)).first()?;
                    Self::Row(noun.clone()).text("", language)
                }
                _ => None,
            },
            Self::Person(name) => match field {
                "" => Some(name.clone()),
                "last" => name.split(' ').next_back().map(str::to_owned),
                _ => None,
            },
            Self::Day(day) => match field {
                "" => Some(calendar::day_and_month(*day, language)),
                "weekday" => Some(calendar::weekday(*day, language).to_owned()),
                _ => None,
            },
        }
    }
}

fn row(rows: &[String], random: &mut Random) -> Value {
    Value::Row(random.pick(rows).cloned().unwrap_or_default())
}

/// A value that differs from the right one but is close enough to be believed.
fn mistake(recipe: &Recipe, right: Value, world: &World, random: &mut Random) -> Value {
    match (&right, recipe) {
        (&Value::Number { value, decimals }, Recipe::Number { step, .. }) => {
            let away = (value.abs() * (0.12 + 0.25 * random.unit()) / step)
                .round()
                .max(1.0)
                * step;
            let wrong = if random.chance(0.6) || value - away <= 0.0 {
                value + away
            } else {
                value - away
            };
            Value::Number {
                value: wrong,
                decimals,
            }
        }
        (Value::Row(chosen), Recipe::One(rows)) => another(rows, chosen, random),
        (Value::Row(chosen), Recipe::Pool(name)) => another(world.pool(name), chosen, random),
        (&Value::Day(day), Recipe::Date { .. }) => Value::Day(day + random.range(1, 3)),
        _ => right,
    }
}

fn another(rows: &[String], chosen: &str, random: &mut Random) -> Value {
    let others: Vec<&String> = rows.iter().filter(|row| *row != chosen).collect();
    Value::Row(
        random
            .pick(&others)
            .map_or_else(|| chosen.to_owned(), |row| (*row).clone()),
    )
}

impl TryFrom<String> for Slot {
    type Error = String;

    fn try_from(line: String) -> Result<Self, String> {
        let bad = || format!("slot {line:?} is not `name = recipe`");
        let (name, recipe) = line.split_once('=').ok_or_else(bad)?;
        let (word, rest) = recipe.trim().split_once(' ').unwrap_or((recipe.trim(), ""));
        let recipe = match word {
            "int" => number(rest, 0).ok_or_else(bad)?,
            "dec" => number(rest, 1).ok_or_else(bad)?,
            "dec2" => number(rest, 2).ok_or_else(bad)?,
            "one" => Recipe::One(rest.split('|').map(|row| row.trim().to_owned()).collect()),
            "pool" => Recipe::Pool(rest.to_owned()),
            "company" => Recipe::Company(company_filter(rest).ok_or_else(bad)?),
            "product" => Recipe::Product(rest.to_owned()),
            "person" => Recipe::Person,
            "markets" => Recipe::Markets,
            "date" => {
                let (low, high) = rest.split_once("..").ok_or_else(bad)?;
                Recipe::Date {
                    low: low.parse().map_err(|_| bad())?,
                    high: high.parse().map_err(|_| bad())?,
                }
            }
            "sum" => computed(Arithmetic::Sum, rest).ok_or_else(bad)?,
            "less" => computed(Arithmetic::Less, rest).ok_or_else(bad)?,
            "up" => computed(Arithmetic::Up, rest).ok_or_else(bad)?,
            "before" => computed(Arithmetic::Before, rest).ok_or_else(bad)?,
            _ => return Err(bad()),
        };
        Ok(Self {
            name: name.trim().to_owned(),
            recipe,
        })
    }
}

fn number(text: &str, decimals: usize) -> Option<Recipe> {
    let (range, step) = text.split_once(' ').unwrap_or((text, ""));
    let (low, high) = range.split_once("..")?;
    let step = if step.is_empty() {
        0.1_f64.powi(i32::try_from(decimals).ok()?)
    } else {
        step.parse().ok()?
    };
    Some(Recipe::Number {
        low: low.parse().ok()?,
        high: high.parse().ok()?,
        step,
        decimals,
    })
}

fn company_filter(text: &str) -> Option<CompanyFilter> {
    let (which, sectors) = text.split_once(' ')?;
    let real = match which {
        "real" => Some(true),
        "fictional" => Some(false),
        "any" => None,
        _ => return None,
    };
    let sectors = if sectors == "*" {
        Vec::new()
    } else {
        sectors.split(',').map(str::to_owned).collect()
    };
    Some(CompanyFilter { real, sectors })
}

fn computed(how: Arithmetic, text: &str) -> Option<Recipe> {
    let (left, right) = text.split_once(' ')?;
    Some(Recipe::Computed {
        how,
        left: left.to_owned(),
        right: right.to_owned(),
    })
}
