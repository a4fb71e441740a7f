//! Special registers (PTX ISA 5.1.2 and chapter 10).

/// Special registers with the elements `.x`, `.y`, `.z` and `.w`.
pub const VECTORS: &[&str] = &[
    "%tid",
    "%ntid",
    "%ctaid",
    "%nctaid",
    "%clusterid",
    "%nclusterid",
    "%cluster_ctaid",
    "%cluster_nctaid",
];

/// Special registers with one value.
pub const SCALARS: &[&str] = &[
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
];

/// Special registers in numbered families: prefix, how many, suffix.
pub const FAMILIES: &[(&str, u8, &str)] = &[("%pm", 8, ""), ("%pm", 8, "_64"), ("%envreg", 32, "")];

/// Whether `name`, `%` included, is a special register.
pub const fn is_special(name: &str) -> bool {
    contains(VECTORS, name) || contains(SCALARS, name) || is_in_family(name)
}

/// The names of all special registers, without the numbered families.
pub fn names() -> impl Iterator<Item = &'static str> {
    VECTORS.iter().chain(SCALARS).copied()
}

const fn contains(list: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < list.len() {
        if crate::ir::same(list[i], name) {
            return true;
        }
        i += 1;
    }
    false
}

const fn is_in_family(name: &str) -> bool {
    let name = name.as_bytes();
    let mut i = 0;
    while i < FAMILIES.len() {
        let (prefix, count, suffix) = FAMILIES[i];
        if let Some(rest) = strip(name, prefix.as_bytes()) {
            let mut digits = 0;
            let mut number = 0;
            while digits < rest.len() && digits < 2 && rest[digits].is_ascii_digit() {
                number = number * 10 + (rest[digits] - b'0');
                digits += 1;
            }
            let canonical = digits == 1 || digits == 2 && rest[0] != b'0';
            if canonical && number < count && equal(rest.split_at(digits).1, suffix.as_bytes()) {
                return true;
            }
        }
        i += 1;
    }
    false
}

const fn strip<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    if text.len() < prefix.len() {
        return None;
    }
    let (head, tail) = text.split_at(prefix.len());
    if equal(head, prefix) { Some(tail) } else { None }
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
