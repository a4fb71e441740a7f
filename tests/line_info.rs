//! `line_info = true`: the cubin's line table names the Rust file and the lines of the statements.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use expect_test::expect;
use object::{Object, ObjectSection};
use ptx::Target;
use ptx::ir::{Body, Function, FunctionKind, LineInfo, Location, Locations, Mark, Module};
use ptx::ptxas::{AssembleError, Assembled};

#[ptx::module(target = sm_90, line_info = true)]
mod lines {
    #[global]
    static COUNT: [u32; 2];

    #[device]
    fn twice(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            add.u32 returned, x, x; // of the function
            ret; // and back
        }
    }

    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %r<3>; // no code
            mov.u32 %r0, %tid.x; // first
            call (%r1), twice, (%r0); // calls
            atom.global.add.u32 // two lines
                %r2, [COUNT], %r1;
            st.global.u32 [COUNT + #(2 * 2)], %r2; // last
            ret; // the end
        }
    }
}

#[ptx::module(target = sm_90, line_info = true)]
mod refused {
    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %r<2>;
            mov.u32 %r0, 0;
            _frobnicate.u32 %r1; // unknown
            ret;
        }
    }
}

macro_rules! written {
    ($name:ident, $($statement:tt)*) => {
        #[ptx::module(target = sm_90, line_info = true)]
        mod $name {
            #[global]
            static COUNT: u32;

            #[kernel]
            pub(crate) fn kernel() {
                ptx! {
                    .reg .b32 %r<2>;
                    mov.u32 %r0, %clock; // in the macro
                    $($statement)*
                    ret; // in the macro again
                }
            }
        }
    };
}

written! { expanded,
    st.global.u32 [COUNT], %r0; // outside of it
}

/// The number of the line with this comment.
fn line(comment: &str) -> u64 {
    let lines = include_str!("line_info.rs").lines();
    let found = lines.zip(1..).find(|(line, _)| line.ends_with(&format!("// {comment}")));
    found.expect("a line has this comment").1
}

/// The name of this file in the line table.
fn here() -> String {
    let path = tests::root().join(file!());
    path.to_string_lossy().into_owned()
}

/// The files and lines of the cubin's `.debug_line`.
fn table(cubin: &[u8]) -> BTreeSet<(String, u64)> {
    let file = object::File::parse(cubin).expect("an ELF file");
    let section = file.section_by_name(".debug_line").expect("it has a line table");
    let data = section.data().expect("it can be read");
    let lines = gimli::DebugLine::new(data, gimli::LittleEndian);
    let (mut found, mut offset) = (BTreeSet::new(), 0);
    while offset < data.len() {
        let program = lines.program(gimli::DebugLineOffset(offset), 8, None, None);
        let program = program.expect("a line table");
        offset += 4 + program.header().unit_length();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row().expect("a row") {
            let file = row.file(header).expect("a file");
            let text = |value: gimli::AttributeValue<_>| match value {
                gimli::AttributeValue::String(text) => {
                    let text: gimli::EndianSlice<'_, gimli::LittleEndian> = text;
                    text.to_string().expect("ASCII").to_owned()
                }
                other => panic!("{other:?} is not a name"),
            };
            let name = text(file.path_name());
            let folder = file.directory(header).map_or_else(String::new, text);
            if let (Some(line), false) = (row.line(), row.end_sequence()) {
                found.insert((format!("{folder}/{name}"), line.get()));
            }
        }
    }
    found
}

/// The files and lines that NVIDIA's disassembler prints.
fn disassembled(program: &Path, cubin: &[u8]) -> BTreeSet<(String, u64)> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("module.cubin");
    std::fs::write(&path, cubin).expect("written");
    let output = Command::new(program).arg("--print-line-info").arg(&path).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| {
        let (file, line) = line.split_once("//## File \"")?.1.split_once("\", line ")?;
        Some((file.to_owned(), line.split(' ').next()?.parse().ok()?))
    });
    lines.collect()
}

/// Checks that the cubin's lines, as read here and by NVIDIA's tool, are those with these comments.
#[track_caller]
fn assert_lines(assembled: &Assembled, comments: &[&str]) {
    let expected: BTreeSet<(String, u64)> =
        comments.iter().map(|comment| (here(), line(comment))).collect();
    assert_eq!(table(&assembled.cubin), expected);
    if let Some(program) = xtask::nvdisasm() {
        assert_eq!(disassembled(&program, &assembled.cubin), expected);
    }
}

