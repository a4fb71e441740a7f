//! Compares the analysis with the interpreter on random programs: every number
//! in a register is one that the fixpoint allows, every location that the run reports is accessed by
//! that thread in that iteration, and every finding is an access that fails.
//!
//! `PTX_SOUNDNESS_CASES` is the number of programs.

extern crate std;

mod case;
mod checked;
mod declared;
mod executed;
mod facts;
mod findings;
mod measured;
mod seen;
mod subject;
pub(crate) mod values;
mod words;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use ptx_smith::bodies::{ARRAYS, Array, REGISTERS};

use case::{Case, case};
use checked::check;
use seen::Seen;

/// Checks all results for a program.
fn check_case(case: &Case, seen: &mut Seen) -> Result<(), String> {
    check_texts(&case.texts(), case, seen)
}

fn check_texts(texts: &[String], case: &Case, seen: &mut Seen) -> Result<(), String> {
    check(texts, case, seen).map_err(|problem| case.described(&problem, texts))
}

/// Regression tests: programs with a former false result, each with a description.
const REGRESSIONS: [(&str, bool, &str); 8] = [
    (
        "what is proven of a number that is read as signed is another of the one in a wider register",
        false,
        "mov.u32 %r0, %tid.x;\nadd.u32 %r3, %r0, 2147483647;\nsetp.le.s32 %p1, %r3, 1;\n\
         @!%p1 bra L1;\nmov.u64 %d4, A;\nmul.wide.u32 %d5, %r3, 4;\nadd.s64 %d4, %d4, %d5;\n\
         st.shared.b32 [%d4], %r0;\nL1:\nexit;",
    ),
    (
        "of a device function nobody knows which threads call it",
        true,
        "mov.u32 %r0, %tid.x;\nsetp.ge.u32 %p1, 0, %r0;\nmov.u32 %r10, A;\n\
         mad.lo.u32 %r10, %r0, 4, %r10;\n@%p1 st.shared.b32 [%r10], %r0;\n\
         st.shared.b32 [%r10], %r0;\nret;",
    ),
    (
        "a sum of threads wraps as the register does that holds it",
        false,
        "mov.u32 %r0, %tid.x;\nadd.u32 %r3, %r0, 2147483644;\nmov.u32 %r10, A;\n\
         mad.lo.u32 %r10, %r3, 4, %r10;\nst.shared.b32 [%r10], %r0;\nexit;",
    ),
    (
        "a loop that begins in another and ends behind it",
        false,
        "mov.u32 %r7, 1;\nsetp.eq.u32 %p1, 1, 1;\nL1:\nmov.u32 %r10, B;\nL4:\n\
         setp.gt.s32 %p5, %r7, 7;\n@%p5 bra E4;\n@!%p1 bra L1;\n\
         mad.lo.u32 %r9, %r7, 8, %r10;\nst.shared.b32 [%r9], %r7;\nadd.s32 %r7, %r7, 1;\n\
         bra L4;\nE4:\nexit;",
    ),
    (
        "a jump leaves a loop, and comes into it again behind its label",
        false,
        "mov.u32 %r6, 0;\nsetp.eq.u32 %p1, 1, 1;\nmov.u32 %r10, A;\nW0:\n@%p1 bra W1;\nL2:\n\
         mad.lo.u32 %r10, %r6, 32, %r10;\n@%p1 bra W0;\nW1:\nst.shared.b32 [%r10], %r6;\n\
         add.s32 %r6, %r6, 1;\nsetp.le.s32 %p4, %r6, 2;\n@!%p1 bra W0;\n@%p4 bra L2;\nexit;",
    ),
    (
        "a number is an address of shared memory, and that of the same in another block is another",
        false,
        "mov.u32 %r1, 16;\nmapa.shared::cluster.u32 %r2, %r1, 0;\nadd.u32 %r3, %r2, 4;\nexit;",
    ),
    (
        "some threads enter a loop behind its label",
        true,
        "mov.u32 %r0, %tid.x;\nsetp.le.s32 %p2, %r0, 0;\nmov.u32 %r6, 1;\nmov.u32 %r10, A;\n\
         @%p2 bra W0;\nL1:\nmov.u32 %r10, A;\nW0:\nmad.lo.u32 %r10, %r6, 4, %r10;\n\
         st.shared.b32 [%r10], %r6;\nshl.b32 %r6, %r6, 1;\nsetp.lt.s32 %p4, %r6, 8;\n\
         @%p4 bra L1;\nret;",
    ),
    (
        "an address whose offset exceeds its 32 bits is another one in 64 bits",
        false,
        "mov.u32 %r0, %tid.x;\nadd.u32 %r3, %r0, 2147483739;\nshl.b32 %r9, %r3, 2;\n\
         mov.u32 %r10, A;\nadd.s32 %r10, %r10, %r9;\ncvt.u64.u32 %d4, %r10;\n\
         add.s64 %d4, %d4, 4;\nexit;",
    ),
];

/// Returns the declarations at the start of each program, which are not random.
fn declarations() -> String {
    let arrays = ARRAYS.iter().map(|array| {
        let Array { name, space, align, bytes } = array;
        format!(".{space} .align {align} .b8 {name}[{bytes}];\n")
    });
    let registers = REGISTERS.iter().map(|(name, ty, n)| format!(".reg .{ty} {name}<{n}>;\n"));
    arrays.chain(registers).collect()
}

#[test]
fn former_errors_stay_fixed() {
    let declared = declarations();
    let mut problems = Vec::new();
    for (about, is_device, text) in REGRESSIONS {
        let texts = [declared.clone() + text];
        if let Err(problem) = check_texts(&texts, &Case::plain(is_device), &mut Seen::default()) {
            problems.push(format!("{about}: {problem}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The default without the environment variable.
const CASES: u32 = 500;

#[test]
fn reports_are_true() {
    let cases = std::env::var("PTX_SOUNDNESS_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(CASES),
        failure_persistence: None,
        max_shrink_iters: 1_500,
        ..ProptestConfig::default()
    };
    let seen = RefCell::new(Seen::default());
    let result = TestRunner::new(config).run(&case(), |case| {
        check_case(&case, &mut seen.borrow_mut()).map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        // The shrunk program is more informative than its choices.
        Err(TestError::Fail(problem, _)) => panic!("{problem}"),
        Err(problem) => panic!("{problem}"),
    }
    let seen = seen.borrow();
    std::println!("{seen:?}");
    // Many of the certain failures are found; the statistics show how many.
    assert!(seen.programs < 500 || seen.found * 2 > seen.wrong, "{seen:?}");
}
