//! The interpreter computes the same results as an H100, and the analysis allows them.

use alloc::vec::Vec;

use ptx_interpreter::measured::{MEASURED, THREADS, measuring, source, summed};
use ptx_interpreter::{End, Launch, Load, Program, Thread, encode};
use ptx_isa::ir::body::Body;

use crate::findings::symbols::Symbols;
use crate::values::argument::Called;

use super::declarations;
use super::declared::functions;
use super::subject::{Promised, Subject};
use super::values::{Facts, Held};

#[test]
fn the_interpreter_matches_the_measurements() {
    for ((instruction, measured), n) in MEASURED.iter().zip(0..) {
        // The instruction after the last one shows its result.
        let encoded = encode(
            &(alloc::string::String::from("mov.b64 %d8, 0;\n")
                + &measuring(instruction)
                + "ret;\n"),
        );
        let body = Body::new(&encoded.0, &encoded.1, &[]);
        let program = Program::of(&body, &[]);
        let result =
            program.registers(0).iter().position(|name| *name == "%d0").expect("it is there");
        let computed = |thread: u64| {
            let load = |load: Load| source(n, thread, load.address / 8);
            let launch = Launch { load: &load, ..Launch::of_block([1; 3]) };
            let mut left = Vec::new();
            let thread = Thread { number: [0; 3], block: [0; 3] };
            let execution = program.run(&launch, thread, |moment| left = moment.registers.to_vec());
            assert_eq!(execution.end, End::Done, "{instruction}");
            left[result].expect("it was written")
        };
        assert_eq!(summed((0..THREADS).map(computed)), *measured, "{instruction}");
    }
}

/// Programs with which an H100 leaves a different value in `%r0` than PTX ISA specifies, as compiled by ptxas of
/// CUDA 12.9 and 13.0, with that value.
const DIFFERENT: [(&str, i128); 3] = [
    ("mov.b32 %r1, 1289873777;\nbfe.s32 %r0, %r1, 33, 1;\nret;\n", 0xffff_ffff),
    (
        "mov.b32 %r1, 5;\nmov.b32 %r2, 3168849897;\nbfi.b32 %r0, %r1, %r2, 13, 34;\nret;\n",
        0xbce0_afe9,
    ),
    (
        "mov.b32 %r0, 135278294;\nmov.b32 %r1, 2;\ncvt.u16.u32 %h1, %r1;\n\
         setp.eq.u32 %p0, %r1, 999;\n@%p0 set.lt.u32.u16 %r0, %h1, %h1;\nret;\n",
        0x2ed6,
    ),
];

#[test]
fn the_analysis_allows_the_measured_results() {
    let declared = declarations();
    for (text, left) in DIFFERENT {
        let encoded = encode(&(declared.clone() + text));
        let body = Body::new(&encoded.0, &encoded.1, &[]);
        let functions = functions(&[body], &[], false);
        let symbols = Symbols::default();
        let (subject, _) =
            Subject::of(&functions[0], &symbols, Promised::default(), &Called::default())
                .expect("a program");
        let program = Program::of(&body, &[]);
        let (known, widths) = (subject.known(), subject.widths(program.registers(0)));
        let state = known.last().expect("a node").as_ref().expect("control gets there");
        let at = program.registers(0).iter().position(|name| *name == "%r0");
        let (register, bits) = widths[at.expect("it is there")];
        let value = state.get(register.expect("it is declared")).expect("it is written");
        let coordinates = subject.coordinates;
        let facts = Facts {
            bases: &[],
            special: &|_| None,
            coordinates: &coordinates,
            registers: &|_| None,
        };
        assert!(facts.allow(value, Held { bits, value: left }), "{text}{value:?}");
    }
}
