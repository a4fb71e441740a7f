//! Places in declared objects whose bytes tokens settle: rustc confirms them.

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
        Self { variables, structs, integers, lowering }
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
                    offset += i128::from(from);
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
        let mut end = 0;
        for field in &self.named(ty)?.fields {
            let (size, align) = self.layout(&field.ty)?;
            let start = u64::next_multiple_of(end, align);
            if field.ident.as_ref() == Some(name) {
                return Some((start, field.ty.clone()));
            }
            end = start.checked_add(size)?;
        }
        None
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
            let (mut end, mut align) = (0, 1);
            for field in &item.fields {
                let (size, of_field) = self.layout(&field.ty)?;
                end = u64::next_multiple_of(end, of_field).checked_add(size)?;
                align = align.max(of_field);
            }
            return Some((u64::next_multiple_of(end, align), align));
        }
        let ty = self.lowering.lower_type(ty);
        let (size, align) = (u64::try_from(ty.size()?).ok()?, u64::try_from(ty.align()?).ok()?);
        (size > 0 && align > 0).then_some((size, align))
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
