//! Declarations and directives in PTX text, with what is found: one module in each line of `cases.txt`, and its findings
//! behind it, indented, each with its column. `ptxas_agreement` asks ptxas about the same lines, except those that start
//! with `#`. `UPDATE_EXPECT=1` rewrites the findings.

use std::fmt::Write as _;

use expect_test::expect_file;
use ptx_text::Parsed;

const HEADER: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

#[test]
fn declarations_are_judged() {
    let mut out = String::new();
    for line in include_str!("cases.txt").lines().filter(|line| !line.starts_with(' ')) {
        let _ = writeln!(out, "{line}");
        let module = line.strip_prefix("# ").unwrap_or(line);
        let header = if module.contains(".version") { "" } else { HEADER };
        let parsed = Parsed::new(format!("{header}{module}\n"));
        for found in parsed.check() {
            let column = parsed.position(found.range.start).column;
            let kind = format!("{:?}", found.kind).to_lowercase();
            let _ = writeln!(out, "    {column}: {kind}: {found}");
        }
    }
    expect_file!["cases.txt"].assert_eq(&out);
}
