//! The fitted model: sums of small decision trees, one sum for each class, and what they come to as shares.

use model::table;

/// The classes: supports, contradicts, neutral.
const CLASSES: usize = 3;

/// A node of a tree: a question or an answer.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Goes left where the feature is at most the threshold.
    Split {
        feature: u16,
        threshold: f32,
        left: u16,
        right: u16,
    },
    Leaf(f32),
}

/// A model.
#[derive(Debug, Default)]
pub(super) struct Trees {
    base: [f32; CLASSES],
    /// Logits are divided by it, so that shares are as frequent as they say.
    temperature: f32,
    trees: Vec<(usize, Vec<Node>)>,
}

impl Trees {
    /// Reads a table: `base` with three numbers, `temperature` with one, then for each tree a line `tree CLASS` followed by
    /// its nodes, `split FEATURE THRESHOLD LEFT RIGHT` or `leaf VALUE`. A line that is none of these is left out; a test
    /// reads the shipped table line by line.
    pub(super) fn parse(text: &'static str) -> Self {
        let mut model = Self {
            temperature: 1.0,
            ..Self::default()
        };
        for line in table::lines(text) {
            model.read(line);
        }
        model
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        match words.next()? {
            "base" => {
                for base in &mut self.base {
                    *base = words.next()?.parse().ok()?;
                }
            }
            "temperature" => self.temperature = words.next()?.parse().ok()?,
            "tree" => {
                let class: usize = words.next()?.parse().ok()?;
                self.trees.push((class.min(CLASSES - 1), Vec::new()));
            }
            "split" => {
                let node = Node::Split {
                    feature: words.next()?.parse().ok()?,
                    threshold: words.next()?.parse().ok()?,
                    left: words.next()?.parse().ok()?,
                    right: words.next()?.parse().ok()?,
                };
                self.trees.last_mut()?.1.push(node);
            }
            "leaf" => {
                let node = Node::Leaf(words.next()?.parse().ok()?);
                self.trees.last_mut()?.1.push(node);
            }
            _ => return None,
        }
        Some(())
    }

    /// The shares of the classes, which add up to one.
    pub(super) fn shares(&self, features: &[f32]) -> [f64; CLASSES] {
        let mut sums = self.base;
        for (class, nodes) in &self.trees {
            sums[*class] += leaf(nodes, features);
        }
        softmax(sums.map(|sum| f64::from(sum / self.temperature)))
    }
}

fn leaf(nodes: &[Node], features: &[f32]) -> f32 {
    let mut at = 0;
    // A tree is finite, also where its table was damaged: each step goes on to a later node.
    for _ in 0..=nodes.len() {
        match nodes.get(at) {
            Some(Node::Leaf(value)) => return *value,
            Some(Node::Split {
                feature,
                threshold,
                left,
                right,
            }) => {
                let value = features.get(usize::from(*feature)).copied().unwrap_or(0.0);
                at = usize::from(if value <= *threshold { *left } else { *right });
            }
            None => return 0.0,
        }
    }
    0.0
}

fn softmax(logits: [f64; CLASSES]) -> [f64; CLASSES] {
    let greatest = logits.iter().copied().fold(f64::MIN, f64::max);
    let raised = logits.map(|logit| (logit - greatest).exp());
    let sum: f64 = raised.iter().sum();
    raised.map(|value| value / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_answers_by_its_questions() {
        let model = Trees::parse("base 0 0 0\ntree 0\nsplit 1 0.5 1 2\nleaf -1\nleaf 2\n");
        let low = model.shares(&[9.0, 0.5]);
        let high = model.shares(&[9.0, 0.6]);
        assert!(low[0] < 1.0 / 3.0 && high[0] > 0.7, "{low:?} {high:?}");
        assert!((high.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_shipped_table_is_sound() {
        let text = include_str!("../../data/stance.tsv");
        let mut model = Trees::default();
        for line in table::lines(text) {
            assert!(model.read(line).is_some(), "{line}");
        }
        for (class, nodes) in &model.trees {
            assert!(*class < CLASSES && !nodes.is_empty());
            for (at, node) in nodes.iter().enumerate() {
                if let Node::Split {
                    feature,
                    left,
                    right,
                    ..
                } = node
                {
                    assert!(usize::from(*feature) < super::super::FEATURES.len());
                    for next in [left, right] {
                        assert!(usize::from(*next) > at && usize::from(*next) < nodes.len());
                    }
                }
            }
        }
    }

    #[test]
    fn a_damaged_table_ends() {
        let model = Trees::parse("tree 0\nsplit 0 1 0 0\ntree 9\nsplit 77 1 5 6\nodd\n");
        let shares = model.shares(&[0.0]);
        assert!(shares.iter().all(|share| share.is_finite()));
    }
}
