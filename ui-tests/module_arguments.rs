#![allow(unused)]
#[ptx::module]
mod no_target {}

#[ptx::module(target = sm_91)]
mod unknown_target {}

#[ptx::module(target = sm_90a, version = 8)]
mod whole_version {}

#[ptx::module(target = sm_90a, version = "eight")]
mod word_version {}

#[ptx::module(target = sm_90a, verison = 8.0)]
mod typo {}

#[ptx::module(target = sm_90a)]
mod elsewhere;

fn main() {}
