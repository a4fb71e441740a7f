//! Definition, references, highlights and renaming.

use expect_test::{Expect, expect};
use lsp_types::{DocumentHighlight, Location};
use serde_json::json;

use super::SCALE;
use crate::client::{Client, cursor, edited, slice};

/// Puts the cursor after these words.
fn at(text: &str, words: &str) -> (String, lsp_types::Position) {
    let end = text.find(words).expect("the words stand there") + words.len();
    let mut text = text.to_owned();
    text.insert(end, crate::client::CURSOR);
    cursor(&text)
}

/// The line of a definition, of each reference, and of each highlight.
fn check(text: &str, words: &str, expected: &Expect) {
    let mut client = Client::new();
    let (text, position) = at(text, words);
    client.open("a.ptx", &text);
    let line = |location: &Location| {
        let line = location.range.start.line as usize;
        let content = text.lines().nth(line).unwrap_or_default().trim();
        format!("{}: {} in `{content}`\n", line + 1, slice(&text, location.range))
    };
    let definition = client.ask("definition", "a.ptx", position);
    let mut shown = match serde_json::from_value::<Option<Location>>(definition) {
        Ok(Some(location)) => format!("definition {}", line(&location)),
        _ => "no definition\n".to_owned(),
    };
    let context = json!({ "context": { "includeDeclaration": false } });
    let references = client.try_ask("references", "a.ptx", position, context).expect("it answers");
    let references: Option<Vec<Location>> = serde_json::from_value(references).expect("locations");
    for location in references.unwrap_or_default() {
        shown += &line(&location);
    }
    let highlights = client.ask("documentHighlight", "a.ptx", position);
    let highlights: Option<Vec<DocumentHighlight>> =
        serde_json::from_value(highlights).expect("highlights");
    let kinds = highlights.unwrap_or_default();
    let kinds = kinds.iter().map(|it| format!("{:?}", it.kind.expect("it has one")));
    shown += &(kinds.collect::<Vec<_>>().join(" ") + "\n");
    client.end();
    expected.assert_eq(&shown);
}

