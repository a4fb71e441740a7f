//! Targets, PTX versions and ptxas releases.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::name::named;
use crate::near::alternatives;

/// A PTX ISA version, as in `.version 8.6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// 8 in `8.6`.
    pub major: u8,
    /// 6 in `8.6`.
    pub minor: u8,
}

impl Version {
    /// The version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Whether this version is older than `other`; `<` for constant code.
    pub const fn is_below(self, other: Self) -> bool {
        self.major < other.major || (self.major == other.major && self.minor < other.minor)
    }

    /// The newer of two versions; `max` for constant code.
    pub const fn newer(self, other: Self) -> Self {
        if self.is_below(other) { other } else { self }
    }

    /// Reads `8.6`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self::new(major.parse().ok()?, minor.parse().ok()?))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A release of ptxas: the CUDA release it belongs to, as in `13.0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Release {
    /// 13 in `13.0`.
    pub major: u8,
    /// 0 in `13.0`.
    pub minor: u8,
}

impl Release {
    /// The newest release that was observed.
    pub const NEWEST: Self = Self::new(13, 5);

    /// The release `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }

    /// Reads `13.0`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self::new(major.parse().ok()?, minor.parse().ok()?))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The architectures that run code for a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Reach {
    /// `sm_90`: runs on this and later architectures.
    Baseline,
    /// `sm_100f`: runs on this and later architectures of the family.
    Family,
    /// `sm_90a`: runs only on this architecture.
    Architecture,
}

/// The number of bytes before the first parameter, for [`Target::param_origin`].
macro_rules! origin {
    ($params:literal by address) => {
        $params
    };
    ($params:literal by offset) => {
        0
    };
}

/// Declares the [`Target`] enum, one row for each target. The versions were observed with ptxas 12.0 to 13.5.
macro_rules! targets {
    ($($Target:ident $name:literal $arch:literal $reach:ident, version: ($major:literal, $minor:literal), shared: $kib:literal KiB,
     resident: $threads:literal in $blocks:literal, params: $params:literal by $by:ident;)*) => {
        /// A target architecture, as in `.target sm_90a`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Target {
            $(#[doc = concat!("`", $name, "`, from PTX ", $major, ".", $minor, "; at most ", $kib, " KiB of shared memory for a block.")] $Target,)*
        }

        impl Target {
            /// Every target, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$Target),*];

            /// Every name, in the same order.
            const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name: `sm_90a`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Target => $name,)* }
            }

            /// The architecture's number: 90 for `sm_90a`.
            pub const fn arch(self) -> u16 {
                match self { $(Self::$Target => $arch,)* }
            }

            const fn reach(self) -> Reach {
                match self { $(Self::$Target => Reach::$reach,)* }
            }

            /// The lowest PTX version that supports the target.
            pub const fn since(self) -> Version {
                match self { $(Self::$Target => Version::new($major, $minor),)* }
            }

            /// The most shared memory, static and dynamic, that a block can opt in to, in bytes.
            pub const fn max_shared_opt_in(self) -> usize {
                match self { $(Self::$Target => $kib * 1024,)* }
            }

            /// The number of threads, and of blocks, that can be resident on a multiprocessor.
            pub(crate) const fn most_resident(self) -> (u64, u64) {
                match self { $(Self::$Target => ($threads, $blocks),)* }
            }

            /// The address in constant bank 0 of a kernel's first parameter, in bytes, on `sm_70` to `sm_89`
            /// if the parameters take more than 4,352 bytes.
            pub(crate) const LARGE_PARAM_BASE: usize = 0x1a80;

            /// The address in constant bank 0 of a kernel's first parameter, in bytes, if the parameters
            /// take no more.
            pub const fn param_base(self) -> usize {
                match self { $(Self::$Target => $params,)* }
            }

            /// The number of bytes before a kernel's first parameter where ptxas aligns the others:
            /// [`Self::param_base`] on `sm_70` to `sm_90a`, where it aligns their addresses, and 0
            /// elsewhere, where it aligns their offsets.
            pub const fn param_origin(self) -> usize {
                match self { $(Self::$Target => origin!($params by $by),)* }
            }
        }
    };
}

