//! Whole modules: declarations, and kernels with statements of every row that a target has.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ptx_isa::instruction::{COMPLETE, INSTRUCTIONS};
use ptx_isa::{ScalarType, Target, Version};

use crate::Rng;
use crate::statement::{self, Goal, Name, REGISTERS, Register, Statement};

/// What modules are drawn for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The target; a random one without.
    pub target: Option<Target>,
    /// The PTX version; without, one that has everything in the module.
    pub version: Option<Version>,
    /// The code of the only rule that mutants break.
    pub rule: Option<&'static str>,
    /// Whether mutants only break rules that assemblers enforce.
    pub only_refused: bool,
}

/// The newest PTX version without an option: the newest whose instructions the table has completely.
pub const NEWEST: Version = COMPLETE;

/// The newest PTX version that an option may ask for: that of the newest target and row that are known.
pub fn newest() -> Version {
    let rows = INSTRUCTIONS.iter().map(|row| row.needs.since);
    Target::ALL.iter().map(|target| target.since()).chain(rows).fold(NEWEST, Version::newer)
}

/// The lowest PTX version of modules: older ones have other names for what they declare.
pub const OLDEST: Version = Version::new(6, 0);

/// A module, and what was drawn for it.
#[derive(Clone, Debug)]
pub struct Module {
    /// The text.
    pub text: String,
    /// The target.
    pub target: Target,
    /// The PTX version.
    pub version: Version,
    /// The statements, apart from those that prepare registers.
    pub statements: Vec<Statement>,
}

impl Module {
    /// The text without its head.
    pub(crate) fn items(&self) -> &str {
        self.text.split_once("\n\n").map_or("", |(_, items)| items)
    }
}

/// A function under construction.
struct Body {
    lines: Vec<String>,
    statements: Vec<Statement>,
}

impl Options {
    /// The head of a file without statements: its directives.
    pub(crate) fn head(self, rng: &mut Rng) -> String {
        let target = self.some_target(rng);
        let version = self.version.unwrap_or_else(|| target.since().newer(OLDEST));
        format!(".version {version}\n.target {target}\n.address_size 64\n\n")
    }

    /// The target, or a random one that the PTX version has.
    pub(crate) fn some_target(self, rng: &mut Rng) -> Target {
        let newest = self.version.unwrap_or(NEWEST);
        let is_known = |target: &Target| !newest.is_below(target.since());
        let known: Vec<Target> = Target::ALL.iter().copied().filter(is_known).collect();
        self.target.unwrap_or_else(|| rng.pick(&known))
    }

    /// The PTX version and the target of what needs these at least.
    pub(crate) fn of_least(self, version: Version, target: Target) -> (Version, Target) {
        let target = self.target.unwrap_or(target);
        (self.version.unwrap_or_else(|| version.newer(target.since())), target)
    }

    /// Whether what needs this PTX version and target at least is not excluded.
    pub(crate) fn have(self, version: Version, target: Target) -> bool {
        self.version.is_none_or(|given| !given.is_below(version))
            && self.target.is_none_or(|given| given.arch() >= target.arch())
    }

    /// A row, and a target and the newest version that have it, so that no row is rare because few targets have it.
    fn goal(self, rng: &mut Rng) -> (Goal, Option<usize>) {
        let newest = self.version.unwrap_or(NEWEST);
        let row = rng.below(INSTRUCTIONS.len());
        let has = |target: &Target| {
            let needs = INSTRUCTIONS[row].needs;
            needs.has(*target) && !newest.is_below(needs.since_on(Some(*target)))
        };
        let of_row: Vec<Target> = Target::ALL.iter().copied().filter(has).collect();
        let target = match (self.target, of_row.as_slice()) {
            (None, [_, ..]) => rng.pick(&of_row),
            (_, _) => self.some_target(rng),
        };
        (Goal { target, newest }, of_row.contains(&target).then_some(row))
    }
}

