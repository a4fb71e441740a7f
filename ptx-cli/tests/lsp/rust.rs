//! The bodies in Rust files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use lsp_types::{
    CompletionItem, DocumentHighlight, DocumentSymbol, FoldingRange, Location, Position, Range,
    SemanticTokens, SignatureHelp,
};
use serde_json::{Value, json};

use crate::client::{CURSOR, Client, cursor, edited, slice, uri};

/// A file with everything that a body names.
pub(super) const BLUR: &str = r#"//! Blurs rows.
use ptx::prelude::*;

/// The sum over the lanes of a warp.
#[ptx::fragment]
fn warp_sum(x: Reg<f32>) -> Reg<f32> {
    ptx! {
        let %other: f32;
        mov.f32 returned, x;
        for lanes in [16, 8, 4, 2, 1] {
            shfl.sync.bfly.b32 %other, returned, lanes, 31, 0xffffffff;
            add.f32 returned, returned, %other;
        }
    }
}

#[ptx::module(target = sm_80)]
pub mod blur {
    use super::*;

    const ROWS: usize = 4;

    /// Filter taps.
    #[constant]
    pub static TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];

    #[kernel(reqntid = 256)]
    pub fn rows(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, [f32; 4]>, n: u32) {
        ptx! {
            .reg .b64 %rd<4>;
            .reg .pred %p;
            let %i, %limit: u32;
            let %d: [f32; 4];  // one for each tap
            mov.u32 %i, %tid.x;
            ld.param.u32 %limit, [n];
            setp.ge.u32 %p, %i, %limit;
            @%p bra DONE;
            lea.global.u64 %rd1, src[%i];
            ld.global.v4.f32 {%d[0..4]}, [%rd1];
            for i in 0..4 {
                mul.f32 %d[i], %d[i], #(0.5 * i as f32);
                #[allow(A034)]
                st.shared.f32 [ROW[i].y], %d[i];
            }
            warp_sum %d[0], %d[1];
        DONE:
            ret;
        }
    }
}

fn host(limit: u32) {
    println!("{limit} %i DONE ptx! {{ ret; }}");
}
"#;

/// A client with a file open.
fn open(text: &str) -> Client {
    let client = Client::new();
    client.open("a.rs", text);
    client
}

/// The position after these words.
fn after(text: &str, words: &str) -> Position {
    let end = text.find(words).unwrap_or_else(|| panic!("`{words}`")) + words.len();
    let mut text = text.to_owned();
    text.insert(end, CURSOR);
    cursor(&text).1
}

fn hover(words: &[&str], expected: &Expect) {
    let mut client = open(BLUR);
    let mut shown = String::new();
    for words in words {
        let hover = client.ask("hover", "a.rs", after(BLUR, words));
        let value = hover["contents"]["value"].as_str().unwrap_or("nothing");
        assert!(value.lines().count() <= 10, "{value}");
        shown.extend(["=== ", words, "\n", value, "\n"]);
    }
    client.end();
    expected.assert_eq(&shown);
}

