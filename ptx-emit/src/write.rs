//! The PTX text of a module.

use core::fmt;

use ptx_isa::ir::body::{Piece, Pieces, StatementKind};
use ptx_isa::ir::{
    Body, Directive, Extent, Function, FunctionKind, Module, Order, Param, StructKind, Type,
    Unified, Variable,
};
use ptx_isa::{ScalarType, Space, TextureMode};

use crate::lines::{Lines, Locs};
use crate::out::Out;
use crate::value::{has_value, write_number, write_value};

/// The part of a module that a line of the text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// `.version`, `.target`, `.address_size`, and the `.file`s of line information.
    Header,
    /// The module's variable with this index.
    Variable(usize),
    /// The signature of the module's function with this index.
    Function(usize),
    /// A statement: the function's index, and the statement's in its body.
    Statement(usize, usize),
}

/// Writes the PTX text of `module` in one pass. If it was read from a text, that text is written.
///
/// # Errors
/// The errors of `out`.
pub fn write<W: fmt::Write>(module: &Module<'_>, out: &mut W) -> fmt::Result {
    write_with_origins(module, out, |_, _| ())
}

/// Does the same as [`write()`], and calls `origin` with the number of the line (from 1) at which each part
/// starts: for a statement, the line of its `.loc` if it has one. For a module with a text of its own, `origin` is
/// not called.
///
/// # Errors
/// The errors of `out`.
pub fn write_with_origins<W: fmt::Write>(
    module: &Module<'_>,
    out: &mut W,
    mut origin: impl FnMut(usize, Origin),
) -> fmt::Result {
    if let Some(source) = module.source {
        return out.write_str(source);
    }
    let out = &mut Out::new(out);
    origin(out.line(), Origin::Header);
    write_header(out, module)?;
    let lines = Lines::of(module);
    lines.write_files(out)?;
    // Without addresses and calls, this is the order of declaration, at no cost.
    let order = Order::of(module);
    let prototypes = order.as_ref().map_or(&[][..], |order| &order.prototypes);
    for (n, i) in prototypes.iter().enumerate() {
        if n == 0 {
            out.end_line()?;
        }
        origin(out.line(), Origin::Function(*i));
        write_signature(out, module.functions[*i], Directives::Omitted)?;
        out.put(";")?;
        out.end_line()?;
    }
    for n in 0..module.variables.len() {
        let i = order.as_ref().map_or(n, |order| order.variables[n]);
        if n == 0 {
            out.end_line()?;
        }
        origin(out.line(), Origin::Variable(i));
        write_variable(out, module.variables[i])?;
        out.end_line()?;
    }
    for (i, function) in module.functions.iter().enumerate() {
        if function.body.is_none() && prototypes.contains(&i) {
            continue;
        }
        out.end_line()?;
        origin(out.line(), Origin::Function(i));
        write_signature(out, function, Directives::Written)?;
        if let Some(body) = function.body {
            out.end_line()?;
            let mut locs = lines.locs(function);
            write_body(out, body, &mut locs, |line, n| origin(line, Origin::Statement(i, n)))?;
        } else {
            out.put(";")?;
        }
        out.end_line()?;
    }
    out.flush()
}

fn write_header<W: fmt::Write>(out: &mut Out<'_, W>, module: &Module<'_>) -> fmt::Result {
    let version = module.version();
    out.put(".version ")?;
    out.put_int(version.major)?;
    out.put(".")?;
    out.put_int(version.minor)?;
    out.end_line()?;
    out.put(".target ")?;
    out.put(module.target.name())?;
    if module.texture_mode == TextureMode::Independent {
        out.put(", texmode_independent")?;
    }
    out.end_line()?;
    out.put(".address_size 64")?;
    out.end_line()
}

/// The spelling of a variable's type: its vector prefix, its type, and the size of one element and
/// its natural alignment, in bytes.
struct Spelling {
    /// The number of vector elements; 1 for a scalar.
    lanes: u8,
    scalar: &'static str,
    /// The innermost extent that a carrier adds; 1 if it adds none.
    carriers: usize,
    /// Whether the extents are flattened into one extent of bytes.
    bytes: bool,
    natural: usize,
}

fn spell(variable: &Variable<'_>) -> Spelling {
    let (ty, carried) = (variable.ty, variable.is_carried());
    let scalar = |scalar: ScalarType| {
        if carried { scalar.initialised() } else { (scalar.declared(), 1) }
    };
    let (lanes, (name, carriers), bytes) = match ty.element() {
        Type::Scalar(element) => (1, scalar(*element), false),
        // A vector cannot have elements with several carriers; a rule refuses it.
        Type::Vector(lanes, element) if element.initialised().1 > 1 => {
            (*lanes, (element.declared(), 1), false)
        }
        Type::Vector(lanes, element) => (*lanes, scalar(*element), false),
        Type::Opaque(opaque) => (1, (opaque.declared(), 1), false),
        Type::Struct(layout) if layout.kind == StructKind::Mbarrier && !has_value(variable) => {
            (1, (".b64", 1), false)
        }
        // PTX accepts the bytes of addresses only in `.u8`.
        Type::Struct(_) if variable.init.has_address() => (1, (".u8", 1), true),
        Type::Struct(_)
        | Type::Unknown
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Family(..) => (1, (".b8", 1), true),
    };
    let natural = if bytes { 1 } else { ty.element().align().unwrap_or(1) / carriers };
    Spelling { lanes, scalar: name, carriers, bytes, natural }
}

