//! When rules are silent, for `docs/rules.md`: what applies to many rules, and what each row adds.

use std::fmt::Write as _;

use ptx::rules::Rule;

/// What applies to all rules about declarations.
const OF_DECLARATIONS: &str = "Declarations are always checked: while the macro expands as far as tokens allow, by \
    rustc where a type or a constant decides, and completely by `Module::check()`. A rule about a newer PTX version \
    is silent where the module declares none, since the lowest version that suffices is written then. Beyond that:";

/// What applies to rules about bodies, whatever their subject.
const OF_BODIES: &[&str] = &[
    "Bodies that are given as plain text, with `Body::verbatim`, are not checked.",
    "No hazard is reported in unreachable code, except by A030 and A052, which read only the statement. The other \
     kinds are reported there too, for operands that name their storage and for the statements themselves.",
    "What depends on a Rust type or constant that the macro does not see, rustc checks. A012, A055, A057, A058, \
     A059, A063 to A083 and single executions (see the next) wait for `Module::check()` then.",
    "If an operand accesses several places, single executions that surely happen are checked: for bounds and \
     alignment (A020, A021), for barriers (A024), and for the rank of a block (A059). These executions are those of \
     the threads of the first block of every launch (all with `reqntid`, otherwise thread 0), as far as nothing \
     unknown decides where they go, and all rounds of a loop with a known counter and bound that is entered only at \
     its label. The message names the execution: `(by thread 255)`, `(in iteration 65 of the loop at `L`)`. The rules \
     are silent after a call, after an unknown branch that does not join again at once, after a loop that may run \
     for any time, about values that are known for no single execution, and where that takes too many steps.",
    "The order of barriers, copies, proxies and blocks of a cluster (A063 to A074) follows from control flow: no \
     path between two statements passes a third. Decidable are: initialisations, invalidations and uses of an \
     `mbarrier` at a known place; too few arrivals, where the thread numbers decide who arrives; which phase is \
     waited for first; groups of `cp.async` and bulk copies, counted on the longest path, until a statement is \
     reached for the first time; whether any path has a fence of the proxies, or anything that orders threads. Not \
     decidable, and ignored, are unknown predicates in combination, masks that depend on data, a missing \
     `griddepcontrol.wait`, and pointers in memory. Too many arrivals, phases after the first, barriers and tiles that \
     registers choose (the stages of a pipeline), data races and waits of another role are only seen as the next says.",
    "Where the block's extents are declared with `reqntid`, the threads of the block (with `reqnctapercluster`, of a \
     cluster) are followed one by one (A109 to A133, and A064 to A066, A069 and A072 to A074 where control flow alone \
     does not decide). One schedule is followed, which decides all as long as memory decides neither branches nor \
     addresses. Not seen is what comes after a branch on loaded data with more than loads and stores before its paths \
     join, and what other blocks and functions do that are called: of these only whether they may wait or write counts. The order of the lanes of one warp counts where that is asked for \
     (A117). A number in a parameter, one of 32 bits in a struct that is passed as an \
     array of bytes, or one of another size that counts rounds, is tried with several values, and so are those of 32 bits in global memory \
     that all threads of a warp load from one place, and that decide where they go; what goes wrong with only some of the values is not \
     reported, nor how far apart two accesses are that depend on several such numbers, or on a small one; a quotient by a number that is passed with its multiplier is not known. Where no directive and no launch says how many blocks a \
     cluster has, and a kernel names others, these may arrive at its barriers. Macros follow 20,000 steps of warps, \
     `Module::check()` and `ptx::assembles!` 100,000, and `ptx check` 2,000,000, which all values that are tried share. \
     All kernels of a module together get 4,000,000, and those whose launch is given as many for themselves.",
    "Which warps of a block arrive at a barrier (A076) is decided for each warp separately, with the numbers of its \
     threads: a test of `%tid`, of the number of the warp that is computed from it, and a number of the barrier that \
     depends on it are followed. Results of `shfl`, `%warpid`, parameters and memory are not, and then any warp may \
     arrive. Counts of barriers that several roles use in turns are not decidable.",
    "The rules of `wgmma` (A077 to A079) report what holds on all paths: where one path waits, fences or commits and \
     another does not, they are silent. ptxas repairs some of these mistakes, with a warning (C7510 to C7519).",
    "An address that a test at run time proves aligned is aligned (A021, A022, A036). Such a test compares its lowest \
     bits (`and` with a mask, `rem.u64` by a power of two, or `shl`; for several addresses, an `or` of them) with 0 \
     and branches on the result, also through `selp` and combined predicates.",
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
