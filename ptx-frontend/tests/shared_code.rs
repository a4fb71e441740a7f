//! Fragments and instances mean what is written out: random programs, parts of which become fragments or whose types become
//! parameters, compute the same in the interpreter.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;

use proc_macro2::TokenStream;
use ptx_frontend::ir::Body;
use ptx_frontend::{Arena, module};
use ptx_interpreter::{End, Launch, Program, Thread};
use ptx_smith::bodies::{Choices, Features, REGISTERS, computing, mixed};

/// The types of the registers, by the letter of their names.
const TYPES: [(char, &str); 4] = [('r', "B32"), ('d', "B64"), ('h', "B16"), ('p', "bool")];

/// The number of programs; `PTX_SHARED_CODE_CASES` sets another.
fn cases() -> u64 {
    std::env::var("PTX_SHARED_CODE_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(300)
}

/// The statements of a program: its registers get values, and then it computes.
fn program(number: u64) -> (String, Vec<String>) {
    let mut start = String::new();
    for (name, ty, count) in REGISTERS {
        writeln!(start, ".reg .{ty} {name}<{count}>;").expect("a string");
        for n in 0..count {
            let value = mixed(number ^ (n as u64) << 32 ^ name.len() as u64) >> 40;
            match ty {
                "pred" => writeln!(start, "setp.lt.u32 {name}{n}, {}, 7;", value % 16),
                ty => writeln!(start, "mov.{ty} {name}{n}, {};", value % 0x8000),
            }
            .expect("a string");
        }
    }
    let mut choices = Choices::Seeded(mixed(number));
    let statements = computing(&mut choices, Features::default());
    (start, statements.lines().map(str::to_owned).collect())
}

/// Whether a line is an instruction that goes on to the next, and that a fragment may have.
fn is_straight(line: &str) -> bool {
    let is_other = ["bra", "brx", "call", "ret", "exit", "bar", "trap"];
    let words: Vec<&str> = line.split([' ', '.', ';']).collect();
    !line.contains([':', '{', '}'])
        && !line.starts_with('.')
        && !words.iter().any(|it| is_other.contains(it))
}

/// The names of the registers in a line, in order.
fn registers(line: &str) -> Vec<String> {
    let parts = line.split('%').skip(1);
    let name = |part: &str| -> Option<String> {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let (letter, digits) = part[..end].split_at_checked(1)?;
        let is_ours = TYPES.iter().any(|(known, _)| letter.starts_with(*known));
        let is_numbered = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_ours && is_numbered).then(|| part[..end].to_owned())
    };
    parts.filter_map(name).collect()
}

/// The registers that a line may write: those before the first comma, without the guard.
fn written(line: &str) -> Vec<String> {
    let instruction = if line.starts_with('@') {
        line.split_once(' ').map_or("", |(_, rest)| rest)
    } else {
        line
    };
    registers(instruction.split(',').next().unwrap_or_default())
}

/// The type of a register.
fn type_of(register: &str) -> &'static str {
    let found = TYPES.iter().find(|(letter, _)| register.starts_with(*letter));
    found.expect("a kind of register").1
}

/// Makes a fragment of some lines. Returns its definition and its use.
fn fragment(name: &str, lines: &[String], choices: &mut Choices) -> (String, String) {
    let mut all: Vec<String> = Vec::new();
    for register in lines.iter().flat_map(|line| registers(line)) {
        if !all.contains(&register) {
            all.push(register);
        }
    }
    let is_written = |register: &String| lines.iter().any(|line| written(line).contains(register));
    let mut body = String::new();
    // A register of its own, with the name of one that is passed. (The interpreter has one register of a name, in whatever
    // block it is declared.)
    let own = &all[choices.below(all.len())];
    match type_of(own).to_lowercase().as_str() {
        "bool" => writeln!(body, ".reg .pred %{own};\nsetp.eq.u32 %{own}, 1, 1;"),
        ty => writeln!(body, ".reg .{ty} %{own};\nmov.{ty} %{own}, 99;"),
    }
    .expect("a string");
    let mut params = Vec::new();
    for register in &all {
        let ty = type_of(register);
        params.push(if is_written(register) {
            format!("p_{register}: &mut Reg<{ty}>")
        } else {
            format!("p_{register}: Reg<{ty}>")
        });
    }
    for line in lines {
        let mut line = line.clone();
        let mut found = registers(&line);
        // The longest first: `%r1` is the start of `%r10`.
        found.sort_by_key(|it| std::cmp::Reverse(it.len()));
        for register in found {
            line = line.replace(&format!("%{register}"), &format!("p_{register}"));
        }
        body += &line;
        body.push('\n');
    }
    let operands: Vec<String> = all.iter().map(|register| format!("%{register}")).collect();
    let definition =
        format!("#[fragment]\nfn {name}({}) {{ ptx! {{\n{body}}} }}\n", params.join(", "));
    (definition, format!("{name} {};", operands.join(", ")))
}

