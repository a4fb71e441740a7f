//! A user's own tests of what does not compile: the crate `trybuild` shows the errors, those of the macro and those that
//! only rustc's constant evaluation finds.

#[test]
fn programs() {
    let programs = trybuild::TestCases::new();
    // With a program that compiles, `trybuild` builds instead of checking, as rustc then evaluates every constant.
    programs.pass("tests/programs/inside.rs");
    programs.compile_fail("tests/programs/outside.rs");
    programs.compile_fail("tests/programs/outside_late.rs");
}
