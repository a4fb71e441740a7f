//! scratch
use std::time::Instant;
fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (mut bytes, mut time) = (0, 0.0);
    for file in &files {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        let mut best = f64::MAX;
        let n = if text.len() > 1_000_000 { 3 } else { 10 };
        for _ in 0..n {
            let t = text.clone();
            let s = Instant::now();
            let p = ptx_frontend::text::Parsed::new(t);
            best = best.min(s.elapsed().as_secs_f64());
            std::hint::black_box(&p);
        }
        bytes += text.len();
        time += best;
        let p = ptx_frontend::text::Parsed::new(text.clone());
        for (at, m) in p.temp().into_iter().take(3) {
            let line = text[..at.start].matches('\n').count() + 1;
            println!("{file}:{line}: {m}  `{}`", &text[at.start..at.end.min(at.start+60)]);
        }
    }
    println!("{bytes} bytes, {:.1} MB/s", bytes as f64 / time / 1e6);
}
