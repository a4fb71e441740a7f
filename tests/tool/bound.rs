use ptx::prelude::*;

ptx::import!(
    /// The kernels and variables of `blur.ptx`.
    pub mod bound = "../import/blur.ptx",
    names(
        "$str" = _str,
        "$str$1" = _str_1,
        _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii = weigh,
        _Z4fillIfLi64EEvPT_S0_ = fill_float_64,
        _Z4fillIiLi32EEvPT_S0_ = fill_int_32,
        _Z7columnsP6float4y = columns,
        _ZN5image4rowsEPKfPf6Configi = image_rows,
    ),
    types(
        TAPS = [B8; 20],
        DEFAULTS = [B8; 24],
        launches = u32,
        counter = u32,
        _str = [B8; 5],
        _str_1 = [B8; 8],
        names = [u64; 2],
        r#type = [B8; 12],
        fn weigh(param_0: B64, param_1: B32, param_2: B32),
        fn fill_float_64(param_0: u64, param_1: f32),
        fn fill_int_32(param_0: u64, param_1: u32),
        fn columns(param_0: u64, param_1: u64),
        fn image_rows(param_0: u64, param_1: u64, param_2: _, param_3: u32),
    ),
);