fn write_variable<W: fmt::Write>(out: &mut Out<'_, W>, variable: &Variable<'_>) -> fmt::Result {
    if let Some(linkage) = variable.linkage.directive() {
        out.put(linkage)?;
        out.put(" ")?;
    }
    out.put(variable.space.directive())?;
    out.put(" ")?;
    if variable.managed {
        out.put(".attribute(.managed) ")?;
    }
    if let Some(unified) = variable.unified {
        write_unified(out, unified)?;
    }
    if variable.is_dynamic() {
        write_align(out, variable.alignment().unwrap_or(1))?;
        out.put(".b8 ")?;
        out.put(variable.name)?;
        return out.put("[];");
    }
    let initialised = has_value(variable);
    let spelling = spell(variable);
    let align = variable.alignment().unwrap_or(spelling.natural);
    if variable.align.is_some() || align != spelling.natural {
        write_align(out, align)?;
    }
    if spelling.lanes != 1 {
        out.put(".v")?;
        out.put_int(spelling.lanes)?;
        out.put(" ")?;
    }
    out.put(spelling.scalar)?;
    out.put(" ")?;
    out.put(variable.name)?;
    if let Some((count, _)) = variable.ty.family() {
        out.put("<")?;
        out.put_int(self::count(count).unwrap_or(0))?;
        out.put(">")?;
    }
    if spelling.bytes {
        write_extent(out, variable.ty.size())?;
    } else {
        for extent in variable.ty.extents() {
            write_extent(out, count(extent))?;
        }
        if spelling.carriers > 1 {
            write_extent(out, Some(spelling.carriers))?;
        }
    }
    if initialised {
        out.put(" = ")?;
        write_value(out, variable)?;
    }
    out.put(";")
}

fn write_unified<W: fmt::Write>(out: &mut Out<'_, W>, unified: Unified) -> fmt::Result {
    out.put(".attribute(.unified(0x")?;
    out.put_hex(unified.upper.into(), 16)?;
    out.put(", 0x")?;
    out.put_hex(unified.lower.into(), 16)?;
    out.put(")) ")
}

fn write_align<W: fmt::Write>(out: &mut Out<'_, W>, align: usize) -> fmt::Result {
    out.put(".align ")?;
    out.put_int(align)?;
    out.put(" ")
}

fn count(extent: Extent) -> Option<usize> {
    match extent {
        Extent::Known(count) => Some(count),
        Extent::Incomplete | Extent::Unknown => None,
    }
}

fn write_extent<W: fmt::Write>(out: &mut Out<'_, W>, extent: Option<usize>) -> fmt::Result {
    out.put("[")?;
    if let Some(extent) = extent {
        out.put_int(extent)?;
    }
    out.put("]")
}

/// Whether a signature has its directives: a forward declaration does not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directives {
    Written,
    Omitted,
}

fn write_signature<W: fmt::Write>(
    out: &mut Out<'_, W>,
    function: &Function<'_>,
    directives: Directives,
) -> fmt::Result {
    if let Some(linkage) = function.linkage.directive() {
        out.put(linkage)?;
        out.put(" ")?;
    }
    out.put(function.kind.directive())?;
    out.put(" ")?;
    if let Some(unified) = function.unified {
        write_unified(out, unified)?;
    }
    if !function.returns.is_empty() {
        write_params(out, function.kind, function.returns)?;
        out.put(" ")?;
    }
    out.put(function.name)?;
    write_params(out, function.kind, function.params)?;
    for directive in function.directives {
        if directives == Directives::Omitted && directive.kind.is_of_kernels() {
            continue;
        }
        out.end_line()?;
        write_directive(out, directive)?;
    }
    Ok(())
}

