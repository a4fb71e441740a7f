//! Encoded tables of checks, which rustc reads faster than rows of Rust.

use ptx_frontend::analysis::{Linear, Sum};
use ptx_frontend::encoded::{
    push_access, push_constant, push_operand, push_other, push_steps, push_sum, start_offset,
};
use ptx_frontend::sorted::{SortedMap, SortedSet};

/// The offset of an operand in the encoding of a table.
pub(super) struct EncodedOffset {
    table: Vec<u8>,
    /// The constants that it is computed from, by index.
    constants: SortedSet<usize>,
}

impl EncodedOffset {
    /// Encodes an offset; `None` if it has a number that a table cannot hold.
    pub(super) fn of(offset: &Linear) -> Option<Self> {
        let mut encoded = Self { table: Vec::new(), constants: SortedSet::new() };
        let (known, unknown) = offset.step();
        if let ([product], 0, []) = (&offset.base.products[..], known, &unknown[..])
            && let (1, &[constant]) = (product.times, &product.of[..])
        {
            push_constant(offset.bits, constant, offset.base.known, &mut encoded.table)?;
            encoded.constants.insert(constant);
            return Some(encoded);
        }
        start_offset(&mut encoded.table);
        encoded.push(&offset.base)?;
        push_steps(offset.bits, known, unknown.len(), &mut encoded.table);
        for step in unknown {
            encoded.push(step)?;
        }
        Some(encoded)
    }

    fn push(&mut self, sum: &Sum) -> Option<()> {
        let products = sum.products.iter().map(|product| (product.times, product.of.as_slice()));
        push_sum(sum.known, products, &mut self.table)?;
        self.constants.extend(sum.products.iter().flat_map(|product| &product.of));
        Some(())
    }
}

/// A table of checks.
#[derive(Default)]
pub(super) struct EncodedChecks {
    pub(super) table: Vec<u8>,
    /// The start of each row in bytes.
    pub(super) starts: Vec<usize>,
    /// The constants that numbers are computed from.
    pub(super) constants: SortedSet<usize>,
    /// The operands without their offsets: the indices of their shapes and of their objects.
    pub(super) operands: Vec<u8>,
    /// The index of each operand.
    pub(super) places: SortedMap<[usize; 2], usize>,
}

impl EncodedChecks {
    /// Adds an operand: the indices of its shape, of its object, and of its allowances.
    pub(super) fn push_operand(
        &mut self,
        [shape, object, allow]: [usize; 3],
        offset: &EncodedOffset,
    ) {
        let next = self.places.len();
        let operand = *self.places.entry([shape, object]).or_insert(next);
        if operand == next {
            push_operand([shape, object], &mut self.operands);
        }
        self.starts.push(self.table.len());
        push_access([operand, allow], &mut self.table);
        self.table.extend_from_slice(&offset.table);
        self.constants.extend(&offset.constants);
    }

    /// Adds a check that is written in Rust, by its index among those.
    pub(super) fn push_other(&mut self, place: usize) {
        self.starts.push(self.table.len());
        push_other(place, &mut self.table);
    }
}
