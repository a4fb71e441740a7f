//! When rules are silent, for `docs/rules.md`: what applies to many rules, and what each row adds.

use std::fmt::Write as _;

use ptx::rules::Rule;

/// What applies to all rules about declarations.
const OF_DECLARATIONS: &str = "What is declared is always judged: while the macro expands as far as tokens \
    tell, by rustc what only a type or a constant tells, and all of it by `Module::check()`. A rule of what \
    needs a newer PTX version is silent where the module gives none, since the lowest that suffices is \
    written then. Beyond that:";

/// What applies to rules about bodies, whatever their subject.
const OF_BODIES: &[&str] = &[
    "Nothing is said of a body that is given as text alone, with `Body::verbatim`.",
    "No hazard is reported in code that cannot be reached, but for A030 and A052, which read the statement \
     alone. What is refused or unenforced is reported there too, of operands that name their storage and of \
     what statements are.",
    "What a Rust type or constant decides that the macro does not see, rustc judges. A012, A055, A057, A058, \
     A059, A063 to A083 and single executions (see the next) wait for `Module::check()` then.",
    "Of an operand that goes to several places, single executions are judged that surely happen: how far they \
     go (A020, A021), what barriers are (A024), and the rank of a block (A059). These executions are those of \
     the threads of the first block that every launch has (all with `reqntid`, else thread 0), as far as \
     nothing unknown decides where they go, and all rounds of a loop whose counter and bound are known and \
     that is entered by its label alone. The message says which: `(by thread 255)`, `(in round 65 of the loop \
     at `L`)`. Nothing is said behind a call, a branch that is not known and does not join again at once, or \
     a loop that may go on for any time; of what is known of no execution alone; and where that takes too \
     many steps to follow.",
    "The order of barriers, copies, proxies and blocks of a cluster (A063 to A074) follows from where control may \
     go: that no path between two statements leads over a third. Decided are: initialisations, invalidations \
     and uses of an `mbarrier` at a known place; arrivals that are too few, where the numbers of threads decide \
     who arrives; which phase is awaited first; groups of `cp.async` and bulk copies, counted on the longest path, \
     until a statement is reached for the first time; whether any path has a fence of the proxies, or anything \
     that orders threads. Not decidable, and left alone, are arrivals that are too many, phases behind the \
     first, barriers and tiles that registers choose (the stages of a pipeline), data races in general, what \
     another role of the block waits for, what predicates that are not known decide together, masks that depend on \
     data, a missing `griddepcontrol.wait`, and pointers that are kept in memory.",
    "Which warps of a block arrive at a barrier (A076) is decided for each warp apart, with the numbers that its \
     threads have: a test of `%tid`, of the number of the warp that is computed from it, and a number of the \
     barrier that depends on it are followed. What `shfl`, `%warpid`, parameters or memory decide is not, and then \
     any warp may arrive. Not decidable are counts of barriers that several roles use in turns.",
    "What goes on around `wgmma` (A077 to A079) is what is so on all paths: where one path waits, fences or commits \
     and another does not, nothing is said. ptxas repairs some of it, and says so (C7510 to C7519).",
    "An address that a test at run time has proven aligned is aligned (A021, A022, A036). A test is its lowest \
     bits (`and` with a mask, `rem.u64` by a power of two, or `shl`; of several addresses, an `or` of them), \
     compared with 0 and branched on, also through `selp` and combined predicates.",
];

/// The chapter, for rules sorted by code.
pub(crate) fn document(sorted: &[&'static Rule]) -> String {
    let mut text = String::from("\n## When a rule is silent\n\n");
    push_wrapped(&mut text, OF_DECLARATIONS, "");
    text.push('\n');
    let says_more = |rule: &&&Rule| !is_of_bodies(rule) && !rule.silence.rule.is_empty();
    for rule in sorted.iter().filter(says_more) {
        push_rule(&mut text, rule);
    }
    text.push_str("\nOf bodies:\n\n");
    for note in OF_BODIES {
        push_wrapped(&mut text, &format!("- {note}"), "  ");
    }
    let mut subjects: Vec<&str> = Vec::new();
    for rule in sorted.iter().filter(|rule| is_of_bodies(rule)) {
        if !subjects.contains(&rule.subject) {
            subjects.push(rule.subject);
        }
    }
    for subject in subjects {
        let mut rules = sorted.iter().filter(|rule| rule.subject == subject).peekable();
        let all = rules.peek().map_or("", |rule| rule.silence.subject);
        let title = subject.replace('_', " ");
        write!(text, "\n### Rules of `{title}`\n\n").expect("a string takes all");
        if !all.is_empty() {
            push_wrapped(&mut text, &format!("All of them are silent {all}."), "");
            text.push('\n');
        }
        for rule in rules {
            push_rule(&mut text, rule);
        }
    }
    text
}

/// Whether a rule is about bodies.
fn is_of_bodies(rule: &Rule) -> bool {
    rule.code.starts_with(['A', 'C', 'S'])
}

/// What a row adds to the text of its subject.
fn push_rule(text: &mut String, rule: &Rule) {
    let name = rule.name.replace('_', " ");
    let silent = match (rule.silence.subject, rule.silence.rule) {
        ("", "") => String::from("never silent"),
        (_, "") => String::from("silent nowhere else"),
        (_, rule) => format!("silent {rule}"),
    };
    push_wrapped(text, &format!("- {} ({name}): {silent}.", rule.code), "  ");
}

/// Appends a wrapped paragraph, with this indentation before all lines but the first.
fn push_wrapped(text: &mut String, paragraph: &str, indent: &str) {
    const WIDTH: usize = 105;
    let mut length = 0;
    for word in paragraph.split(' ') {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            text.push_str(indent);
            length = indent.len();
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += word.len();
    }
    text.push('\n');
}
