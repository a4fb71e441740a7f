//! The alignment of the matrices of `wmma.load` and `wmma.store` in memory.

use crate::space::Space;

/// The alignment that a form needs, as an H100 does (measured: see `docs/ptxas.md`).
struct Form {
    /// The matrices: `a` and `b` are loaded, `c` is loaded and `d` stored.
    matrices: &'static [&'static str],
    types: &'static [&'static str],
    /// The shape or the layout; empty for any.
    with: [&'static str; 2],
    /// In bytes, in `.shared` and in `.global`.
    align: [usize; 2],
}

/// The first form that fits decides.
const FORMS: &[Form] = &[
    Form { matrices: &["a", "b"], types: &["f16", "bf16"], with: ["", ""], align: [16, 4] },
    Form { matrices: &["a"], types: &["u8", "s8"], with: ["row", ""], align: [16, 4] },
    Form { matrices: &["b"], types: &["u8", "s8"], with: ["col", ""], align: [16, 4] },
    Form { matrices: &["a", "b"], types: &["u8", "s8"], with: ["", ""], align: [1, 1] },
    Form { matrices: &["a", "b"], types: &["tf32"], with: ["", ""], align: [4, 4] },
    Form { matrices: &["c", "d"], types: &["f16"], with: ["", ""], align: [4, 4] },
    Form {
        matrices: &["c", "d"],
        types: &["f32", "s32"],
        with: ["m8n32k16", "row"],
        align: [4, 4],
    },
    Form {
        matrices: &["c", "d"],
        types: &["f32", "s32"],
        with: ["m8n32k16", "col"],
        align: [8, 8],
    },
    Form { matrices: &["c", "d"], types: &["f32", "s32"], with: ["row", ""], align: [8, 8] },
    Form { matrices: &["c", "d"], types: &["f32", "s32"], with: ["col", ""], align: [4, 4] },
    Form { matrices: &["c", "d"], types: &["f64"], with: ["row", ""], align: [16, 16] },
    Form { matrices: &["c", "d"], types: &["f64"], with: ["col", ""], align: [8, 8] },
];

/// The alignment in bytes without which a `wmma.load` or `wmma.store` with these modifiers faults; `None` where it is that
/// of the fragment, as the PTX ISA asks, or was not measured. A generic address may be in any state space.
pub fn fragment_alignment(has: impl Fn(&str) -> bool, space: Option<Space>) -> Option<usize> {
    let any = |words: &[&str]| words.iter().any(|word| has(word));
    let all = |words: [&str; 2]| words.iter().all(|word| word.is_empty() || has(word));
    let fits = |form: &&Form| any(form.matrices) && any(form.types) && all(form.with);
    let [shared, global] = FORMS.iter().find(fits)?.align;
    Some(match space {
        Some(Space::Shared) => shared,
        Some(Space::Global) => global,
        _ => shared.max(global),
    })
}
