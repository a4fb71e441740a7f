//! Messages from ptxas, located at the Rust tokens that they are about.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use ptx::ir::body::{Piece, Statement, StatementKind};
use ptx::ir::{
    Body, DeclaredAt, Function, FunctionKind, Location, Locations, Mark, Module, Param, Type,
    Variable,
};
use ptx::ptxas::{AssembleError, Diagnostic, Ptxas};
use ptx::{ScalarType, Space, Target};

#[ptx::module(target = sm_75, version = 7.3)]
mod statements {
    #[kernel(allow(A056))]
    pub fn refused() {
        ptx! {
            .reg .b32 %r<3>;
            .reg .pred %p; add.rn.u32 %r0, %r1, %r1;
            .reg .b64 %d<2>;
            @%p sub.rn.u32 %r0, %r1, %r1;
        block:
            ld.wait_all.shared.u32
                %r0, [%r1];
            createpolicy.cvt.L2.b64 %d0, %d1;
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod value {
    const FEW: u32 = 7;

    #[kernel]
    pub fn refused() {
        ptx! {
            setmaxnreg.dec.sync.aligned.u32 #(FEW);
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod declaration {
    #[device(extern)]
    fn nowhere(x: u32) -> u32;

    #[kernel]
    pub fn calls() {
        ptx! {
            .param .b32 x;
            .param .b32 y;
            call (y), nowhere, (x);
            ret;
        }
    }
}

/// Items with a different name in PTX shift the text after them.
#[ptx::module(target = sm_90)]
mod marks {
    #[global(align = 8)]
    #[unsafe(export_name = "a_much_longer_name")]
    static X: [u32; 4];

    #[kernel]
    pub fn every(n: u32) {
        ptx! {
            .reg .b32 %r<4>, $scratch; .reg .pred %p; .local .align 8 .b8 buffer[16];
            $again:
            {
                ld.param.u32 %r1, [n];
                st.global.v2.u32 [X + #(2 * 4)], {%r1, %r2}; add.s32 %r1, %r1, 12;
                @!%p setp.lt.u32 %p, %r1, %r2;
            }
            ld.shared::cluster.u32 %r3, [%r1];
            bra $again;
        }
    }
}

/// An element whose size no module shows.
#[repr(C)]
#[derive(Clone, Copy, ptx::PtxType)]
pub struct Slot {
    value: f32,
}

/// What `Module::check` finds, too.
#[ptx::module(target = sm_90, __unchecked)]
mod unseen {
    use super::Slot;

    #[shared]
    pub static SLOTS: [Slot; 127];

    #[kernel(reqntid = 128)]
    pub fn fills() {
        ptx! {
            .reg .b32 %i, %slot;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %slot, SLOTS[%i];
            st.shared.f32 [%slot], 0f00000000;
            ret;
        }
    }
}

/// Likewise, in each round of a loop that the macro writes out.
#[ptx::module(target = sm_90, __unchecked)]
mod rounds {
    use super::Slot;

    #[shared]
    pub static PARTS: [Slot; 127];

    #[kernel(reqntid = 128)]
    pub fn fills() {
        ptx! {
            .reg .b32 %i, %late;
            mov.u32 %i, %tid.x;
            for j in 0..3 {
                lea.shared.u32 %late, PARTS[%i];
                st.shared.f32 [%late], 0f3F800000;
            }
            ret;
        }
    }
}

macro_rules! module_of {
    ($name:ident, $op:ident, $ty:ident, $value:expr) => {
        #[ptx::module(target = sm_90a)]
        mod $name {
            #[kernel]
            pub(crate) fn kernel() {
                ptx! {
                    .reg .b32 %r<3>;
                    sub.wobbly.$ty %r0, %r1, %r2;
                    $op.u32 %r0, %r1;
                    setmaxnreg.dec.sync.aligned.u32 #($value);
                    ret;
                }
            }
        }
    };
}

module_of!(expanded, _frobnicate, u32, 3 + 2 * 2);

fn refusal(ptxas: &Ptxas, module: &Module<'_>) -> Vec<Diagnostic> {
    match ptxas.assemble(module) {
        Err(AssembleError::Refused { diagnostics, .. }) => diagnostics,
        Err(other) => panic!("ptxas should refuse it, but: {other}"),
        Ok(_) => panic!("ptxas should refuse it"),
    }
}

/// The position of `token` in the only line of this file that contains `text`.
fn place(text: &str, token: &str) -> Location<String> {
    let found = |line: &&(usize, &str)| line.1.contains(text) && !line.1.contains("place(");
    let lines: Vec<(usize, &str)> = include_str!("places.rs").lines().enumerate().collect();
    let mut lines = lines.iter().filter(found);
    let (Some((line, text)), None) = (lines.next(), lines.next()) else {
        panic!("`{text}` is in no line or in several");
    };
    let column = text.find(token).expect("the token is in the line");
    let number = |index: usize| u32::try_from(index + 1).expect("a short file");
    Location { file: file!().to_owned(), line: number(*line), column: number(column) }
}

#[track_caller]
fn assert_at(diagnostics: &[Diagnostic], message: &str, expected: &Location<String>) {
    let Some(found) = diagnostics.iter().find(|found| found.message.contains(message)) else {
        panic!("no message with `{message}` in {diagnostics:#?}");
    };
    assert_eq!(found.place.as_ref(), Some(expected), "{found}");
    assert!(found.to_string().starts_with(&format!("{expected}: error: ")), "{found}");
}

#[test]
fn statements_are_named_by_the_token() {
    for ptxas in xtask::oracles() {
        let found = refusal(&ptxas, &statements::MODULE);
        assert_at(&found, "instruction 'add'", &place("add.rn.u32 %r0, %r1, %r1;", "add"));
        assert_at(&found, "instruction 'sub'", &place("@%p sub.rn", "sub"));
        assert_at(&found, "Unknown modifier", &place("ld.wait_all.shared.u32", ".wait_all"));
        let feature = "Feature 'createpolicy.cvt'";
        assert_at(&found, feature, &place("createpolicy.cvt.L2", "createpolicy"));
        let found = refusal(&ptxas, &value::MODULE);
        assert_at(&found, "unexpected value '7'", &place("aligned.u32 #(FEW);", "#(FEW)"));
    }
}

#[test]
fn declarations_are_named_by_the_token() {
    let ty = Type::Scalar(ScalarType::U32);
    let at = |line| Location { file: "src/by_hand.rs", line, column: 9 };
    let marks = [3, 5].map(|line| Mark { statement: line as usize, offset: 0, place: at(line) });
    let (files, table) = Locations::encode(marks);
    let table = Locations::new(&files, &table);
    let at = |number| Some(DeclaredAt::new(&table, number));
    let local = Variable { place: at(3), ..Variable::new(Space::Local, "SPILLED", &ty) };
    let mut params = [Param::new("x", &ty), Param::new("x", &ty)];
    params[0].variable.place = at(5);
    let kernel = Function {
        params: &params,
        body: Some(Body::verbatim("")),
        ..Function::new(FunctionKind::Kernel, "k")
    };
    let by_hand =
        Module { variables: &[&local], functions: &[&kernel], ..Module::new("m", Target::Sm90) };
    let owned = |line| Location { file: "src/by_hand.rs".to_owned(), line, column: 9 };
    for ptxas in xtask::oracles() {
        let found = refusal(&ptxas, &declaration::MODULE);
        assert_at(&found, "Unresolved extern", &place("fn nowhere", "nowhere"));
        let found = refusal(&ptxas, &by_hand);
        assert_at(&found, ".local state space", &owned(3));
        assert_at(&found, "Duplicate definition", &owned(5));
    }
}

#[test]
fn tokens_of_a_macro_are_located_in_the_macro() {
    for ptxas in xtask::oracles() {
        let found = refusal(&ptxas, &expanded::MODULE);
        assert_at(&found, "Unknown modifier", &place("sub.wobbly.$ty", ".wobbly"));
        // The macro's arguments are located at the call.
        assert_at(&found, "known instruction", &place("module_of!(expanded,", "_frobnicate"));
        assert_at(&found, "unexpected value '7'", &place("aligned.u32 #($value);", "#("));
    }
}

#[test]
fn modules_built_by_hand_have_no_places() {
    let kernel = Function {
        body: Some(Body::verbatim("_frobnicate;")),
        ..Function::new(FunctionKind::Kernel, "k")
    };
    let module = Module { functions: &[&kernel], ..Module::new("m", Target::Sm90) };
    for ptxas in xtask::oracles() {
        let found = refusal(&ptxas, &module);
        assert_eq!(found[0].place, None);
        assert!(found[0].to_string().starts_with("error: "), "{}", found[0]);
    }
}

#[test]
fn findings_begin_with_their_place_and_end_with_their_rule() {
    let found = unseen::MODULE.check();
    let [found] = &found[..] else { panic!("{found:?}") };
    let message = "this access ends at byte 512 of `SLOTS`, which has 508 bytes (by thread 127); offsets count \
                   bytes, and the last that fits is 504 [A020, PTX ISA 6.4.1]";
    let at = place("st.shared.f32 [%slot], 0f00000000;", "%slot");
    assert_eq!(found.message(), message);
    assert_eq!(found.to_string(), format!("{at}: {message}"));
}

#[test]
fn a_finding_in_each_round_of_a_loop_is_one() {
    let found = rounds::MODULE.check();
    let [found] = &found[..] else { panic!("{found:?}") };
    let at = place("st.shared.f32 [%late], 0f3F800000;", "%late");
    assert!(
        found.to_string().starts_with(&format!("{at}: this access ends at byte 512")),
        "{found}"
    );
    assert!(
        found.message().ends_with("the same holds for 2 more statements expanded from here"),
        "{found}"
    );
}

#[test]
fn findings_in_declarations_begin_with_the_place_of_the_name() {
    let variable = Variable { align: Some(12), ..*unseen::SLOTS.ir() };
    let variables = [&variable];
    let changed = Module { variables: &variables, functions: &[], ..*unseen::MODULE.ir() };
    let found = ptx::Module::new(changed).check();
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(found.rule().code, "D005");
    let at = place("pub static SLOTS", "SLOTS");
    assert_eq!(found.to_string(), format!("{at}: {}", found.message()));
    // A variable that was built by hand has no place.
    let variable = Variable { place: None, ..variable };
    let variables = [&variable];
    let changed = ptx::Module::new(Module { variables: &variables, ..changed });
    let found = changed.check();
    assert_eq!(found[0].location(), None);
    assert_eq!(found[0].to_string(), found[0].message());
}

#[test]
fn findings_in_declarations_of_bodies_have_the_place_of_the_name() {
    let kernel = marks::every().ir();
    let aligned = |variable: &&'static Variable<'static>| -> &'static Variable<'static> {
        let is_buffer = variable.name == "buffer";
        if is_buffer {
            Box::leak(Box::new(Variable { align: Some(12), ..**variable }))
        } else {
            variable
        }
    };
    let locals: Vec<&Variable<'_>> = kernel.locals.iter().map(aligned).collect();
    let changed = Function { locals: &locals, ..*kernel };
    let changed = Module { functions: &[&changed], ..*marks::MODULE.ir() };
    let found = ptx::Module::new(changed).check();
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(found.rule().code, "D005");
    assert_eq!(found.statement().map(|(_, statement)| statement), None);
    assert!(matches!(found.site(), Some(ptx::ir::Site::Local { function: 0, .. })), "{found:?}");
    let at = place(".local .align 8 .b8 buffer[16];", "buffer");
    assert_eq!(found.to_string(), format!("{at}: {}", found.message()));
}

/// Every mark of a statement matches the source at its position and the text at its offset.
#[test]
fn marks_match_the_text() {
    let kernel = marks::every().ir();
    let source: Vec<&str> = include_str!("places.rs").lines().collect();
    let body = kernel.body.expect("it has one");
    let statements: Vec<Statement<'_>> = body.statements().collect();
    let mut seen = vec![0; statements.len()];
    for mark in kernel.places.marks() {
        let Location { file, line, column } = mark.place;
        assert_eq!(file, file!());
        let source = &source[line as usize - 1][column as usize - 1..];
        seen[mark.statement] += 1;
        let statement = statements[mark.statement];
        let text = match statement.kind() {
            StatementKind::Open => "{".to_owned(),
            StatementKind::Close => "}".to_owned(),
            _ => {
                let text = |piece: Piece<'_>| match piece {
                    Piece::Text(text) => text.to_owned(),
                    Piece::Number(_) => "#".to_owned(),
                };
                statement.pieces().map(text).collect::<String>()
            }
        };
        let text = text[mark.offset..].replace("a_much_longer_name", "X");
        let end =
            text.find([' ', '+', ',', ';', ']', '}', '.']).filter(|end| *end > 0).unwrap_or(1);
        assert!(source.starts_with(&text[..end]), "{text} is not {source} in {mark:?}");
    }
    assert_eq!(seen, [4, 3, 4, 1, 1, 5, 8, 5, 8, 1, 6, 2]);
}
