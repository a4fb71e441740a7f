//! Wheels are downloaded from an index, checked and unpacked, here from one that this test serves.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Cursor, Write as _};
use std::net::TcpListener;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use xtask::wheel::{Index, WHEELS, Wheel, WheelFile};
use zip::write::SimpleFileOptions;

const FILE: &str = "demo-1.0-py3-none-any.whl";
const PROGRAM: &[u8] = b"what the program holds";

/// A wheel with a program, its licence, and what nobody uses.
fn archive() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let program = format!("nvidia/cu13/bin/demo{}", std::env::consts::EXE_SUFFIX);
    for (name, bytes) in [
        (&*program, PROGRAM),
        ("demo-1.0.dist-info/licenses/License.txt", b"a licence"),
        ("nvidia/cu13/nvvm/large.bc", b"large"),
        ("../outside/bin/demo", b"does not belong there"),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).expect("a file");
        zip.write_all(bytes).expect("written");
    }
    zip.finish().expect("finished").into_inner()
}

/// Serves these pages, and returns the URL of the server.
fn serve(pages: HashMap<&'static str, Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.expect("a connection"));
            let mut request = String::new();
            stream.read_line(&mut request).expect("a request");
            let mut header = String::new();
            while stream.read_line(&mut header).expect("a header") > 2 {
                header.clear();
            }
            let page = request.split(' ').nth(1).and_then(|path| pages.get(path));
            let (status, body) = page.map_or(("404 Not Found", &[][..]), |page| ("200 OK", page));
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.get_mut().write_all(&[head.as_bytes(), body].concat()).expect("answered");
        }
    });
    format!("http://{address}")
}

/// An index with a page of the project that links to the wheel, and the wheel there.
fn index(link: &str, path: &'static str) -> Index {
    let page =
        format!("<a href=\"other-2.0.whl\">other</a> <a href=\"{link}\" data-yanked>{FILE}</a>");
    let url = serve(HashMap::from([("/simple/demo/", page.into_bytes()), (path, archive())]));
    // The proxy of the environment is not for this machine itself.
    let agent = ureq::Agent::config_builder().proxy(None).build().into();
    Index::new(&format!("{url}/simple/"), agent).expect("a URL")
}

fn wheel(sha256: &str) -> Wheel {
    use std::env::consts::{ARCH, OS};
    let sha256 = String::leak(sha256.to_owned());
    let files = Box::leak(Box::new([WheelFile { os: OS, arch: ARCH, name: FILE, sha256 }]));
    Wheel { project: "demo", version: "1.0", program: "demo", files }
}

fn right_hash() -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(archive()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// What lies below a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn a_program_is_downloaded_and_unpacked() {
    let links = [
        (format!("../../packages/a/{FILE}#sha256=abc"), "/packages/a/demo-1.0-py3-none-any.whl"),
        (format!("/b/{FILE}"), "/b/demo-1.0-py3-none-any.whl"),
        (FILE.to_owned(), "/simple/demo/demo-1.0-py3-none-any.whl"),
    ];
    for (link, path) in links {
        let folder = tempfile::tempdir().expect("a folder");
        let index = index(&link, path);
        let program = wheel(&right_hash()).fetch(folder.path(), Some(&index)).expect("fetched");
        assert_eq!(std::fs::read(&program).expect("it is there"), PROGRAM);
        let name = format!("demo{}", std::env::consts::EXE_SUFFIX);
        assert_eq!(files(folder.path()), ["License.txt", &name]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = program.metadata().expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o755);
        }
        // Where it is there already, the index is not asked.
        let nowhere =
            Index::new("http://127.0.0.1:1/simple", xtask::wheel::agent()).expect("a URL");
        let again = wheel(&right_hash()).fetch(folder.path(), Some(&nowhere));
        assert_eq!(again, Ok(program));
    }
}

#[test]
fn another_file_is_not_unpacked() {
    let folder = tempfile::tempdir().expect("a folder");
    let index = index(FILE, "/simple/demo/demo-1.0-py3-none-any.whl");
    let error = wheel(&"0".repeat(64)).fetch(folder.path(), Some(&index)).expect_err("it is wrong");
    assert_eq!(
        error,
        format!("the SHA-256 of {FILE} is {}, and {} is expected", right_hash(), "0".repeat(64))
    );
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_file_that_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let unlisted = index("other-1.0.whl", "/nowhere");
    let error = wheel(&right_hash()).fetch(folder.path(), Some(&unlisted)).expect_err("missing");
    assert!(error.ends_with(&format!("/simple/demo/ does not list {FILE}")), "{error}");
    let gone = index(FILE, "/nowhere");
    let error = wheel(&right_hash()).fetch(folder.path(), Some(&gone)).expect_err("missing");
    assert!(error.ends_with(&format!("/simple/demo/{FILE}: http status: 404")), "{error}");
    assert_eq!(files(folder.path()), [""; 0]);
}

/// The advice of `FindError` names the first, and every wheel is pinned for each platform that NVIDIA has it for.
#[test]
fn every_wheel_is_pinned() {
    assert_eq!((WHEELS[0].project, WHEELS[0].version), ptx_emit::ptxas::WHEEL);
    for wheel in WHEELS.iter().chain([&xtask::wheel::NVDISASM]) {
        let stem = format!("{}-{}-", wheel.project.replace('-', "_"), wheel.version);
        let platforms: Vec<_> = wheel.files.iter().map(|file| (file.os, file.arch)).collect();
        assert_eq!(platforms, [("linux", "x86_64"), ("linux", "aarch64"), ("windows", "x86_64")]);
        for file in wheel.files {
            assert!(file.name.starts_with(&stem), "{}", file.name);
            let suffix = match (file.os, file.arch) {
                ("windows", _) => "win_amd64.whl".to_owned(),
                (_, arch) => format!("_{arch}.whl"),
            };
            assert!(file.name.ends_with(&suffix), "{}", file.name);
            assert!(
                file.sha256.len() == 64 && file.sha256.bytes().all(|it| it.is_ascii_hexdigit())
            );
        }
    }
}
