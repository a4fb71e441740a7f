//! Lowers a module to IR, with unknowns where tokens do not determine a value.

use ptx_isa::sorted::SortedMap;

use proc_macro2::TokenStream;
use ptx_analysis::uses::{ModuleNames, Reached, Storage, Uses, each_reached};
use ptx_isa::ir::{self, Init, Named, Unified};
use ptx_text::FALLBACK_TARGET;
use ptx_text::body::{lower_declaration, prototypes};
use ptx_text::codes::is_of_declarations;

use super::sizes::Sizes;
use crate::address::Meaning;
use crate::ast::{Function, Item, Module, Param, Variable};
use crate::attribute::is_conditional;
use crate::body::{Body, Declaration, no_list};
use crate::integer::Integer;
use crate::integers::Integers;
use crate::name::ptx_name;
use crate::types::Lowering;

/// A module in the IR, and what the IR does not say.
pub(super) struct Lowered<'a> {
    /// The module.
    pub(super) ir: ir::Module<'a>,
    /// Its functions, by their indices.
    pub(super) functions: Vec<LoweredFunction<'a>>,
    /// Its names in Rust.
    pub(super) names: ModuleNames<'a>,
}

/// What the IR of a function does not say.
#[derive(Default)]
pub(super) struct LoweredFunction<'a> {
    /// Its declarations in order, with their allowances.
    pub(super) declared: Vec<&'a ir::Variable<'a>>,
    /// Those that have a Rust constant.
    pub(super) is_unknown: Vec<bool>,
    /// The declarations in the order of the IR, which has the `.shared` ones that are never named after all others.
    pub(super) locals: Vec<usize>,
    /// The constants whose values tokens determine.
    pub(super) values: Vec<Option<i128>>,
    /// For each constant, the first one with the same tokens.
    pub(super) same: Vec<usize>,
    /// The directives whose values tokens determine.
    pub(super) directives: Vec<ir::Directive>,
    /// The names in declarations that could not be parsed.
    pub(super) assumed: Vec<&'a str>,
    /// The outside names in its body.
    pub(super) uses: Uses<'a>,
    /// What it uses together with the functions that it calls.
    pub(super) reached: Option<Reached<'a>>,
}

