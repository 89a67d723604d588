//! Makes features another kind than what is printed of them.
//!
//! Recasts are primary facts of a board, like the tiles: the first segment of a feature, and the kind
//! that the feature is of. Only features without open ends that nothing was joined to can be recast, so
//! neither a tile nor a join ever meets a kind that differs from its own. The numbers printed for
//! the kind before count no more. It does what `play/board/recasting.py` does.

use crate::board::{combine, Board};
use crate::tables::Tables;

impl Board {
    /// Whether a feature is of another kind than what is printed of it.
    pub fn is_recast(&self, feature: usize) -> bool {
        self.recasts
            .iter()
            .any(|&[segment, _]| self.feature_of(segment) == Some(feature))
    }

    /// Make a feature another kind. `None` when there is no such feature or kind, false when the rules
    /// of the board forbid it.
    pub fn recast(&mut self, t: &Tables, feature: i64, kind: i64) -> Option<bool> {
        let before = self.kind(feature)?;
        let after = usize::try_from(kind)
            .ok()
            .filter(|&kind| kind < t.n_kinds)?;
        if before == after {
            return Some(true);
        }
        let feature = feature as usize;
        let mut segments = Vec::new();
        self.segments_of(feature, &mut segments);
        let first = *segments.first()?;
        let is_joined = |segment: &i64| self.links.iter().any(|pair| pair.contains(segment));
        if !t.awaited_of[before].is_empty()
            || !t.awaited_of[after].is_empty()
            || self.features[feature].open_ends != 0
            || segments.iter().any(is_joined)
        {
            return Some(false);
        }
        let printed = t
            .segment(self.tile_shape(first >> 5)? as i64, first & 31)?
            .kind;
        self.met.forget();
        self.trail.relink();
        self.trail.feature(feature as u32);
        self.recasts.retain(|known| known[0] != first);
        if printed as usize != after {
            let place = self.recasts.partition_point(|known| known[0] < first);
            self.recasts.insert(place, [first, kind]);
        }
        self.features[feature].kind = after as u32;
        let numbers = feature * self.slots..(feature + 1) * self.slots;
        self.attributes[numbers].fill(0);
        if printed as usize == after {
            for segment in segments {
                let shape = self.tile_shape(segment >> 5)? as i64;
                for value in &t.values[t.segment(shape, segment & 31)?.values.range()] {
                    let total = &mut self.attributes[feature * self.slots + value.slot as usize];
                    // it was within 64 bits before
                    let _ = combine(total, value.number, value.adds);
                }
            }
        }
        let mut candidates = std::mem::take(&mut self.completed);
        candidates.push(feature as u32);
        self.complete(t, &candidates);
        Some(true)
    }

    /// Add the segments of a feature to `out`, in ascending order.
    fn segments_of(&self, feature: usize, out: &mut Vec<i64>) {
        for tile in self.lying() {
            for (i, &own) in self.segments_row(tile).unwrap_or(&[]).iter().enumerate() {
                if self.root(own) as usize == feature {
                    out.push((tile << 5) + i as i64);
                }
            }
        }
    }
}
