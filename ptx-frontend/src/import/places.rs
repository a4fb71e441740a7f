//! The locations of the declarations in a text.

use ptx_isa::sorted::SortedMap;

use ptx_text::{Parsed, PieceKind};

/// The location of each symbol of a text, in bytes from its start: for a function, its last declaration, which has its
/// body; for a variable, the first one.
pub(super) fn places(parsed: &Parsed) -> SortedMap<&str, usize> {
    let text = parsed.text();
    let (mut variables, mut functions) = (SortedMap::new(), SortedMap::new());
    let (mut depth, mut is_function) = (0_usize, false);
    for piece in parsed.pieces() {
        match piece.kind {
            PieceKind::Open(_) => depth += 1,
            PieceKind::Close(_) => depth = depth.saturating_sub(1),
            PieceKind::Dotted if depth == 0 => {
                is_function |= matches!(text.get(piece.at.range()), Some(".entry" | ".func"));
            }
            PieceKind::Word if depth == 0 => {
                let Some(word) = text.get(piece.at.range()) else { continue };
                let start = piece.at.range().start;
                if is_function {
                    functions.insert(word, start);
                } else {
                    variables.entry(word).or_insert(start);
                }
                is_function = false;
            }
            _ => {}
        }
    }
    variables.extend(functions);
    variables
}

#[cfg(test)]
mod tests {
    use super::places;
    use ptx_text::Parsed;

    #[test]
    fn symbols_are_declared_at_the_top_level() {
        let parsed = Parsed::new(
            ".version 8.0 .target sm_80 .address_size 64
.func add ();
.global .u32 x; .global .u64 y = x;
.func (.reg .u32 x) other () { .reg .u32 z; add.u32 x, x, x; call add; ret; }
.visible .entry z (.param .u32 x) { ret; }
.func add () { ret; }
",
        );
        let found = places(&parsed);
        let place = |name: &str| found.get(name).map(|at| parsed.position(*at).to_string());
        for (name, expected) in [
            ("x", Some("3:14")),
            ("y", Some("3:30")),
            ("other", Some("4:21")),
            ("z", Some("5:17")),
            ("add", Some("6:7")),
            ("none", None),
        ] {
            assert_eq!(place(name).as_deref(), expected, "{name}");
        }
    }
}