/// Lowers a module, and resolves the addresses in its initial values.
pub(super) fn lower_module<'a>(
    module: &mut Module,
    integers: &Integers,
    lowering: &Lowering<'a>,
) -> Lowered<'a> {
    let arena = lowering.arena;
    let items = || module.items.iter().enumerate();
    let variables = items().filter(|(_, item)| item.variable().is_some()).map(|(n, _)| n);
    let functions = items().filter(|(_, item)| item.function().is_some()).map(|(n, _)| n);
    (module.variables, module.functions) = (variables.collect(), functions.collect());
    let plain: Vec<&'a ir::Variable<'a>> =
        module.each_variable().map(|variable| lower_variable(variable, lowering)).collect();
    let plain: &'a [_] = arena.alloc_slice_copy(&plain);
    let rust_name = |ident: &syn::Ident| -> &'a str { arena.alloc_str(&ptx_name(ident)) };
    let names: Vec<&'a str> = module.each_variable().map(|it| rust_name(&it.ident)).collect();
    let function_names = module.function_names();
    let function_names: Vec<&'a str> =
        function_names.iter().map(|name| &*arena.alloc_str(name)).collect();
    let in_rust = |variables| {
        ModuleNames::of(variables, names.iter().copied(), function_names.iter().copied(), true)
    };
    let variables = lower_addresses(module, plain, &in_rust(plain), lowering);
    let names = in_rust(variables);
    let sizes = Sizes::of(module, integers, lowering);
    let mut functions: Vec<LoweredFunction<'a>> = Vec::new();
    let mut irs: Vec<ir::Function<'a>> = Vec::new();
    for function in module.each_function() {
        let (lowered, ir) = lower_function(function, &names, integers, &sizes);
        functions.push(lowered);
        irs.push(ir);
    }
    let kinds: Vec<ir::FunctionKind> = irs.iter().map(|ir| ir.kind).collect();
    let uses: Vec<Uses<'a>> =
        functions.iter_mut().map(|function| core::mem::take(&mut function.uses)).collect();
    let storage: Vec<Storage<'a>> =
        irs.iter().map(|ir| (ir.linkage, [ir.locals, ir.idle_shared])).collect();
    let in_table = |variable: &Variable| -> Vec<usize> {
        let meanings = variable.addresses.iter().map(|address| address.meaning);
        meanings
            .filter_map(|meaning| match meaning {
                Meaning::Function(n) => Some(n),
                Meaning::Variable(_) | Meaning::Unknown => None,
            })
            .collect()
    };
    let tables: Vec<Vec<usize>> = module.each_variable().map(in_table).collect();
    let variable_may_be_absent: Vec<bool> =
        module.each_variable().map(|variable| is_conditional(&variable.attrs)).collect();
    let function_may_be_absent: Vec<bool> =
        module.each_function().map(|function| is_conditional(&function.attrs)).collect();
    each_reached(&kinds, &uses, &tables, |n, reached| {
        // Where `cfg` decides, rustc checks this.
        let is_certain = reached.is_certain
            && !reached.functions.iter().any(|callee| function_may_be_absent[*callee])
            && !reached.variables.iter().any(|(variable, _)| variable_may_be_absent[*variable]);
        if is_certain {
            let in_ptx = |name: &str, n| -> &'a str { arena.alloc_str(&names.in_ptx(name, n)) };
            let kept = |variable| &*arena.alloc(variable);
            let [used, shared] = reached.in_ir(variables, &storage, kept, in_ptx);
            irs[n].called_shared = arena.alloc_slice_copy(&shared);
            irs[n].uses = arena.alloc_slice_copy(&used);
        }
        functions[n].reached = Some(reached);
    });
    for (function, uses) in functions.iter_mut().zip(uses) {
        function.uses = uses;
    }
    let irs: Vec<&'a ir::Function<'a>> = irs.into_iter().map(|ir| &*arena.alloc(ir)).collect();
    let ir = ir::Module {
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
        texture_mode: module.args.texture_mode,
        variables,
        functions: arena.alloc_slice_copy(&irs),
        ..ir::Module::new(
            arena.alloc_str(&ptx_name(&module.ident)),
            module.args.target.unwrap_or(FALLBACK_TARGET),
        )
    };
    Lowered { ir, functions, names }
}

/// Resolves the addresses in initial values, and adds them to the variables.
fn lower_addresses<'a>(
    module: &mut Module,
    plain: &'a [&'a ir::Variable<'a>],
    names: &ModuleNames<'a>,
    lowering: &Lowering<'a>,
) -> &'a [&'a ir::Variable<'a>] {
    let arena = lowering.arena;
    let functions: Vec<String> = module.each_function().map(|it| it.name.clone()).collect();
    let items = module.items.iter_mut().filter_map(|item| match item {
        Item::Variable(variable) => Some(variable),
        Item::Function(_) | Item::Rust(_) => None,
    });
    let variables = items.zip(plain).map(|(item, ir)| {
        if item.value.is_none() || item.addresses.is_empty() {
            return *ir;
        }
        for address in &mut item.addresses {
            let name = ptx_name(&address.symbol);
            let mut meanings = names.meanings(&name).map(|meaning| match meaning {
                Named::Variable(n) => (Meaning::Variable(n), names.in_ptx(&name, n)),
                Named::Function(n) => (Meaning::Function(n), functions[n].clone()),
            });
            // A value has one name in PTX, whatever `cfg` decides.
            let meaning = meanings.next().filter(|(_, first)| meanings.all(|it| it.1 == *first));
            drop(meanings);
            (address.meaning, address.name) = meaning.unwrap_or((Meaning::Unknown, name));
        }
        let addresses = item.addresses.iter().map(|address| {
            // An addend that is not a literal is checked once rustc knows it.
            let addend = address.addends.iter().try_fold(0_i128, |sum, (negative, number)| {
                let addend = number.known()?;
                Some(if *negative {
                    sum.saturating_sub(addend)
                } else {
                    sum.saturating_add(addend)
                })
            });
            let symbol = arena.alloc_str(&address.name);
            ir::Address { symbol, generic: address.generic, addend: addend.unwrap_or_default() }
        });
        let addresses: Vec<ir::Address<'a>> = addresses.collect();
        let init = Init::Unknown(arena.alloc_slice_copy(&addresses));
        &*arena.alloc(ir::Variable { init, ..**ir })
    });
    let variables: Vec<&'a ir::Variable<'a>> = variables.collect();
    arena.alloc_slice_copy(&variables)
}