#[test]
fn the_cubin_names_the_lines_of_the_statements() {
    for ptxas in xtask::oracles() {
        let assembled = ptxas.assemble(&lines::MODULE).expect("ptxas accepts it");
        let comments =
            ["of the function", "and back", "first", "calls", "two lines", "last", "the end"];
        assert_lines(&assembled, &comments);
        let assembled = ptxas.assemble(&expanded::MODULE).expect("ptxas accepts it");
        assert_lines(&assembled, &["in the macro", "outside of it", "in the macro again"]);
    }
}

/// ptxas reports lines of the text including its `.loc` directives.
#[test]
fn errors_are_still_located() {
    for ptxas in xtask::oracles() {
        let error = ptxas.assemble(&refused::MODULE).expect_err("an unknown instruction");
        let AssembleError::Refused { diagnostics, .. } = error else { panic!("{error}") };
        let place = diagnostics[0].place.as_ref().expect("it has a location");
        assert_eq!(u64::from(place.line), line("unknown"), "{}", diagnostics[0]);
        assert_eq!(diagnostics[0].text.as_deref(), Some("    _frobnicate.u32 %r1;"));
    }
}

#[test]
fn without_it_the_text_has_no_lines() {
    let module = Module { line_info: None, ..*lines::MODULE.ir() };
    let text = ptx::Module::new(module).to_string();
    assert!(!text.contains(".loc") && !text.contains(".file"), "{text}");
    let with = lines::MODULE.to_string();
    let is_of_lines = |line: &&str| line.trim().starts_with(".loc") || line.starts_with(".file");
    let rest: Vec<&str> = with.lines().filter(|line| !is_of_lines(line)).collect();
    assert_eq!(text.lines().collect::<Vec<_>>(), rest);
    for ptxas in xtask::oracles() {
        let code = |module: &Module<'_>| {
            let assembled = ptxas.assemble(module).expect("ptxas accepts it");
            let file = object::File::parse(&*assembled.cubin).expect("an ELF file");
            let section = file.section_by_name(".text.kernel").expect("its code");
            section.data().expect("it can be read").to_vec()
        };
        assert_eq!(code(&module), code(lines::MODULE.ir()));
    }
}

#[test]
fn the_text_names_files_once_and_every_place() {
    let text = lines::MODULE
        .to_string()
        .replace(tests::root().to_str().expect("it is UTF-8"), "/workspace");
    expect![[r#"
        .version 7.8
        .target sm_90
        .address_size 64
        .file 1 "/workspace/tests/line_info.rs"

        .global .u32 COUNT[2];

        .func (.reg .u32 returned) twice(.reg .u32 x)
        {
            .loc 1 21 13
            add.u32 returned, x, x;
            .loc 1 22 13
            ret;
        }

        .visible .entry kernel()
        {
            .reg .b32 %r<3>;

            .loc 1 30 13
            mov.u32 %r0, %tid.x;
            .loc 1 31 13
            call (%r1), twice, (%r0);
            .loc 1 32 13
            atom.global.add.u32 %r2, [COUNT], %r1;
            .loc 1 34 13
            st.global.u32 [COUNT+4], %r2;
            .loc 1 35 13
            ret;
        }
    "#]]
    .assert_eq(&text);
}

/// Characters that PTX does not allow in file names are replaced, and absolute paths are kept.
#[test]
fn paths_are_accepted_by_ptxas() {
    let written = |folder, file| {
        let place = Location { file, line: 1, column: 2 };
        let (files, table) = Locations::encode([Mark { statement: 0, offset: 0, place }]);
        let kernel = Function {
            body: Some(Body::verbatim("ret;")),
            places: &Locations::new(&files, &table),
            ..Function::new(FunctionKind::Kernel, "k")
        };
        let module = Module {
            line_info: Some(LineInfo { folder }),
            functions: &[&kernel],
            ..Module::new("m", Target::Sm90)
        };
        for ptxas in xtask::oracles() {
            ptxas.assemble(&module).expect("ptxas accepts it");
        }
        let text = ptx::Module::new(module).to_string();
        text.lines().find(|line| line.starts_with(".file")).expect("a `.file` directive").to_owned()
    };
    assert_eq!(written("/a", "src/b.rs"), ".file 1 \"/a/src/b.rs\"");
    assert_eq!(written("/a/", "src/b.rs"), ".file 1 \"/a/src/b.rs\"");
    assert_eq!(written("", "src/b.rs"), ".file 1 \"src/b.rs\"");
    assert_eq!(written("/a", "/c/b c.rs"), ".file 1 \"/c/b c.rs\"");
    assert_eq!(written("/a", r"C:\new\b.rs"), r#".file 1 "C:\new\b.rs""#);
    assert_eq!(written("/ä", "\"b\n.rs"), ".file 1 \"/_/_b_.rs\"");
}
