pub fn k() {
    std::arch::asm!(println!("here"));
}
