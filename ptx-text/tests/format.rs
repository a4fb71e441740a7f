//! The format of every sample of the repository, of PTX and of bodies in Rust: formatted again, it stays as it is, and
//! every token is the same.

use std::fs;
use std::path::{Path, PathBuf};

use ptx_text::format;
use ptx_text::{Lexer, Parsed, PieceKind};

/// The files below a folder of the repository with this extension.
fn files(extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    // Compiled ones, if they were made.
    let real = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/real/ptx");
    if extension == "ptx"
        && let Ok(folder) = fs::read_dir(real)
    {
        found.extend(folder.map(|entry| entry.expect("an entry").path()));
    }
    found
}

/// The tokens and comments of a text, without white space.
fn tokens(text: &str) -> Vec<String> {
    let pieces = Lexer::new(text).filter(|piece| piece.kind != PieceKind::Space);
    pieces.map(|piece| text[piece.at.range()].trim_end().replace("\r\n", "\n")).collect()
}

/// The lines that differ, for a message.
fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines()).enumerate();
    let found = lines.find(|(_, (one, other))| one != other);
    found.map_or_else(
        || "one is longer".to_owned(),
        |(n, (one, other))| format!("line {}\n{one}\n{other}", n + 1),
    )
}

#[test]
fn every_text_keeps_its_tokens_and_is_formatted_once() {
    let mut formatted_ones = 0;
    for path in files("ptx") {
        let parsed = Parsed::from_bytes(fs::read(&path).expect("it is readable"));
        let Ok(formatted) = format::parsed(&parsed) else { continue };
        formatted_ones += 1;
        let name = path.display();
        assert_eq!(tokens(parsed.text()), tokens(&formatted), "{name}");
        let again = format::text(&formatted).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        assert!(again == formatted, "{name}: {}", first_difference(&formatted, &again));
        let is_too_long =
            |line: &&str| line.len() > 100 && line[..90].contains(", ") && !line.contains("//");
        let too_long = formatted.lines().find(is_too_long);
        assert!(too_long.is_none() || formatted.contains(".section"), "{name}: {too_long:?}");
        if let Ok(folder) = std::env::var("PTX_FORMATTED") {
            fs::write(Path::new(&folder).join(path.file_name().expect("a name")), formatted)
                .expect("it is written");
        }
    }
    assert!(formatted_ones > 100, "{formatted_ones}");
}

#[test]
fn every_rust_file_keeps_its_tokens_and_is_formatted_once() {
    let (mut bodies, mut changed) = (0, 0);
    for path in files("rs") {
        let source = fs::read_to_string(&path).expect("it is readable");
        let name = path.display();
        // Some samples of the tool are broken.
        let Ok(formatted) = format::rust(&source) else {
            assert!(path.iter().any(|folder| folder == "fmt.in" || folder == "fmt.out"), "{name}");
            continue;
        };
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(letters(&source), letters(&formatted), "{name}");
        let again = format::rust(&formatted).expect("it was readable");
        assert!(again == formatted, "{name}: {}", first_difference(&formatted, &again));
        let (before, after) = (format::bodies(&source), format::bodies(&formatted));
        let (before, after) = (before.expect("they are"), after.expect("they are"));
        assert_eq!(before.len(), after.len(), "{name}");
        bodies += before.len();
        let differ = |(one, other): &(_, _)| {
            source[std::ops::Range::clone(one)] != formatted[std::ops::Range::clone(other)]
        };
        changed += before.into_iter().zip(after).filter(differ).count();
        if let Ok(folder) = std::env::var("PTX_FORMATTED")
            && formatted != source
        {
            let name = path.display().to_string().replace(['/', '.'], "_") + ".rs";
            fs::write(Path::new(&folder).join(name), formatted).expect("it is written");
        }
    }
    assert!(bodies > 500, "{bodies}");
    println!("{changed} of {bodies} bodies differ from the style");
}

