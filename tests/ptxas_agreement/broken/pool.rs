//! The texts that are broken.

use ptx::text::{Kind, Parsed};
use ptx::{Module, Target};

use crate::statements::STATEMENTS;
use ptx_smith::Rng;

/// A text, and how ptxas assembles it.
#[derive(Clone)]
pub(super) struct Base {
    pub(super) text: String,
    /// The architecture that it is assembled for.
    pub(super) target: Target,
    /// Whether it is compiled without linking.
    pub(super) is_for_linker: bool,
}

/// Whole files; each contains its target.
const FILES: &[&str] = &[
    include_str!("seeds/header.ptx"),
    include_str!("seeds/variables.ptx"),
    include_str!("seeds/textures.ptx"),
    include_str!("seeds/functions.ptx"),
    include_str!("../../by_hand/quickstart.ptx"),
    include_str!("../../by_hand/saxpy.ptx"),
    include_str!("../../by_hand/transpose.ptx"),
    include_str!("../../by_hand/cluster.ptx"),
    include_str!("../../by_hand/fp8.ptx"),
    include_str!("../../by_hand/ring.ptx"),
    include_str!("../../forms/forms.ptx"),
];

/// Targets with instructions of their own; a statement belongs to the first target that accepts it.
const TARGETS: &[&str] = &["sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a"];

/// The texts that the broken ones are made from.
pub(super) struct Pool {
    files: Vec<Base>,
    /// Statements by the target that accepts them; each belongs to one.
    statements: Vec<(Target, Vec<&'static str>)>,
}

impl Pool {
    pub(super) fn new() -> Self {
        let files = FILES.iter().map(|text| Base::of((*text).to_owned())).collect();
        let mut statements: Vec<(Target, Vec<&'static str>)> = TARGETS
            .iter()
            .map(|name| (Target::from_name(name).expect("a target with this name"), Vec::new()))
            .collect();
        for statement in STATEMENTS {
            let of = statements
                .iter_mut()
                .find(|(target, _)| is_taken(&Parsed::new(around(*target, &[statement]))));
            // Statements that need other targets are left out.
            if let Some((_, statements)) = of {
                statements.push(statement);
            }
        }
        statements.retain(|(_, statements)| !statements.is_empty());
        Self { files, statements }
    }

    /// Every text and statement before it is broken.
    pub(super) fn whole(&self) -> impl Iterator<Item = Base> {
        let of_statements = self.statements.iter().flat_map(|(target, statements)| {
            statements.iter().map(|statement| Base::of(around(*target, &[statement])))
        });
        self.files.iter().cloned().chain(of_statements)
    }

    /// The number of statements.
    pub(super) fn statements(&self) -> usize {
        self.statements.iter().map(|(_, statements)| statements.len()).sum()
    }

    /// The text of this case: a file, a few statements, or the generator's declarations.
    pub(super) fn pick(&self, rng: &mut Rng, seed: u64, number: usize) -> Base {
        match rng.below(8) {
            0 | 1 => self.files[rng.below(self.files.len())].clone(),
            2..5 => {
                let (target, statements) = &self.statements[rng.below(self.statements.len())];
                let count = rng.within(1, 4);
                let picked: Vec<&str> = (0..count).map(|_| rng.pick(statements)).collect();
                Base::of(around(*target, &picked))
            }
            _ => {
                let case = crate::case(seed, number);
                let text = case.with(None, |module| Module::new(*module).to_string());
                Base { target: case.target, text, is_for_linker: case.is_for_linker() }
            }
        }
    }
}

impl Base {
    fn of(text: String) -> Self {
        let target = Parsed::new(text.as_str()).module().target;
        Self { text, target, is_for_linker: false }
    }
}

/// Whether a text has no mistake that ptxas would detect.
pub(super) fn is_taken(parsed: &Parsed) -> bool {
    let is_seen = |kind| matches!(kind, Kind::Syntax | Kind::Refused);
    !parsed.check().iter().any(|found| is_seen(found.kind))
}

/// Statements in a kernel, with the declarations that they need.
fn around(target: Target, statements: &[&str]) -> String {
    let names = |name: &str| statements.iter().any(|statement| statement.contains(name));
    let put = |is_there: bool, line: &'static str| if is_there { line } else { "" };
    let prototype = "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n";
    format!(
        ".version 9.0\n.target {target}\n.address_size 64\n\
        .global .align 128 .b8 g[4096];\n.shared .align 128 .b8 s[4096];\n.const .align 64 .b8 c[128];\n\
        {}{}{}.visible .entry k (.param .b64 p)\n{{\n{}\
        .reg .pred %p; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;\n\
        {}{}{}{}\nret;\n}}\n",
        put(names("[t"), ".global .texref t;\n"),
        put(names("[u"), ".global .surfref u;\n"),
        put(names("call f"), ".func f () { ret; }\n"),
        put(names("[l"), ".local .align 16 .b8 l[64];\n"),
        put(names("%g"), ".reg .f64 %g<4>;\n"),
        put(names("%q"), ".reg .b128 %q<4>;\n"),
        put(names("proto"), prototype),
        statements.join("\n"),
    )
}
