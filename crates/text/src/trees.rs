//! A fitted model: sums of small decision trees, one sum per class, converted into shares.

use model::table;

/// A node of a tree: a question or an answer.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Goes left if the feature is at most the threshold.
    Split {
        feature: u16,
        threshold: f32,
        left: u16,
        right: u16,
    },
    Leaf(f32),
}

/// A model with a fixed number of classes.
#[derive(Debug)]
pub struct Trees<const CLASSES: usize> {
    base: [f32; CLASSES],
    /// The divisor of the logits, so that shares match actual frequencies.
    temperature: f32,
    trees: Vec<(usize, Vec<Node>)>,
}

impl<const CLASSES: usize> Trees<CLASSES> {
    /// Reads a table: `base` with three numbers, `temperature` with one, then for each tree a line `tree CLASS`
    /// followed by its nodes, `split FEATURE THRESHOLD LEFT RIGHT` or `leaf VALUE`. Any other line is ignored. A test
    /// reads the shipped table line by line.
    pub fn parse(text: &'static str) -> Self {
        let mut model = Self {
            base: [0.0; CLASSES],
            temperature: 1.0,
            trees: Vec::new(),
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
                self.trees
                    .push((class.min(CLASSES.saturating_sub(1)), Vec::new()));
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

    /// The sum of the trees for each class, on the logit scale.
    fn logits(&self, features: &[f32]) -> [f64; CLASSES] {
        let mut sums = self.base;
        for (class, nodes) in &self.trees {
            if let Some(sum) = sums.get_mut(*class) {
                *sum += leaf(nodes, features);
            }
        }
        sums.map(|sum| f64::from(sum / self.temperature))
    }

    /// The shares of the classes, which add up to one.
    pub fn shares(&self, features: &[f32]) -> [f64; CLASSES] {
        let logits = self.logits(features);
        let greatest = logits.iter().copied().fold(f64::MIN, f64::max);
        let raised = logits.map(|logit| (logit - greatest).exp());
        let sum: f64 = raised.iter().sum();
        raised.map(|value| value / sum)
    }

    /// What is wrong with a table for this number of features, if anything: a line that cannot be read, or a node that
    /// leads nowhere.
    pub fn fault(text: &'static str, features: usize) -> Option<String> {
        let mut model = Self::parse("");
        for line in table::lines(text) {
            if model.read(line).is_none() {
                return Some(line.to_owned());
            }
        }
        for (tree, (_, nodes)) in model.trees.iter().enumerate() {
            if nodes.is_empty() {
                return Some(format!("tree {tree} is empty"));
            }
            for (at, node) in nodes.iter().enumerate() {
                if let Node::Split {
                    feature,
                    left,
                    right,
                    ..
                } = node
                {
                    let leads =
                        |next: &u16| usize::from(*next) > at && usize::from(*next) < nodes.len();
                    if usize::from(*feature) >= features || !leads(left) || !leads(right) {
                        return Some(format!("tree {tree}, node {at}"));
                    }
                }
            }
        }
        None
    }
}

impl Trees<1> {
    /// The logit of the only class.
    pub fn logit(&self, features: &[f32]) -> f64 {
        let [logit] = self.logits(features);
        logit
    }

    /// The share of the only class.
    pub fn share(&self, features: &[f32]) -> f64 {
        1.0 / (1.0 + (-self.logit(features)).exp())
    }
}

fn leaf(nodes: &[Node], features: &[f32]) -> f32 {
    let mut at = 0;
    // A tree is finite, even if its table is damaged: each step moves on to a later node.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_answers_by_its_questions() {
        let model = Trees::<3>::parse("base 0 0 0\ntree 0\nsplit 1 0.5 1 2\nleaf -1\nleaf 2\n");
        let low = model.shares(&[9.0, 0.5]);
        let high = model.shares(&[9.0, 0.6]);
        assert!(low[0] < 1.0 / 3.0 && high[0] > 0.7, "{low:?} {high:?}");
        assert!((high.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn one_class_has_a_share_of_its_own() {
        let model = Trees::<1>::parse(
            "base -1\ntemperature 0.5\ntree 0\nsplit 0 0.5 1 2\nleaf 0\nleaf 3\n",
        );
        assert!((model.share(&[0.0]) - 0.1192).abs() < 1e-4);
        assert!((model.share(&[1.0]) - 0.9820).abs() < 1e-4);
    }

    #[test]
    fn a_fault_is_named() {
        assert_eq!(
            Trees::<1>::fault("tree 0\nsplit 0 1 1 2\nleaf 1\nleaf 2\n", 1),
            None
        );
        assert_eq!(
            Trees::<1>::fault("tree 0\nsplit 1 1 1 2\nleaf 1\nleaf 2\n", 1).as_deref(),
            Some("tree 0, node 0")
        );
        assert_eq!(
            Trees::<1>::fault("tree 0\nsplit 0 1 0 2\nleaf 1\nleaf 2\n", 1).as_deref(),
            Some("tree 0, node 0")
        );
        assert_eq!(
            Trees::<1>::fault("tree 0\nleaf x\n", 1).as_deref(),
            Some("leaf x")
        );
    }

    #[test]
    fn a_damaged_table_ends() {
        let model = Trees::<3>::parse("tree 0\nsplit 0 1 0 0\ntree 9\nsplit 77 1 5 6\nodd\n");
        let shares = model.shares(&[0.0]);
        assert!(shares.iter().all(|share| share.is_finite()));
    }
}
