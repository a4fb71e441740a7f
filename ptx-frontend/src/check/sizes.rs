//! Places in declared objects whose bytes tokens settle: rustc confirms them.

use core::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use ptx_isa::sorted::SortedMap;
use syn::{Fields, Item as RustItem, ItemStruct, Type};

use crate::ast::{Item, Module};
use crate::attribute::is_conditional;
use crate::body::{Base, Bytes, Step};
use crate::integers::Integers;
use crate::name::ptx_name;
use crate::types::Lowering;

/// The types of a module, as far as its tokens show them.
pub(crate) struct Sizes<'m, 'a> {
    variables: SortedMap<String, Option<&'m Type>>,
    structs: SortedMap<String, &'m ItemStruct>,
    integers: &'m Integers,
    pub(crate) lowering: &'m Lowering<'a>,
    /// The layouts of structs that were asked for; none of one that contains itself.
    layouts: RefCell<SortedMap<String, Option<Rc<Layout>>>>,
}

/// The offsets of a struct's fields, its size and its alignment, in bytes.
struct Layout {
    offsets: Vec<u64>,
    size: u64,
    align: u64,
}

/// A type on the way of a path.
enum At {
    One(Type),
    /// Elements of this type, without a type of their own.
    Each(Type),
}

impl<'m, 'a> Sizes<'m, 'a> {
    pub(crate) fn of(
        module: &'m Module,
        integers: &'m Integers,
        lowering: &'m Lowering<'a>,
    ) -> Self {
        let mut variables: SortedMap<String, Option<&Type>> = SortedMap::new();
        for variable in module.each_variable() {
            let name = ptx_name(&variable.ident);
            // Of several, `cfg` chooses one.
            let is_only = !variables.contains_key(&name);
            variables.insert(name, is_only.then_some(&variable.ty));
        }
        let mut structs = SortedMap::new();
        for item in &module.items {
            if let Item::Rust(item) = item
                && let RustItem::Struct(item) = &**item
                && is_in_order(item)
            {
                structs.insert(ptx_name(&item.ident), item);
            }
        }
        Self { variables, structs, integers, lowering, layouts: RefCell::default() }
    }

    /// Returns a number of bytes, if tokens settle it.
    pub(crate) fn bytes(&self, bytes: &Bytes) -> Option<i128> {
        let parse = |ty: &TokenStream| syn::parse2::<Type>(ty.clone()).ok();
        let mut at = match &bytes.base {
            Base::Variable(name) => At::One((*self.variables.get(&ptx_name(name))?)?.clone()),
            Base::Object(ty, _) => At::One(parse(ty)?),
            Base::Pointer(ty) | Base::Register(ty) => At::Each(self.lowering.pointee(&parse(ty)?)?),
        };
        let mut offset = 0_i128;
        for (n, step) in bytes.steps.iter().enumerate() {
            at = match step {
                Step::Field(name) => {
                    let (At::One(ty) | At::Each(ty)) = &at;
                    let (from, ty) = self.field(ty, name)?;
                    offset = offset.checked_add(from.into())?;
                    At::One(ty)
                }
                Step::Index(..) | Step::Register(_) => {
                    let element = match at {
                        At::Each(ty) => ty,
                        At::One(ty) => self.lowering.element(&ty)?,
                    };
                    let size = i128::from(self.layout(&element)?.0);
                    if bytes.apart == Some(n) {
                        return Some(size);
                    }
                    if let Step::Index(index, _) = step {
                        let index = self.integers.value(&syn::parse2(index.clone()).ok()?)?;
                        offset = offset.checked_add(index.checked_mul(size)?)?;
                    }
                    At::One(element)
                }
            };
        }
        bytes.apart.is_none().then_some(offset)
    }

    /// The offset and the type of a field of a struct of the module.
    fn field(&self, ty: &Type, name: &Ident) -> Option<(u64, Type)> {
        let item = self.named(ty)?;
        let n = item.fields.iter().position(|field| field.ident.as_ref() == Some(name))?;
        let field = item.fields.iter().nth(n)?;
        Some((*self.of_struct(item)?.offsets.get(n)?, field.ty.clone()))
    }

