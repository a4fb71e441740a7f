//! Bodies, which are unchanged except for names and empty statements.

use std::fmt::Write as _;

use super::names::Names;

/// Writes a body line by line without its empty statements, and returns their number.
pub(super) fn write_body(body: &str, names: &Names, out: &mut String) -> usize {
    let mut empty = 0;
    let mut is_between = true;
    // For each open brace, whether it opened a block and not a list of operands.
    let mut open = Vec::new();
    for line in body.lines() {
        let mut kept = String::with_capacity(line.len());
        let mut is_in_string = false;
        for c in line.trim().chars() {
            is_in_string ^= c == '"';
            if c == ';' && is_between && !is_in_string {
                empty += 1;
                continue;
            }
            kept.push(c);
            if is_in_string || c.is_whitespace() {
                continue;
            }
            is_between = match c {
                ';' => true,
                '{' => {
                    open.push(is_between);
                    is_between
                }
                '}' => open.pop().unwrap_or(true),
                // A label is a separate word.
                ':' => is_between || !kept.contains([' ', '\t']),
                _ => false,
            };
        }
        if !kept.trim().is_empty() {
            let line = names.rename(kept.trim());
            let _ = writeln!(out, "            {}", line.replace('\t', " "));
        }
    }
    empty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_are_empty_go() {
        let mut out = String::new();
        let body = "{ ; mov.u32 %r1, 1; }\nL: ;\nst.v2.b32 [%r1], {%r1, %r2};;\n;\nret;\n";
        let empty = write_body(body, &Names::default(), &mut out);
        let lines: Vec<&str> = out.lines().map(str::trim).collect();
        let kept =
            ["{  mov.u32 %r1, 1; }", "L:", "st.v2.b32 [%r1], {%r1, %r2};", "ret;"].as_slice();
        assert_eq!((lines.as_slice(), empty), (kept, 4));
    }
}
