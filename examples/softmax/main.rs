//! Softmax of rows on a GPU: a constant set before the launch, a launch that its declaration vouches
//! for, and a counter read after it.
//!
//! `cargo run --example softmax --features cuda`; without a GPU it prints the PTX.

mod kernel;

use kernel::softmax;

#[cfg(feature = "cuda")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    const ROWS: usize = 300;
    const COLUMNS: usize = 1000;
    const TEMPERATURE: f32 = 0.5;

    let context = match ptx::cuda::context(0) {
        Ok(context) => context,
        Err(why) => {
            println!("{}", softmax::MODULE);
            println!("Not run: {why}.");
            return Ok(());
        }
    };
    let stream = context.default_stream();
    let module = ptx::cuda::load::<softmax::Loaded>(&context)?;
    module.TEMPERATURE.set(&stream, &TEMPERATURE)?;

    #[allow(clippy::cast_precision_loss)] // small
    let numbers: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i * 7919 % 1000) as f32 / 100.0).collect();
    let src = stream.clone_htod(&numbers)?;
    let mut dst = stream.alloc_zeros::<f32>(ROWS * COLUMNS)?;
    let (rows, columns) = (u32::try_from(ROWS)?, u32::try_from(COLUMNS)?);
    module.rows().launch(&stream, (&src, &mut dst, rows, columns))?;

    let found = stream.clone_dtoh(&dst)?;
    let mut worst = 0.0_f64;
    for (row, found) in numbers.chunks(COLUMNS).zip(found.chunks(COLUMNS)) {
        let scaled = row.iter().map(|x| f64::from(*x) / f64::from(TEMPERATURE));
        let exponentials: Vec<f64> = scaled.map(f64::exp).collect();
        let sum: f64 = exponentials.iter().sum();
        for (exponential, found) in exponentials.iter().zip(found) {
            worst = worst.max((exponential / sum - f64::from(*found)).abs() * sum / exponential);
        }
    }
    assert!(worst < 1e-5, "the softmax is wrong by {worst:e} of its value");
    println!("{} rows of {COLUMNS}, right to {worst:.1e} of each value", module.ROWS.get(&stream)?);
    println!("{}", module.rows().resources()?);

    // What does not fit is an error, before anything runs.
    let mut short = stream.alloc_zeros::<f32>(100)?;
    let refused = module.rows().launch(&stream, (&src, &mut short, rows, columns));
    println!("{}", refused.expect_err("100 elements are too few"));
    Ok(())
}

#[cfg(not(feature = "cuda"))]
fn main() {
    println!("{}", softmax::MODULE);
    println!("Not run: build it with `--features cuda`.");
}
