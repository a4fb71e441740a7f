//! scratch
use std::time::Instant;
fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let check = files[0] == "check";
    if check { files.remove(0); }
    let (mut bytes, mut time, mut found_n) = (0, 0.0, 0);
    for file in &files {
        let text = std::fs::read(file).unwrap();
        let mut best = f64::MAX;
        let n = if check { 1 } else if text.len() > 1_000_000 { 3 } else { 10 };
        let mut found = Vec::new();
        for _ in 0..n {
            let t = text.clone();
            let s = Instant::now();
            let p = ptx_frontend::text::Parsed::from_bytes(t);
            if check { found = p.check(); } else { found = p.syntax().to_vec(); }
            best = best.min(s.elapsed().as_secs_f64());
            std::hint::black_box(&p);
        }
        bytes += text.len();
        time += best;
        found_n += found.len();
        let p = ptx_frontend::text::Parsed::from_bytes(text.clone());
        for d in found.into_iter().take(30) {
            println!("{file}:{}: {}{d}  `{}`", p.position(d.range.start), d.code.unwrap_or(""), &p.text()[d.range.start..d.range.end.min(d.range.start+60)]);
        }
        if best > 0.1 { println!("{file} {:.2}s {:.2}MB/s", best, text.len() as f64/1e6/best); }
    }
    println!("{bytes} bytes, {:.1} MB/s {found_n} found", bytes as f64 / time / 1e6);
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", s.lines().find(|l| l.starts_with("VmHWM")).unwrap());
}