/// A text that was cut, or in which a byte was changed, is refused or formatted like others; as a Rust file, too.
#[test]
fn mutilated_texts_are_formatted_or_refused() {
    let sample = "\
.version 8.0 .target sm_80 .address_size 64
.file 1 \"a.cu\", 1, 2
# 3 \"a.cu\"
.global .b8 x[4] = {1, 2, /* three */ 3, 4}; // four
.func (.reg .b32 r) f(.reg .b32 a) .noreturn;
.visible .entry k(.param .u64 p, // first
  .param .u32 n) .maxntid 32 .minnctapersm 2 {
  .reg .b32 %r<4>; .reg .pred %p;
  .loc 1 2 3, function_name $L, inlined_at 1 2 3
L: { @!%p add.s32 %r1, %r2, -1; } // one
   // two
  t: .branchtargets L;
  ld.v2.u32 {%r1, %r2}, [ p + 4 ];
  call (r), f, (%r1);
}
.section .debug_str { $L: .b8 1, 2 }
fn f() { ptx! { let %d: [f32; 8]; for i in 0..4 { mov.f32 %d[i], #( N ); } if A { ret; } else { #[allow(A034)] ret; } } }
";
    let (mut texts, mut bodies) = (0, 0);
    let replacements =
        [b'{', b'}', b'(', b';', b'"', b'/', b'*', b'#', b'\n', b'\r', b'.', b':', b'x', 0xE9];
    let mut try_all = |bytes: Vec<u8>| {
        let parsed = Parsed::from_bytes(bytes);
        if let Ok(formatted) = format::parsed(&parsed) {
            texts += 1;
            assert_eq!(tokens(parsed.text()), tokens(&formatted), "{parsed}");
            let again = format::text(&formatted);
            assert_eq!(again.as_deref(), Ok(formatted.as_str()), "{parsed}");
        }
        if let Ok(formatted) = format::rust(parsed.text()) {
            bodies += 1;
            assert_eq!(format::rust(&formatted).as_deref(), Ok(formatted.as_str()), "{parsed}");
        }
    };
    let ptx = sample.find("fn f()").expect("it is there");
    assert_eq!(Parsed::new(&sample[..ptx]).syntax(), [], "the sample has an error");
    for sample in [&sample[..ptx], &sample[ptx..]] {
        for at in 0..sample.len() {
            try_all(sample.as_bytes()[..at].to_vec());
            try_all([&sample.as_bytes()[..at], &sample.as_bytes()[at + 1..]].concat());
            for byte in replacements.into_iter().skip(at % 5).step_by(5) {
                let mut bytes = sample.as_bytes().to_vec();
                bytes[at] = byte;
                try_all(bytes);
            }
        }
    }
    assert!(texts > 300 && bodies > 300, "{texts} {bodies}");
}

/// In a Rust file in which a body is cut off, that body ends where its function does, and the others are as they were.
#[test]
fn bodies_of_drafts_end_with_their_lines() {
    let (mut files_with_bodies, mut cuts) = (0, 0);
    for path in files("rs") {
        let source = fs::read_to_string(&path).expect("it is readable");
        let Ok(bodies) = format::bodies(&source) else { continue };
        assert_eq!(format::draft_bodies(&source), bodies);
        let is_example = path.iter().any(|folder| folder == "examples");
        if bodies.is_empty() || !is_example {
            continue;
        }
        files_with_bodies += 1;
        for (number, body) in bodies.iter().enumerate() {
            let starts = source[body.clone()].match_indices([';', '{', '(']);
            for (at, sign) in starts.skip(1).step_by(7).map(|(at, sign)| (body.start + at, sign)) {
                // In a splice or a comment, or in a body on one line, it may end anywhere.
                let line = source[..at].rfind('\n').map_or(0, |line| line + 1);
                if line < body.start || source[line..at].contains(['#', '/']) {
                    continue;
                }
                let open = format!("{sign} {{(");
                let draft = format!("{}{open}{}", &source[..at], &source[at + 1..]);
                let moved = |end: usize| if end > at { end + open.len() - 1 } else { end };
                let expected = |body: &std::ops::Range<usize>| moved(body.start)..moved(body.end);
                let found = format::draft_bodies(&draft);
                let name = path.display();
                assert_eq!(found.len(), bodies.len(), "{name}: {number}\n{draft}");
                for (found, body) in found.into_iter().zip(&bodies) {
                    assert_eq!(found, expected(body), "{name}: {}", &source[line..at]);
                }
                cuts += 1;
            }
        }
    }
    assert!(files_with_bodies > 8 && cuts > 150, "{files_with_bodies} {cuts}");
}

#[test]
fn files_whose_braces_do_not_match_are_not_formatted() {
    let error = |source: &str| match format::rust(source) {
        Ok(formatted) => panic!("{formatted}"),
        Err(error) => format!("{} {error}", error.at),
    };
    let unclosed = "nothing closes this; until something does, a body may end elsewhere";
    // The last brace of the file closes the body, and none the function.
    assert_eq!(error("fn f() {\n    ptx! { mov %r1; }\n"), format!("7 {unclosed}"));
    assert_eq!(
        error("fn f() { ptx! { ret; } }\n}\n"),
        "25 this closes nothing; remove it, or open it before"
    );
    assert_eq!(error("fn f( { ptx! { ret; } }\n"), format!("4 {unclosed}"));
    // Without a body, there is nothing to format.
    assert_eq!(format::rust("fn f() {").as_deref(), Ok("fn f() {"));
}