#[test]
fn a_register_of_a_family_has_its_own_places() {
    check(
        SCALE,
        "setp.ge.u32 %p1, %r2",
        &expect![[r#"
            definition 23: %r in `.reg .b32 %r<4>;`
            29: %r2 in `mov.u32 %r2, %tid.x;`
            30: %r2 in `setp.ge.u32 %p1, %r2, %r1;`
            32: %r2 in `mul.wide.u32 %rd2, %r2, 4;`
            Text Write Read Read
        "#]],
    );
}

#[test]
fn a_family_has_those_of_all_its_members() {
    check(
        SCALE,
        ".reg .b64 %rd",
        &expect![[r#"
            definition 24: %rd in `.reg .b64 %rd<3>;`
            27: %rd1 in `ld.param.u64 %rd1, [data];`
            32: %rd2 in `mul.wide.u32 %rd2, %r2, 4;`
            33: %rd1 in `add.u64 %rd1, %rd1, %rd2;`
            33: %rd1 in `add.u64 %rd1, %rd1, %rd2;`
            33: %rd2 in `add.u64 %rd1, %rd1, %rd2;`
            34: %rd1 in `ld.global.f32 %f1, [%rd1];`
            40: %rd1 in `st.global.f32 [%rd1], total;`
            Text Write Write Write Read Read Read Read
        "#]],
    );
}

#[test]
fn a_block_hides_the_names_around_it() {
    check(
        SCALE,
        "st.global.f32 [%rd1], total",
        &expect![[r#"
            definition 38: total in `.reg .f32 total;`
            39: total in `mov.f32 total, %f3;`
            40: total in `st.global.f32 [%rd1], total;`
            Text Write Read
        "#]],
    );
    check(
        SCALE,
        "    }\n    mov.f32 total",
        &expect![[r#"
            definition 25: total in `.reg .f32 %f<4>, total;`
            42: total in `mov.f32 total, %f1;`
            Text Write
        "#]],
    );
}

#[test]
fn parameters_variables_functions_and_labels_are_found() {
    check(
        SCALE,
        "ld.param.u64 %rd1, [data",
        &expect![[r#"
            definition 17: data in `.param .u64 .ptr .global .align 16 data,`
            27: data in `ld.param.u64 %rd1, [data];`
            Text Read
        "#]],
    );
    check(
        SCALE,
        "[TAPS",
        &expect![[r#"
            definition 6: TAPS in `.const .align 16 .f32 TAPS[4] = {0.5, 1.0, 0.5, 0.25};`
            35: TAPS in `ld.const.f32 %f2, [TAPS+4];`
            Text Read
        "#]],
    );
    check(
        SCALE,
        "bra DONE",
        &expect![[r#"
            definition 43: DONE in `DONE:`
            31: DONE in `@%p1 bra DONE;`
            Read Text
        "#]],
    );
    check(
        SCALE,
        "mul.f32 out, in",
        &expect![[r#"
            definition 10: in in `.func (.reg .f32 out) half(.reg .f32 in)`
            12: in in `mul.f32 out, in, 0f3F000000;`
            Text Read
        "#]],
    );
}

#[test]
fn what_is_not_declared_has_no_definition() {
    check(
        super::BROKEN,
        "%r1, %r7",
        &expect![[r#"
            no definition

        "#]],
    );
    check(
        super::BROKEN,
        "ld.shared",
        &expect![[r#"
            no definition

        "#]],
    );
}

/// The lines that change when a name is renamed, or why it is not.
fn rename(text: &str, words: &str, new: &str, expected: &Expect) {
    let mut client = Client::new();
    let (text, position) = at(text, words);
    client.open("a.ptx", &text);
    let answer = client.try_ask("rename", "a.ptx", position, json!({ "newName": new }));
    let shown = match answer {
        Ok(edit) => {
            let after = edited(&text, &edit["changes"]["file:///a.ptx"]);
            let changed = text.lines().zip(after.lines()).filter(|(old, new)| old != new);
            changed.fold(String::new(), |shown, (_, new)| shown + new.trim() + "\n")
        }
        Err(error) => format!("error: {}\n", error.message),
    };
    client.end();
    expected.assert_eq(&shown);
}

#[test]
fn names_are_renamed_in_their_scope() {
    rename(
        SCALE,
        "st.global.f32 [%rd1], total",
        "sum",
        &expect![[r#"
        .reg .f32 sum;
        mov.f32 sum, %f3;
        st.global.f32 [%rd1], sum;
    "#]],
    );
    rename(
        SCALE,
        "    }\n    mov.f32 total",
        "sum",
        &expect![[r#"
        .reg .f32 %f<4>, sum;
        mov.f32 sum, %f1;
    "#]],
    );
    rename(
        SCALE,
        "[count",
        "n",
        &expect![[r#"
        .param .u32 n
        ld.param.u32 %r1, [n];
    "#]],
    );
    rename(
        SCALE,
        "bra DONE",
        "$L_end",
        &expect![[r#"
        @%p1 bra $L_end;
        $L_end:
    "#]],
    );
}

#[test]
fn a_family_is_renamed_with_its_members() {
    rename(
        SCALE,
        ".reg .b64 %rd",
        "%address",
        &expect![[r#"
        .reg .b64 %address<3>;
        ld.param.u64 %address1, [data];
        mul.wide.u32 %address2, %r2, 4;
        add.u64 %address1, %address1, %address2;
        ld.global.f32 %f1, [%address1];
        st.global.f32 [%address1], total;
    "#]],
    );
    rename(
        SCALE,
        "mul.wide.u32 %rd2",
        "%a2",
        &expect![[r#"
        .reg .b64 %a<3>;
        ld.param.u64 %a1, [data];
        mul.wide.u32 %a2, %r2, 4;
        add.u64 %a1, %a1, %a2;
        ld.global.f32 %f1, [%a1];
        st.global.f32 [%a1], total;
    "#]],
    );
    rename(
        SCALE,
        "mul.wide.u32 %rd2",
        "%a3",
        &expect![[r#"
        error: `%rd2` is a member of the family `%rd`, which is renamed with all its members; write a name that ends in 2 and in no other digit
    "#]],
    );
}

#[test]
fn a_renaming_that_changes_what_a_name_means_is_refused() {
    rename(
        SCALE,
        "[count",
        "data",
        &expect![[r#"
        error: the parameter `data` in line 17 has this name; write another one
    "#]],
    );
    rename(
        SCALE,
        "[TAPS",
        "row",
        &expect![[r#"
        error: the variable `row` in line 7 has this name; write another one
    "#]],
    );
    rename(
        SCALE,
        "[TAPS",
        "total",
        &expect![[r#"
        error: the register `total` in line 25 has this name; write another one
    "#]],
    );
    rename(
        SCALE,
        "    .reg .f32 %f<4>, total",
        "%f2",
        &expect![[r#"
        error: the register `%f` in line 25 has this name; write another one
    "#]],
    );
    rename(
        SCALE,
        ".reg .b64 %rd",
        "%r",
        &expect![[r#"
        error: the register `%r` in line 23 has this name; write another one
    "#]],
    );
    rename(
        SCALE,
        "[count",
        "%tid",
        &expect![[r#"
        error: `%tid` is a special register; write another name
    "#]],
    );
    rename(
        SCALE,
        "[count",
        "1count",
        &expect![[r#"
        error: `1count` is not a name; write letters, digits, `_` and `$`, with a letter, `%`, `$` or `_` first
    "#]],
    );
    rename(
        super::BROKEN,
        "%r1, %r7",
        "%r3",
        &expect![[r#"
        error: nothing here is named `%r7`; declare it before it is renamed
    "#]],
    );
}
