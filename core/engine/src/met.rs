//! What a placement meets on a board, for the next questions about it: see `preview.rs`.

/// A segment of a placement: the number of its cell in the layout, and its index.
pub(crate) type Node = (u32, u32);

/// What a placement meets, for the next questions about it; valid until a tile is laid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// Piece, cell and layout.
    pub(crate) placement: Option<(i64, i64, i64)>,
    pub(crate) fits: bool,
    /// Each segment that meets anything, with one that stands for all those connected with it. Empty
    /// when none are connected: each then stands for itself.
    pub(crate) labels: Vec<(Node, Node)>,
    /// The label of a segment with a feature that it meets, ascending, each once.
    pub(crate) features: Vec<(Node, i64)>,
}

impl Met {
    pub(crate) fn forget(&mut self) {
        self.placement = None;
    }

    /// What stands for a segment that meets anything.
    pub(crate) fn known_label(&self, node: Node) -> Option<Node> {
        if self.labels.is_empty() {
            return Some(node);
        }
        let known = self.labels.iter().find(|row| row.0 == node);
        known.map(|row| row.1)
    }

    pub(crate) fn label(&mut self, node: Node) -> Node {
        let known = self.labels.iter().find(|row| row.0 == node);
        known.map(|row| row.1).unwrap_or_else(|| {
            self.labels.push((node, node));
            node
        })
    }

    pub(crate) fn connect(&mut self, one: Node, other: Node) {
        let (kept, gone) = (self.label(one), self.label(other));
        for row in self.labels.iter_mut().filter(|row| row.1 == gone) {
            row.1 = kept;
        }
    }
}
