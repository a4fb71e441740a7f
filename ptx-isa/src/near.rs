//! Suggestions for a mistyped word.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt::Write as _;
use core::iter;

use crate::sorted::SortedMap;

/// The longest word that is compared with others: the cost grows with the square of its length.
const LONGEST: usize = 256;

/// The words nearest to `word`, nearest first, at most three; of equally near ones, those with its first letter come
/// first.
pub fn near<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    near_in(word, &Vec::from_iter(among))
}

fn near_in<'a>(word: &str, among: &[&'a str]) -> Vec<&'a str> {
    let ranked = ranked(word, among, &|length| 1 + length / 4);
    ranked.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

/// The words nearest to `word` that are equally near to it: at most three, with one difference, or two if `word` has
/// 6 bytes or more.
pub fn nearest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    nearest_in(word, &Vec::from_iter(among))
}

fn nearest_in<'a>(word: &str, among: &[&'a str]) -> Vec<&'a str> {
    let most = if word.len() < 6 { 1 } else { 2 };
    let ranked = ranked(word, among, &|_| most);
    let least = ranked.first().map(|(distance, _)| *distance);
    let is_least = |(distance, _): &(usize, &str)| Some(*distance) == least;
    ranked.into_iter().take_while(is_least).take(3).map(|(_, candidate)| candidate).collect()
}

/// The words whose distance to `word` is at most what `most` allows for the longer of the two, and is not their
/// whole length: nearest first, each once.
fn ranked<'a>(
    word: &str,
    among: &[&'a str],
    most: &dyn Fn(usize) -> usize,
) -> Vec<(usize, &'a str)> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let mut ranked: Vec<(usize, &str)> = among
        .iter()
        .copied()
        .filter(|candidate| may_be_near(word, candidate))
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            let length = candidate.len().max(word.len());
            *distance <= most(length) && *distance < length
        })
        .collect();
    let starts_otherwise =
        |candidate: &str| !candidate.get(..1).is_some_and(|first| word.starts_with(first));
    ranked.sort_unstable_by_key(|(distance, candidate)| {
        (*distance, starts_otherwise(candidate), *candidate)
    });
    ranked.dedup();
    ranked
}

/// Whether two words may be near each other, judging by their lengths alone.
fn may_be_near(word: &str, candidate: &str) -> bool {
    let is_ascii = word.is_ascii() && candidate.is_ascii();
    let length = candidate.len().max(word.len());
    !is_ascii || candidate.len().abs_diff(word.len()) <= 1 + length / 4
}

/// The distance between two words, where a difference in case is one.
fn distance(a: &str, b: &str) -> usize {
    let exact = damerau_levenshtein(a, b);
    // The same again without letters that have a lower case.
    let is_folded = |c: char| c.to_lowercase().eq([c]);
    if a.chars().chain(b.chars()).all(is_folded) {
        return exact;
    }
    let folded = damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase());
    exact.min(folded + usize::from(a != b))
}

/// The fewest insertions, deletions, replacements and swaps of neighbours that make one word of the other (Lowrance and
/// Wagner, 1975).
fn damerau_levenshtein(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let most = a.len() + b.len();
    // Distances of beginnings: row `i + 1` is for `i` letters of `a`, and column `j + 1` for `j` letters of `b`; nothing
    // comes from row 0 and column 0.
    let mut rows = vec![vec![most; b.len() + 2]];
    rows.push(iter::once(most).chain(0..=b.len()).collect());
    // The last row of each letter.
    let mut last_rows = SortedMap::<char, usize>::new();
    for (i, x) in (1..).zip(a.chars()) {
        let mut row = vec![most, i];
        let mut last_column = 0;
        for (j, y) in (1..).zip(b.iter().copied()) {
            let last_row = last_rows.get(&y).copied().unwrap_or_default();
            let swapped = rows[last_row][last_column] + (i - last_row) + (j - last_column) - 1;
            let replaced = rows[i][j] + usize::from(x != y);
            row.push(swapped.min(replaced).min(rows[i][j + 1] + 1).min(row[j] + 1));
            if x == y {
                last_column = j;
            }
        }
        rows.push(row);
        last_rows.insert(x, i);
    }
    rows[rows.len() - 1][b.len() + 1]
}

/// Formats a list of alternatives: `` `a`, `b` or `c` ``.
pub fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    list_of(&Vec::from_iter(words))
}

fn list_of(words: &[&str]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            text.push_str(if i + 1 == words.len() { " or " } else { ", " });
        }
        let _ = write!(text, "`{word}`");
    }
    text
}

/// [`alternatives`] for words that are written after a dot, given without it.
pub fn dotted<'a>(word: &str, among: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<String> = among.map(|candidate| format!(".{candidate}")).collect();
    alternatives(&format!(".{word}"), known.iter().map(String::as_str))
}

/// Words of other tools and languages, with the one that is meant here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("arch", "target"),
    ("sm", "target"),
    ("gpu", "target"),
    ("compute_capability", "target"),
    ("ptx", "version"),
    ("ptx_version", "version"),
    ("block", "reqntid"),
    ("blockdim", "reqntid"),
    ("block_dim", "reqntid"),
    ("block_size", "reqntid"),
    ("threads", "reqntid"),
    ("num_threads", "reqntid"),
    ("num_warps", "reqntid"),
    ("launch_bounds", "maxntid"),
    ("__launch_bounds__", "maxntid"),
    ("cluster", "reqnctapercluster"),
    ("cluster_dim", "reqnctapercluster"),
    ("cluster_dims", "reqnctapercluster"),
    ("__cluster_dims__", "reqnctapercluster"),
    ("maxrregcount", "maxnreg"),
    ("max_registers", "maxnreg"),
    ("safe", "unsafe(safe_launch)"),
    ("dtype", "element"),
    ("data_type", "element"),
    ("shape", "box"),
    ("box_dim", "box"),
    ("block_shape", "box"),
    ("oob_fill", "oob"),
    ("alignment", "align"),
    ("half", "f16"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("float", "f32"),
    ("double", "f64"),
    ("CU_TENSOR_MAP_SWIZZLE_NONE", "None"),
    ("CU_TENSOR_MAP_SWIZZLE_32B", "B32"),
    ("CU_TENSOR_MAP_SWIZZLE_64B", "B64"),
    ("CU_TENSOR_MAP_SWIZZLE_128B", "B128"),
];

/// The word among these that one from elsewhere stands for.
fn from_elsewhere(word: &str, among: &[&str]) -> Option<&'static str> {
    let (_, meant) = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == word)?;
    among.contains(meant).then_some(meant)
}

/// The most words that are listed beside a guess.
const FEW: usize = 8;

/// The end of an error about an unknown word: the nearest words, or else all of them. If none is as near as a slip, a few
/// words are listed in any case.
pub fn alternatives<'a>(word: &str, among: impl Iterator<Item = &'a str>) -> String {
    alternatives_in(word, &among.collect::<Vec<_>>())
}

fn alternatives_in(word: &str, among: &[&str]) -> String {
    if let Some(meant) = from_elsewhere(word, among) {
        return format!("write `{meant}`");
    }
    let near = near_in(word, among);
    if !near.is_empty() {
        let is_slip = !nearest_in(word, among).is_empty();
        return if is_slip || among.len() > FEW {
            format!("did you mean {}?", list_of(&near))
        } else {
            format!("did you mean {}? (known: `{}`)", list_of(&near), among.join("`, `"))
        };
    }
    format!("write {}", list_of(among))
}
