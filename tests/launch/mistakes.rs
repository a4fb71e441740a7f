//! Mistakes on the host, each with its consequence without `ptx::cuda` and the error that `ptx::cuda` reports:
//! the last part of `docs/mistakes.md`.

/// A mistake in a launch, in its preparation, or afterwards.
pub(crate) struct Mistake {
    /// A description; for an error at run time, its title in `errors.txt` and `unchecked.txt`.
    pub(crate) title: &'static str,
    /// The consequence without `ptx::cuda`, with cudarc and the driver by hand.
    pub(crate) otherwise: Otherwise,
    /// Our error.
    pub(crate) ours: Ours,
}

/// The consequence of a mistake without `ptx::cuda`.
pub(crate) enum Otherwise {
    /// Measured, with cudarc by hand.
    Is(&'static str),
    /// Deduced from what the calls do; it was not run.
    Follows(&'static str),
    /// The driver's answer, as recorded in `unchecked.txt`.
    Answers,
}

/// The error that `ptx::cuda` reports.
pub(crate) enum Ours {
    /// The line of a file in `tests/launch/ui/` where it does not compile.
    Refused(&'static str, &'static str),
    /// The text in `errors.txt`.
    Error,
}

use Otherwise::{Answers, Follows, Is};
use Ours::{Error, Refused};

const SILENT: &str = "Silent, and the result is wrong.";
const ILLEGAL: &str = "The kernel faults with an illegal address, and the context is lost.";
const FIRST: &str =
    "The caller has to guess: any value is accepted, whatever the kernel was written for.";

pub(crate) const MISTAKES: &[Mistake] = &[
    Mistake {
        title: "One argument too few",
        otherwise: Is(
            "The driver reads past the end of the array of pointers: an illegal address, and the context is lost.",
        ),
        ours: Refused("arguments", "(src, &mut *dst, image))"),
    },
    Mistake {
        title: "One argument too many",
        otherwise: Is("Silent, and happens to work: nothing reads the last argument."),
        ours: Refused("arguments", "image, 1.0, 2_u32)"),
    },
    Mistake {
        title: "A single argument that is not in a tuple",
        otherwise: Follows(
            "No tuple is needed: arguments are pushed one by one, and nothing counts them.",
        ),
        ours: Refused("arguments", "launch(stream, src)"),
    },
    Mistake {
        title: "An `f64` for an `f32`",
        otherwise: Follows("Silent, and wrong: the driver reads the lower four bytes."),
        ours: Refused("arguments", "image, 1.0_f64)"),
    },
    Mistake {
        title: "A `u32` for an `f32`",
        otherwise: Follows("Silent, and wrong: the bits of 1 are a number near zero."),
        ours: Refused("arguments", "image, 1_u32)"),
    },
    Mistake {
        title: "Two arguments swapped",
        otherwise: Is(SILENT),
        ours: Refused("arguments", "(src, &mut *dst, 1.0_f32, image)"),
    },
    Mistake {
        title: "A struct with the same fields in another order",
        otherwise: Is(SILENT),
        ours: Refused("arguments", "turned, 1.0)"),
    },
    Mistake {
        title: "A buffer of `f64` for one of `f32`",
        otherwise: Is(SILENT),
        ours: Refused("arguments", "(doubles, "),
    },
    Mistake {
        title: "Source and destination swapped",
        otherwise: Is(SILENT),
        ours: Refused("arguments", "(&mut *dst, src, image, 1.0)"),
    },
    Mistake {
        title: "A shared borrow of a buffer, for a pointer that the kernel writes through",
        otherwise: Follows(
            "Silent: the kernel writes to memory that Rust assumes is not modified.",
        ),
        ours: Refused("arguments", "(src, &*dst, image, 1.0)"),
    },
    Mistake {
        title: "A number for a pointer",
        otherwise: Is(ILLEGAL),
        ours: Refused("arguments", "(7_u32, "),
    },
    Mistake {
        title: "A buffer for a number",
        otherwise: Follows("Silent, and wrong: the number is the lower half of an address."),
        ours: Refused("arguments", "image, src)"),
    },
    Mistake {
        title: "Host memory for a buffer",
        otherwise: Follows(
            "The argument is the array's own bytes, or a host pointer: an illegal address, and the context is lost.",
        ),
        ours: Refused("arguments", "(&[1.0_f32; 4], "),
    },
    Mistake {
        title: "A bare address, not marked as raw",
        otherwise: Follows("Silent: nothing checks where it points."),
        ours: Refused("arguments", "(Ptr::<Global, V4<f32>>::new(0x1000), "),
    },
    Mistake {
        title: "A raw address in safe code",
        otherwise: Follows("Launches are unsafe as a whole: nothing marks the one unsafe line."),
        ours: Refused("unvouched", "RawPtr::new("),
    },
    Mistake {
        title: "One buffer as two arguments in safe code",
        otherwise: Follows("Silent, and a data race if the kernel writes to it."),
        ours: Refused("unvouched", "Aliased::new("),
    },
    Mistake {
        title: "A launch of a kernel without `safe_launch` in safe code",
        otherwise: Follows("Every launch is unsafe, whatever the kernel's author guarantees."),
        ours: Refused("unvouched", "launch(stream, (to,))"),
    },
    Mistake {
        title: "Source and destination in one buffer, borrowed",
        otherwise: Follows(
            "The compiler refuses the borrow with the same message, but not a clone of the pointer.",
        ),
        ours: Refused("borrows", "(&data, &mut data)"),
    },
    Mistake {
        title: "A buffer that is dropped before its map is used",
        otherwise: Follows(
            "A map is 128 bytes, without a link to its buffer. The copy faults, or reads whatever lies there now.",
        ),
        ours: Refused("borrows", "drop(data)"),
    },
    Mistake {
        title: "A launch that outlives its module",
        otherwise: Follows("cudarc's functions also keep their module alive."),
        ours: Refused("borrows", "copies.plain().grid(1)\n"),
    },
    Mistake {
        title: "A map of `f16` for one of `bf16`",
        otherwise: Is(SILENT),
        ours: Refused("maps", "(&other_type,)"),
    },
    Mistake {
        title: "A map with a smaller box",
        otherwise: Is("The kernel never ends: it waits for bytes that no copy delivers."),
        ours: Refused("maps", "(&smaller,)"),
    },
    Mistake {
        title: "A descriptor without its buffer",
        otherwise: Follows("Silent: nothing links the descriptor to its buffer."),
        ours: Refused("maps", "(smaller.descriptor(),)"),
    },
    Mistake {
        title: "A buffer in place of a map",
        otherwise: Is("The copy faults with an illegal instruction, and the context is lost."),
        ours: Refused("maps", "(&data,)"),
    },
    Mistake {
        title: "A map in place of a buffer",
        otherwise: Follows(
            "Silent: the first eight bytes of the descriptor are taken for an address, and the kernel faults.",
        ),
        ours: Refused("maps", "tiles.plain().grid(1).launch(stream, (&a,))"),
    },
    Mistake {
        title: "A store through a `#[readonly]` pointer",
        otherwise: Follows(
            "Silent: the kernel writes to memory that Rust assumes is not modified.",
        ),
        ours: Refused("readonly", "st.global.f32 [%src]"),
    },
    Mistake {
        title: "A constant set with a different number of elements",
        otherwise: Is("Silent with fewer bytes; with more, cudarc panics."),
        ours: Refused("variables", "&[1.0; 4]"),
    },
    Mistake {
        title: "A constant set with elements of another type",
        otherwise: Follows("With 5 `f64` for 5 `f32`, cudarc panics: there are too many bytes."),
        ours: Refused("variables", "&[1.0_f64; 5]"),
    },
    Mistake {
        title: "A constant set with two bytes, or with half of an `f64`",
        otherwise: Is("Silent: the other bytes stay as they were."),
        ours: Refused("variables", "&0x3c00_u16"),
    },
    Mistake {
        title: "A constant read as another type",
        otherwise: Follows("The bytes come back as whatever they are transmuted to."),
        ours: Refused("variables", "let taps: Vec<f32>"),
    },
    Mistake {
        title: "A private variable set from outside",
        otherwise: Follows("The driver finds every symbol by its name, private or not."),
        ours: Refused("variables", "filter.PRIVATE.set"),
    },
    Mistake {
        title: "Shared memory set by the host",
        otherwise: Follows("The driver does not find it: `CUDA_ERROR_NOT_FOUND`."),
        ours: Refused("variables", "filter.ROW.set"),
    },
    Mistake {
        title: "A private kernel launched from outside",
        otherwise: Follows("The driver finds every kernel by its name, private or not."),
        ours: Refused("variables", "filter.private()"),
    },
    Mistake {
        title: "A kernel of another module",
        otherwise: Follows(
            "A kernel is found by name: in another module, the kernel of the same name runs.",
        ),
        ours: Refused("shape", "kept = other.unvouched().kernel()"),
    },
    Mistake {
        title: "A grid given although it follows from the arguments",
        otherwise: Follows(
            "The grid is always given by the caller, and nothing compares it with the lengths.",
        ),
        ours: Refused("shape", "fill.vouched().grid(2)"),
    },
    Mistake {
        title: "Dynamic shared memory for a kernel that uses none",
        otherwise: Is("Silent, and happens to work; the multiprocessor holds fewer blocks."),
        ours: Refused("shape", "fill.vouched().dynamic(64)"),
    },
    Mistake {
        title: "A grid of a `usize`",
        otherwise: Follows("A cast to `u32` drops the upper half."),
        ours: Refused("shape", "grid(to.len())"),
    },
    Mistake {
        title: "A destination that is too short",
        otherwise: Is("Silent: the kernel writes out of bounds."),
        ours: Error,
    },
    Mistake { title: "A number that is not a multiple", otherwise: Follows(SILENT), ours: Error },
    Mistake { title: "A number that is negative", otherwise: Follows(SILENT), ours: Error },
    Mistake {
        title: "A product that exceeds 64 bits",
        otherwise: Follows(
            "A comparison by hand wraps, and holds: the kernel writes out of bounds.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A product that wraps in its own type",
        otherwise: Follows(
            "A comparison by hand wraps before it is cast, and holds: the kernel writes out of bounds.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A cast that does not fit",
        otherwise: Follows(
            "A cast drops the upper half, and the comparison holds: the kernel writes out of bounds.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A grid that comes out negative",
        otherwise: Follows(
            "It wraps to 4,294,967,295 blocks: the kernel runs for as long as that takes, or the launch is refused for its other extents.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A launch without a grid",
        otherwise: Follows(FIRST),
        ours: Refused("missing", "open.block(32).dynamic(8)"),
    },
    Mistake { title: "A grid of zero", otherwise: Answers, ours: Error },
    Mistake { title: "A grid taller than the device allows", otherwise: Answers, ours: Error },
    Mistake {
        title: "A block that differs from `reqntid`",
        otherwise: Answers,
        ours: Refused("missing", ".block(128)"),
    },
    Mistake {
        title: "A buffer of 98 scalars for vectors of 4",
        otherwise: Follows("Silent: the last vector is half out of bounds."),
        ours: Error,
    },
    Mistake {
        title: "A view that starts at an odd element",
        otherwise: Is("The kernel faults with a misaligned address, and the context is lost."),
        ours: Error,
    },
    Mistake { title: "A block over `maxntid`", otherwise: Answers, ours: Error },
    Mistake {
        title: "A launch without a block size",
        otherwise: Is(
            "A block of 64 where the body assumes 256 silently reads shared memory that was never written.",
        ),
        ours: Refused("missing", "with_grid.dynamic(8)"),
    },
    Mistake { title: "A block of zero", otherwise: Answers, ours: Error },
    Mistake { title: "A block larger than the device allows", otherwise: Answers, ours: Error },
    Mistake { title: "A block deeper than the device allows", otherwise: Answers, ours: Error },
    Mistake { title: "A grid that is not made of whole clusters", otherwise: Answers, ours: Error },
    Mistake {
        title: "A cluster that differs from `reqnctapercluster`",
        otherwise: Answers,
        ours: Refused("missing", ".cluster(4)"),
    },
    Mistake {
        title: "A launch without a cluster size",
        otherwise: Answers,
        ours: Refused("missing", "shapes.clusters().grid(2)"),
    },
    Mistake { title: "A cluster over `maxclusterrank`", otherwise: Answers, ours: Error },
    Mistake { title: "A cluster of zero", otherwise: Answers, ours: Error },
    Mistake { title: "A cluster larger than the device holds", otherwise: Answers, ours: Error },
    Mistake {
        title: "Dynamic shared memory without a length",
        otherwise: Is(
            "With 0 bytes, or one stage, or without room for the barriers at its end: an illegal address, and the context is lost.",
        ),
        ours: Refused("missing", "with_block.launch"),
    },
    Mistake {
        title: "More dynamic shared memory than a block can have",
        otherwise: Answers,
        ours: Error,
    },
    Mistake { title: "A cooperative grid that does not fit", otherwise: Answers, ours: Error },
    Mistake {
        title: "An access-policy window larger than the device allows",
        otherwise: Follows("cudarc has no such attribute."),
        ours: Error,
    },
    Mistake {
        title: "A hit ratio above 1",
        otherwise: Follows("cudarc has no such attribute."),
        ours: Error,
    },
    Mistake {
        title: "Misses that persist",
        otherwise: Follows("cudarc has no such attribute."),
        ours: Error,
    },
    Mistake {
        title: "A carveout above 100 percent",
        otherwise: Follows("cudarc has no such attribute."),
        ours: Error,
    },
    Mistake {
        title: "A map that only loads, for a safe launch that may store",
        otherwise: Follows(
            "Silent: the kernel writes to memory that Rust assumes is not modified.",
        ),
        ours: Error,
    },
    Mistake {
        title: "PTX that the driver's compiler refuses",
        otherwise: Is("`CUDA_ERROR_INVALID_PTX`, without its messages."),
        ours: Error,
    },
    Mistake {
        title: "PTX newer than the driver",
        otherwise: Is("`CUDA_ERROR_UNSUPPORTED_PTX_VERSION`, without the supported versions."),
        ours: Error,
    },
    Mistake {
        title: "A target that does not match the device",
        otherwise: Is("`CUDA_ERROR_INVALID_PTX`, without a mention of the device."),
        ours: Error,
    },
    Mistake {
        title: "An optimisation level that does not exist",
        otherwise: Follows("cudarc passes no options."),
        ours: Error,
    },
    Mistake {
        title: "Bytes that are not a cubin",
        otherwise: Follows(
            "`CUDA_ERROR_INVALID_IMAGE`, or a read past their end if they are truncated.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A truncated cubin",
        otherwise: Follows("The driver does not know its length, and reads past its end."),
        ours: Error,
    },
    Mistake {
        title: "A cubin of an older declaration",
        otherwise: Follows("Silent: each launch reads and writes the wrong bytes."),
        ours: Error,
    },
    Mistake {
        title: "A stream of another context",
        otherwise: Follows(
            "`CUDA_ERROR_INVALID_HANDLE` or `CUDA_ERROR_INVALID_CONTEXT`, from whichever call comes first.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A buffer of another context",
        otherwise: Follows("Silent, or an illegal address, and the context is lost."),
        ours: Error,
    },
    Mistake {
        title: "A safe launch in a stream that is being captured",
        otherwise: Follows(
            "The graph keeps addresses: it runs with buffers and modules that no longer exist.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A variable set in a stream that is being captured",
        otherwise: Follows(
            "The graph keeps the host's address: it reads memory that has been freed.",
        ),
        ours: Error,
    },
    Mistake {
        title: "A variable set in a stream of another context",
        otherwise: Follows("`CUDA_ERROR_INVALID_VALUE`, or `CUDA_ERROR_INVALID_CONTEXT`."),
        ours: Error,
    },
    Mistake {
        title: "A range outside the array",
        otherwise: Follows("cudarc panics."),
        ours: Error,
    },
    Mistake {
        title: "More values than elements",
        otherwise: Follows("cudarc panics."),
        ours: Error,
    },
    Mistake {
        title: "Room for fewer values than elements",
        otherwise: Follows("cudarc panics."),
        ours: Error,
    },
    Mistake {
        title: "A buffer that is dropped before the graph",
        otherwise: Follows(
            "The graph keeps the address: it runs with memory that is free, or somebody else's.",
        ),
        ours: Refused("graphs", "drop(data);"),
    },
    Mistake {
        title: "A buffer that the host reads while a graph writes it",
        otherwise: Follows(
            "Silent: the copy does not wait for the graph, since cudarc does not know its buffers.",
        ),
        ours: Refused("graphs", "stream.clone_dtoh(data)?"),
    },
];

/// The text under this title in `errors.txt`.
pub(crate) fn error(title: &str) -> &'static str {
    let all = include_str!("errors.txt").split("## ");
    let found = all.filter_map(|part| part.split_once("\n\n")).find(|(found, _)| *found == title);
    found.map_or_else(|| panic!("errors.txt does not have `{title}`"), |(_, text)| text.trim_end())
}

/// The answer for this title in `unchecked.txt`.
pub(crate) fn answer(title: &str) -> &'static str {
    let all = include_str!("unchecked.txt").lines();
    let found = all.filter_map(|line| line.split_once(": ")).find(|(found, _)| *found == title);
    found.map_or_else(|| panic!("unchecked.txt does not have `{title}`"), |(_, answer)| answer)
}

/// The titles in `errors.txt`, in order.
pub(crate) fn errors() -> impl Iterator<Item = &'static str> {
    include_str!("errors.txt").lines().filter_map(|line| line.strip_prefix("## "))
}
