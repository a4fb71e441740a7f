#![allow(unused)]
#[ptx::module]
mod no_target {}

#[ptx::module(target = sm_91)]
mod unknown_target {}

#[ptx::module(target = 90)]
mod number {}

#[ptx::module(target = compute_90)]
mod virtual_target {}

#[ptx::module(target = sm_35)]
mod old_target {}

#[ptx::module(sm_80)]
mod bare_target {}

#[ptx::module(target = sm_90a, version = 8)]
mod whole_version {}

#[ptx::module(target = sm_90a, version = "eight")]
mod word_version {}

#[ptx::module(target = sm_90a, verison = 8.0)]
mod typo {}

#[ptx::module(target = sm_90a)]
mod elsewhere;

#[ptx::module(target = sm_90a, line_info = yes)]
mod word_line_info {}

#[ptx::module(target = sm_90a, line_info)]
mod bare_line_info {}

#[ptx::module(target = sm_90a, line_info = true, line_info = true)]
mod line_info_twice {}

#[ptx::module(target = sm_90a, lineinfo = true)]
mod line_info_typo {}

#[ptx::module(target = sm_80, crate)]
mod no_path {}

fn main() {}
