//! Places of bodies in Rust, and what is left to rust-analyzer.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use lsp_types::{CompletionItem, InlayHint, InlayHintLabel, Position, Range};
use serde_json::{Value, json};

use crate::client::{Client, cursor, uri};

const RING: &str = "use ptx::prelude::*;

const STAGES: usize = 2;

#[ptx::module(target = sm_90a)]
pub mod ring {
    use super::*;

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Ring {
        tiles: [[V4<f32>; 16]; STAGES],
        full: [Mbarrier; STAGES],
    }

    #[shared]
    static SMEM: Ring;
    #[constant]
    pub static TAPS: [f32; 5] = [0.0; 5];
    #[shared(dynamic)]
    static DYN: [f32];
    #[global]
    static OTHER: elsewhere::Thing;

    #[kernel]
    pub fn rows(src: Ptr<Global, V4<f32>>, image: Image, n: u32) {
        ptx! {
            let %at: Ptr<Global, f32>;
            let %f: f32;
            .reg .b32 %r<2>;
            let %d: [f32; 4];
            ld.const.f32 %f, [TAPS[3]];
            ld.const.f32 %f, [TAPS + 4];
            ld.shared.f32 %f, [SMEM.tiles[1][2].y];
            mbarrier.init.shared.b64 [SMEM.full[1]], 1;
            ld.global.f32 %f, [%at[-1]];
            ld.param.u32 %r1, [image.width];
            ld.shared.f32 %f, [DYN[7] + 4];
            ld.global.f32 %f, [OTHER.x];
            lea.shared.u32 %r1, SMEM.full[%r1];
            for i in 0..2 { ld.shared.f32 %d[i], [SMEM.tiles[i][2].y]; }
            ld.shared.f32 %f, [SMEM.full[9999999999999999999999999999999999999999]];
            ¦
        }
    }
}

#[derive(PtxType)]
#[repr(C)]
struct Image {
    data: Ptr<Global, f32>,
    width: u32,
    height: u32,
}
";

fn file(statement: &str) -> String {
    RING.replace('¦', statement)
}

/// The hints of a file, each with the line up to it.
fn hints(client: &mut Client, text: &str) -> String {
    let range = Range::new(Position::new(0, 0), Position::new(999, 0));
    let params = json!({ "textDocument": { "uri": uri("a.rs") }, "range": range });
    let hints = client.request("textDocument/inlayHint", params).expect("it answers");
    let hints: Vec<InlayHint> = serde_json::from_value(hints).expect("hints");
    let mut shown = String::new();
    for InlayHint { position, label, .. } in hints {
        let line = text.lines().nth(position.line as usize).expect("the line exists");
        let InlayHintLabel::String(label) = label else { panic!("{label:?}") };
        let _ = writeln!(shown, "{} {label}", line[..position.character as usize].trim());
    }
    shown
}