fn write_params<W: fmt::Write>(
    out: &mut Out<'_, W>,
    kind: FunctionKind,
    params: &[Param<'_>],
) -> fmt::Result {
    out.put("(")?;
    for (i, param) in params.iter().enumerate() {
        match kind {
            FunctionKind::Kernel => {
                if i > 0 {
                    out.put(",")?;
                }
                out.end_line()?;
                out.indent(1)?;
            }
            FunctionKind::Device => {
                if i > 0 {
                    out.put(", ")?;
                }
            }
        }
        write_param(out, kind, param)?;
    }
    if kind == FunctionKind::Kernel && !params.is_empty() {
        out.end_line()?;
    }
    out.put(")")
}

/// A parameter is a scalar, a one-dimensional array of scalars, or aligned bytes: `.param` does not accept
/// vectors and further dimensions.
fn write_param<W: fmt::Write>(
    out: &mut Out<'_, W>,
    kind: FunctionKind,
    param: &Param<'_>,
) -> fmt::Result {
    let variable = &param.variable;
    let element = variable.ty.element();
    if variable.space == Space::Reg {
        return write_register(out, variable);
    }
    let is_scalar = matches!(element, Type::Scalar(_) | Type::Opaque(_));
    let natural = if is_scalar { element.align().unwrap_or(1) } else { 1 };
    let align = variable.alignment().unwrap_or(natural);
    out.put(".param ")?;
    if variable.align.is_some() || align != natural {
        write_align(out, align)?;
    }
    match element {
        // PTX has no scalar parameter of this type; `.b32` has the same size and alignment.
        Type::Scalar(ScalarType::F16x2) => out.put(".b32")?,
        Type::Scalar(scalar) => out.put(scalar.declared())?,
        Type::Opaque(opaque) => out.put(opaque.declared())?,
        Type::Vector(..)
        | Type::Struct(_)
        | Type::Unknown
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Family(..) => out.put(".b8")?,
    }
    // Only kernels declare the targets of their pointer parameters.
    if let (Some(pointer), FunctionKind::Kernel) = (&param.pointer, kind) {
        out.put(" .ptr")?;
        if let Some(space) = pointer.space {
            out.put(" ")?;
            out.put(space.directive())?;
        }
        out.put(" .align ")?;
        out.put_int(pointer.alignment().unwrap_or(1))?;
    }
    out.put(" ")?;
    out.put(variable.name)?;
    if !is_scalar {
        write_extent(out, variable.bytes())?;
    } else if variable.ty.rank() > 0 {
        let mut extents = variable.ty.extents();
        write_extent(
            out,
            extents.try_fold(1_usize, |all, extent| Some(all.saturating_mul(count(extent)?))),
        )?;
    }
    Ok(())
}

/// A parameter of a device function in a register: `.reg .v2 .f32 x`.
fn write_register<W: fmt::Write>(out: &mut Out<'_, W>, variable: &Variable<'_>) -> fmt::Result {
    let Spelling { lanes, scalar, bytes, .. } = spell(variable);
    out.put(".reg ")?;
    if lanes != 1 {
        out.put(".v")?;
        out.put_int(lanes)?;
        out.put(" ")?;
    }
    out.put(scalar)?;
    out.put(" ")?;
    out.put(variable.name)?;
    // Registers cannot be arrays; a rule refuses them.
    if bytes {
        return write_extent(out, variable.ty.size());
    }
    for extent in variable.ty.extents() {
        write_extent(out, count(extent))?;
    }
    Ok(())
}

fn write_directive<W: fmt::Write>(out: &mut Out<'_, W>, directive: &Directive) -> fmt::Result {
    let values = &directive.values[..directive.kind.arity()];
    let least = values.len().min(1);
    let used = values.iter().rposition(|value| *value != 1).map_or(least, |last| last + 1);
    out.put(".")?;
    out.put(directive.kind.name())?;
    for (i, value) in values[..used].iter().enumerate() {
        out.put(if i == 0 { " " } else { ", " })?;
        out.put_int(*value)?;
    }
    Ok(())
}

fn write_body<W: fmt::Write>(
    out: &mut Out<'_, W>,
    body: Body<'_>,
    locs: &mut Locs<'_>,
    mut at: impl FnMut(usize, usize),
) -> fmt::Result {
    out.put("{")?;
    out.end_line()?;
    let mut depth = 1_usize;
    let mut declaring = false;
    for (i, statement) in body.statements().enumerate() {
        let kind = statement.kind();
        let declares = kind == StatementKind::Declaration;
        if declaring && !declares && kind != StatementKind::Close {
            out.end_line()?;
        }
        declaring = declares;
        at(out.line(), i);
        match kind {
            StatementKind::Declaration => {
                out.indent(depth)?;
                write_pieces(out, statement.pieces())?;
            }
            StatementKind::Instruction | StatementKind::Directive | StatementKind::Verbatim => {
                locs.write(out, i, depth)?;
                out.indent(depth)?;
                write_pieces(out, statement.pieces())?;
            }
            StatementKind::Label => {
                out.indent(depth.saturating_sub(1))?;
                out.put(statement.text())?;
                out.put(":")?;
            }
            StatementKind::Open => {
                out.indent(depth)?;
                out.put("{")?;
                depth += 1;
            }
            StatementKind::Close => {
                depth = depth.saturating_sub(1);
                out.indent(depth)?;
                out.put("}")?;
            }
        }
        out.end_line()?;
    }
    out.put("}")
}

fn write_pieces<W: fmt::Write>(out: &mut Out<'_, W>, pieces: Pieces<'_>) -> fmt::Result {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.put(text)?,
            Piece::Number(number) => write_number(out, number)?,
        }
    }
    Ok(())
}
