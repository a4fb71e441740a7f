//! Attention on the CPU, with sums of 64 bits.
#![allow(clippy::cast_precision_loss, reason = "the dimension is small")]

use ptx::prelude::*;

/// Sequences that follow each other: a vector of `q` for each token and head, and of `k` and `v` for each head that is shared.
pub(crate) struct Exact<'t> {
    /// The heads of queries, and of keys.
    pub(crate) heads: [usize; 2],
    pub(crate) dim: usize,
    pub(crate) is_causal: bool,
    /// `q`, `k` and `v`.
    pub(crate) tensors: [&'t [bf16]; 3],
}

impl Exact<'_> {
    /// The result for a query, given the first token and the length of its sequence; and the largest of the values that it sees.
    pub(crate) fn vector(
        &self,
        (start, length): (usize, usize),
        row: usize,
        head: usize,
    ) -> (Vec<f64>, f64) {
        let ([q, k, v], [heads, shared]) = (self.tensors, self.heads);
        let q = &q[((start + row) * heads + head) * self.dim..][..self.dim];
        let at = |key: usize| ((start + key) * shared + head / (heads / shared)) * self.dim;
        let seen = if self.is_causal { row + 1 } else { length };
        let score = |key: usize| {
            let pairs = q.iter().zip(&k[at(key)..][..self.dim]);
            pairs.map(|(q, k)| q.to_f64() * k.to_f64()).sum::<f64>() / (self.dim as f64).sqrt()
        };
        let scores: Vec<f64> = (0..seen).map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let (mut out, mut largest) = (vec![0.0; self.dim], 0.0_f64);
        for (key, weight) in weights.iter().enumerate() {
            for (out, v) in out.iter_mut().zip(&v[at(key)..]) {
                *out += weight / sum * v.to_f64();
                largest = largest.max(v.to_f64().abs());
            }
        }
        (out, largest)
    }
}
