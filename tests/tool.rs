//! What `ptx import` and `ptx bind` write is compiled here, and assembles to the cubins of the files.
//! `UPDATE_EXPECT=1 cargo test -p ptx-cli --test import` writes `tests/tool/`.

use ptx::prelude::*;
use ptx::{Kernel, Module};

#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)] // compilers declare what nothing uses, and have names of their own
#[path = "tool/alignif.rs"]
mod alignif_file;
#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)]
#[path = "tool/blur.rs"]
mod blur_file;
#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)]
#[path = "tool/bound.rs"]
mod bound_file;
#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)]
#[path = "tool/fill.rs"]
mod fill_file;
#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)]
#[path = "tool/rows.rs"]
mod rows_file;
#[rustfmt::skip]
#[allow(warnings, clippy::pedantic)]
#[path = "tool/triton.rs"]
mod triton_file;

/// The structs that `fill.rs` names.
#[allow(unreachable_pub)] // it is a file of a user's library
#[path = "../docs/guide/src/tool/import.in/src/types.rs"]
mod types;

use alignif_file::alignif;
use blur_file::blur;
use bound_file::bound;
use fill_file::fill;
use rows_file::rows;
use triton_file::triton;

mod plain {
    ptx::import!(pub mod blur = "import/blur.ptx");
}

ptx::assembles!(alignif, blur, fill, rows, triton);

#[test]
fn imported_modules_have_the_cubins_of_their_files() {
    let ptxas = match xtask::fetch(&xtask::wheel::WHEELS[0], None) {
        Ok(ptxas) => ptxas,
        Err(why) => return xtask::not_run(&why),
    };
    let files: [(&Module, &str); 5] = [
        (&alignif::MODULE, include_str!("../docs/guide/src/tool.in/alignif.ptx")),
        (&blur::MODULE, include_str!("import/blur.ptx")),
        (&fill::MODULE, include_str!("../docs/guide/src/tool/import.in/fill.ptx")),
        (&rows::MODULE, include_str!("../docs/guide/src/tool.in/rows.ptx")),
        (&triton::MODULE, include_str!("import/triton.ptx")),
    ];
    for (module, text) in files {
        let equal = xtask::cubin::compare_texts(text, &module.to_string(), &ptxas);
        assert_eq!(equal, Ok(()), "{}", module.name);
    }
}

#[test]
fn bindings_offer_what_the_macro_offers() {
    assert_eq!(bound::MODULE.to_string(), include_str!("import/blur.ptx"));
    let names = |module: &Module| -> Vec<String> {
        let variables = module.variables.iter().map(|it| it.name.to_owned());
        variables.chain(module.functions.iter().map(|it| it.name.to_owned())).collect()
    };
    assert_eq!(names(&bound::MODULE), names(&plain::blur::MODULE));
    let _: [Kernel<(u64, u64)>; 2] = [bound::columns(), plain::blur::columns()];
    let _: [Kernel<(u64, f32)>; 2] = [bound::fill_float_64(), plain::blur::fill_float_64()];
    let _: [&ptx::Variable<Const, [B8; 20]>; 2] = [&bound::TAPS, &plain::blur::TAPS];
}
