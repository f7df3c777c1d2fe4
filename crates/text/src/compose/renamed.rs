//! Names that were replaced by others, in the parties of events and figures.

use model::{DataPoint, Event};

/// Names that were replaced by others.
#[derive(Debug, Default)]
pub(super) struct Renamed(Vec<(String, String)>);

impl Renamed {
    pub(super) fn note(&mut self, from: &str, to: &str) {
        for (_, known) in self.0.iter_mut().filter(|(_, known)| known == from) {
            to.clone_into(known);
        }
        self.0.push((from.to_owned(), to.to_owned()));
    }

    /// Applies the same names to the parties of an event. If one party does something to another, they remain two.
    pub(super) fn apply(&self, event: &mut Event) {
        let subject = self.name_of(&event.subject);
        let object = event.object.as_deref().map(|object| self.name_of(object));
        if object == Some(subject) {
            return;
        }
        (event.subject, event.object) = (subject.to_owned(), object.map(str::to_owned));
    }

    /// Applies the same names to the entities of figures.
    pub(super) fn apply_to_figures(&self, data_points: &mut [DataPoint]) {
        for name in data_points
            .iter_mut()
            .filter_map(|point| point.entity.as_mut())
        {
            *name = self.name_of(name).to_owned();
        }
    }

    fn name_of<'n>(&'n self, name: &'n str) -> &'n str {
        let renamed = self.0.iter().find(|(from, _)| from == name);
        renamed.map_or(name, |(_, to)| to)
    }
}
