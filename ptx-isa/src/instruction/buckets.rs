//! Tables of words in buckets, in which a word is found in few steps.

/// Rows in buckets by their first letters: a body can have many thousands of instructions, and the macro,
/// which is compiled without optimisation, looks up the row of each. rustc sorts them in each build of this crate, so it
/// takes few steps for each row.
pub(super) struct Buckets<const N: usize> {
    /// The indices of the rows, bucket after bucket.
    rows: [usize; N],
    /// Where each starts, and where the last ends.
    starts: [usize; BUCKETS + 1],
}

const BUCKETS: usize = 128;

impl<const N: usize> Buckets<N> {
    /// The rows of a table whose rows are in these buckets, in their order.
    pub(super) const fn new(buckets: &[usize; N]) -> Self {
        let mut starts = [0; BUCKETS + 1];
        let mut n = 0;
        while n < N {
            starts[buckets[n] + 1] += 1;
            n += 1;
        }
        n = 0;
        while n < BUCKETS {
            starts[n + 1] += starts[n];
            n += 1;
        }
        let (mut rows, mut next) = ([0; N], starts);
        n = 0;
        while n < N {
            let to = &mut next[buckets[n]];
            rows[*to] = n;
            *to += 1;
            n += 1;
        }
        Self { rows, starts }
    }

    /// The rows in the bucket of this opcode without modifiers, or of this word: all with it, and others.
    pub(super) fn of(&self, opcode: &str) -> &[usize] {
        let bucket = bucket(opcode);
        &self.rows[self.starts[bucket]..self.starts[bucket + 1]]
    }
}

/// The bucket of an opcode, with or without modifiers.
pub(super) const fn bucket(opcode: &str) -> usize {
    let opcode = opcode.as_bytes();
    let (mut hash, mut n) = (0, 0);
    while n < opcode.len() && n < 5 && opcode[n] != b'.' {
        hash = hash * 3 + opcode[n] as usize;
        n += 1;
    }
    hash % BUCKETS
}
