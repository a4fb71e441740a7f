//! The outline of a text: its statements, the blocks that they are in, and what each name in them stands for.
//!
//! An editor asks while a statement is half written, and wants every use of a name that is renamed, also those in
//! statements that are not PTX yet. So this is a scan over the [pieces](ptx_text::Piece) of the text that understands
//! declarations and nothing else, and never gives up; what a text means is asked of [`Parsed`](ptx_text::Parsed). A
//! test compares the names of both.
//!
//! In a Rust file, the statements are those of its bodies; around them, the scan understands modules, functions and
//! `static`s that are storage, and nothing else of Rust.

mod blocks;
mod find;
mod forms;
mod items;
mod model;
mod ptx;
mod resolve;
mod rust;
mod scan;
mod token;

pub(super) use forms::{FORMS, is_keyword};
pub(super) use model::{
    Definition, DefinitionKind, Function, Name, Outline, RustFile, Statement, StatementKind,
};
pub(super) use ptx::scan;
pub(super) use rust::scan_rust;
pub(super) use token::Token;

#[cfg(test)]
mod tests;
