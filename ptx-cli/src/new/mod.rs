//! `ptx new`: a project that builds, checks and launches a kernel.
//!
//! The files of the projects are in `templates/`.

mod command;
mod json;
mod name;
mod template;

pub(crate) use command::new;
