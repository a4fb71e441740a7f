//! What a program prints when its `main` returns an error: `Error: ` and the `Debug` form.

use std::error::Error;
use std::io;

use ptx::assembly::NotAssembled;
use ptx::prelude::*;
use ptx::ptxas::AssembleError;
use ptx::tensor::MapError;

#[tensor_map(element = f32, box = [32, 8])]
struct Patch;

#[test]
fn the_debug_form_of_an_error_is_its_message() {
    let map: MapError = Patch::SPEC.tensor(0, &[32], None).unwrap_err();
    let name = "sm_9".parse::<ptx::Target>().unwrap_err();
    let io = AssembleError::Io {
        path: "ptxas".into(),
        source: io::Error::new(io::ErrorKind::NotFound, "no such file"),
    };
    let refused = NotAssembled::Refused { module: "blur".to_owned(), messages: Vec::new() };
    let errors: [(Box<dyn Error>, &str); 4] = [
        (Box::new(map), "`dims` has 1 value instead of 2"),
        (Box::new(name), "`sm_9` is not a target: did you mean `sm_89`, `sm_90` or `sm_50`?"),
        (Box::new(io), "ptxas was not run: `ptxas`: no such file"),
        (Box::new(refused), "`blur` does not assemble:"),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
        assert_eq!(format!("{error:?}"), message);
    }
}

#[cfg(feature = "cuda")]
#[test]
fn so_is_that_of_an_error_on_the_host() {
    use ptx::cuda::{ContextError, LoadError};
    let context: Box<dyn Error> = Box::new(ContextError::NoDriver);
    assert_eq!(format!("{context:?}"), "there is no CUDA driver on this machine");
    let load: Box<dyn Error> = Box::new(LoadError::UnknownDevice);
    let message = "the driver does not report the properties of the device of this context";
    assert_eq!(format!("{load:?}"), message);
}