    /// The struct of the module that this type is.
    fn named(&self, ty: &Type) -> Option<&'m ItemStruct> {
        let Type::Path(path) = ty else { return None };
        self.structs.get(&ptx_name(path.path.get_ident()?)).copied()
    }

    /// The size and the alignment of a type, in bytes.
    fn layout(&self, ty: &Type) -> Option<(u64, u64)> {
        if let Type::Array(array) = ty {
            let (size, align) = self.layout(&array.elem)?;
            let count = u64::try_from(self.integers.value(&array.len)?).ok()?;
            return Some((size.checked_mul(count)?, align));
        }
        if let Some(item) = self.named(ty) {
            let Layout { size, align, .. } = *self.of_struct(item)?;
            return Some((size, align));
        }
        let ty = self.lowering.lower_type(ty);
        let (size, align) = (u64::try_from(ty.size()?).ok()?, u64::try_from(ty.align()?).ok()?);
        (size > 0 && align > 0).then_some((size, align))
    }

    /// The layout of a struct of the module.
    fn of_struct(&self, item: &ItemStruct) -> Option<Rc<Layout>> {
        let name = ptx_name(&item.ident);
        if let Some(known) = self.layouts.borrow().get(&name) {
            return known.clone();
        }
        self.layouts.borrow_mut().insert(name.clone(), None);
        let (mut offsets, mut end, mut align) = (Vec::new(), 0_u64, 1);
        for field in &item.fields {
            let (size, of_field) = self.layout(&field.ty)?;
            let start = end.checked_next_multiple_of(of_field)?;
            offsets.push(start);
            end = start.checked_add(size)?;
            align = align.max(of_field);
        }
        let size = end.checked_next_multiple_of(align)?;
        let layout = Some(Rc::new(Layout { offsets, size, align }));
        self.layouts.borrow_mut().insert(name, layout.clone());
        layout
    }
}

/// Whether the fields of a struct are one after the other as they are declared.
fn is_in_order(item: &ItemStruct) -> bool {
    let is_plain = |attribute: &syn::Attribute| {
        !attribute.path().is_ident("repr")
            || attribute.parse_args::<Ident>().is_ok_and(|it| it == "C")
    };
    let has_order = item.attrs.iter().any(|attribute| attribute.path().is_ident("repr"));
    let is_named = matches!(item.fields, Fields::Named(_));
    let is_sure = !is_conditional(&item.attrs)
        && item.fields.iter().all(|field| !is_conditional(&field.attrs));
    has_order
        && is_named
        && is_sure
        && item.attrs.iter().all(is_plain)
        && item.generics.params.is_empty()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proc_macro2::Span;
    use quote::{format_ident, quote};

    use super::*;
    use crate::errors::Errors;
    use crate::parse::parse_module;

    /// The bytes of a path that starts at a variable: the offset, or the distance at a step.
    fn bytes(variable: &str, steps: Vec<Step>, apart: Option<usize>) -> Option<i128> {
        let items = quote! {
            mod m {
                const N: usize = 3;
                #[repr(C)]
                struct Pair { a: u8, b: [u32; N], c: V2<f32> }
                #[repr(C)]
                struct Both { one: Pair, more: [Pair; 2], last: u8 }
                #[repr(C)]
                struct Node { next: Node }
                #[repr(C)]
                struct Huge { a: u32, b: [u64; 18446744073709551615] }
                struct AnyOrder { a: u8, b: u32 }
                #[shared] static ROW: [f32; 127];
                #[shared] static GRID: [[u16; N]; 7];
                #[shared] static BOTH: [Both; N];
                #[shared] static NODES: [Node; 2];
                #[shared] static HUGE: [Huge; 2];
                #[shared] static ANY: [AnyOrder; 2];
                #[shared] static OTHER: [Elsewhere; 2];
            }
        };
        let mut errors = Errors::default();
        let mut module = parse_module(quote!(target = sm_90), items, &mut errors).expect("parsed");
        let variables = module.items.iter().enumerate().filter(|(_, it)| it.variable().is_some());
        module.variables = variables.map(|(n, _)| n).collect();
        let rust: Vec<RustItem> = module
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Rust(item) => Some((**item).clone()),
                _ => None,
            })
            .collect();
        let arena = Bump::new();
        let lowering = Lowering::of(rust.iter(), &arena);
        let integers = Integers::default().with(rust.iter());
        let base = Base::Variable(format_ident!("{variable}"));
        Sizes::of(&module, &integers, &lowering).bytes(&Bytes { base, steps, apart })
    }

    #[test]
    fn places_are_where_rustc_puts_them() {
        let field = |name: &str| Step::Field(format_ident!("{name}"));
        let index = |n: u64| Step::Index(quote!(#n), Span::call_site());
        assert_eq!(bytes("ROW", vec![index(5)], Some(0)), Some(4));
        assert_eq!(bytes("ROW", vec![index(5)], None), Some(20));
        assert_eq!(bytes("GRID", vec![index(1), index(2)], Some(0)), Some(6));
        assert_eq!(bytes("GRID", vec![index(1), index(2)], None), Some(10));
        // `Pair` is 24 bytes, `Both` is 80.
        let last = || vec![index(1), field("more"), index(1), field("b"), index(2)];
        assert_eq!(bytes("BOTH", last(), None), Some(80 + 24 + 24 + 4 + 8));
        assert_eq!([0, 2, 4].map(|n| bytes("BOTH", last(), Some(n))), [80, 24, 4].map(Some));
        // What contains itself, is beyond all addresses, has an order of rustc's own, or is from elsewhere.
        for name in ["NODES", "HUGE", "ANY", "OTHER", "NOTHING"] {
            assert_eq!(bytes(name, vec![index(1)], Some(0)), None, "{name}");
        }
        assert_eq!(bytes("ROW", vec![field("a")], None), None);
        assert_eq!(bytes("ROW", vec![index(1), index(1)], None), None);
    }
}
