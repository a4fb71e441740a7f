//! The Rust lines of the statements, for debuggers: `.file` and `.loc` (PTX ISA 11.5).

use core::fmt;
use core::iter::Peekable;

use ptx_isa::ir::{Function, LineInfo, Location, Locations, Marks, Module};

use crate::out::Out;

/// The Rust files of a module; empty for a module without line information.
pub(crate) struct Lines<'a> {
    info: Option<LineInfo<'a>>,
    files: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(module: &Module<'a>) -> Self {
        let mut files: Vec<&str> = Vec::new();
        if module.line_info.is_some() {
            for file in module.functions.iter().flat_map(|function| function.places.files()) {
                if !files.contains(file) {
                    files.push(file);
                }
            }
        }
        Self { info: module.line_info, files }
    }

    /// `.file 1 "/home/someone/kernels/src/lib.rs"`
    pub(crate) fn write_files<W: fmt::Write>(&self, out: &mut Out<'_, W>) -> fmt::Result {
        let Some(info) = self.info else { return Ok(()) };
        for (i, file) in self.files.iter().enumerate() {
            out.put(".file ")?;
            out.put_int(i + 1)?;
            out.put(" \"")?;
            if !info.folder.is_empty() && !is_absolute(file) {
                write_path(out, info.folder)?;
                if !info.folder.ends_with(['/', '\\']) {
                    out.put("/")?;
                }
            }
            write_path(out, file)?;
            out.put("\"")?;
            out.end_line()?;
        }
        Ok(())
    }

    /// The `.loc`s of a function's body.
    pub(crate) fn locs(&self, function: &Function<'a>) -> Locs<'_> {
        let places = if self.info.is_some() { function.places } else { &Locations::NONE };
        Locs { files: &self.files, marks: places.marks().peekable(), last: None }
    }
}

/// The `.loc`s of a body, written statement by statement.
pub(crate) struct Locs<'a> {
    files: &'a [&'a str],
    marks: Peekable<Marks<'a>>,
    last: Option<Location<&'a str>>,
}

impl Locs<'_> {
    /// Writes `.loc 1 12 17` before a statement whose location differs from the last one.
    pub(crate) fn write<W: fmt::Write>(
        &mut self,
        out: &mut Out<'_, W>,
        statement: usize,
        depth: usize,
    ) -> fmt::Result {
        while self.marks.next_if(|mark| mark.statement < statement).is_some() {}
        let Some(mark) = self.marks.next_if(|mark| mark.statement == statement) else {
            return Ok(());
        };
        let Location { file, line, column } = mark.place;
        let index = self.files.iter().position(|known| *known == file);
        let (Some(index), true) = (index, self.last != Some(mark.place)) else { return Ok(()) };
        self.last = Some(mark.place);
        out.indent(depth)?;
        out.put(".loc ")?;
        for (i, number) in [index + 1, line as usize, column as usize].into_iter().enumerate() {
            out.put(if i == 0 { "" } else { " " })?;
            out.put_int(number)?;
        }
        out.end_line()
    }
}

fn is_absolute(file: &str) -> bool {
    // An absolute path on any machine, as rustc wrote it: `/a`, `\\a`, `C:\a`; `<anon>` is not a file.
    file.starts_with(['/', '\\', '<']) || file.as_bytes().get(1) == Some(&b':')
}

/// ptxas takes the quoted text literally, has no escapes, and rejects characters beyond ASCII.
fn write_path<W: fmt::Write>(out: &mut Out<'_, W>, path: &str) -> fmt::Result {
    let is_foreign = |c: char| !c.is_ascii() || c.is_ascii_control() || c == '"';
    for (i, part) in path.split(is_foreign).enumerate() {
        out.put(if i == 0 { "" } else { "_" })?;
        out.put(part)?;
    }
    Ok(())
}
