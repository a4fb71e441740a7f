//! What the driver's errors of asynchronous work mean, and the rules whose mistakes cause them.

use cudarc::driver::DriverError;

/// What an error means that the driver reports after a kernel failed. Another cause than those that are listed is always
/// possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FaultMeaning {
    /// The driver's number, a `CUresult`.
    pub code: u32,
    /// The driver's name for it.
    pub name: &'static str,
    /// What happened, in a few words: `an illegal address`.
    pub what: &'static str,
    /// What that means, and what usually causes it.
    pub cause: &'static str,
    /// The codes of the rules that find such mistakes before anything runs: those whose mistakes ended so when they were
    /// measured on a GPU, and for a timeout those of waits that never end. `ptx explain CODE` prints a rule.
    pub rules: &'static [&'static str],
    /// Whether the driver refuses all further work in the context.
    pub loses_context: bool,
}

/// The meaning of an error of the driver, if it is one that asynchronous work ends with.
pub fn fault_meaning(code: u32) -> Option<&'static FaultMeaning> {
    MEANINGS.iter().find(|meaning| meaning.code == code)
}

/// The driver's number of an error.
pub(super) const fn code_of(error: DriverError) -> u32 {
    error.0 as u32
}

macro_rules! meanings {
    ($($code:literal $name:literal $what:literal: $cause:literal [$($rule:literal)*];)*) => {
        &[$(FaultMeaning {
            code: $code,
            name: $name,
            what: $what,
            cause: $cause,
            rules: &[$($rule),*],
            loses_context: true,
        }),*]
    };
}

static MEANINGS: &[FaultMeaning] = meanings! {
    214 "CUDA_ERROR_ECC_UNCORRECTABLE" "an uncorrectable memory error":
        "the GPU's memory has lost data, which no program causes" [];
    220 "CUDA_ERROR_NVLINK_UNCORRECTABLE" "an uncorrectable NVLink error":
        "a link between GPUs has failed, which no program causes" [];
    226 "CUDA_ERROR_CONTAINED" "a contained memory error":
        "the GPU's memory has lost data that this program used, which no program causes" [];
    700 "CUDA_ERROR_ILLEGAL_ADDRESS" "an illegal address":
        "a thread accessed an address where nothing is allocated: far outside of a buffer, in a buffer that was freed, \
         in another state space, or computed from a wrong value"
        ["A031" "A032" "A034" "A056" "A057" "A058" "C007"];
    702 "CUDA_ERROR_LAUNCH_TIMEOUT" "a timeout":
        "a kernel ran longer than this GPU allows, which also drives a display: its loop or its wait may never end"
        ["A041" "A053" "A067" "A068" "A076" "A110" "A112"];
    710 "CUDA_ERROR_ASSERT" "a failed assertion":
        "a kernel called `__assertfail`, which printed what failed to the standard output" [];
    714 "CUDA_ERROR_HARDWARE_STACK_ERROR" "a corrupted call stack":
        "calls are nested too deep, or a store has overwritten the stack in local memory" [];
    715 "CUDA_ERROR_ILLEGAL_INSTRUCTION" "an illegal instruction":
        "an instruction was executed with operands or by threads for which it is not defined: a tensor copy with \
         something that is not its map, a barrier or matrix instruction that only some threads execute, an address \
         outside of shared memory as one of it"
        ["A025" "A026" "A027" "A031" "A040" "A062" "A124" "A126" "A131" "A133"];
    716 "CUDA_ERROR_MISALIGNED_ADDRESS" "a misaligned address":
        "a thread accessed an address that is not a multiple of the size of the access, or of the alignment that the \
         instruction requires"
        ["A021" "A022" "A036" "A043"];
    717 "CUDA_ERROR_INVALID_ADDRESS_SPACE" "an address in a wrong state space":
        "an instruction that accepts addresses of some state spaces only was given one of another" [];
    718 "CUDA_ERROR_INVALID_PC" "an invalid program counter":
        "a thread jumped to an address without code: an indirect call or branch through a wrong address" [];
    719 "CUDA_ERROR_LAUNCH_FAILED" "a failed launch":
        "a kernel executed `trap` or `brkpt`, used an `mbarrier` that is not initialised or gets too many arrivals, or \
         accessed shared memory of a block that has ended or does not exist"
        ["A059" "A065" "A066" "A069" "A074" "A111" "A125"];
    721 "CUDA_ERROR_TENSOR_MEMORY_LEAK" "tensor memory that was not freed":
        "a kernel ended with tensor memory that it had allocated: each `tcgen05.alloc` needs its `tcgen05.dealloc`" [];
};
