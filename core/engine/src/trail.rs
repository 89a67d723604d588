//! All trials of a source note which features and cells they change; `trials.rs` copies these alone.

/// What changed on a board since the trials of a source began; some of it is noted more than once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    /// The number of the source, or 0 when nothing is noted.
    pub(crate) source: u64,
    pub(crate) features: Vec<u32>,
    pub(crate) cells: Vec<usize>,
    pub(crate) links: Vec<usize>,
    /// The lengths of the rows of the source.
    pub(crate) tiles: usize,
    pub(crate) segments: usize,
    pub(crate) known: usize,
    pub(crate) borders: usize,
    /// Whether segments were joined or parted since: then more has changed than was noted.
    pub(crate) relinked: bool,
    /// The number of places of its grid. When a grid grows, what was noted before has other places.
    pub(crate) places: usize,
}

impl Trail {
    /// Note nothing from now on.
    pub(crate) fn stop(&mut self) {
        self.source = 0;
    }

    /// Note that the row of a feature changes.
    #[inline]
    pub(crate) fn feature(&mut self, feature: u32) {
        if self.source != 0 {
            self.features.push(feature);
        }
    }

    /// Note that segments were joined or parted.
    pub(crate) fn relink(&mut self) {
        self.relinked = true;
    }

    /// Note that a place of the grid changes.
    #[inline]
    pub(crate) fn cell(&mut self, index: usize) {
        if self.source != 0 {
            self.cells.push(index);
        }
    }

    /// Note that a row of `borders` changes.
    #[inline]
    pub(crate) fn link(&mut self, border: u32) {
        if self.source != 0 {
            self.links.push(border as usize);
        }
    }
}
