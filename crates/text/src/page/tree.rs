//! The size and depth of a page's tree, counted on the tree that an HTML parser actually builds.
//!
//! Counting tags says little: end tags that close nothing, implied elements and reopened formatting can produce trees
//! of any shape. The tree is built here without text and attributes, one small piece of the page at a time. The first
//! piece that breaks a limit ends it, so a page that would cost a parser quadratic work is never parsed to its end.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::ElemName;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilderOpts, TreeSink};
use html5ever::{
    Attribute, LocalName, Namespace, ParseOpts, QualName, expanded_name, local_name, ns,
    parse_document,
};

/// Browsers stop here too. Extractors recurse, and so does the code that frees their trees.
const DEEPEST: u32 = 512;

/// Elements and comments. A page with more is a list. Extractors take about ten microseconds for each.
const MOST_NODES: usize = 100_000;

/// Bytes parsed between two checks of the counts.
const PIECE: usize = 1_024;

/// Whether the tree of a page keeps within the limits.
pub(super) fn is_bounded(html: &str) -> bool {
    // Extractors differ in whether `<noscript>` contains elements or text, and a page may be harmless in only one of
    // these readings.
    [false, true]
        .into_iter()
        .all(|scripting| measure(html, scripting).is_some())
}

/// Depth and number of nodes, or `None` if either exceeds its limit.
fn measure(html: &str, scripting_enabled: bool) -> Option<(u32, usize)> {
    let size = Rc::new(Size::default());
    let tree = Tree {
        nodes: RefCell::new(vec![Node::default()]),
        size: Rc::clone(&size),
    };
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(tree, options);
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        rest = behind;
        parser.process(StrTendril::from(piece));
        if !size.is_bounded() {
            return None;
        }
    }
    let depth = parser.finish();
    (size.is_bounded() && depth <= DEEPEST).then(|| (depth, size.nodes.get()))
}

/// The current size of the tree.
#[derive(Default)]
struct Size {
    nodes: Cell<usize>,
    deepest: Cell<u32>,
}

impl Size {
    fn is_bounded(&self) -> bool {
        self.nodes.get() <= MOST_NODES && self.deepest.get() <= DEEPEST
    }
}

/// The tree under construction. Number 0 is the document.
struct Tree {
    nodes: RefCell<Vec<Node>>,
    size: Rc<Size>,
}

#[derive(Clone, Default)]
struct Node {
    parent: Option<usize>,
    /// Position among the children of the parent. Their order does not matter here.
    place: usize,
    children: Vec<usize>,
    /// Distance to the document at the time it was inserted.
    depth: u32,
}

/// One node, as the parser refers to it.
#[derive(Clone)]
struct Handle {
    at: usize,
    name: Rc<Name>,
}

struct Name {
    name: QualName,
    /// The node that holds the contents of a `template`.
    contents: Option<usize>,
}

/// What the parser asks about a name.
#[derive(Debug)]
struct NameOf<'handle>(&'handle QualName);

impl ElemName for NameOf<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Tree {
    fn create(&self, name: QualName) -> Handle {
        let at = self.add();
        let is_template = name.expanded() == expanded_name!(html "template");
        let contents = is_template.then(|| {
            let contents = self.add();
            self.attach(at, contents);
            contents
        });
        Handle {
            at,
            name: Rc::new(Name { name, contents }),
        }
    }

    fn add(&self) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node::default());
        self.size.nodes.set(nodes.len());
        nodes.len() - 1
    }

    fn attach(&self, parent: usize, child: usize) {
        self.detach(child);
        let mut nodes = self.nodes.borrow_mut();
        let depth = nodes[parent].depth + 1;
        let place = nodes[parent].children.len();
        nodes[parent].children.push(child);
        let node = &mut nodes[child];
        (node.parent, node.place, node.depth) = (Some(parent), place, depth);
        self.size.deepest.set(self.size.deepest.get().max(depth));
    }

    fn detach(&self, child: usize) {
        let mut nodes = self.nodes.borrow_mut();
        let Some(parent) = nodes[child].parent.take() else {
            return;
        };
        let place = nodes[child].place;
        nodes[parent].children.swap_remove(place);
        if let Some(moved) = nodes[parent].children.get(place).copied() {
            nodes[moved].place = place;
        }
    }

    fn attach_node(&self, parent: usize, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(child) = child {
            self.attach(parent, child.at);
        }
    }

    /// The greatest distance of any node to the document. Whole subtrees move while a page is parsed, so it is counted
    /// again at the end, using a list of nodes still to visit instead of recursion.
    fn depth(&self) -> u32 {
        let nodes = self.nodes.borrow();
        let mut deepest = 0;
        let mut ahead = vec![(0, 0)];
        while let Some((at, depth)) = ahead.pop() {
            deepest = deepest.max(depth);
            ahead.extend(nodes[at].children.iter().map(|child| (*child, depth + 1)));
        }
        deepest
    }
}

