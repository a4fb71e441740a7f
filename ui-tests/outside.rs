#![allow(unused)]
use ptx::{global, kernel};

#[global]
static X: u32 = 1;

#[kernel]
fn k() {
    ptx::ptx! { ret; }
}

fn body() {
    ptx::ptx! { ret; }
}

fn main() {}
