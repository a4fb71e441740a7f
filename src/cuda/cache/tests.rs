use std::path::PathBuf;
use std::process::{self, Command};
use std::string::{String, ToString as _};
use std::vec::Vec;
use std::{env, format, fs, thread};

use super::entry::Key;
use super::linkable::is_as_good_if_linked;
use super::store::Cache;
use crate::cuda::load_error::LoadOptions;

/// A folder that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("ptx-cache-{}-{test}", process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn cache(&self) -> Cache {
        Cache::open(&self.0).expect("the folder can be written")
    }

    fn files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.0).expect("the folder");
        files.map(|file| file.expect("a file").path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const DRIVER: &str = "13.0 580.95.05";

fn key(text: &str) -> Key {
    Key::new(text, (90, DRIVER), "linker", LoadOptions::new())
}

#[test]
fn what_is_stored_is_found_by_all_that_it_depends_on() {
    let folder = Folder::new("key");
    let cache = folder.cache();
    assert_eq!(cache.get(&key("text")), None);
    assert!(cache.put(&key("text"), b"cubin"));
    assert_eq!(cache.get(&key("text")).as_deref(), Some(&b"cubin"[..]));
    // Another cache in the folder finds it, too, if it cannot write there, as well.
    let other = Cache::read_only(&folder.0).expect("it can be read");
    assert_eq!(other.get(&key("text")).as_deref(), Some(&b"cubin"[..]));

    let options = LoadOptions::new();
    let others = [
        key("text "),
        Key::new("text", (89, DRIVER), "linker", options),
        Key::new("text", (90, "13.0 580.105.08"), "linker", options),
        Key::new("text", (90, DRIVER), "ptxas 13.0", options),
        Key::new("text", (90, DRIVER), "ptxas 13.1", options),
        Key::new("text", (90, DRIVER), "linker", options.optimization_level(3)),
        Key::new("text", (90, DRIVER), "linker", options.max_registers(3)),
        Key::new("text", (90, DRIVER), "linker", options.line_info()),
        Key::new("text", (90, DRIVER), "linker", options.debug()),
    ];
    let mut names: Vec<String> = others.iter().map(Key::file_name).collect();
    for other in &others {
        assert_eq!(cache.get(other), None, "{other:?}");
        // Nor is it if the names are the same by chance.
        fs::copy(folder.0.join(key("text").file_name()), folder.0.join(other.file_name()))
            .expect("a copy");
        assert_eq!(cache.get(other), None, "{other:?}");
    }
    names.push(key("text").file_name());
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 10);
}

#[test]
fn what_is_damaged_or_foreign_is_not_found_and_replaced() {
    let folder = Folder::new("damaged");
    let (cache, key) = (folder.cache(), key("text"));
    let path = folder.0.join(key.file_name());
    let whole = key.entry(b"cubin");
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).expect("it is written");
        assert_eq!(cache.get(&key), None, "byte {at}");
        fs::write(&path, &whole[..at]).expect("it is written");
        assert_eq!(cache.get(&key), None, "{at} bytes");
    }
    let longer = [&whole[..], &b"x"[..]].concat();
    for foreign in [&b"a letter to someone else, with more bytes than a header has"[..], &longer] {
        fs::write(&path, foreign).expect("it is written");
        assert_eq!(cache.get(&key), None);
        assert!(cache.put(&key, b"cubin"));
        assert_eq!(cache.get(&key).as_deref(), Some(&b"cubin"[..]));
    }
    fs::remove_file(&path).expect("it is there");
    fs::create_dir(&path).expect("a folder");
    assert_eq!(cache.get(&key), None);
    assert!(!cache.put(&key, b"cubin"));
    assert_eq!(folder.files(), [path]);
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error_that_names_it() {
    let folder = Folder::new("errors");
    fs::write(&folder.0, "a file").expect("it is written");
    let path = folder.0.join("cache");
    let written = Cache::open(&path).expect_err("a file is not a folder").to_string();
    assert!(written.starts_with(&format!("the cache `{}` cannot be written: ", path.display())));
    let read = Cache::read_only(&path).expect_err("a file is not a folder").to_string();
    assert!(read.starts_with(&format!("the cache `{}` cannot be read: ", path.display())));
    fs::remove_file(&folder.0).expect("it is there");

    // What happens to the folder later is not an error.
    let cache = folder.cache();
    fs::remove_dir(&folder.0).expect("it is empty");
    assert!(!cache.put(&key("text"), b"cubin"));
    assert_eq!(cache.get(&key("text")), None);
    assert!(cache.bytes().is_err());
}

