//! A preprocessor of mdbook, which adds the reference to the guide: each page of `docs/`, and a page for each rule, which is
//! what `ptx explain` prints. `docs/guide/book.toml` names it.
//!
//! `cargo run -p ptx-cli --example book -- check FOLDER` is a test of what mdbook has built: every link leads to a file, and
//! to a heading if it has a `#`.

mod links;
mod reference;

use std::error::Error;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        [] => preprocess(),
        // Every renderer has these pages.
        ["supports", _] => Ok(()),
        ["check", folder] => links::check(Path::new(folder)),
        _ => Err("usage: book [supports RENDERER | check FOLDER]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the context and the book from the standard input, and writes the book with the reference.
fn preprocess() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let (_, mut book): (Value, Value) = serde_json::from_str(&text)?;
    let items = book["items"].as_array_mut().ok_or("the book has no items: another mdbook?")?;
    reference::add(items)?;
    println!("{}", serde_json::to_string(&book)?);
    Ok(())
}