/// The module with this number.
pub fn draw(seed: u64, number: usize, options: Options) -> Module {
    let mut rng = Rng::new(seed, number);
    let (goal, wanted) = options.goal(&mut rng);
    let kernels = rng.within(1, 3);
    let mut bodies: Vec<Body> = (0..kernels).map(|_| body(&mut rng, goal)).collect();
    if let Some(row) = wanted {
        let statement = statement::draw(&mut rng, row, goal);
        bodies[0].add(&mut rng, statement.into_iter().collect());
    }
    let statements: Vec<Statement> =
        bodies.iter().flat_map(|body| body.statements.iter().cloned()).collect();
    let names: BTreeSet<&Name> = statements.iter().flat_map(|it| &it.names).collect();
    let lowest = goal.target.since().newer(OLDEST);
    let since = statements.iter().map(|it| it.since).fold(lowest, Version::newer);
    let version = options.version.unwrap_or(since);
    let mut text = format!(".version {version}\n.target {}\n.address_size 64\n\n", goal.target);
    declare(&mut text, &names);
    for (n, body) in bodies.iter().enumerate() {
        write_kernel(&mut text, n, body);
    }
    Module { text, target: goal.target, version, statements }
}

/// The statements of a kernel, with branches around some and loops over some.
fn body(rng: &mut Rng, goal: Goal) -> Body {
    let rows = statement::rows(goal);
    let mut body = Body { lines: Vec::new(), statements: Vec::new() };
    for part in 0..rng.within(1, 6) {
        let count = rng.within(1, 5);
        let drawn: Vec<Statement> = (0..count)
            .filter_map(|_| {
                let row = rng.pick(&rows);
                statement::draw(rng, row, goal)
            })
            .collect();
        // Threads of a warp come together at some.
        let is_alone = drawn.iter().all(|statement| statement.may_be_guarded);
        match rng.below(4) {
            0 if is_alone => {
                body.lines.push(format!(
                    "@{}%pred_{} bra SKIP{part};",
                    not(rng),
                    rng.below(REGISTERS)
                ));
                body.add(rng, drawn);
                body.lines.push(format!("SKIP{part}:"));
            }
            1 => {
                body.lines.push(format!("mov.u32 %i{part}, {};", rng.within(1, 3)));
                body.lines.push(format!("LOOP{part}:"));
                body.add(rng, drawn);
                body.lines.push(format!("sub.u32 %i{part}, %i{part}, 1;"));
                body.lines.push(format!("setp.ne.u32 %n{part}, %i{part}, 0;"));
                body.lines.push(format!("@%n{part} bra LOOP{part};"));
            }
            _ => body.add(rng, drawn),
        }
    }
    body
}

fn not(rng: &mut Rng) -> &'static str {
    rng.pick(&["", "!"])
}

impl Body {
    fn add(&mut self, rng: &mut Rng, drawn: Vec<Statement>) {
        for statement in drawn {
            for name in &statement.names {
                if let Name::Labels(label) = name {
                    self.lines.push(format!("T{label}: .branchtargets {label};"));
                }
            }
            let guard = if statement.may_be_guarded && rng.one_in(6) {
                format!("@{}%pred_{} ", not(rng), rng.below(REGISTERS))
            } else {
                String::new()
            };
            self.lines.push(format!("{guard}{}", statement.text));
            self.statements.push(statement);
        }
    }

    fn names(&self) -> BTreeSet<&Name> {
        self.statements.iter().flat_map(|it| &it.names).collect()
    }
}

/// Declarations of what statements name.
fn declare(text: &mut String, names: &BTreeSet<&Name>) {
    let all = [
        ('g', ".global .align 256 .b8 GLOBALS[4096];"),
        ('s', ".shared .align 1024 .b8 TILE[4096];"),
        ('c', ".const .align 64 .b8 TABLE[256];"),
        ('t', ".global .texref TEXTURE;"),
        ('u', ".global .surfref SURFACE;"),
    ];
    for (letter, line) in all {
        if names.contains(&Name::Variable(letter)) {
            text.push_str(line);
            text.push('\n');
        }
    }
    if names.contains(&Name::Function('F')) {
        text.push_str(".func plain() {\n    ret;\n}\n");
    }
    if names.contains(&Name::Function('R')) {
        text.push_str(".func (.reg .u32 result) counted(.reg .u32 n) {\n    add.u32 result, n, 1;\n    ret;\n}\n");
    }
}