#[test]
fn one_that_is_read_only_is_not_written() {
    let folder = Folder::new("read-only");
    assert!(folder.cache().put(&key("text"), b"cubin"));
    let cache = Cache::read_only(&folder.0).expect("it can be read");
    assert!(!cache.put(&key("other"), b"cubin"));
    let refused = cache.clear().expect_err("it is read only").to_string();
    assert!(refused.ends_with("cannot be written: it is opened to be read only"), "{refused}");
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn it_stays_within_its_limit_and_is_cleared() {
    let folder = Folder::new("limit");
    let entry = key("0").entry(b"cubin").len() as u64;
    let cache = folder.cache().limit(3 * entry);
    let letter = folder.0.join("letter.txt");
    fs::write(&letter, [0; 1000]).expect("it is written");
    let used = |text: &str, hours: u64| {
        let file = fs::OpenOptions::new().append(true).open(folder.0.join(key(text).file_name()));
        let now = std::time::SystemTime::now();
        let time = now - std::time::Duration::from_hours(hours);
        file.and_then(|file| file.set_modified(time)).expect("its time is set");
    };
    for (text, hours) in [("0", 9), ("1", 8), ("2", 7)] {
        assert!(cache.put(&key(text), b"cubin"));
        used(text, hours);
    }
    assert_eq!(cache.bytes().expect("it can be read"), 3 * entry);
    // It is used again, and so another one is removed.
    assert!(cache.get(&key("0")).is_some());
    assert!(cache.put(&key("3"), b"cubin"));
    let found = ["0", "1", "2", "3"].map(|text| cache.get(&key(text)).is_some());
    assert_eq!(found, [true, false, true, true]);
    assert!(!cache.put(&key("4"), &[0; 1000]));
    assert_eq!(cache.bytes().expect("it can be read"), 3 * entry);
    cache.clear().expect("it can be written");
    assert_eq!(folder.files(), [letter]);
}

/// What a process leaves behind that ends while it stores an entry.
#[test]
fn unfinished_files_are_removed_later() {
    let folder = Folder::new("unfinished");
    let cache = folder.cache();
    let left = [".unfinished-1-1-1", ".unfinished-1-1-2"].map(|name| folder.0.join(name));
    for path in &left {
        fs::write(path, "half").expect("it is written");
    }
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(2);
    let file = fs::OpenOptions::new().append(true).open(&left[0]).expect("it is there");
    file.set_modified(long_ago).expect("its time is set");
    drop(file);
    assert!(cache.put(&key("text"), b"cubin"));
    assert!(!left[0].exists() && left[1].exists());
}

/// Stores and reads a few entries again and again, as several threads and processes do at once. What is found is whole.
fn race(cache: &Cache) {
    for n in 0..200_usize {
        let text = format!("text {}", n % 5);
        let cubin = text.repeat(3000 + n % 5);
        if n % 3 == 0 {
            assert!(cache.put(&key(&text), cubin.as_bytes()));
        }
        if let Some(found) = cache.get(&key(&text)) {
            assert!(found == cubin.as_bytes(), "{text}");
        }
    }
}

const RACED: &str = "PTX_TEST_RACED_CACHE";

#[test]
fn threads_and_processes_share_a_folder() {
    if let Some(folder) = env::var_os(RACED) {
        race(&Cache::open(PathBuf::from(folder)).expect("it can be written"));
        return;
    }
    let folder = Folder::new("races");
    let cache = folder.cache();
    let itself = env::current_exe().expect("the test");
    let (_, module) = module_path!().split_once("::").expect("it is in a crate");
    let test = format!("{module}::threads_and_processes_share_a_folder");
    let start = || Command::new(&itself).args([&test, "--exact"]).env(RACED, &folder.0).output();
    thread::scope(|scope| {
        let processes: Vec<_> = (0..3).map(|_| scope.spawn(start)).collect();
        for _ in 0..3 {
            scope.spawn(|| race(&cache));
        }
        for process in processes {
            let output = process.join().expect("it does not panic").expect("it starts");
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
        }
    });
    let mut found = folder.files();
    found.sort();
    let mut expected: Vec<PathBuf> =
        (0..5).map(|n| folder.0.join(key(&format!("text {n}")).file_name())).collect();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn plain_texts_are_compiled_by_the_linker() {
    let entry = |body: &str| {
        format!(
            "// recall\n.version 8.0\n.target sm_90a\n.visible .global .align 4 .b8 div[16];\n\
             .visible .entry k(\n    .param .u64 call\n)\n.reqntid 32\n{{\n    .reg .b32 %r<4>;\n{body}\n    ret;\n}}\n"
        )
    };
    for body in [
        "",
        "ld.param.u64 %rd1, [call]; @!%p bra $end; mov.u32 %r1, div; // vote",
        "$end: membar.gl;",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0}, {%r1};",
        "$a: $b: ld.global.L1::no_allocate.u32 %r1, [div];",
    ] {
        assert!(is_as_good_if_linked(&entry(body)), "{body}");
    }
    for body in [
        "setmaxnreg.inc.sync.aligned.u32 232;",
        "@%p call.uni (x), f, (y);",
        "ret; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;",
        "{ vote.sync.any.pred %p, %q, -1; }",
        "$a: div.rn.f32 %f1, %f2, %f3;",
        "@%p $a: div.rn.f32 %f1, %f2, %f3;",
        "bar.warp.sync -1;",
        ".shared .align 4 .b32 x;",
        "atom.add.u32 %r1, [div], 1;",
        "/* */ ret;",
        "wgmma.fence.sync.aligned;",
    ] {
        assert!(!is_as_good_if_linked(&entry(body)), "{body}");
    }
    assert!(!is_as_good_if_linked(".func f() { ret; }"));
}
