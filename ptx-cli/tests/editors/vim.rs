//! The syntax file of Vim and Neovim.

use std::fmt::{Display, Write as _};

use crate::words;

/// Groups with the patterns, "very magic", that they match, from the lowest priority to the highest.
fn groups() -> Vec<(&'static str, &'static str, String)> {
    let statement = r"%(%(^|[;{}:])\s*|\@!?\%[A-Za-z0-9_$]+\s+)@60<=";
    let dotted = |words: String| format!(r"\.%({words})>");
    vec![
        ("Sign", "Operator", r"[-+*/%&|^~!<>=?@]".to_owned()),
        ("Register", "Identifier", r"\%[A-Za-z0-9_$]+".to_owned()),
        ("SpecialRegister", "Constant", format!(r"\%%({})>", any(words::special_registers()))),
        ("Directive", "PreProc", dotted(any(words::directives()))),
        ("Modifier", "Special", dotted(any(words::modifiers()))),
        ("Modifier", "Special", format!("::%({})>", any(words::submodifiers()))),
        ("Modifier", "Special", r"\.%(m\d+n\d+%(k\d+)?|\d+x\w*|h\d\d|debug_\w+|_\w+)>".to_owned()),
        ("Type", "Type", dotted(any(words::types()))),
        ("Space", "StorageClass", format!(r"%(\.|::)%({})>", any(words::spaces()))),
        ("Opcode", "Statement", format!("{statement}%({})>", any(words::opcodes()))),
        ("Label", "Label", r"%(^|[;{}])@1<=\s*[A-Za-z_$][A-Za-z0-9_$]*\s*\ze:%(:)@!".to_owned()),
        ("Number", "Number", r"%([$%.]@1<!<)\d%(\w|\$)*%(\.\d*%([eE][-+]?\d+)?)?".to_owned()),
        (
            "Number",
            "Number",
            r"%([$%.]@1<!<)0%([fF]\x{8}|[dD]\x{16}|[xX]\x+U?|[bB][01]+U?)>".to_owned(),
        ),
        ("Error", "Error", r"%([$%.]@1<!<)0%([fF]%(\x{8}>)@!|[dD]%(\x{16}>)@!)\w*".to_owned()),
        ("Target", "Constant", r"<%(sm|compute)_\d+[af]?>".to_owned()),
    ]
}

fn any(words: impl IntoIterator<Item = impl Display>) -> String {
    words.into_iter().map(|word| word.to_string()).collect::<Vec<_>>().join("|")
}

/// The file.
pub(crate) fn syntax() -> String {
    let mut text = String::from(
        r#"" Vim syntax file: PTX
" Written by `UPDATE_EXPECT=1 cargo test -p ptx-cli --test editors` from the tables of ptx-isa.
if exists('b:current_syntax')
  finish
endif
let s:cpo = &cpo
set cpo&vim
syntax case match
"#,
    );
    for (group, _, pattern) in groups() {
        let _ = writeln!(text, r"syntax match ptx{group} ~\v{}~", pattern.replace('~', r"\~"));
    }
    text += r##"syntax region ptxString start=/"/ end=/"\|$/
syntax match ptxLineMarker /^\s*#\s*\%(line\)\?\s*\d\+\s\+".*/
syntax keyword ptxTodo TODO FIXME XXX NOTE contained
syntax match ptxComment ~//.*~ contains=ptxTodo,@Spell
syntax region ptxComment start=~/\*~ end=~\*/~ contains=ptxTodo,@Spell
syntax sync ccomment ptxComment

"##;
    let mut linked: Vec<_> = groups().iter().map(|(group, link, _)| (*group, *link)).collect();
    linked.extend([
        ("String", "String"),
        ("LineMarker", "PreProc"),
        ("Todo", "Todo"),
        ("Comment", "Comment"),
    ]);
    linked.dedup();
    for (group, link) in linked {
        let _ = writeln!(text, "highlight default link ptx{group} {link}");
    }
    text + "\nlet b:current_syntax = 'ptx'\nlet &cpo = s:cpo\nunlet s:cpo\n"
}
