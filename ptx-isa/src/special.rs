//! Special registers (PTX ISA 5.1.2 and chapter 10).

use crate::const_str::same;
use crate::scalar::ScalarType;
use crate::target::Version;

/// A special register, or a numbered family of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpecialRegister {
    /// The name with its `%`; for a family, the part before the number.
    pub name: &'static str,
    /// The first and the last number of a family, and the suffix after the number in the name.
    pub family: Option<(u8, u8, &'static str)>,
    /// The type of the register, or of each of its elements.
    pub ty: ScalarType,
    /// Whether it has the elements `.x`, `.y` and `.z` (and `.w`, which is always zero).
    pub is_vector: bool,
    /// The lowest PTX version that has it.
    pub since: Version,
    /// The lowest architecture (90 for `sm_90`) that has it.
    pub min_arch: u16,
}

impl SpecialRegister {
    /// Whether it had 16 bits in PTX 1.x, so that narrower registers still read it (PTX ISA 10.1 to 10.11).
    pub const fn had_16_bits(&self) -> bool {
        self.is_vector && self.since.major == 1 || same(self.name, "%gridid")
    }
}

const NO: Option<(u8, u8, &str)> = None;

const fn row(
    name: &'static str,
    family: Option<(u8, u8, &'static str)>,
    ty: ScalarType,
    is_vector: bool,
    since: (u8, u8),
    min_arch: u16,
) -> SpecialRegister {
    let since = Version::new(since.0, since.1);
    SpecialRegister { name, family, ty, is_vector, since, min_arch }
}

/// Every special register, with the versions and architectures of ptxas 13.0.
pub const SPECIAL_REGISTERS: &[SpecialRegister] = &[
    row("%tid", NO, ScalarType::U32, true, (1, 0), 10),
    row("%ntid", NO, ScalarType::U32, true, (1, 0), 10),
    row("%ctaid", NO, ScalarType::U32, true, (1, 0), 10),
    row("%nctaid", NO, ScalarType::U32, true, (1, 0), 10),
    row("%laneid", NO, ScalarType::U32, false, (1, 3), 10),
    row("%warpid", NO, ScalarType::U32, false, (1, 3), 10),
    row("%nwarpid", NO, ScalarType::U32, false, (2, 0), 20),
    row("%smid", NO, ScalarType::U32, false, (1, 3), 10),
    row("%nsmid", NO, ScalarType::U32, false, (2, 0), 20),
    row("%gridid", NO, ScalarType::U64, false, (1, 0), 10),
    row("%clusterid", NO, ScalarType::U32, true, (7, 8), 90),
    row("%nclusterid", NO, ScalarType::U32, true, (7, 8), 90),
    row("%cluster_ctaid", NO, ScalarType::U32, true, (7, 8), 90),
    row("%cluster_nctaid", NO, ScalarType::U32, true, (7, 8), 90),
    row("%cluster_ctarank", NO, ScalarType::U32, false, (7, 8), 90),
    row("%cluster_nctarank", NO, ScalarType::U32, false, (7, 8), 90),
    row("%is_explicit_cluster", NO, ScalarType::Pred, false, (7, 8), 90),
    row("%lanemask_eq", NO, ScalarType::U32, false, (2, 0), 20),
    row("%lanemask_le", NO, ScalarType::U32, false, (2, 0), 20),
    row("%lanemask_lt", NO, ScalarType::U32, false, (2, 0), 20),
    row("%lanemask_ge", NO, ScalarType::U32, false, (2, 0), 20),
    row("%lanemask_gt", NO, ScalarType::U32, false, (2, 0), 20),
    row("%clock", NO, ScalarType::U32, false, (1, 0), 10),
    row("%clock_hi", NO, ScalarType::U32, false, (5, 0), 20),
    row("%clock64", NO, ScalarType::U64, false, (2, 0), 20),
    row("%pm", Some((0, 3, "")), ScalarType::U32, false, (1, 3), 10),
    row("%pm", Some((4, 7, "")), ScalarType::U32, false, (3, 0), 20),
    row("%pm", Some((0, 7, "_64")), ScalarType::U64, false, (4, 0), 50),
    row("%envreg", Some((0, 31, "")), ScalarType::B32, false, (1, 0), 10),
    row("%globaltimer", NO, ScalarType::U64, false, (3, 1), 30),
    row("%globaltimer_lo", NO, ScalarType::U32, false, (3, 1), 30),
    row("%globaltimer_hi", NO, ScalarType::U32, false, (3, 1), 30),
    row("%reserved_smem_offset_begin", NO, ScalarType::B32, false, (7, 6), 80),
    row("%reserved_smem_offset_end", NO, ScalarType::B32, false, (7, 6), 80),
    row("%reserved_smem_offset_cap", NO, ScalarType::B32, false, (7, 6), 80),
    row("%reserved_smem_offset_", Some((0, 1, "")), ScalarType::B32, false, (7, 6), 80),
    row("%total_smem_size", NO, ScalarType::U32, false, (4, 1), 20),
    row("%aggr_smem_size", NO, ScalarType::U32, false, (8, 1), 90),
    row("%dynamic_smem_size", NO, ScalarType::U32, false, (4, 1), 20),
    row("%current_graph_exec", NO, ScalarType::U64, false, (8, 0), 50),
];

/// The special register with this name, `%` included.
pub const fn special_register(name: &str) -> Option<&'static SpecialRegister> {
    let mut i = 0;
    while i < SPECIAL_REGISTERS.len() {
        if SPECIAL_REGISTERS[i].has(name) {
            return Some(&SPECIAL_REGISTERS[i]);
        }
        i += 1;
    }
    None
}

/// Whether `name`, `%` included, is a special register.
pub const fn is_special(name: &str) -> bool {
    special_register(name).is_some()
}

impl SpecialRegister {
    /// Whether this row includes the register `name`.
    const fn has(&self, name: &str) -> bool {
        let Some((first, last, suffix)) = self.family else { return same(self.name, name) };
        let (name, prefix) = (name.as_bytes(), self.name.as_bytes());
        let (mut at, mut digits, mut number) = (0, 0, 0);
        while at < prefix.len() {
            if at >= name.len() || name[at] != prefix[at] {
                return false;
            }
            at += 1;
        }
        while digits < 2 && at < name.len() && name[at].is_ascii_digit() {
            number = number * 10 + (name[at] - b'0');
            digits += 1;
            at += 1;
        }
        let canonical = digits == 1 || digits == 2 && number >= 10;
        if !canonical || number < first || number > last {
            return false;
        }
        let suffix = suffix.as_bytes();
        if name.len() - at != suffix.len() {
            return false;
        }
        let mut i = 0;
        while i < suffix.len() {
            if name[at + i] != suffix[i] {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// The names of all special registers except the numbered families.
pub fn names() -> impl Iterator<Item = &'static str> {
    SPECIAL_REGISTERS.iter().filter(|register| register.family.is_none()).map(|row| row.name)
}
