//! Messages about a module that was read from PTX text: their lines are lines of that text.

use ptx_isa::ir::{FunctionKind, Location, Module};

use super::diagnostic::Diagnostic;
use super::quoted::quoted;

/// The functions of a module that has a text of its own.
pub(super) struct Functions<'m> {
    /// The start of each function, in order: the file, the line, and the function.
    starts: Vec<(Location<&'m str>, String)>,
}

impl<'m> Functions<'m> {
    pub(super) fn of(module: &Module<'m>) -> Self {
        let described = module.functions.iter().filter_map(|function| {
            let what = match function.kind {
                FunctionKind::Kernel => "kernel",
                FunctionKind::Device => "function",
            };
            let place = function.place?.location()?;
            Some((place, format!("{what} `{}`", function.name)))
        });
        let mut starts: Vec<_> = described.collect();
        starts.sort_by_key(|(place, _)| place.line);
        Self { starts }
    }

    /// Adds the location of a message's line, and its function.
    pub(super) fn locate(&self, diagnostic: &mut Diagnostic) {
        let (Some(line), Some(text)) = (diagnostic.line, &diagnostic.text) else { return };
        let Ok(line) = u32::try_from(line) else { return };
        let before = self.starts.partition_point(|(place, _)| place.line <= line);
        let (first, last) = (self.starts.first(), self.starts[..before].last());
        let Some((place, _)) = last.or(first) else { return };
        let column = quoted(&diagnostic.message).find_map(|quoted| text.find(quoted));
        let column = column.unwrap_or_else(|| text.len() - text.trim_start().len());
        let column = text[..column].chars().count() + 1;
        diagnostic.place = Some(Location {
            file: place.file.to_owned(),
            line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        });
        diagnostic.origin = last.map(|(_, described)| described.clone());
        // The location has the line.
        diagnostic.line = None;
    }
}

#[cfg(test)]
mod tests {
    use ptx_isa::Target;
    use ptx_isa::ir::{DeclaredAt, Function, FunctionKind, Location, Locations, Mark, Module};

    use super::super::messages;

    const TEXT: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\tadd.f32\t%x, %y;\n}\n";

    #[test]
    fn lines_are_those_of_the_text() {
        let place = Location { file: "src/k.ptx", line: 4, column: 17 };
        let (files, table) = Locations::encode([Mark { statement: 0, offset: 0, place }]);
        let places = Locations::new(&files, &table);
        let kernel = Function {
            place: Some(DeclaredAt::new(&places, 0)),
            ..Function::new(FunctionKind::Kernel, "k")
        };
        let functions = [&kernel];
        let module =
            Module { source: Some(TEXT), functions: &functions, ..Module::new("k", Target::Sm80) };
        let output = "ptxas x.ptx, line 6; error   : Arguments mismatch for instruction 'add'\n\
                      ptxas x.ptx, line 2; error   : Feature 'x' requires PTX ISA .version 8.6 or later\n";
        let shown: Vec<String> =
            messages(output, &module).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "src/k.ptx:6:2: error: Arguments mismatch for instruction 'add' (kernel `k`): `add.f32\t%x, %y;`",
                "src/k.ptx:2:1: error: Feature 'x' requires PTX ISA .version 8.6 or later: `.target sm_80`; write `.version 8.6` in the text",
            ]
        );
    }
}