targets! {
    Sm50 "sm_50" 50 Baseline, version: (4, 0), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm52 "sm_52" 52 Baseline, version: (4, 1), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm53 "sm_53" 53 Baseline, version: (4, 2), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm60 "sm_60" 60 Baseline, version: (5, 0), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm61 "sm_61" 61 Baseline, version: (5, 0), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm62 "sm_62" 62 Baseline, version: (5, 0), shared: 48 KiB, resident: 2048 in 32, params: 0x140 by offset;
    Sm70 "sm_70" 70 Baseline, version: (6, 0), shared: 96 KiB, resident: 2048 in 32, params: 0x160 by address;
    Sm72 "sm_72" 72 Baseline, version: (6, 1), shared: 96 KiB, resident: 2048 in 32, params: 0x160 by address;
    Sm75 "sm_75" 75 Baseline, version: (6, 3), shared: 64 KiB, resident: 1024 in 16, params: 0x160 by address;
    Sm80 "sm_80" 80 Baseline, version: (7, 0), shared: 163 KiB, resident: 2048 in 32, params: 0x160 by address;
    Sm86 "sm_86" 86 Baseline, version: (7, 1), shared: 99 KiB, resident: 1536 in 16, params: 0x160 by address;
    Sm87 "sm_87" 87 Baseline, version: (7, 4), shared: 163 KiB, resident: 1536 in 16, params: 0x160 by address;
    Sm88 "sm_88" 88 Baseline, version: (9, 0), shared: 163 KiB, resident: 1536 in 16, params: 0x160 by address;
    Sm89 "sm_89" 89 Baseline, version: (7, 8), shared: 99 KiB, resident: 1536 in 24, params: 0x160 by address;
    Sm90 "sm_90" 90 Baseline, version: (7, 8), shared: 227 KiB, resident: 2048 in 32, params: 0x210 by address;
    Sm90a "sm_90a" 90 Architecture, version: (8, 0), shared: 227 KiB, resident: 2048 in 32, params: 0x210 by address;
    Sm100 "sm_100" 100 Baseline, version: (8, 6), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm100f "sm_100f" 100 Family, version: (8, 8), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm100a "sm_100a" 100 Architecture, version: (8, 6), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm101 "sm_101" 101 Baseline, version: (8, 6), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm101f "sm_101f" 101 Family, version: (8, 8), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm101a "sm_101a" 101 Architecture, version: (8, 6), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm103 "sm_103" 103 Baseline, version: (8, 8), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm103f "sm_103f" 103 Family, version: (8, 8), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm103a "sm_103a" 103 Architecture, version: (8, 8), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm107 "sm_107" 107 Baseline, version: (9, 4), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm107f "sm_107f" 107 Family, version: (9, 4), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm107a "sm_107a" 107 Architecture, version: (9, 4), shared: 227 KiB, resident: 2048 in 32, params: 0x380 by offset;
    Sm110 "sm_110" 110 Baseline, version: (9, 0), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm110f "sm_110f" 110 Family, version: (9, 0), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm110a "sm_110a" 110 Architecture, version: (9, 0), shared: 227 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm120 "sm_120" 120 Baseline, version: (8, 7), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm120f "sm_120f" 120 Family, version: (8, 8), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm120a "sm_120a" 120 Architecture, version: (8, 7), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm121 "sm_121" 121 Baseline, version: (8, 8), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm121f "sm_121f" 121 Family, version: (8, 8), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
    Sm121a "sm_121a" 121 Architecture, version: (8, 8), shared: 99 KiB, resident: 1536 in 24, params: 0x380 by offset;
}

/// The static shared memory in bytes that every release of ptxas accepts for every target.
pub(crate) const STATIC_SHARED_EVERYWHERE: usize = 48 * 1024;
impl Target {
    /// The most shared memory of a block in bytes, static and dynamic, that a launch can use on every
    /// target without an opt-in (`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`).
    pub const SHARED_WITHOUT_OPT_IN: usize = 48 * 1024;

