//! A file with all its mutants at once, of which one is selected at run time.

use std::ops::Range;

use super::sites::Mutant;

/// A rewritten file.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// The places with several versions, each after those inside it.
    pub(super) sites: Vec<Site>,
}

/// A place with several versions, in the rewritten text.
#[derive(Debug)]
pub(super) struct Site {
    /// The whole place.
    pub(super) whole: Range<usize>,
    /// The original version.
    pub(super) original: Range<usize>,
    /// The mutants, with the range of each.
    pub(super) versions: Vec<(u32, Range<usize>)>,
    /// Whether it is a deleted statement.
    is_statement: bool,
    function: String,
}

/// A place in the source, and its mutants with their numbers.
type Place<'a> = (Range<usize>, Vec<(u32, &'a Mutant)>);

/// Rewrites a file with these mutants.
pub(super) fn rewrite(text: &str, mutants: &[(u32, &Mutant)]) -> Rewritten {
    let mut sites: Vec<Place<'_>> = Vec::new();
    let mut sorted = mutants.to_vec();
    sorted.sort_by_key(|(_, mutant)| (mutant.site.start, std::cmp::Reverse(mutant.site.end)));
    for (id, mutant) in sorted {
        match sites.last_mut() {
            Some((site, here)) if *site == mutant.site => here.push((id, mutant)),
            _ => sites.push((mutant.site.clone(), vec![(id, mutant)])),
        }
    }
    let mut writer = Writer { text, sites: &sites, next: 0, out: Rewritten::default() };
    writer.write(0..text.len());
    writer.out
}

struct Writer<'a> {
    text: &'a str,
    sites: &'a [Place<'a>],
    next: usize,
    out: Rewritten,
}

impl Writer<'_> {
    fn write(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some((site, mutants)) = self.sites.get(self.next)
            && site.end <= range.end
        {
            self.next += 1;
            self.out.text.push_str(&self.text[at..site.start]);
            at = site.end;
            let start = self.out.text.len();
            // A statement needs no parentheses.
            let is_statement = mutants.iter().all(|(_, mutant)| mutant.replacement.is_empty())
                && mutants.iter().all(|(_, mutant)| mutant.token == mutant.site);
            self.out.text.push_str(if is_statement { "" } else { "(" });
            let mut versions = Vec::new();
            for (id, mutant) in mutants {
                let condition = format!("if ::mutant_switch::is_on({id}) {{ ");
                self.out.text.push_str(&condition);
                let from = self.out.text.len();
                self.out.text.push_str(&self.text[site.start..mutant.token.start]);
                self.out.text.push_str(&mutant.replacement);
                self.out.text.push_str(&self.text[mutant.token.end..site.end]);
                versions.push((*id, from..self.out.text.len()));
                self.out.text.push_str(" } else ");
            }
            self.out.text.push_str("{ ");
            let from = self.out.text.len();
            self.write(site.clone());
            let original = from..self.out.text.len();
            self.out.text.push_str(if is_statement { " }" } else { " })" });
            let whole = start..self.out.text.len();
            let function = mutants[0].1.function.clone();
            self.out.sites.push(Site { whole, original, versions, is_statement, function });
        }
        self.out.text.push_str(&self.text[at..range.end]);
    }
}

impl Rewritten {
    /// The mutants of the place that the compiler names in a note to an error.
    pub(super) fn named(&self, place: &Range<usize>) -> Vec<u32> {
        let site = self.sites.iter().find(|site| site.whole == *place);
        site.into_iter().flat_map(|site| &site.versions).map(|(id, _)| *id).collect()
    }

    /// The mutants that cause a compiler error.
    pub(super) fn blamed(&self, error: &Range<usize>) -> Vec<u32> {
        let within = |outer: &Range<usize>, inner: &Range<usize>| {
            outer.start <= inner.start && inner.end <= outer.end
        };
        for site in &self.sites {
            for (id, version) in &site.versions {
                if within(version, error) {
                    return vec![*id];
                }
            }
        }
        let ids = |site: &Site| site.versions.iter().map(|(id, _)| *id).collect::<Vec<u32>>();
        if let Some(site) = self.sites.iter().find(|site| site.original == *error) {
            return ids(site);
        }
        let inside: Vec<u32> =
            self.sites.iter().filter(|site| within(error, &site.whole)).flat_map(ids).collect();
        if !inside.is_empty() {
            return inside;
        }
        if let Some(site) = self.sites.iter().find(|site| within(&site.whole, error)) {
            return ids(site);
        }
        // A value is moved, or not set, because a statement no longer leaves the function.
        let nearest = self.sites.iter().min_by_key(|site| {
            site.whole.start.abs_diff(error.start).min(site.whole.end.abs_diff(error.start))
        });
        let is_near = |site: &&Site| nearest.is_some_and(|near| near.function == site.function);
        let statements = self.sites.iter().filter(|site| site.is_statement);
        statements.filter(is_near).flat_map(ids).collect()
    }
}
