//! The interpreter computes what an H100 computes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ptx_types::ir::body::Body;

use crate::interpreter::measured::{MEASURED, THREADS, measuring, source, summed};
use crate::interpreter::{End, Launch, Load, Program, Thread, encode};

#[test]
fn what_was_measured_is_computed() {
    for ((instruction, measured), n) in MEASURED.iter().zip(0..) {
        // What follows the last one shows what it left.
        let encoded = encode(
            &(alloc::string::String::from("mov.b64 %d8, 0;\n")
                + &measuring(instruction)
                + "ret;\n"),
        );
        let body = Body::new(&encoded.0, &encoded.1, &[]);
        let program = Program::of(&body, &[]);
        let result =
            program.registers().iter().position(|name| *name == "%d0").expect("it is there");
        let computed = |thread: u64| {
            let load = |load: Load| source(n, thread, load.address / 8);
            let launch = Launch {
                block: [1; 3],
                grid: [1; 3],
                symbols: &BTreeMap::new(),
                window: &|_| 0,
                load: &load,
                steps: 100,
            };
            let mut left = Vec::new();
            let thread = Thread { number: [0; 3], block: [0; 3] };
            let execution = program.run(&launch, thread, |moment| left = moment.registers.to_vec());
            assert_eq!(execution.end, End::Done, "{instruction}");
            left[result].expect("it was written")
        };
        assert_eq!(summed((0..THREADS).map(computed)), *measured, "{instruction}");
    }
}