#[test]
fn instructions_and_forms_say_what_they_do() {
    let words = ["ld.global.v4", "shfl.sync", "lea", "for", "let", "%tid", "0xffffffff"];
    hover(
        &words,
        &expect![[r#"
            === ld.global.v4
            ```ptx
            ld.global.v4.f32 d, [a]
            ```

            Reads memory.

            `d`: 4 of .f32, or wider, in braces; `[a]`: an address

            Needs PTX 1.0 and any target.
            === shfl.sync
            ```ptx
            shfl.sync.bfly.b32 d, a, b, c, e
            ```

            `a` of another thread of the warp. The threads of the warp in the mask come together.

            `d`: .b32; `a`: .b32; `b`: .b32; `c`: .b32; `e`: .u32, may be left out

            Needs PTX 6.0 and `sm_30` or newer.
            === lea
            ```rust
            lea.shared.u32 %at, PLACE.field[%index];
            ```

            The address of a place, computed by `mov`, `mad` and `add`.
            === for
            ```rust
            for i in 0..4 { .. }
            ```

            Its block once for each number.
            === let
            ```rust
            let %x, %d: [f32; 4];
            ```

            Registers of a Rust type.
            === %tid
            ```ptx
            %tid
            ```

            special register of type `.u32`, with the elements `.x`, `.y` and `.z`

            Needs PTX 1.0 and any target.
            === 0xffffffff
            nothing
        "#]],
    );
}

#[test]
fn names_show_what_declares_them() {
    let words = [
        "mov.u32 %i",
        "@%p",
        "lea.global.u64 %rd1",
        "{%d",
        "src[%i",
        "lea.global.u64 %rd1, src",
        "[ROW",
        "warp_sum ",
        "returned, x",
        "bra DONE",
        "mul.f32 %d[i",
    ];
    hover(
        &words,
        &expect![[r#"
            === mov.u32 %i
            ```rust
            let %i: u32
            ```

            a register of 32 bits
            === @%p
            ```ptx
            .reg .pred %p
            ```

            a predicate
            === lea.global.u64 %rd1
            ```ptx
            .reg .b64 %rd<4>
            ```

            4 registers of 64 bits
            === {%d
            ```rust
            let %d: [f32; 4]
            ```

            4 registers of 32 bits
            === src[%i
            ```rust
            let %i: u32
            ```

            a register of 32 bits
            === lea.global.u64 %rd1, src
            ```rust
            src: Ptr<Global, V4<f32>>
            ```

            parameter: 8 bytes, aligned to 8
            === [ROW
            ```rust
            #[shared(align = 16)] static ROW: [V4<f32>; 66]
            ```

            shared memory: 1056 bytes
            === warp_sum 
            ```rust
            let %d: [f32; 4]
            ```

            4 registers of 32 bits
            === returned, x
            ```rust
            x: Reg<f32>
            ```

            parameter
            === bra DONE
            ```ptx
            DONE:
            ```

            label in line 48, 1 use
            === mul.f32 %d[i
            ```rust
            for i in 0..4
            ```

            counter
        "#]],
    );
}

#[test]
fn what_is_rust_is_left_to_others() {
    let words = [
        "use ptx::prelude",
        "fn rows(src",
        "static ROW",
        "#(0.5 * i",
        "allow(A034",
        "fn host(limit",
        "{limit} %i",
        "{{ ret",
    ];
    let mut client = open(BLUR);
    for words in words {
        let at = after(BLUR, words);
        for method in [
            "hover",
            "definition",
            "documentHighlight",
            "completion",
            "signatureHelp",
            "prepareRename",
        ] {
            assert_eq!(client.ask(method, "a.rs", at), Value::Null, "{method} at {words}");
        }
    }
    client.end();
}

/// The definition, the references and the highlights of a name.
fn places(words: &str, expected: &Expect) {
    let mut client = open(BLUR);
    let at = after(BLUR, words);
    let line = |location: &Location| {
        let line = location.range.start.line as usize;
        let content = BLUR.lines().nth(line).unwrap_or_default().trim();
        format!("{}: {} in `{content}`\n", line + 1, slice(BLUR, location.range))
    };
    let definition = client.ask("definition", "a.rs", at);
    let mut shown = match serde_json::from_value::<Option<Location>>(definition) {
        Ok(Some(location)) => format!("definition {}", line(&location)),
        _ => "no definition\n".to_owned(),
    };
    let context = json!({ "context": { "includeDeclaration": false } });
    let references = client.try_ask("references", "a.rs", at, context).expect("it answers");
    let references: Option<Vec<Location>> = serde_json::from_value(references).expect("locations");
    shown.extend(references.unwrap_or_default().iter().map(line));
    let highlights = client.ask("documentHighlight", "a.rs", at);
    let highlights: Option<Vec<DocumentHighlight>> =
        serde_json::from_value(highlights).expect("highlights");
    let kinds = highlights.unwrap_or_default();
    let kinds = kinds.iter().map(|it| format!("{:?}", it.kind.expect("it has one")));
    shown += &(kinds.collect::<Vec<_>>().join(" ") + "\n");
    client.end();
    expected.assert_eq(&shown);
}

#[test]
fn registers_labels_and_counters_have_places() {
    places(
        "mov.u32 %i",
        &expect![[r#"
        definition 34: %i in `let %i, %limit: u32;`
        36: %i in `mov.u32 %i, %tid.x;`
        38: %i in `setp.ge.u32 %p, %i, %limit;`
        40: %i in `lea.global.u64 %rd1, src[%i];`
        Text Write Read Read
    "#]],
    );
    places(
        "{%d",
        &expect![[r#"
            definition 35: %d in `let %d: [f32; 4];  // one for each tap`
            41: %d in `ld.global.v4.f32 {%d[0..4]}, [%rd1];`
            43: %d in `mul.f32 %d[i], %d[i], #(0.5 * i as f32);`
            43: %d in `mul.f32 %d[i], %d[i], #(0.5 * i as f32);`
            45: %d in `st.shared.f32 [ROW[i].y], %d[i];`
            47: %d in `warp_sum %d[0], %d[1];`
            47: %d in `warp_sum %d[0], %d[1];`
            Text Write Write Read Read Write Read
        "#]],
    );
    places(
        "bra DONE",
        &expect![[r#"
        definition 48: DONE in `DONE:`
        39: DONE in `@%p bra DONE;`
        Read Text
    "#]],
    );
    places(
        "mul.f32 %d[i",
        &expect![[r#"
            definition 42: i in `for i in 0..4 {`
            43: i in `mul.f32 %d[i], %d[i], #(0.5 * i as f32);`
            43: i in `mul.f32 %d[i], %d[i], #(0.5 * i as f32);`
            43: i in `mul.f32 %d[i], %d[i], #(0.5 * i as f32);`
            45: i in `st.shared.f32 [ROW[i].y], %d[i];`
            45: i in `st.shared.f32 [ROW[i].y], %d[i];`
            Text Read Read Read Read Read
        "#]],
    );
}

#[test]
fn what_rust_declares_has_a_definition() {
    places(
        "ld.param.u32 %limit, [n",
        &expect![[r#"
        definition 30: n in `pub fn rows(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, [f32; 4]>, n: u32) {`

    "#]],
    );
    places(
        "[ROW",
        &expect![[r#"
        definition 27: ROW in `static ROW: [V4<f32>; 66];`

    "#]],
    );
    places(
        "        warp_sum",
        &expect![[r#"
        definition 6: warp_sum in `fn warp_sum(x: Reg<f32>) -> Reg<f32> {`

    "#]],
    );
}

fn renamed(words: &str, new: &str, expected: &Expect) {
    let mut client = open(BLUR);
    let at = after(BLUR, words);
    let answer = client.try_ask("rename", "a.rs", at, json!({ "newName": new }));
    client.end();
    let shown = match answer {
        Ok(edit) => {
            let text = edited(BLUR, &edit["changes"][uri("a.rs")]);
            let changed = text.lines().zip(BLUR.lines()).filter(|(new, old)| new != old);
            changed.map(|(new, _)| new.trim().to_owned() + "\n").collect()
        }
        Err(error) => error.message + "\n",
    };
    expected.assert_eq(&shown);
}

#[test]
fn names_of_bodies_are_renamed() {
    renamed(
        "mov.u32 %i",
        "%index",
        &expect![[r#"
        let %index, %limit: u32;
        mov.u32 %index, %tid.x;
        setp.ge.u32 %p, %index, %limit;
        lea.global.u64 %rd1, src[%index];
    "#]],
    );
    renamed(
        "{%d",
        "%taps",
        &expect![[r#"
            let %taps: [f32; 4];  // one for each tap
            ld.global.v4.f32 {%taps[0..4]}, [%rd1];
            mul.f32 %taps[i], %taps[i], #(0.5 * i as f32);
            st.shared.f32 [ROW[i].y], %taps[i];
            warp_sum %taps[0], %taps[1];
        "#]],
    );
    renamed(
        "lea.global.u64 %rd1",
        "%at1",
        &expect![[r#"
        .reg .b64 %at<4>;
        lea.global.u64 %at1, src[%i];
        ld.global.v4.f32 {%d[0..4]}, [%at1];
    "#]],
    );
    renamed(
        "mul.f32 %d[i",
        "lane",
        &expect![[r#"
        for lane in 0..4 {
        mul.f32 %d[lane], %d[lane], #(0.5 * lane as f32);
        st.shared.f32 [ROW[lane].y], %d[lane];
    "#]],
    );
    renamed(
        "bra DONE",
        "END",
        &expect![[r#"
        @%p bra END;
        END:
    "#]],
    );
    renamed(
        "mov.u32 %i",
        "%limit",
        &expect![[r#"
        the register `%limit` in line 34 has this name; write another one
    "#]],
    );
    renamed(
        "mov.u32 %i",
        "for",
        &expect![[r#"
        `for` starts a form of bodies in Rust; write another name
    "#]],
    );
    renamed(
        "[ROW",
        "LINE",
        &expect![[r#"
        `ROW` is declared in Rust; rename it with rust-analyzer
    "#]],
    );
}

/// The best of what is offered at the cursor in a body, with how many there are in all.
fn offered(statement: &str, expected: &Expect) {
    let (head, rest) =
        BLUR.split_once("            warp_sum %d[0], %d[1];\n").expect("it is there");
    let (text, position) = cursor(&format!("{head}            {statement}\n{rest}"));
    let mut client = open(&text);
    let items = client.ask("completion", "a.rs", position);
    client.end();
    let mut items: Vec<CompletionItem> = serde_json::from_value(items).expect("items");
    items.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
    let count = items.len();
    let shown = items.iter().take(14).map(|item| item.label.as_str()).collect::<Vec<_>>();
    expected.assert_eq(&format!("{count}: {}\n", shown.join(" ")));
}

#[test]
fn completion_knows_the_body_and_what_is_around_it() {
    offered(
        "l¦",
        &expect![[r#"
        154: abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk
    "#]],
    );
    offered(
        "ld.shared.¦",
        &expect![[r#"
            29: .L1 .L2::128B .L2::256B .L2::64B .L2::cache_hint .acquire .b128 .b16 .b32 .b64 .b8 .cluster .f32 .f64
        "#]],
    );
    offered(
        "@¦",
        &expect![[r#"
        11: %p %d[0] %d[1] %d[2] %d[3] %i %limit %rd0 %rd1 %rd2 %rd3
    "#]],
    );
    offered(
        "add.u32 %i, %¦",
        &expect![[r#"
        72: %i %limit %d[0] %d[1] %d[2] %d[3] %p %rd0 %rd1 %rd2 %rd3 ROW TAPS dst
    "#]],
    );
    offered(
        "ld.param.u64 %rd2, [¦",
        &expect![[r#"
            72: dst n src %d[0] %d[1] %d[2] %d[3] %i %limit %p %rd0 %rd1 %rd2 %rd3
        "#]],
    );
    offered(
        "ld.shared.f32 %d[0], [¦",
        &expect![[r#"
            72: %i %limit %rd0 %rd1 %rd2 %rd3 ROW %d[0] %d[1] %d[2] %d[3] %p TAPS dst
        "#]],
    );
    offered(
        "bra ¦",
        &expect![[r#"
        1: DONE
    "#]],
    );
    offered(
        "let %q: ¦",
        &expect![[r#"
            32: Ptr bf16 bool f16 f32 f64 i16 i32 i64 u16 u32 u64 B128 B16
        "#]],
    );
    offered(
        "for ¦",
        &expect![[r#"
        0: 
    "#]],
    );
    offered(
        "for k in 0..4 { add.f32 %d[k], ¦",
        &expect![[r#"
        73: %d[0] %d[1] %d[2] %d[3] %i %limit %p %rd0 %rd1 %rd2 %rd3 ROW TAPS dst
    "#]],
    );
}

#[test]
fn signatures_follow_the_operands() {
    let (head, rest) =
        BLUR.split_once("            warp_sum %d[0], %d[1];\n").expect("it is there");
    let (text, position) =
        cursor(&format!("{head}            fma.rn.f32 %d[0], #(f(1, 2)), ¦\n{rest}"));
    let mut client = open(&text);
    let help = client.ask("signatureHelp", "a.rs", position);
    client.end();
    let help: SignatureHelp = serde_json::from_value(help).expect("it is one");
    let signature = &help.signatures[0];
    let shown = format!("{} {:?}\n", signature.label, signature.active_parameter);
    expect![[r#"
        fma.rn.f32 d, a, b, c Some(2)
    "#]]
    .assert_eq(&shown);
}

fn of_document(text: &str, method: &str) -> Value {
    let mut client = open(text);
    let params = json!({ "textDocument": { "uri": uri("a.rs") } });
    let answer = client.request(&format!("textDocument/{method}"), params).expect("it answers");
    client.end();
    answer
}

#[test]
fn functions_with_bodies_are_symbols() {
    fn outline(symbols: &[DocumentSymbol], indent: usize, shown: &mut String) {
        for symbol in symbols {
            let detail = symbol.detail.as_deref().unwrap_or_default();
            let lines = symbol.range.start.line + 1..=symbol.range.end.line + 1;
            let _ = writeln!(shown, "{:indent$}{} {lines:?} {detail}", "", symbol.name);
            outline(symbol.children.as_deref().unwrap_or_default(), indent + 2, shown);
        }
    }
    let symbols = of_document(BLUR, "documentSymbol");
    let symbols: Vec<DocumentSymbol> = serde_json::from_value(symbols).expect("symbols");
    let mut shown = String::new();
    outline(&symbols, 0, &mut shown);
    expect![[r#"
        warp_sum 5..=15 fragment
        rows 29..=51 kernel
          DONE 48..=48 
    "#]]
    .assert_eq(&shown);
}

#[test]
fn bodies_fold() {
    let ranges = of_document(BLUR, "foldingRange");
    let ranges: Vec<FoldingRange> = serde_json::from_value(ranges).expect("ranges");
    let shown = ranges.iter().map(|it| format!("{}-{}", it.start_line + 1, it.end_line + 1));
    expect![[r#"
        7-14, 10-13, 31-50, 42-46
    "#]]
    .assert_eq(&(shown.collect::<Vec<_>>().join(", ") + "\n"));
}

#[test]
fn words_of_bodies_have_kinds() {
    let text = "fn k() {\n    ptx! {\n        let %x: [f32; 2]; // π\n        for i in 0..2 {\n            \
        @%p ld.shared.f32 %x[i], [ROW.y + #(4 * N)];\n        }\n    }\n}\nfn g(x: u32) {}\n";
    let mut client = open(text);
    let legend = &client.initialized["capabilities"]["semanticTokensProvider"]["legend"];
    let types: Vec<String> =
        serde_json::from_value(legend["tokenTypes"].clone()).expect("they are names");
    let params = json!({ "textDocument": { "uri": uri("a.rs") } });
    let tokens = client.request("textDocument/semanticTokens/full", params).expect("it answers");
    let tokens: SemanticTokens = serde_json::from_value(tokens).expect("tokens");
    client.end();
    let (mut line, mut column, mut shown) = (0, 0, String::new());
    for token in tokens.data {
        column = if token.delta_line == 0 { column } else { 0 } + token.delta_start;
        line += token.delta_line;
        let range =
            Range::new(Position::new(line, column), Position::new(line, column + token.length));
        let _ = writeln!(shown, "{} {}", slice(text, range), types[token.token_type as usize]);
    }
    expect![[r#"
        let keyword
        %x variable
        2 number
        // π comment
        for keyword
        i variable
        in keyword
        0 number
        .2 number
        ld keyword
        .shared modifier
        .f32 type
        %x variable
        i variable
        .y modifier
    "#]]
    .assert_eq(&shown);
}

#[test]
fn bodies_are_formatted_and_nothing_else() {
    let text = BLUR.replace("mov.u32 %i, %tid.x;", "mov.u32    %i,%tid.x ;");
    let text = text.replace("fn host(limit: u32)", "fn host( limit : u32 )");
    let format = |text: &str| {
        let mut client = open(text);
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        let params = json!({ "textDocument": { "uri": uri("a.rs") }, "options": options });
        let answer = client.request("textDocument/formatting", params);
        client.end();
        answer
    };
    let edits = format(&text).expect("it has a format");
    assert_eq!(edits.as_array().map(Vec::len), Some(1), "{edits}");
    let formatted = edited(&text, &edits);
    assert_eq!(formatted, text.replace("mov.u32    %i,%tid.x ;", "mov.u32 %i, %tid.x;"));
    let error = format(&text.replace("{%d[0..4]}", "{%d[0..4]")).expect_err("a brace is missing");
    expect![[r#"
        a body that does not end has no format; in line 18, nothing closes this; until something does, a body may end elsewhere
    "#]].assert_eq(&(error.message + "\n"));
}

/// The examples with bodies.
fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let pattern = format!("{folder}/**/*.rs");
    let paths =
        glob::glob(&pattern).expect("it is a pattern").map(|path| path.expect("it is read"));
    let files = paths.map(|path| {
        let text = std::fs::read_to_string(&path).expect("it is UTF-8");
        (path.display().to_string(), text)
    });
    let found: Vec<_> = files.filter(|(_, text)| text.contains("ptx! {")).collect();
    assert!(found.len() > 8, "{}", found.len());
    found
}

/// Every example, cut off after each of some statements, and with the rest of the statement left out.
#[test]
fn bodies_that_are_cut_off_are_answered() {
    let mut client = open("");
    let document = json!({ "uri": uri("a.rs") });
    let (mut version, mut asked) = (1, 0);
    for (path, text) in examples() {
        let bodies = ptx_text::format::bodies(&text).expect("they end");
        let ends: Vec<usize> = bodies
            .iter()
            .flat_map(|body| {
                text[body.clone()]
                    .match_indices([';', ',', '{'])
                    .skip(1)
                    .map(|(at, _)| body.start + at)
            })
            .collect();
        let step = ends.len() / 12 + 1;
        for at in ends.into_iter().step_by(step) {
            let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
            let cut = [text[..at].to_owned(), format!("{}{}", &text[..at], &text[line_end..])];
            for cut in cut {
                version += 1;
                client.change("a.rs", version, &[(None, &cut)]);
                let mut marked = cut.clone();
                marked.insert(at, CURSOR);
                let position = cursor(&marked).1;
                let mut ask = |method: &str, more: Value| {
                    let mut params = json!({ "textDocument": document, "position": position });
                    if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
                        params.extend(more);
                    }
                    let answer = client.request(&format!("textDocument/{method}"), params);
                    if let Err(error) = &answer {
                        let refused = lsp_server::ErrorCode::RequestFailed as i32;
                        assert_eq!(error.code, refused, "{path}: {error:?}");
                    }
                    answer.unwrap_or_default()
                };
                for method in ["hover", "definition", "signatureHelp", "documentHighlight"] {
                    ask(method, json!({}));
                }
                for method in ["foldingRange", "semanticTokens/full"] {
                    ask(method, json!({}));
                }
                assert_ne!(ask("documentSymbol", json!({})), json!([]), "{path}");
                ask("rename", json!({ "newName": "%q" }));
                ask("formatting", json!({ "options": { "tabSize": 4, "insertSpaces": true } }));
                // The end of what is written is still in a body, unless it is in `#( .. )` or `#[ .. ]`.
                let is_served = ask("completion", json!({})).is_array();
                let line = cut[..at].rfind('\n').map_or(0, |line| line + 1);
                assert!(is_served || cut[line..at].contains('#'), "{path} at {position:?}");
                asked += usize::from(is_served);
            }
        }
    }
    client.end();
    assert!(asked > 100, "{asked}");
}

/// In the examples, each register of a body has its declaration.
#[test]
fn registers_of_the_examples_are_declared() {
    let mut unknown = BTreeSet::new();
    let mut count = 0;
    for (path, text) in examples() {
        let mut client = open(&text);
        for body in ptx_text::format::bodies(&text).expect("they end") {
            for (at, _) in text[body.clone()].match_indices('%') {
                let at = body.start + at;
                let rest = &text[at + 1..];
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
                let word = &text[at..at + 1 + length];
                let mut marked = text.clone();
                marked.insert(at + 1, CURSOR);
                let position = cursor(&marked).1;
                // In `#( .. )` and comments, it is none.
                let is_register = length > 0
                    && !ptx_isa::special::is_special(word)
                    && client.ask("completion", "a.rs", position).get(0).is_some();
                if is_register {
                    count += 1;
                    if client.ask("definition", "a.rs", position) == Value::Null {
                        unknown.insert(format!("{path}: {word} at {position:?}"));
                    }
                }
            }
        }
        client.end();
    }
    assert!(count > 1000, "{count}");
    assert_eq!(unknown, BTreeSet::new());
}

#[test]
#[ignore = "it measures time, which counts in a release build alone"]
fn speed() {
    let (path, text) =
        examples().into_iter().max_by_key(|(_, text)| text.len()).expect("there are some");
    println!("{path}, {} lines", text.lines().count());
    let mut client = open(&text);
    let body = &ptx_text::format::bodies(&text).expect("they end")[0];
    let mut marked = text.clone();
    marked.insert(body.start + text[body.clone()].find(".b32").expect("there is one"), CURSOR);
    let at = cursor(&marked).1;
    let document = json!({ "uri": uri("a.rs") });
    let options = json!({ "options": { "tabSize": 4, "insertSpaces": true } });
    let mut slowest = Duration::ZERO;
    for (version, (method, more)) in (2..).zip([
        ("hover", json!({})),
        ("definition", json!({})),
        ("references", json!({ "context": { "includeDeclaration": true } })),
        ("rename", json!({ "newName": "%q4" })),
        ("completion", json!({})),
        ("signatureHelp", json!({})),
        ("documentSymbol", json!({})),
        ("foldingRange", json!({})),
        ("semanticTokens/full", json!({})),
        ("formatting", options),
    ]) {
        let start = Instant::now();
        let end = Position::new(at.line, 0);
        client.change("a.rs", version, &[(Some(Range::new(end, end)), " ")]);
        let mut params = json!({ "textDocument": document, "position": at });
        if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
            params.extend(more);
        }
        let _ = client.request(&format!("textDocument/{method}"), params);
        println!("{:?} for an edit and {method}", start.elapsed());
        slowest = slowest.max(start.elapsed());
    }
    client.end();
    assert!(slowest < Duration::from_millis(50), "{slowest:?}");
}
