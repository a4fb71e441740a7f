//! Mistakes in accesses, as whole programs: `tests/mistakes.rs` assembles them with ptxas and shows our
//! errors, `tests/gpu_mistakes.rs` runs them.

mod barrier;
mod executions;
mod format;
mod memory;
mod order;
mod protocol;
mod register;
mod space;
mod tensor;
mod wgmma;

use std::fmt::Write as _;

/// Every mistake in an access.
pub(crate) fn accesses() -> impl Iterator<Item = &'static Access> {
    [
        memory::ACCESSES,
        executions::ACCESSES,
        barrier::ACCESSES,
        protocol::ACCESSES,
        order::ACCESSES,
        tensor::ACCESSES,
        space::ACCESSES,
        register::ACCESSES,
        wgmma::ACCESSES,
        format::ACCESSES,
    ]
    .into_iter()
    .flatten()
}

/// Accesses that look like mistakes but work as intended.
pub(crate) fn harmless() -> impl Iterator<Item = &'static Access> {
    space::HARMLESS.iter()
}

/// A mistake in an access.
pub(crate) struct Access {
    /// A short description.
    pub(crate) title: &'static str,
    /// The module that makes it, after the header, with the kernel `k`, whose first parameter points to
    /// its results. It uses the registers of [`PROLOGUE`]; [`expand`] replaces its comments with PTX.
    pub(crate) ptx: &'static str,
    /// The replacements that remove the mistake.
    pub(crate) right: &'static [(&'static str, &'static str)],
    /// How it is launched.
    pub(crate) launch: Launch,
    /// The number of words that it outputs.
    pub(crate) shows: usize,
    /// The consequence.
    pub(crate) wrong: &'static str,
    /// The measured behaviour.
    pub(crate) does: Does,
    /// The first words of its output without the mistake.
    pub(crate) right_shows: &'static [u32],
    /// Our error.
    pub(crate) ours: Option<Ours>,
}

/// Our error.
#[derive(Clone, Copy)]
pub(crate) struct Ours {
    /// The file in `ui-tests/`, without its extension.
    pub(crate) ui: &'static str,
    /// Part of the error there.
    pub(crate) excerpt: &'static str,
}

/// A launch along one dimension.
#[derive(Clone, Copy)]
pub(crate) struct Launch {
    /// The number of blocks; more than one form a cluster.
    pub(crate) blocks: u32,
    /// The threads of each block.
    pub(crate) threads: u32,
    /// The bytes of dynamic shared memory.
    pub(crate) dynamic: u32,
    /// The arguments after the pointer to the results.
    pub(crate) args: &'static [Arg],
}

/// A single thread, without further arguments.
pub(crate) const ONE: Launch = Launch { blocks: 1, threads: 1, dynamic: 0, args: &[] };

/// An argument.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    U32(u32),
    U64(u64),
    /// The address of the byte at this offset in a matrix of `u16` (64 columns, 256 rows), whose elements are
    /// numbered.
    Numbers(u64),
    Map(Map),
}

/// A tensor map.
#[derive(Clone, Copy)]
pub(crate) enum Map {
    /// A box of the matrix of numbers: 64 columns and 32 rows, 4 KiB.
    Plain,
    /// The same with a swizzle of 128 bytes.
    Swizzled,
    /// 64 columns and 128 rows, 16 KiB.
    Tall,
    /// A box of a matrix of `bf16`, (row * 7 + column * 3) mod 13 - 6: 64 columns and 64 rows, with a
    /// swizzle of 128 bytes.
    Left,
    /// The same with 8 rows.
    Right,
}

/// The measured behaviour of a program.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    /// The driver returns this `CUresult`.
    Fault(u32),
    /// A wait never ends.
    Hangs,
    /// It ends, and these are the first words of its output.
    Shows(&'static [u32]),
    /// It ends, and this many words differ from those without the mistake.
    Differs(usize),
}

/// The nanoseconds after which a wait counts as one that never ends.
const PATIENCE: u32 = 20_000_000;

const HEADER: &str = ".version 8.3\n.target sm_90a\n.address_size 64\n";

/// The start of each kernel.
const PROLOGUE: &str = "
    .reg .pred %p<4>, %p;
    .reg .b16 %h<4>;
    .reg .b32 %r<8>, %i, %at, %value;
    .reg .b64 %d<8>, %out, %to, %start, %now;
    .reg .f32 %f<8>;
    ld.param.u64 %out, [out];";

/// The end: the first word is 1 if every wait has ended.
const EPILOGUE: &str = "
    st.global.u32 [%out], 1;
    ret;
GIVE_UP:
    st.global.u32 [%out], 0;
    ret;
}";

