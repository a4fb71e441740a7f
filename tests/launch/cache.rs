//! Machine code in a cache on disk, on a GPU.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use ptx::cuda::{
    Cache, Cached, LoadOptions, Origin, linked, load, load_all_cached, load_cached,
    load_linked_cached, origin,
};
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod plain {
    use super::*;

    #[constant]
    pub static FACTOR: u32 = 3;

    /// `FACTOR` to the power of 400, modulo 2^32, times the thread's number.
    #[kernel(reqntid = 32, grid = 1, requires(to.len() >= 32), unsafe(safe_launch))]
    pub fn power(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %x, %factor;
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            mov.u32 %i, %tid.x;
            mov.u32 %x, %i;
            ld.const.u32 %factor, [FACTOR];
            for _ in 0..400 {
                mul.lo.u32 %x, %x, %factor;
                xor.b32 %x, %x, %i;
            }
            mad.wide.u32 %to, %i, 4, %to;
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod shuffled {
    use super::*;

    #[kernel(reqntid = 32, grid = 1, requires(to.len() >= 32), unsafe(safe_launch))]
    pub fn neighbours(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %x;
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            mov.u32 %i, %tid.x;
            shfl.sync.bfly.b32 %x, %i, 1, 31, -1;
            mad.wide.u32 %to, %i, 4, %to;
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

/// Its text cannot be stored alone: it has a function.
#[ptx::module(target = sm_80)]
mod defines {
    #[global]
    pub static CALLS: u32 = 0;

    #[device]
    pub fn twice(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            red.global.add.u32 [CALLS], 1;
            add.u32 returned, x, x;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod uses {
    use super::*;

    #[device(extern)]
    fn twice(x: Reg<u32>) -> Reg<u32>;

    #[kernel(reqntid = 32, grid = 1, requires(to.len() >= 32), unsafe(safe_launch))]
    pub fn doubled(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %x;
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            mov.u32 %i, %tid.x;
            call (%x), twice, (%i);
            mad.wide.u32 %to, %i, 4, %to;
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

/// What `power` stores.
fn expected(factor: u32) -> Vec<u32> {
    let of = |i: u32| (0..400).fold(i, |x, _| x.wrapping_mul(factor) ^ i);
    (0..32).map(of).collect()
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ptx-launch-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_second_load_finds_what_the_first_stored() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let folder = Folder::new("second");
    let cache = Cache::open(&folder.0)?;
    let timed = |options| -> Result<_, Box<dyn Error>> {
        let start = Instant::now();
        let loaded = load_cached::<plain::Loaded>(&context, &cache, options)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        let mut to = stream.alloc_zeros::<u32>(32)?;
        loaded.power().launch(&stream, (&mut to,))?;
        assert_eq!(stream.clone_dtoh(&to)?, expected(3));
        loaded.FACTOR.set(&stream, &5)?;
        loaded.power().launch(&stream, (&mut to,))?;
        assert_eq!(stream.clone_dtoh(&to)?, expected(5));
        Ok((origin(&loaded), time, loaded))
    };
    let options = LoadOptions::new();
    let start = Instant::now();
    let text = load::<plain::Loaded>(&context)?;
    let of_text = start.elapsed().as_secs_f64() * 1e3;
    let (first, stored, loaded) = timed(options)?;
    assert_eq!(first, Origin::Cache(Cached::Stored));
    // The linker has made the same code.
    let resources = |it: &plain::Loaded| -> Result<_, Box<dyn Error>> {
        let found = it.power().resources()?;
        Ok((found.registers, found.local, found.static_shared, found.most_threads))
    };
    assert_eq!(resources(&loaded)?, resources(&text)?);
    let (second, found, loaded) = timed(options)?;
    assert_eq!(second, Origin::Cache(Cached::Found));
    assert_eq!(resources(&loaded)?, resources(&text)?);
    println!("load {of_text:.2} ms, load_cached: stored {stored:.2} ms, found {found:.2} ms");

    // Other options are another entry.
    assert_eq!(timed(options.optimization_level(1))?.0, Origin::Cache(Cached::Stored));
    assert_eq!(timed(options.optimization_level(1))?.0, Origin::Cache(Cached::Found));
    // A damaged entry is replaced.
    for file in fs::read_dir(&folder.0)? {
        let path = file?.path();
        let mut bytes = fs::read(&path)?;
        if let Some(last) = bytes.last_mut() {
            *last ^= 1;
        }
        fs::write(&path, bytes)?;
    }
    assert_eq!(timed(options)?.0, Origin::Cache(Cached::Stored));
    assert_eq!(timed(options)?.0, Origin::Cache(Cached::Found));
    // What cannot be stored is loaded all the same.
    cache.clear()?;
    let read_only = Cache::read_only(&folder.0)?;
    let loaded = load_cached::<plain::Loaded>(&context, &read_only, options)?;
    assert_eq!(origin(&loaded), Origin::Cache(Cached::NotStored));
    assert_eq!(cache.bytes()?, 0);
    Ok(())
}

#[test]
fn what_the_linker_would_compile_otherwise_needs_a_ptxas() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let folder = Folder::new("ptxas");
    let cache = Cache::open(&folder.0)?;
    let run = |cache: &Cache| -> Result<_, Box<dyn Error>> {
        let start = Instant::now();
        let loaded = load_cached::<shuffled::Loaded>(&context, cache, LoadOptions::new())?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        let mut to = stream.alloc_zeros::<u32>(32)?;
        loaded.neighbours().launch(&stream, (&mut to,))?;
        assert!(stream.clone_dtoh(&to)?.into_iter().eq((0..32).map(|i| i ^ 1)));
        Ok((origin(&loaded), time))
    };
    assert_eq!(run(&cache)?.0, Origin::Text);
    assert_eq!(cache.bytes()?, 0);
    let Some(ptxas) = xtask::oracle() else { return Ok(()) };
    let cache = cache.ptxas(ptxas);
    let (first, stored) = run(&cache)?;
    assert_eq!(first, Origin::Cache(Cached::Stored));
    let (second, found) = run(&cache)?;
    assert_eq!(second, Origin::Cache(Cached::Found));
    println!("with ptxas: stored {stored:.2} ms, found {found:.2} ms");
    Ok(())
}

#[test]
fn modules_that_are_linked_are_stored_together() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let folder = Folder::new("linked");
    let cache = Cache::open(&folder.0)?;
    let with = [&defines::MODULE];
    let timed = || -> Result<_, Box<dyn Error>> {
        let start = Instant::now();
        let loaded =
            load_linked_cached::<uses::Loaded>(&context, &cache, &with, LoadOptions::new())?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        let mut to = stream.alloc_zeros::<u32>(32)?;
        loaded.doubled().launch(&stream, (&mut to,))?;
        assert!(stream.clone_dtoh(&to)?.into_iter().eq((0..32).map(|i| 2 * i)));
        assert_eq!(linked::<defines::Loaded>(&loaded)?.CALLS.get(&stream)?, 32);
        Ok((origin(&loaded), time))
    };
    let (first, stored) = timed()?;
    let (second, found) = timed()?;
    assert_eq!(first, Origin::Cache(Cached::Stored));
    assert_eq!(second, Origin::Cache(Cached::Found));
    println!("linked: stored {stored:.2} ms, found {found:.2} ms");
    // Other modules are another entry, and what is missing is an error, whatever is stored.
    let options = LoadOptions::new();
    let Err(error) = load_linked_cached::<uses::Loaded>(&context, &cache, &[], options) else {
        panic!("nothing defines `twice`");
    };
    assert!(error.to_string().contains("`twice`"), "{error}");
    let with = [&defines::MODULE, &plain::MODULE];
    let three = load_linked_cached::<uses::Loaded>(&context, &cache, &with, options)?;
    assert_eq!(origin(&three), Origin::Cache(Cached::Stored));
    assert_eq!(fs::read_dir(&folder.0)?.count(), 2);
    Ok(())
}

#[test]
fn devices_share_the_entries_of_a_cache() -> Result<(), Box<dyn Error>> {
    let Some(_first) = crate::device::gpu() else { return Ok(()) };
    let folder = Folder::new("all");
    let cache = Cache::open(&folder.0)?;
    let mut stored = 0;
    for module in load_all_cached::<plain::Loaded>(&cache, LoadOptions::new())? {
        let module = module?;
        match origin(&module) {
            // The first device of its compute capability.
            Origin::Cache(Cached::Stored) => stored += 1,
            other => assert_eq!(other, Origin::Cache(Cached::Found)),
        }
        let stream = ptx::cuda::context_of(&module).new_stream()?;
        let mut to = stream.alloc_zeros::<u32>(32)?;
        module.power().launch(&stream, (&mut to,))?;
        assert_eq!(stream.clone_dtoh(&to)?, expected(3));
    }
    assert!(stored >= 1);
    let again = load_all_cached::<plain::Loaded>(&cache, LoadOptions::new())?;
    for module in again {
        assert_eq!(origin(&module?), Origin::Cache(Cached::Found));
    }
    assert_eq!(fs::read_dir(&folder.0)?.count(), stored);
    Ok(())
}
