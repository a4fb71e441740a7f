//! Declarations in every form that the grammar has: spaces, linkage, attributes, alignments, types, extents, initial values,
//! parameters, directives, targets, versions and texture modes.
//!
//! What is drawn lives until the process ends, so that the IR can borrow from it anywhere.

pub mod draft;
pub mod function;
pub mod grammar;
pub mod legal;
mod limits;
pub mod misses;
mod variable;
pub mod wild;

use ptx_isa::rules::{self, Kind};

use crate::Rng;
use crate::module::{OLDEST, Options};
use crate::valid::is_valid;
use draft::Draft;

/// The text of a module with one to three declarations, which is valid.
pub(crate) fn module(seed: u64, number: usize, options: Options) -> String {
    let mut rng = Rng::new(seed, number);
    loop {
        let mut draft = Draft::new(rng.next(), number);
        for _ in 0..rng.within(1, 3) {
            rng.pick(legal::FORMS)(&mut draft);
        }
        match options.target {
            Some(target) => draft.case.target = target,
            None => legal::settle(&mut draft),
        }
        if options.target.is_some() || options.version.is_some() {
            draft.case.version = options.version;
        }
        let is_refused = draft.case.with(None, |module| {
            rules::check_module(module).iter().any(|found| found.rule.kind == Kind::Refused)
        });
        let is_old = draft.case.written_version().is_below(OLDEST);
        if !is_refused && !is_old {
            let text = draft.case.with(None, draft::text);
            if is_valid(&text) {
                return text;
            }
        }
    }
}
