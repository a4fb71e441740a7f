//! Hover, signatures, symbols, folding, and the kinds of words.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use lsp_types::{
    DocumentSymbol, FoldingRange, InlayHint, InlayHintLabel, Position, SemanticTokens,
    SignatureHelp,
};
use serde_json::{Value, json};

use super::{BROKEN, SCALE};
use crate::client::{CURSOR, Client, cursor, uri};

/// What is shown of the words at whose ends the cursor is.
fn hover(text: &str, words: &[&str], expected: &Expect) {
    let mut client = Client::new();
    client.open("a.ptx", text);
    let mut shown = String::new();
    for words in words {
        let end = text.find(words).expect("the words stand there") + words.len();
        let mut marked = text.to_owned();
        marked.insert(end, CURSOR);
        let (_, position) = cursor(&marked);
        let hover = client.ask("hover", "a.ptx", position);
        let value = hover["contents"]["value"].as_str().unwrap_or("nothing");
        assert!(value.lines().count() <= 10, "{value}");
        shown.extend(["=== ", words, "\n", value, "\n"]);
    }
    client.end();
    expected.assert_eq(&shown);
}

#[test]
fn instructions_say_what_they_do_and_need() {
    let words = ["fma.rn", "ld.const", "bra", "mul.wide", "setp.ge", "ret"];
    hover(
        SCALE,
        &words,
        &expect![[r#"
        === fma.rn
        ```ptx
        fma.rn.f32 d, a, b, c
        ```

        `d`: .f32; `a`: .f32; `b`: .f32; `c`: .f32

        Needs PTX 2.0 and any target.
        === ld.const
        ```ptx
        ld.const.f32 d, [a]
        ```

        Reads memory.

        `d`: .f32, or wider; `[a]`: an address

        Needs PTX 1.0 and any target.
        === bra
        ```ptx
        bra
        ```

        Jumps to a label.

        Needs PTX 1.0 and any target.
        === mul.wide
        ```ptx
        mul.wide.u32 d, a, b
        ```

        The product `a * b`.

        `d`: .u64; `a`: .u32; `b`: .u32

        Needs PTX 1.0 and any target.
        === setp.ge
        ```ptx
        setp.ge.u32 d, a, b, c
        ```

        Whether `a` compares with `b` as the modifier says.

        `d`: .pred; `a`: .u32; `b`: .u32; `c`: .pred, may be left out

        Needs PTX 1.0 and any target.
        === ret
        ```ptx
        ret
        ```

        Returns from the function, or ends the thread in a kernel.

        Needs PTX 1.0 and any target.
    "#]],
    );
}

#[test]
fn storage_says_where_it_lies() {
    let words = ["[TAPS", "f32 row", "b8 dynamic", "[data", "[count", "f32 total"];
    hover(
        SCALE,
        &words,
        &expect![[r#"
        === [TAPS
        ```ptx
        .const .align 16 .f32 TAPS[4]
        ```

        const memory: 16 bytes, aligned to 16, at offset 0

        initial value `{0.5, 1.0, 0.5, 0.25}`
        === f32 row
        ```ptx
        .shared .align 16 .f32 row[64]
        ```

        shared memory: 256 bytes, aligned to 16
        === b8 dynamic
        ```ptx
        .extern .shared .align 128 .b8 dynamic[]
        ```

        shared memory: the launch decides its size, aligned to 128
        === [data
        ```ptx
        .param .u64 .ptr .global .align 16 data
        ```

        parameter: 8 bytes, aligned to 8, at 0x210 of constant bank 0, an address in global, aligned to 16
        === [count
        ```ptx
        .param .u32 count
        ```

        parameter: 4 bytes, aligned to 4, at 0x218 of constant bank 0
        === f32 total
        ```ptx
        .reg .f32 total
        ```

        a register of 32 bits
    "#]],
    );
}

#[test]
fn registers_labels_functions_and_numbers_say_what_they_are() {
    let words =
        ["mov.u32 %r2", ".reg .pred %p", "%tid", "DONE", "half", "scale", "0f3F000000", ".maxntid"];
    hover(
        SCALE,
        &words,
        &expect![[r#"
            === mov.u32 %r2
            ```ptx
            .reg .b32 %r<4>
            ```

            4 registers of 32 bits

            here: %tid.x, 0 to 63
            === .reg .pred %p
            ```ptx
            .reg .pred %p<2>
            ```

            2 predicates
            === %tid
            ```ptx
            %tid
            ```

            special register of type `.u32`, with the elements `.x`, `.y` and `.z`

            Needs PTX 1.0 and any target.
            === DONE
            ```ptx
            DONE:
            ```

            label in line 43, 1 use
            === half
            ```ptx
            .func (.reg .f32 out) half(.reg .f32 in)
            ```
            === scale
            ```ptx
            .visible .entry scale(
                .param .u64 .ptr .global .align 16 data,
                .param .u32 count
            )
            .maxntid 64, 1, 1
            ```
            === 0f3F000000
            nothing
            === .maxntid
            ```ptx
            .maxntid
            ```

            The most threads of a block in each dimension.
        "#]],
    );
}

#[test]
fn a_broken_file_says_what_is_known() {
    hover(
        BROKEN,
        &["[row", "add.u32", "%r1, %r7", "ld.sahred", "%f, [row+8", "%tid.x"],
        &expect![[r#"
            === [row
            ```ptx
            .shared .align 4 .f32 row[32]
            ```

            shared memory: 128 bytes, aligned to 4, at offset 0 in `broken`
            === add.u32
            ```ptx
            add.u32 d, a, b
            ```

            The sum `a + b`.

            `d`: .u32; `a`: .u32; `b`: .u32

            Needs PTX 1.0 and any target.
            === %r1, %r7
            nothing
            === ld.sahred
            ```ptx
            ld.sahred.u32 d, [a]
            ```

            Reads memory.

            `d`: .u32, or wider; `[a]`: an address

            Needs PTX 1.0 and any target.
            === %f, [row+8
            nothing
            === %tid.x
            nothing
        "#]],
    );
}

#[test]
fn a_register_says_what_is_known_of_its_value() {
    let words =
        ["mov.u32 %r2", "mul.wide.u32 %rd2", "add.u64 %rd1", "[%rd1", "mul.wide.u32 %rd2, %r2"];
    hover(
        SCALE,
        &words,
        &expect![[r#"
        === mov.u32 %r2
        ```ptx
        .reg .b32 %r<4>
        ```

        4 registers of 32 bits

        here: %tid.x, 0 to 63
        === mul.wide.u32 %rd2
        ```ptx
        .reg .b64 %rd<3>
        ```

        3 registers of 64 bits

        here: 4 * %tid.x, 0 to 252
        === add.u64 %rd1
        ```ptx
        .reg .b64 %rd<3>
        ```

        3 registers of 64 bits

        here: what data points to + 4 * %tid.x, 0 to 252
        === [%rd1
        ```ptx
        .reg .b64 %rd<3>
        ```

        3 registers of 64 bits
        === mul.wide.u32 %rd2, %r2
        ```ptx
        .reg .b32 %r<4>
        ```

        4 registers of 32 bits

        from line 29: %tid.x, 0 to 63
    "#]],
    );
}

#[test]
fn values_are_shown_behind_instructions_if_they_are_wanted() {
    let hints = |options: Value, text: &str| {
        let mut client = Client::with(&options, &json!({}));
        client.open("a.ptx", text);
        let range = lsp_types::Range::new(Position::new(0, 0), Position::new(999, 0));
        let params = json!({ "textDocument": { "uri": uri("a.ptx") }, "range": range });
        let hints = client.request("textDocument/inlayHint", params).expect("it answers");
        client.end();
        let hints: Vec<InlayHint> = serde_json::from_value(hints).expect("hints");
        let mut shown = String::new();
        for InlayHint { position, label, .. } in hints {
            let line = text.lines().nth(position.line as usize).expect("the line exists");
            let InlayHintLabel::String(label) = label else { panic!("{label:?}") };
            let _ = writeln!(shown, "{} {label}", line[..position.character as usize].trim());
        }
        shown
    };
    assert_eq!(hints(Value::Null, SCALE), "");
    let wanted = json!({ "inlayHints": { "values": true } });
    expect![[r#"
        ld.param.u64 %rd1, [data] = what data points to
        mov.u32 %r2, %tid.x = %tid.x, 0 to 63
        mul.wide.u32 %rd2, %r2, 4 = 4 * %tid.x, 0 to 252
        add.u64 %rd1, %rd1, %rd2 = what data points to + 4 * %tid.x, 0 to 252
    "#]]
    .assert_eq(&hints(wanted.clone(), SCALE));
    expect![[r#"
        mov.u32 %r1, %tid.x = %tid.x, 0 to 1023
    "#]]
    .assert_eq(&hints(wanted.clone(), BROKEN));
    let never = SCALE.replace("    mul.wide", "    ret;\n    mul.wide");
    assert!(hints(wanted, &never).contains("4 never reached\n"));
}

/// The signature at the cursor, with the operand that is written in quotes.
fn signature(statement: &str, expected: &Expect) {
    let (head, _) = SCALE.split_once("    ld.param.u64 %rd1").expect("it stands there");
    let (text, position) = cursor(&format!("{head}    {statement}\n    ret;\n}}\n"));
    let mut client = Client::new();
    client.open("a.ptx", &text);
    let help = client.ask("signatureHelp", "a.ptx", position);
    client.end();
    let help: Option<SignatureHelp> = serde_json::from_value(help).expect("it is one");
    let shown = help.map_or_else(
        || "nothing".to_owned(),
        |help| {
            let signature = &help.signatures[0];
            let active = signature.active_parameter.expect("it has one") as usize;
            let all = signature.parameters.as_ref().expect("it has some");
            let about = all.get(active).map(|it| match &it.documentation {
                Some(lsp_types::Documentation::String(about)) => about.clone(),
                other => format!("{other:?}"),
            });
            format!("{}\n{active}: {}", signature.label, about.unwrap_or_default())
        },
    );
    expected.assert_eq(&(shown + "\n"));
}

#[test]
fn a_signature_follows_the_operands() {
    signature(
        "fma.rn.f32 ¦",
        &expect![[r#"
            fma.rn.f32 d, a, b, c
            0: .f32
        "#]],
    );
    signature(
        "fma.rn.f32 %f1, %f2,¦",
        &expect![[r#"
            fma.rn.f32 d, a, b, c
            2: .f32
        "#]],
    );
    signature(
        "ld.shared.v4.f32 {%f1, %f2¦",
        &expect![[r#"
            ld.shared.v4.f32 d, [a]
            0: 4 of .f32, or wider, in braces
        "#]],
    );
    signature(
        "st.shared.v4.f32 [row], {%f1, ¦",
        &expect![[r#"
            st.shared.v4.f32 [a], b
            1: 4 of .f32, or wider, in braces
        "#]],
    );
    signature(
        "mbarrier.try_wait.parity.shared.b64 %p1, [row], ¦",
        &expect![[r#"
            mbarrier.try_wait.parity.shared.b64 a, [b], c{, e}
            2: .u32
        "#]],
    );
    signature(
        "fma.rn¦",
        &expect![[r#"
        nothing
    "#]],
    );
    signature(
        "fma.rn.f32 %f1, %f2, %f3, %f1; ¦",
        &expect![[r#"
        nothing
    "#]],
    );
    signature(
        "nothing ¦",
        &expect![[r#"
        nothing
    "#]],
    );
}

fn outline(symbols: &[DocumentSymbol], indent: usize, shown: &mut String) {
    for symbol in symbols {
        let detail = symbol.detail.as_deref().unwrap_or_default();
        let lines = symbol.range.start.line + 1..=symbol.range.end.line + 1;
        let name = &symbol.name;
        let kind = symbol.kind;
        let _ = writeln!(shown, "{:indent$}{name} {kind:?} {lines:?} {detail}", "");
        outline(symbol.children.as_deref().unwrap_or_default(), indent + 2, shown);
    }
}

fn of_document(text: &str, method: &str) -> Value {
    let mut client = Client::new();
    client.open("a.ptx", text);
    let params = json!({ "textDocument": { "uri": uri("a.ptx") } });
    let answer = client.request(&format!("textDocument/{method}"), params).expect("it answers");
    client.end();
    answer
}

#[test]
fn declarations_are_symbols() {
    let shown = |text: &str| {
        let symbols = of_document(text, "documentSymbol");
        let symbols: Vec<DocumentSymbol> = serde_json::from_value(symbols).expect("symbols");
        let mut shown = String::new();
        outline(&symbols, 0, &mut shown);
        shown
    };
    expect![[r#"
        TAPS Constant 6..=6 .const .align 16 .f32 TAPS[4]
        row Variable 7..=7 .shared .align 16 .f32 row[64]
        dynamic Variable 8..=8 .extern .shared .align 128 .b8 dynamic[]
        half Function 10..=14 .func
          out Variable 10..=10 .reg .f32 out
          in Variable 10..=10 .reg .f32 in
        scale Function 16..=45 .entry
          data Variable 17..=17 .param .u64 .ptr .global .align 16 data
          count Variable 18..=18 .param .u32 count
          DONE Key 43..=43 
    "#]]
    .assert_eq(&shown(SCALE));
    expect![[r#"
        row Variable 5..=5 .shared .align 4 .f32 row[32]
        broken Function 7..=16 .entry
    "#]]
    .assert_eq(&shown(BROKEN));
}

#[test]
fn bodies_blocks_and_comments_fold() {
    let text = format!("// one\n// two\n{SCALE}/* three\n four */\n");
    let ranges = of_document(&text, "foldingRange");
    let ranges: Vec<FoldingRange> = serde_json::from_value(ranges).expect("ranges");
    let shown = ranges.iter().map(|it| {
        let kind = it.kind.as_ref().map_or(String::new(), |kind| format!(" {kind:?}"));
        format!("{}-{}{kind}", it.start_line + 1, it.end_line + 1)
    });
    expect![[r#"
        1-3 Comment, 12-16, 18-47, 39-43, 48-49 Comment
    "#]]
    .assert_eq(&(shown.collect::<Vec<_>>().join(", ") + "\n"));
}

#[test]
fn words_have_kinds() {
    let text = ".version 8.0\n.entry k(.param .u32 n)\n{\n    .reg .b32 %r<2>; // π\n\
        L:  @!%p1 ld.param.u32 %r1, [n+4];\n    mov.u32 %r1, %tid.x; /* a\n b */ bra.uni L;\n";
    let mut client = Client::new();
    client.open("a.ptx", text);
    let legend = &client.initialized["capabilities"]["semanticTokensProvider"]["legend"];
    let types: Vec<String> =
        serde_json::from_value(legend["tokenTypes"].clone()).expect("they are names");
    let params = json!({ "textDocument": { "uri": uri("a.ptx") } });
    let tokens = client.request("textDocument/semanticTokens/full", params).expect("it answers");
    let tokens: SemanticTokens = serde_json::from_value(tokens).expect("tokens");
    let (mut line, mut column, mut shown) = (0, 0, String::new());
    for token in tokens.data {
        column = if token.delta_line == 0 { column } else { 0 } + token.delta_start;
        line += token.delta_line;
        let content = text.lines().nth(line as usize).expect("the line exists");
        let units: Vec<u16> = content.encode_utf16().collect();
        let word = &units[column as usize..(column + token.length) as usize];
        let declares = if token.token_modifiers_bitset > 0 { " declared" } else { "" };
        let kind = &types[token.token_type as usize];
        let _ = writeln!(shown, "{} {kind}{declares}", String::from_utf16_lossy(word));
    }
    client.end();
    expect![[r#"
        .version macro
        8.0 number
        .entry macro
        k function declared
        .param macro
        .u32 type
        n parameter declared
        .reg macro
        .b32 type
        %r variable declared
        2 number
        // π comment
        L label declared
        ld keyword
        .param modifier
        .u32 type
        %r1 variable
        n parameter
        4 number
        mov keyword
        .u32 type
        %r1 variable
        %tid enumMember
        .x modifier
        /* a comment
         b */ comment
        bra keyword
        .uni modifier
        L label
    "#]]
    .assert_eq(&shown);
}