fn lower_function<'a>(
    function: &Function,
    names: &ModuleNames<'a>,
    integers: &Integers,
    sizes: &Sizes<'_, 'a>,
) -> (LoweredFunction<'a>, ir::Function<'a>) {
    let lowering = sizes.lowering;
    let arena = lowering.arena;
    let signature = lower_signature(function, lowering);
    let Some(body) = &function.body else { return (LoweredFunction::default(), signature) };
    let text = arena.alloc_str(&body.source.text);
    let ir = ir::Body::new(text, arena.alloc_slice_copy(&body.source.table), &[]);
    let declared = lower_declarations(body, lowering);
    let uses = Uses::of(&signature, ir, &declared, names);
    let (named, idle): (Vec<usize>, Vec<usize>) =
        (0..declared.len()).partition(|n| uses.idle.binary_search(n).is_err());
    // What the function allows, its declarations do.
    let of_function = function.allow.iter().map(|(code, _)| *code);
    let of_function: Vec<&'a str> = of_function.filter(|code| is_of_declarations(code)).collect();
    let all = declared.iter().map(|variable| {
        let allow = [variable.allow, &of_function].concat();
        &*arena.alloc(ir::Variable { allow: arena.alloc_slice_copy(&allow), ..**variable })
    });
    let all: Vec<&'a ir::Variable<'a>> = all.collect();
    let each = |numbers: &[usize]| -> &'a [&'a ir::Variable<'a>] {
        arena.alloc_slice_fill_iter(numbers.iter().map(|n| all[*n]))
    };
    let prototypes = prototypes(ir, arena);
    let (locals, idle_shared) = (each(&named), each(&idle));
    let ir = ir::Function { body: Some(ir), locals, idle_shared, prototypes, ..signature };
    let assumed = body.source.assumed.iter().map(|name| &*arena.alloc_str(name));
    let mut values = integers.clone().with(function.items.iter()).values(&body.constants);
    for (n, bytes) in &body.bytes {
        values[*n] = sizes.bytes(bytes);
    }
    let lowered = LoweredFunction {
        declared,
        is_unknown: body.source.declarations.iter().map(Declaration::has_constant).collect(),
        locals: [named, idle].concat(),
        values,
        same: same(&body.constants),
        directives: known_directives(function),
        assumed: assumed.collect(),
        uses,
        reached: None,
    };
    (lowered, ir)
}

/// For each constant, the index of the first one with the same tokens.
fn same(constants: &[TokenStream]) -> Vec<usize> {
    let mut first: SortedMap<String, usize> = SortedMap::new();
    let constants = constants.iter().enumerate();
    constants.map(|(n, tokens)| *first.entry(tokens.to_string()).or_insert(n)).collect()
}

/// The directives whose values tokens determine.
fn known_directives(function: &Function) -> Vec<ir::Directive> {
    let is_known = |number: &Integer| number.known_as::<u32>().is_some();
    let directives = lower_directives(function).zip(&function.directives);
    let known = directives.filter(|(_, directive)| directive.values.iter().all(is_known));
    known.map(|(ir, _)| ir).collect()
}