impl Access {
    /// The whole text with the mistake.
    pub(crate) fn text(&self) -> String {
        expand(self.ptx)
    }

    /// The whole text without it.
    pub(crate) fn right_text(&self) -> String {
        let mut ptx = self.ptx.to_owned();
        for (wrong, right) in self.right {
            assert_eq!(ptx.matches(wrong).count(), 1, "{}: `{wrong}`", self.title);
            ptx = ptx.replace(wrong, right);
        }
        expand(&ptx)
    }
}

impl Does {
    /// A sentence for `docs/mistakes.md`.
    pub(crate) fn sentence(self, shows: usize, right: &[u32]) -> String {
        match self {
            Self::Fault(code) => format!("the driver reports `{}` ({code}).", fault(code)),
            Self::Hangs => "the wait never ends.".to_owned(),
            Self::Shows(words) => {
                format!("it shows {}; without the mistake, it shows {}.", list(words), list(right))
            }
            Self::Differs(0) => "it ends as it does without the mistake.".to_owned(),
            Self::Differs(words) => {
                format!("{words} of {shows} words differ from those without the mistake.")
            }
        }
    }
}

/// Formats words, large ones in hexadecimal.
pub(crate) fn list(words: &[u32]) -> String {
    let words: Vec<String> = words
        .iter()
        .map(|&word| if word < 1 << 16 { word.to_string() } else { format!("{word:#x}") })
        .collect();
    words.join(", ")
}

/// The name of a driver error.
pub(crate) fn fault(code: u32) -> &'static str {
    match code {
        1 => "CUDA_ERROR_INVALID_VALUE",
        700 => "CUDA_ERROR_ILLEGAL_ADDRESS",
        715 => "CUDA_ERROR_ILLEGAL_INSTRUCTION",
        716 => "CUDA_ERROR_MISALIGNED_ADDRESS",
        717 => "CUDA_ERROR_INVALID_ADDRESS_SPACE",
        718 => "CUDA_ERROR_INVALID_PC",
        719 => "CUDA_ERROR_LAUNCH_FAILED",
        _ => "?",
    }
}

/// The whole text: the header, the kernel's start and end, and the comments that stand for PTX.
fn expand(ptx: &str) -> String {
    let (storage, kernel) = ptx.split_once(".visible .entry k(").expect("a kernel");
    let (parameters, body) = kernel.split_once("{\n").expect("a body");
    let body = body.trim_end().strip_suffix("    ret;\n}").expect("an end");
    let mut text = format!("{HEADER}{storage}.visible .entry k({parameters}{{{PROLOGUE}\n");
    for (n, line) in body.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let _ = match words[..] {
            ["//", "number", count, "words", "of", name] => write!(
                text,
                "    mov.u32 %i, 0;
NUMBER_{n}:
    mov.u32 %at, {name};
    mad.lo.u32 %at, %i, 4, %at;
    st.shared.u32 [%at], %i;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, {count};
    @%p bra NUMBER_{n};\n"
            ),
            ["//", "show", count, "words", "of", name] => write!(
                text,
                "    mov.u32 %i, 0;
SHOW_{n}:
    mov.u32 %at, {name};
    mad.lo.u32 %at, %i, 4, %at;
    ld.shared.u32 %value, [%at];
    mad.wide.u32 %to, %i, 4, %out;
    st.global.u32 [%to + 4], %value;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, {count};
    @%p bra SHOW_{n};\n"
            ),
            ["//", "wait", "for", "phase", phase, "of", name] => write!(
                text,
                "    mov.u64 %start, %globaltimer;
WAIT_{n}:
    mbarrier.test_wait.parity.shared.b64 %p, [{name}], {phase};
    @%p bra CAME_{n};
    mov.u64 %now, %globaltimer;
    sub.u64 %now, %now, %start;
    setp.lt.u64 %p, %now, {PATIENCE};
    @%p bra WAIT_{n};
    bra GIVE_UP;
CAME_{n}:\n"
            ),
            ["//", "pause"] => write!(
                text,
                "    mov.u64 %start, %globaltimer;
PAUSE_{n}:
    mov.u64 %now, %globaltimer;
    sub.u64 %now, %now, %start;
    setp.lt.u64 %p, %now, {PATIENCE};
    @%p bra PAUSE_{n};\n"
            ),
            // A placeholder that the version without the mistake replaces.
            ["//", "nothing"] => Ok(()),
            ["//", ..] => panic!("unknown comment: `{line}`"),
            _ => writeln!(text, "{line}"),
        };
    }
    text + EPILOGUE.trim_start_matches('\n') + "\n"
}