    /// Whether code for it runs on every later architecture: true for `sm_90`, false for `sm_90a`.
    pub const fn is_baseline(self) -> bool {
        matches!(self.reach(), Reach::Baseline)
    }

    /// Whether a device of this architecture (90 for compute capability 9.0) runs code for the target.
    pub const fn runs_on(self, arch: u16) -> bool {
        match self.reach() {
            Reach::Baseline => self.arch() <= arch,
            Reach::Family => self.arch() <= arch && self.arch() / 10 == arch / 10,
            Reach::Architecture => self.arch() == arch,
        }
    }

    /// Whether a device of this architecture (90 for compute capability 9.0) runs a cubin for the target: unlike PTX, machine
    /// code runs on later devices of the same major version only (CUDA C++ Programming Guide, "Binary Compatibility").
    pub const fn cubin_runs_on(self, arch: u16) -> bool {
        self.runs_on(arch) && self.arch() / 10 == arch / 10
    }

    /// By which targets are sorted so that, of those that a device runs, the one with the most for it is first: the latest, and of these
    /// the one that the fewest devices run.
    pub fn preference(self) -> impl Ord {
        let devices = Self::ALL.iter().filter(|other| self.runs_on(other.arch())).count();
        (core::cmp::Reverse(self.arch()), devices)
    }

    /// The target with this name: `sm_90a`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|target| target.name() == name)
    }

    /// The end of an error about an unknown name in the place of a target, where these words may stand, too: the
    /// targets that may be meant.
    pub fn meant(name: &str, others: &[&str]) -> String {
        // `90`, `compute_90`
        let number = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        if let Some(target) = Self::from_name(&format!("sm_{number}")) {
            return format!("did you mean `{target}`?");
        }
        let number_of = |name: &str| name.strip_prefix("sm_")?.parse::<u32>().ok();
        let known =
            || Self::ALL.iter().filter_map(|target| Some((number_of(target.name())?, target)));
        let Some(wanted) = number_of(name) else {
            let all: Vec<&str> = Self::ALL.iter().map(|target| target.name()).collect();
            return alternatives(name, all.into_iter().chain(others.iter().copied()));
        };
        let below =
            known().filter(|(number, _)| *number < wanted).max_by_key(|(number, _)| *number);
        let above =
            known().filter(|(number, _)| *number > wanted).min_by_key(|(number, _)| *number);
        match (below, above) {
            (Some((_, below)), Some((_, above))) => format!("did you mean `{below}` or `{above}`?"),
            (None, Some((_, oldest))) => format!("the oldest here is `{oldest}`"),
            (Some((_, newest)), None) => format!("the newest here is `{newest}`"),
            (None, None) => String::new(),
        }
    }

    /// The most static shared memory of one entry in bytes that this release of ptxas accepts:
    /// 48 KiB, and from 13.0 the opt-in maximum on architecture-specific targets (`sm_90a`).
    /// (ptxas 12.4 accepts more than 48 KiB; the limits of the releases around it were not observed.)
    pub const fn max_static_shared(self, release: Option<Release>) -> usize {
        match (self.reach(), release) {
            (Reach::Architecture, Some(release)) if release.major >= 13 => self.max_shared_opt_in(),
            (Reach::Baseline | Reach::Family | Reach::Architecture, _) => STATIC_SHARED_EVERYWHERE,
        }
    }
}

named!(Target, "a target", []);

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn the_targets_that_may_be_meant() {
        for (written, advice) in [
            ("90", "did you mean `sm_90`?"),
            ("compute_90a", "did you mean `sm_90a`?"),
            ("sm-90a", "did you mean `sm_90a`?"),
            ("sm_95", "did you mean `sm_90` or `sm_100`?"),
            ("sm_35", "the oldest here is `sm_50`"),
            ("sm_999", "the newest here is `sm_121`"),
        ] {
            assert_eq!(Target::meant(written, &[]), advice, "{written}");
        }
    }
}