/// The directives of a function. A value that is not a literal is checked once rustc knows it; 1 breaks no rule.
fn lower_directives(function: &Function) -> impl Iterator<Item = ir::Directive> {
    function.directives.iter().map(|directive| {
        let mut values = [1; 3];
        for (number, value) in directive.values.iter().zip(&mut values) {
            *value = number.known_as().unwrap_or(1);
        }
        ir::Directive { kind: directive.kind, values }
    })
}

/// The IR of a function without its body.
fn lower_signature<'a>(function: &Function, lowering: &Lowering<'a>) -> ir::Function<'a> {
    let arena = lowering.arena;
    let codes: Vec<&'static str> = function.allow.iter().map(|(code, _)| *code).collect();
    let params = function.params.iter().map(|param| lower_param(param, function, lowering));
    let returns = function.returns.iter().map(|param| lower_param(param, function, lowering));
    let (params, returns): (Vec<_>, Vec<_>) = (params.collect(), returns.collect());
    let directives: Vec<ir::Directive> = lower_directives(function).collect();
    ir::Function {
        linkage: function.linkage,
        params: arena.alloc_slice_copy(&params),
        returns: arena.alloc_slice_copy(&returns),
        unified: function.unified.as_ref().map(|(upper, lower, _)| lower_unified(upper, lower)),
        allow: arena.alloc_slice_copy(&codes),
        directives: arena.alloc_slice_copy(&directives),
        ..ir::Function::new(function.kind, arena.alloc_str(&function.name))
    }
}

fn lower_param<'a>(param: &Param, function: &Function, lowering: &Lowering<'a>) -> ir::Param<'a> {
    let name = lowering.arena.alloc_str(&ptx_name(&param.ident));
    // Where rustc evaluates the alignment, what a type would tell of it is not what it is.
    let is_open = param.align.as_ref().is_some_and(|align| align.known().is_none());
    let ty = if is_open { &ir::Type::Unknown } else { lowering.lower_type(&param.ty) };
    let mut variable = ir::Variable::new(param.space, name, ty);
    variable.allow = lowering.arena.alloc_slice_copy(&param.allowed(function));
    variable.align = param.align.as_ref().and_then(Integer::known_as);
    let pointer = lowering.lower_pointer(&param.ty);
    let elements = function.contract.elements(&param.ident);
    ir::Param { variable, pointer, readonly: param.readonly.is_some(), elements }
}

/// The IR of a variable without the addresses in its value.
fn lower_variable<'a>(variable: &Variable, lowering: &Lowering<'a>) -> &'a ir::Variable<'a> {
    let name = lowering.arena.alloc_str(&variable.name);
    let mut ir = ir::Variable::new(variable.space, name, lowering.lower_type(&variable.ty));
    ir.linkage = variable.linkage;
    ir.managed = variable.managed;
    ir.unified = variable.unified.as_ref().map(|(upper, lower)| lower_unified(upper, lower));
    if variable.value.is_some() {
        ir.init = Init::Unknown(&[]);
    }
    ir.align = variable.align.as_ref().and_then(Integer::known_as);
    ir.allow = lowering.arena.alloc_slice_copy(&variable.allow);
    lowering.arena.alloc(ir)
}

/// The halves of an identifier; 0 where rustc evaluates them.
fn lower_unified(upper: &Integer<u64>, lower: &Integer<u64>) -> Unified {
    let [upper, lower] = [upper, lower].map(|half| half.known().unwrap_or_default());
    Unified { upper, lower }
}

/// The declarations of a body.
fn lower_declarations<'a>(body: &Body, lowering: &Lowering<'a>) -> Vec<&'a ir::Variable<'a>> {
    let declarations = body.source.declarations.iter();
    declarations
        .map(|declaration| {
            &*lowering.arena.alloc(lower_declaration(declaration, lowering.arena, &no_list))
        })
        .collect()
}