impl TreeSink for Tree {
    type Handle = Handle;
    type Output = u32;
    type ElemName<'handle> = NameOf<'handle>;

    fn finish(self) -> u32 {
        self.depth()
    }

    fn get_document(&self) -> Handle {
        Handle {
            at: 0,
            name: unnamed(),
        }
    }

    fn elem_name<'handle>(&'handle self, target: &'handle Handle) -> NameOf<'handle> {
        NameOf(&target.name.name)
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> Handle {
        self.create(name)
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        Handle {
            at: self.add(),
            name: unnamed(),
        }
    }

    fn create_pi(&self, _: StrTendril, data: StrTendril) -> Handle {
        self.create_comment(data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.attach_node(parent.at, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let parent = self.nodes.borrow()[element.at].parent;
        self.attach_node(parent.unwrap_or(previous.at), child);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.nodes.borrow()[sibling.at].parent;
        if let Some(parent) = parent {
            self.attach_node(parent, child);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.at);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let children = self.nodes.borrow()[node.at].children.clone();
        for child in children {
            self.attach(new_parent.at, child);
        }
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        Handle {
            at: target.name.contents.unwrap_or(target.at),
            name: unnamed(),
        }
    }

    fn same_node(&self, left: &Handle, right: &Handle) -> bool {
        left.at == right.at
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn add_attrs_if_missing(&self, _: &Handle, _: Vec<Attribute>) {}
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
}

/// The name given to anything that is not an element.
fn unnamed() -> Rc<Name> {
    Rc::new(Name {
        name: QualName::new(None, ns!(), local_name!("")),
        contents: None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_tree_is_the_one_that_a_parser_builds() {
        // The document, html, head and body nodes are created automatically.
        assert_eq!(measure("", true), Some((2, 4)));
        assert_eq!(measure("<div><p>a<p>b<br></div>", true), Some((5, 8)));
        assert_eq!(measure(&"<div></x>".repeat(100), true), Some((102, 104)));
        assert_eq!(
            measure("<table><tr><td>a</table><!-- b -->", true).map(|size| size.1),
            Some(9)
        );
        // Text if scripting is on, elements otherwise.
        let shy = format!("<body><noscript>{}</noscript>", "<div>".repeat(600));
        assert!(measure(&shy, true).is_some() && !is_bounded(&shy));
    }

    #[test]
    fn formatting_that_is_opened_again_counts() {
        let open: Vec<String> = (0..300).map(|number| format!("<b id={number}>")).collect();
        let page = format!("<p>{}{}", open.concat(), "<p>x".repeat(2_000));
        assert!(!is_bounded(&page), "{} bytes", page.len());
    }

    #[test]
    fn hostile_pages_are_refused_early() {
        let many: Vec<String> = (0..1_600)
            .map(|number| format!("<b id={number}>"))
            .collect();
        for page in [
            "<div></x>".repeat(20_000),
            "<div>".repeat(49_000),
            many.concat() + "<p>x",
            "<template>".repeat(20_000),
            "<svg>".repeat(20_000),
            "<table><tr><td>".repeat(20_000),
        ] {
            assert!(!is_bounded(&page), "{}", &page[..20]);
        }
    }

    proptest! {
        #[test]
        fn any_page_may_be_measured(html in "(\\PC|<p>|</p>|<div>|</div>|<table>|</table>|<tr>|<td>|<b>|</b>|<a>|</a>|<template>|</template>|<form>|</form>|<svg>|<select>|<option>|<title>|</title>|<!--|-->|<frameset>|</body>|</html>){0,80}") {
            let _ = is_bounded(&html);
        }
    }
}
