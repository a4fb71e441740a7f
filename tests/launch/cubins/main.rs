use ptx::cuda::{Cubins, LoadOptions, load_cubins, origin};

static BLUR: Cubins = ptx::include_cubins!("blur");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for cubin in BLUR.all() {
        assert!(cubin.image().starts_with(b"\x7fELF"));
        println!("{}", cubin.target());
    }
    BLUR.check::<kernels::blur::Loaded>()?;
    println!("{}", BLUR.check::<kernels::other::Loaded>().unwrap_err());

    let Ok(context) = ptx::cuda::context(0) else { return Ok(()) };
    let blur = load_cubins::<kernels::blur::Loaded>(&context, &BLUR, LoadOptions::new())?;
    println!("{:?}", origin(&blur)); // Cubin(Some(Sm90)), or Text
    Ok(())
}