#[test]
fn places_have_their_offsets() {
    let text = file("");
    let mut client = Client::new();
    client.open("a.rs", &text);
    expect![[r#"
        ld.const.f32 %f, [TAPS[3] +12
        ld.shared.f32 %f, [SMEM.tiles[1][2].y +292
        mbarrier.init.shared.b64 [SMEM.full[1] +520
        ld.global.f32 %f, [%at[-1] -4
        ld.param.u32 %r1, [image.width +8
        ld.shared.f32 %f, [DYN[7] +28
    "#]]
    .assert_eq(&hints(&mut client, &text));
    // Half a statement, half a body, and half a struct, which is that of before.
    let half = text.replace("struct Ring {", "struct Ring { tile");
    for (version, new) in [(2, file("ld.shared.f32 %f, [SMEM.")), (3, half)] {
        client.change("a.rs", version, &[(None, &new)]);
        assert!(hints(&mut client, &new).contains("SMEM.full[1] +520\n"), "{version}");
    }
    client.end();
    let off = json!({ "inlayHints": { "places": false } });
    let mut client = Client::with(&off, &json!({}));
    client.open("a.rs", &text);
    assert_eq!(hints(&mut client, &text), "");
    client.end();
}

/// What is offered first at the cursor.
fn offered(options: &Value, statement: &str) -> String {
    let (text, position) = cursor(&file(statement));
    let mut client = Client::with(options, &json!({}));
    client.open("a.rs", &text);
    let items = client.ask("completion", "a.rs", position);
    client.end();
    let mut items: Vec<CompletionItem> = serde_json::from_value(items).expect("items");
    items.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
    let item = |item: &CompletionItem| {
        let detail = item.label_details.as_ref().and_then(|it| it.description.as_deref());
        detail.map_or(item.label.clone(), |detail| format!("{} ({detail})", item.label))
    };
    items.iter().take(8).map(item).collect::<Vec<_>>().join(", ")
}

#[test]
fn fields_are_offered_after_a_dot() {
    let check = |statement: &str, expected: &Expect| {
        expected.assert_eq(&offered(&Value::Null, statement));
    };
    check(
        "ld.shared.f32 %f, [SMEM.¦",
        &expect![".full (16 bytes at 512), .tiles (512 bytes at 0)"],
    );
    check(
        "ld.shared.f32 %f, [SMEM.fu¦];",
        &expect![".full (16 bytes at 512), .tiles (512 bytes at 0)"],
    );
    check(
        "ld.shared.f32 %f, [SMEM.tiles[%r1][N].¦",
        &expect![".w (4 bytes at 12), .x (4 bytes at 0), .y (4 bytes at 4), .z (4 bytes at 8)"],
    );
    check(
        "lea.shared.u32 %r1, SMEM.¦[%r1];",
        &expect![".full (16 bytes at 512), .tiles (512 bytes at 0)"],
    );
    check(
        "ld.param.u32 %r1, [image.¦];",
        &expect![".data (8 bytes at 0), .height (4 bytes at 12), .width (4 bytes at 8)"],
    );
    check("ld.const.f32 %f, [TAPS.¦];", &expect![[""]]);
    check("ld.const.f32 %f, [OTHER.¦];", &expect![[""]]);
    check(
        "ld.shared.f32 %f, [¦",
        &expect![
            "%at (Ptr<Global, f32>), %r0 (.b32), %r1 (.b32), DYN ([f32]), SMEM (Ring), %d[0] (f32), %d[1] (f32), %d[2] (f32)"
        ],
    );
}

fn hover(options: &Value, words: &str) -> String {
    let text = file("");
    let at = text.find(words).expect("it stands there") + words.len() - 1;
    let mut marked = text;
    marked.insert(at, '¦');
    let (text, position) = cursor(&marked);
    let mut client = Client::with(options, &json!({}));
    client.open("a.rs", &text);
    let hover = client.ask("hover", "a.rs", position);
    client.end();
    hover["contents"]["value"].as_str().unwrap_or("nothing").to_owned()
}

#[test]
fn fields_and_storage_have_a_size() {
    let check = |words: &str, expected: &Expect| {
        expected.assert_eq(&hover(&Value::Null, words));
    };
    check(
        "[SMEM.full",
        &expect![[r#"
        ```rust
        .full
        ```

        field: 16 bytes, aligned to 8, at offset 512 from `SMEM`"#]],
    );
    check(
        "[SMEM.tiles[i][2].y",
        &expect![[r#"
        ```rust
        .y
        ```

        field: 4 bytes, aligned to 4, at offset 4 of its struct or vector"#]],
    );
    check(
        "[SM",
        &expect![[r#"
        ```rust
        #[shared] static SMEM: Ring
        ```

        shared memory: 528 bytes, aligned to 16"#]],
    );
    check(
        "[DY",
        &expect![[r#"
        ```rust
        #[shared(dynamic)] static DYN: [f32]
        ```

        shared memory: the launch decides its size, aligned to 4"#]],
    );
    check(
        "[image.wid",
        &expect![[r#"
        ```rust
        .width
        ```

        field: 4 bytes, aligned to 4, at offset 8 from `image`"#]],
    );
    check("[OTHER.x", &expect!["nothing"]);
}

/// Beside rust-analyzer, names are left to it, and what it does not know is served.
#[test]
fn nothing_is_shown_twice_beside_rust_analyzer() {
    let beside = json!({ "rustAnalyzer": true });
    for words in ["[SMEM.full", "[SM", "[image.wid", "[%at", "%f"] {
        assert_eq!(hover(&beside, words), "nothing", "{words}");
    }
    assert!(hover(&beside, "mbarrier.in").contains("mbarrier.init.shared.b64"));
    assert_eq!(offered(&beside, "ld.shared.f32 %f, [SMEM.¦"), "");
    let names = offered(&beside, "ld.shared.f32 %f, [¦");
    assert!(!names.contains("SMEM") && !names.contains("%at"), "{names}");
    // It takes a family for one name.
    assert!(names.contains("%r1"), "{names}");
    assert!(offered(&beside, "ld.shared.¦").contains(".L1"));
    let text = file("");
    let mut client = Client::with(&beside, &json!({}));
    client.open("a.rs", &text);
    assert!(hints(&mut client, &text).contains("+520"));
    let line = text.lines().position(|line| line.contains("TAPS[3]")).expect("it is there");
    let at = Position::new(u32::try_from(line).expect("it is small"), 27);
    for (method, is_left) in [("definition", true), ("documentHighlight", false)] {
        let answer = client.ask(method, "a.rs", at);
        assert_eq!(answer.is_null(), is_left, "{method}: {answer}");
    }
    // Settings that say nothing of it change nothing.
    let settings = json!({ "settings": { "ptx": { "strict": true } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert!(client.ask("definition", "a.rs", at).is_null());
    client.end();
}
