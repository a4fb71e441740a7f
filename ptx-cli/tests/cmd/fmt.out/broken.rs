fn f() {
    ptx! {
        ld.shared.u32 %r1, [ROW(;
    }
}
