use ptx::Target;
use ptx::build::Cubins;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Cubins::of(&kernels::blur::MODULE).target(Target::Sm80).target(Target::Sm90).write("blur")?;
    Ok(())
}
