//! Places in Rust source.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::body::{read, unzigzag, write, zigzag};
use crate::const_str::same;

/// A place in a source file. The file is a `&str` in the IR, and a `String` where a place has to
/// outlive the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location<File> {
    /// The file, as rustc calls it in its messages.
    pub file: File,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl<File: fmt::Display> fmt::Display for Location<File> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The place of a declaration in Rust source: the mark with this number in a table, which is stored
/// next to the declaration. A declaration therefore stays the same when only lines before it
/// change, and rustc does not check it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclaredAt<'a> {
    table: &'a Locations<'a>,
    number: usize,
}

impl<'a> DeclaredAt<'a> {
    /// The place of the mark whose statement has this number.
    pub const fn new(table: &'a Locations<'a>, number: usize) -> Self {
        Self { table, number }
    }

    /// The place; `None` where the table has no such mark.
    pub fn location(&self) -> Option<Location<&'a str>> {
        let mark = self.table.marks().find(|mark| mark.statement == self.number)?;
        Some(mark.place)
    }
}

/// Whether two declarations have one place; `false` where one has none.
pub(super) const fn is_one_place(
    one: Option<DeclaredAt<'_>>,
    other: Option<DeclaredAt<'_>>,
) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    let (table, others) = (one.table.table, other.table.table);
    let (files, other_files) = (one.table.files, other.table.files);
    if one.number != other.number || table.len() != others.len() || files.len() != other_files.len()
    {
        return false;
    }
    let mut n = 0;
    while n < files.len() {
        if !same(files[n], other_files[n]) {
            return false;
        }
        n += 1;
    }
    n = 0;
    while n < table.len() {
        if table[n] != others[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// The place of a token of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark<'a> {
    /// The number of its statement.
    pub statement: usize,
    /// Where it starts in the statement's text, in bytes; each Rust constant counts as one.
    pub offset: usize,
    /// Its place.
    pub place: Location<&'a str>,
}

/// The places of the tokens of a body: the first of every statement, and the others that a message
/// may point at.
///
/// The marks are a table of bytes, because rustc reads one literal faster than a thousand values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Locations<'a> {
    files: &'a [&'a str],
    table: &'a [u8],
}

impl<'a> Locations<'a> {
    /// No places: for a body that did not come from Rust source.
    pub const NONE: Self = Self { files: &[], table: &[] };

    /// The places in a table that [`Self::encode`] wrote.
    pub const fn new(files: &'a [&'a str], table: &'a [u8]) -> Self {
        Self { files, table }
    }

    /// The files that the table refers to by number.
    pub const fn files(&self) -> &'a [&'a str] {
        self.files
    }

    /// Encodes marks in the order of their statements: the files that they refer to, and the table.
    pub fn encode<'m>(marks: impl IntoIterator<Item = Mark<'m>>) -> (Vec<&'m str>, Vec<u8>) {
        let (mut files, mut table) = (Vec::new(), Vec::new());
        let mut last = Row::FIRST;
        for Mark { statement, offset, place } in marks {
            let file = files.iter().position(|known| *known == place.file).unwrap_or_else(|| {
                files.push(place.file);
                files.len() - 1
            });
            let row = Row { statement, file, line: place.line.into(), column: place.column.into() };
            let moved = statement.saturating_sub(last.statement) as u64;
            write(moved << 1 | u64::from(file != last.file), &mut table);
            if file != last.file {
                write(file as u64, &mut table);
            }
            write(offset as u64, &mut table);
            write(zigzag(row.line - last.line), &mut table);
            write(zigzag(row.column - last.column), &mut table);
            last = row;
        }
        (files, table)
    }

    /// The end of a message about a statement that has places here, `, in a fragment at src/lib.rs:12:9`; empty for another
    /// one.
    pub fn in_words(&self, statement: usize) -> String {
        let marks = self.marks().skip_while(|mark| mark.statement < statement);
        let marks = marks.take_while(|mark| mark.statement == statement);
        marks.fold(String::new(), |text, mark| format!("{text}, in a fragment at {}", mark.place))
    }

    /// The marks, statement by statement, each in the order of the text.
    pub fn marks(&self) -> Marks<'a> {
        Marks { files: self.files, rest: self.table, last: Row::FIRST }
    }
}

/// The marks of a body: see [`Locations::marks`].
#[derive(Clone, Debug)]
pub struct Marks<'a> {
    files: &'a [&'a str],
    rest: &'a [u8],
    last: Row,
}

impl<'a> Iterator for Marks<'a> {
    type Item = Mark<'a>;

    fn next(&mut self) -> Option<Mark<'a>> {
        let (head, mut row) = (read(&mut self.rest)?, self.last);
        row.statement = row.statement.saturating_add(usize::try_from(head >> 1).ok()?);
        if head & 1 == 1 {
            row.file = usize::try_from(read(&mut self.rest)?).ok()?;
        }
        let offset = usize::try_from(read(&mut self.rest)?).ok()?;
        row.line = row.line.saturating_add(unzigzag(read(&mut self.rest)?));
        row.column = row.column.saturating_add(unzigzag(read(&mut self.rest)?));
        self.last = row;
        let place = Location {
            file: *self.files.get(row.file)?,
            line: u32::try_from(row.line).ok()?,
            column: u32::try_from(row.column).ok()?,
        };
        Some(Mark { statement: row.statement, offset, place })
    }
}

/// The values that a mark is encoded relative to.
#[derive(Clone, Copy, Debug)]
struct Row {
    statement: usize,
    file: usize,
    line: i64,
    column: i64,
}

impl Row {
    const FIRST: Self = Self { statement: 0, file: 0, line: 0, column: 0 };
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_table_gives_its_marks_back() {
        let mark = |statement, offset, file, line, column| Mark {
            statement,
            offset,
            place: Location { file, line, column },
        };
        let marks = [
            mark(0, 0, "src/a.rs", 12, 17),
            mark(0, 8, "src/a.rs", 12, 25),
            mark(2, 0, "src/b.rs", 900_000, 1),
            mark(2, 300, "src/a.rs", 3, 200),
            mark(3, 0, "src/a.rs", u32::MAX, u32::MAX),
        ];
        let (files, table) = Locations::encode(marks);
        assert_eq!(files, ["src/a.rs", "src/b.rs"]);
        assert_eq!(Locations::new(&files, &table).marks().collect::<Vec<_>>(), marks);
        // A truncated table ends early, and bytes that are not a table do not panic.
        assert_eq!(Locations::new(&files, &table[..table.len() - 1]).marks().count(), 4);
        assert_eq!(Locations::new(&[], &[0xFF; 40]).marks().count(), 0);
        assert_eq!(Locations::NONE.marks().count(), 0);
    }
}