/// The registers of a body, with those that prepare others.
fn registers(body: &Body) -> BTreeSet<Register> {
    let all = body.names().into_iter().filter_map(|name| match name {
        Name::Register(register) => Some(*register),
        _ => None,
    });
    let mut all: BTreeSet<Register> = all.collect();
    if body.lines.iter().any(|line| line.contains("%pred_")) {
        all.insert(Register::plain("pred"));
    }
    for (register, source) in [("pred", "u32"), ("b128", "b64")] {
        if all.iter().any(|it| it.ty == register) {
            all.insert(Register::plain(source));
        }
    }
    all
}

fn write_kernel(text: &mut String, number: usize, body: &Body) {
    let names = body.names();
    let addresses: Vec<char> = names
        .iter()
        .filter_map(|name| match name {
            Name::Address(letter) => Some(*letter),
            _ => None,
        })
        .collect();
    let registers = registers(body);
    let mut params =
        vec!["    .param .u64 IN".to_owned(), "    .param .align 16 .b8 DATA[256]".to_owned()];
    if names.contains(&Name::Variable('m')) {
        params.push("    .param .align 64 .b8 MAP[128]".to_owned());
    }
    // Writing to a `String` does not fail.
    let _ = writeln!(text, ".visible .entry kernel{number}(\n{}\n) {{", params.join(",\n"));
    let mut line = |line: &str| {
        text.push_str("    ");
        text.push_str(line);
        text.push('\n');
    };
    for Register { ty, letter } in &registers {
        line(&format!(".reg .{ty} %{ty}{letter}_<{REGISTERS}>;"));
    }
    for letter in &addresses {
        line(&format!(".reg .{} %a{letter}_<4>;", address_type(*letter)));
    }
    let loops = body.lines.iter().filter(|it| it.starts_with("LOOP"));
    for part in loops.filter_map(|it| it.strip_prefix("LOOP")?.strip_suffix(':')) {
        line(&format!(".reg .u32 %i{part};"));
        line(&format!(".reg .pred %n{part};"));
    }
    if names.contains(&Name::Variable('l')) {
        line(".local .align 32 .b8 STACK[256];");
    }
    // What is loaded may be anything, so nothing is known of it.
    line(".reg .u64 %in;");
    line("ld.param.u64 %in, [IN];");
    for letter in addresses.iter().filter(|letter| **letter != 'P') {
        let ty = address_type(*letter);
        for n in 0..4 {
            // A barrier is in shared memory, also where its address is generic.
            let is_generic = matches!(letter, 'B' | 'K');
            line(&format!("ld.global.{ty} %a{letter}_{n}, [%in+{}];", n * bytes(ty)));
            if is_generic {
                line(&format!("cvta.shared.u64 %a{letter}_{n}, %a{letter}_{n};"));
            }
        }
    }
    for Register { ty, letter } in &registers {
        // An access does not have the type `.f16`.
        let accessed = match *ty {
            "pred" | "b128" => continue,
            "f16" => "b16",
            "f16x2" => "b32",
            ty => ty,
        };
        for n in 0..REGISTERS {
            line(&format!("ld.global.{accessed} %{ty}{letter}_{n}, [%in+{}];", n * bytes(ty)));
        }
    }
    for n in (0..REGISTERS).filter(|_| registers.contains(&Register::plain("pred"))) {
        line(&format!("setp.ne.u32 %pred_{n}, %u32_{n}, {n};"));
    }
    for Register { letter, .. } in registers.iter().filter(|it| it.ty == "b128") {
        for n in 0..REGISTERS {
            let next = (n + 1) % REGISTERS;
            line(&format!("mov.b128 %b128{letter}_{n}, {{%b64_{n}, %b64_{next}}};"));
        }
    }
    for statement in &body.lines {
        line(statement);
    }
    line("ret;");
    text.push_str("}\n");
}

/// The type of a register with an address, by its letter.
fn address_type(letter: char) -> &'static str {
    match letter {
        's' | 'a' | 'b' | 'k' | 'q' | 'r' | 'n' => "u32",
        'P' => "pred",
        'T' => "b32",
        _ => "u64",
    }
}

/// The bytes of a type of registers.
fn bytes(ty: &str) -> usize {
    ScalarType::from_name(ty).map_or(8, ScalarType::bytes)
}
