//! Which texts the driver's linker compiles as its compiler does.

/// Instructions that are compiled to code that is as good, whether others may call it or not (`docs/ptxas.md`). For many of the
/// others, such as `shfl.sync`, `vote`, `div` and `barrier`, the linker makes calls of functions; it ignores `setmaxnreg`; and an `atom` whose result
/// is not used remains one.
const SAME: &[&str] = &[
    "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "bra", "brev", "clz", "cos", "cp", "cvt",
    "cvta", "dp2a", "dp4a", "ex2", "exit", "fence", "fma", "ld", "ldmatrix", "lg2", "lop3", "mad",
    "mad24", "madc", "max", "membar", "min", "mma", "mov", "mul", "mul24", "neg", "not", "or",
    "popc", "prefetch", "prmt", "red", "ret", "sad", "selp", "set", "setp", "shf", "shl", "shr",
    "sin", "slct", "st", "stmatrix", "sub", "subc", "tanh", "xor",
];

/// Whether the driver's linker compiles the text as well as its compiler; not always, if so.
///
/// The linker places shared variables, so that its compiler does not know their addresses, and joins no accesses to them.
pub(super) fn is_as_good_if_linked(text: &str) -> bool {
    let statements = text.lines().flat_map(|line| {
        let line = line.split_once("//").map_or(line, |(line, _)| line);
        line.split([';', '{', '}'])
    });
    let mut shared = text.split(".shared").skip(1);
    let declares_shared = shared.any(|after| after.starts_with(char::is_whitespace));
    // A comment of several lines, or a function, may contain anything.
    !text.contains("/*")
        && !text.contains(".func")
        && !declares_shared
        && statements.filter_map(opcode).all(|opcode| SAME.contains(&opcode))
}

/// The word at the start of a statement, if one is there.
fn opcode(statement: &str) -> Option<&str> {
    let mut rest = statement.trim_start();
    if rest.starts_with('@') {
        (_, rest) = rest.split_once(char::is_whitespace)?;
        rest = rest.trim_start();
    }
    let is_name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$%".contains(&byte))
    };
    if let Some((label, after)) = rest.split_once(':')
        && !after.starts_with(':')
        && is_name(label.trim_end())
    {
        return opcode(after);
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    // A directive, an operand or a number.
    rest.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| &rest[..end])
}