/// The final contents of the registers of the kernel in a module, by their names.
fn run(items: &str) -> BTreeMap<String, Option<u64>> {
    run_with("", items)
}

/// The same of a module with these arguments after its target.
fn run_with(args: &str, items: &str) -> BTreeMap<String, Option<u64>> {
    let tokens = |text: &str| TokenStream::from_str(text).expect("tokens");
    let arena = Arena::new();
    let (checked, errors) = module(
        tokens(&format!("target = sm_80{args}")),
        tokens(&format!("mod m {{ {items} }}")),
        &arena,
    );
    let messages: Vec<String> = errors.messages().collect();
    assert!(messages.is_empty(), "{messages:#?}\n{items}");
    let checked = checked.expect("a module");
    let mut bodies = (0..checked.module.items.len()).filter_map(|n| checked.body(n));
    let (_, body) = bodies.next().expect("a kernel");
    let ir = Body::new(&body.text, &body.table, &[]);
    let program = Program::of(&ir, &[]);
    let thread = Thread { number: [3, 0, 0], block: [0; 3] };
    let launch = Launch::of_block([32, 1, 1]);
    let execution = program.run(&launch, thread, |_| {});
    assert_eq!(execution.end, End::Done, "{items}");
    let names = program.registers(0).iter().map(|name| (*name).to_owned());
    names.zip(execution.registers).collect()
}

/// Whether a register of the caller has the same contents in both.
fn compare(
    one: &BTreeMap<String, Option<u64>>,
    other: &BTreeMap<String, Option<u64>>,
    about: &str,
) {
    for (name, _, count) in REGISTERS {
        for n in 0..count {
            let name = format!("{name}{n}");
            assert_eq!(one.get(&name), other.get(&name), "{name}\n{about}");
        }
    }
}

#[test]
fn fragments_compute_what_is_written_out() {
    let mut uses = 0;
    for number in 0..cases() {
        let (start, lines) = program(number);
        let mut choices = Choices::Seeded(mixed(!number));
        let (mut definitions, mut body) = (String::new(), start.clone());
        let mut rest = lines.as_slice();
        while let Some(line) = rest.first() {
            let straight = rest.iter().take_while(|line| is_straight(line)).count();
            if straight < 2 || choices.below(3) == 0 {
                body += line;
                body.push('\n');
                rest = &rest[1..];
                continue;
            }
            let (part, after) = rest.split_at(2 + choices.below(straight - 1));
            let (definition, used) = fragment(&format!("part{uses}"), part, &mut choices);
            definitions += &definition;
            body += &used;
            body.push('\n');
            uses += 1;
            rest = after;
        }
        let plain = format!("#[kernel] fn k() {{ ptx! {{ {start}{}\nexit; }} }}", lines.join("\n"));
        let shared = format!("{definitions}#[kernel] fn k() {{ ptx! {{ {body}exit; }} }}");
        compare(&run(&plain), &run(&shared), &shared);
    }
    assert!(uses > cases() / 2, "{uses} uses");
}

#[test]
fn instances_compute_what_is_written_out() {
    for number in 0..cases() {
        let (start, lines) = program(number);
        let body = format!("{start}{}\nexit;", lines.join("\n"));
        let plain = format!("#[kernel] fn k() {{ ptx! {{ {body} }} }}");
        // Each suffix is that of a parameter.
        let generic = body.replace(".u32", ".T").replace(".s64", ".S");
        let generic =
            format!("#[kernel(for(T in [u32], S in [i64]))] fn k() {{ ptx! {{ {generic} }} }}");
        let expected = run(&plain);
        compare(&expected, &run(&generic), &generic);
        let kernel = generic.replace("(for(T in [u32], S in [i64]))", "");
        compare(&expected, &run_with(", for(T in [u32], S in [i64])", &kernel), &kernel);
    }
}
