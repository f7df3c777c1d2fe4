//! Names that were given up for others, in what events and figures are said of.

use model::{DataPoint, Event};

/// Names that were given up for others.
#[derive(Debug, Default)]
pub(super) struct Renamed(Vec<(String, String)>);

impl Renamed {
    pub(super) fn note(&mut self, from: &str, to: &str) {
        for (_, known) in self.0.iter_mut().filter(|(_, known)| known == from) {
            to.clone_into(known);
        }
        self.0.push((from.to_owned(), to.to_owned()));
    }

    /// The same names in what events and figures are said of.
    pub(super) fn apply(&self, events: &mut [Event], data_points: &mut [DataPoint]) {
        let in_events = events
            .iter_mut()
            .flat_map(|event| std::iter::once(&mut event.subject).chain(event.object.as_mut()));
        let in_figures = data_points
            .iter_mut()
            .filter_map(|point| point.entity.as_mut());
        for name in in_events.chain(in_figures) {
            if let Some((_, to)) = self.0.iter().find(|(from, _)| from == name) {
                to.clone_into(name);
            }
        }
    }
}
