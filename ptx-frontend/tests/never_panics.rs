//! Parsing a module yields a module or errors, but never panics, whatever the module contains.

use std::str::FromStr;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;

const SOUND: &str = r##"
    /// Documentation.
    pub mod m {
        use super::*;
        #[constant] pub static TAPS: [f32; 5] = [0.5; 5];
        #[global(align = 16)] static X: u32 = 1;
        #[shared] static ROW: [V4<f32>; N + 2];
        #[shared(dynamic)] static S: [B8];
        #[device(extern)] fn vprintf(f: u64, a: u64) -> i32;
        #[global] static P: [Ptr<Generic, u32>; 2] = [generic(X) + 4, addr(X) - N];
        #[global] static B: [u8; 3] = [mask(0xFF00, addr(f)), mask(0xFF, 3 + 4), 0];
        #[global(unified(1, 2), exact)] #[unsafe(export_name = "u")] pub static U: f32 = 0.5;
        #[global] static T: TexRef = TexRef::new().width(3);
        #[shared] static F: Family<u32, 10>;
        #[device(returns(sum, carry), unified(1, 2))]
        fn f(a: Reg<f32>, s: [u8; 12]) -> (Reg<f32>, Reg<Pred>) {
            ptx! {
                .param .align 4 .b8 l[12]; .reg .f32 %f;
                call (%f, _), f, (1.5, l);
                st.param.b32 [l + 4], 1;
                ld.global.f32 %f, [U].unified;
                mov.u64 %f, s;
                .global .u64 q[2] = {generic(X)+8, 0xff(X)};
                ret;
            }
        }
        #[kernel(maxntid = 256, requires(n > 0, n % 4 == 0), grid = (n, 1), unsafe(safe_launch))]
        pub fn k(#[readonly] p: Ptr<Global, f32>, n: u32) {
            const C: u32 = 1;
            ptx! {
                .reg .b32 %r<4>, x; .shared .align 8 .b8 s[#(C)];
            $L_1:
                @!%p bra $L_1;
                ld.param.u32 %r1, [n + 4];
                mov.f32 %r2, 0f3F800000;
                { call (x), vprintf, (p, n); }
                ret;
            }
        }
    }
"##;

/// A module with fragments and generic items, its own and another's.
const SHARED: &str = r##"
    mod m {
        use super::*;
        use lib::{other, twice as again};
        #[shared] static ROW: [f32; 32];
        #[tensor_map(element = f32, box = [32, 8], swizzle = B128)] struct A;
        #[repr(C)] struct Stages { a: [Tile<A>; 2] }
        #[shared] static SMEM: Stages;
        #[shared(for(T in [f32, u32]))] static EACH: [T; 4];
        #[fragment(returns(a, b))]
        fn own<T, const N: u32>(x: Reg<T>, y: &mut Reg<[u32; 4]>, row: &[f32; 32], n: u32) -> (Reg<T>, Reg<bool>) {
            const K: u32 = 4;
            ptx! {
                let %t: T; .reg .b32 %r<4>;
            L: mov.T a, x;
                for i in 0..N { mul.lo.T a, a, #(i * K); st.shared.T [row[3]], a; }
                setp.ne.u32 b, n, 0; @b bra L;
                lea.shared.u32 %r1, row[y[0]];
                lib::other %r2, #(K), _;
            }
        }
        #[kernel(for(T in [f32, u32], N: u32 in [1, -2]), maxntid = N)]
        fn k(p: Ptr<Global, T>) {
            ptx! {
                let %x: T; let %d: [u32; 4]; .reg .pred %p;
                own::<T, 3> %x, %p, %x, %d, ROW, 7;
                for j in [1, 2] { other %x, j, ROW; }
                call (%x), again, (%x);
                @%p twice %x, %x;
                call (%x), g::<T>, (%x);
                call.uni (%x), far::square::<T>, (%x);
                ld.shared.T %x, [EACH::<T>[1]];
                lea.shared.u32 %d[0], SMEM.a[%d[1]][%d[2]][3];
                ld.shared.f32 %x, [SMEM.a[0][N][1] + 4];
                ret;
            }
        }
        #[device(for(T in [f32, u32]))]
        fn g(x: Reg<T>) -> Reg<T> { ptx! { mov.T returned, x; ret; } }
    }
"##;

/// A generic module, after its arguments.
const GENERIC: (&str, &str) = (
    "target = sm_90a, for(T in [f32, f16], N: u32 in [2, -1])",
    r##"
    mod m {
        use super::*;
        const HALF: u32 = N / 2;
        #[tensor_map(element = T, box = [32, 8], swizzle = B64)] pub struct A;
        #[derive(PtxType)] #[repr(C)] struct Ring { a: [Tile<A>; 2], own: Own<T> }
        impl Ring { const BYTES: u32 = HALF; }
        #[repr(C)] struct Own<U> { x: U, y: [U; HALF] }
        #[shared] static RING: Ring;
        #[constant(for(M: u32 in [1, 2]), align = 16)] static TABLE: [u32; 2] = [M, HALF];
        #[device(extern)] fn vprintf(format: u64, arguments: u64) -> i32;
        #[kernel(for(M: u32 in [1, 2]), maxntid = M)]
        fn k(p: Ptr<Global, T>, f: u32) {
            ptx! {
                .reg .T %x; .reg .b32 %n;
                for i in 0..HALF { ld.shared.T %x, [RING.own.y[i]]; }
                call (%x), f, (%x);
                call (%x), g::<T, N>, (%x);
                ld.const.u32 %n, [TABLE::<M>];
                mov.u32 %n, #(Ring::BYTES + HALF);
                ret;
            }
        }
        #[device]
        fn g(x: Reg<T>) -> Reg<T> { ptx! { mov.T returned, x; ret; } }
    }
"##,
);

/// A fragment of another module.
const FRAGMENT: &str = r##"
    pub fn other<T>(x: Reg<f32>, y: u32, row: &[f32; 32]) -> Reg<f32> {
        const K: u32 = 4;
        ptx! {
            .reg .f32 %t; .reg .pred %p; .shared .b32 s[4];
            if y > 1 { mov.f32 returned, x; } else { add.f32 returned, x, #(K); }
            ld.shared.f32 %t, [row + #(y * K)];
            $L: @%p bra $L;
        }
    }
"##;

/// What travels of a function of another module.
const FUNCTION: &str = r##"
    #[device(for(T in [f32, u32], N: u32 in [1, -2]))]
    #[unsafe(export_name = "sq$")]
    pub fn square<T>(x: Reg<T>, #[align(8)] y: [u32; N]) -> Reg<T> {}
"##;

/// The words of the grammar, and some others.
const WORDS: &[&str] = &[
    "mod",
    "static",
    "pub",
    "fn",
    "mut",
    "const",
    "global",
    "constant",
    "shared",
    "kernel",
    "dynamic",
    "device",
    "unified",
    "exact",
    "returns",
    "texmode",
    "independent",
    "line_info",
    "requires",
    "grid",
    "unsafe",
    "safe_launch",
    "readonly",
    "true",
    "addr",
    "generic",
    "mask",
    "Family",
    "TexRef",
    "Reg",
    "export_name",
    "call",
    "ld",
    "st",
    "mov",
    "cvta",
    "param",
    "entry",
    "func",
    "align",
    "allow",
    "D006",
    "ptx",
    "reg",
    "b32",
    "f32",
    "u8",
    "V4",
    "Ptr",
    "Aligned",
    "U16",
    "pred",
    "x",
    "ret",
    "bra",
    "ld",
    "param",
    "v4",
    "callprototype",
    "pragma",
    "local",
    "loc",
    "_",
    "WARP_SZ",
    "target",
    "sm_90a",
    "extern",
    "maxntid",
    "i",
    "self",
    "branchtargets",
    "Pred",
    "B128",
    "device",
    "crate",
    "version",
    "fragment",
    "for",
    "in",
    "if",
    "else",
    "let",
    "lea",
    "other",
    "own",
    "T",
    "N",
    "row",
    "Self",
    "super",
];

// Tokens of Rust, which ptx-smith does not make.
fn tokens(depth: u32) -> BoxedStrategy<Vec<TokenTree>> {
    let leaf = prop_oneof![
        prop::sample::select(WORDS)
            .prop_map(|word| TokenTree::Ident(Ident::new(word, Span::call_site()))),
        prop::sample::select(vec![
            '.', ',', ';', ':', '%', '$', '#', '@', '!', '<', '>', '=', '+', '-', '|', '&', '?'
        ])
        .prop_map(|c| TokenTree::Punct(Punct::new(c, Spacing::Alone))),
        prop::sample::select(vec![
            "0",
            "1",
            "256",
            "0f3F800000",
            "2d",
            "1.5",
            "0x1F",
            "8.6",
            "\"s\"",
            "'c'",
            "b\"s\"",
            "99999999999999999999999999999999999999999"
        ])
        .prop_map(|text| TokenTree::Literal(Literal::from_str(text).expect("a literal"))),
    ];
    let list = prop::collection::vec(leaf, 0..12);
    list.prop_recursive(depth, 48, 6, |inner| {
        prop::collection::vec(
            (
                inner,
                prop::sample::select(vec![
                    Delimiter::Parenthesis,
                    Delimiter::Brace,
                    Delimiter::Bracket,
                    Delimiter::None,
                ]),
            ),
            0..5,
        )
        .prop_map(|parts| {
            let mut out = Vec::new();
            for (tokens, delimiter) in parts {
                let split = tokens.len() / 2;
                out.extend(tokens[..split].iter().cloned());
                let group = tokens[split..].iter().cloned().collect();
                out.push(TokenTree::Group(Group::new(delimiter, group)));
            }
            out
        })
    })
    .boxed()
}

/// Replaces, removes or duplicates tokens anywhere in the tree.
fn mutate(stream: TokenStream, at: &mut usize, with: &[TokenTree]) -> TokenStream {
    let mut out = Vec::new();
    for token in stream {
        let here = *at == 0;
        *at = at.wrapping_sub(1);
        let token = match token {
            TokenTree::Group(group) => {
                let mut copy = Group::new(group.delimiter(), mutate(group.stream(), at, with));
                copy.set_span(group.span());
                TokenTree::Group(copy)
            }
            other => other,
        };
        if here {
            out.extend(with.iter().cloned());
            if with.len() % 2 == 1 {
                out.push(token);
            }
        } else {
            out.push(token);
        }
    }
    out.into_iter().collect()
}

/// Parses a fragment, and a module that uses it.
fn read_shared(args: TokenStream, item: TokenStream, fragment: &TokenStream, called: TokenStream) {
    use ptx_frontend::fragment::{self, Defined};
    let mut errors = ptx_frontend::Errors::default();
    let defined = fragment::fragment(&TokenStream::new(), fragment, &mut errors);
    let mut travels = TokenStream::from_str("{}").expect("tokens");
    if let Some(Defined::Whole(whole)) = defined {
        travels = whole.travels;
    }
    let arena = ptx_frontend::Arena::new();
    let group = |tokens: TokenStream| TokenTree::Group(Group::new(Delimiter::Brace, tokens));
    let (module, _) = ptx_frontend::module(args, item, &arena);
    let Some(wanting) = module.and_then(|module| module.wanting) else { return };
    // Any of them may turn out to be a function.
    let called: TokenStream = group(group(called).into()).into();
    let loaded = wanting.paths.iter().map(|path| {
        let is_called = path.to_string().contains("square") || path.to_string() == "again";
        if is_called { called.clone() } else { travels.clone() }
    });
    let loaded: TokenStream = loaded.collect();
    let input = [group(loaded), group(TokenStream::new())].into_iter().chain(wanting.payload);
    let _ = fragment::with_fragments(input.collect(), &arena, &mut errors);
    for message in errors.messages() {
        assert!(!message.is_empty());
    }
}

/// Parses a module, and asserts that no error has an empty message.
fn read(args: TokenStream, item: TokenStream) {
    let arena = ptx_frontend::Arena::new();
    let (_, errors) = ptx_frontend::module(args, item, &arena);
    for message in errors.messages() {
        assert!(!message.is_empty());
    }
    let _ = errors.to_compile_errors();
}

/// The tokens with another number in place of the integers of which `is_it` is told the index.
fn with_numbers(
    stream: TokenStream,
    index: &mut usize,
    is_it: &impl Fn(usize) -> bool,
    number: u64,
) -> TokenStream {
    let tokens = stream.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inner = with_numbers(group.stream(), index, is_it, number);
            TokenTree::Group(Group::new(group.delimiter(), inner))
        }
        TokenTree::Literal(literal) if literal.to_string().parse::<u64>().is_ok() => {
            *index += 1;
            let is_changed = is_it(*index - 1);
            TokenTree::Literal(if is_changed { Literal::u64_unsuffixed(number) } else { literal })
        }
        other => other,
    });
    tokens.collect()
}

/// The templates are read to their ends.
#[test]
fn shared_modules_are_right() {
    let parse = |text| TokenStream::from_str(text).expect("tokens");
    let mut errors = ptx_frontend::Errors::default();
    let defined =
        ptx_frontend::fragment::fragment(&TokenStream::new(), &parse(FRAGMENT), &mut errors);
    assert!(defined.is_some() && errors.is_empty(), "{:?}", errors.messages().collect::<Vec<_>>());
    let arena = ptx_frontend::Arena::new();
    let (module, errors) = ptx_frontend::module(parse("target = sm_90a"), parse(SHARED), &arena);
    assert!(errors.is_empty(), "{:?}", errors.messages().collect::<Vec<_>>());
    let wanting = module.and_then(|module| module.wanting).expect("fragments of others");
    assert!(wanting.paths.len() >= 3, "{}", wanting.paths.len());
}

/// A directive, an extent, an alignment, an offset and the like may be any number.
#[test]
fn numbers_at_their_limits() {
    let target = || TokenStream::from_str("target = sm_90a").expect("tokens");
    let sound = TokenStream::from_str(NUMBERS).expect("tokens");
    let mut count = 0;
    with_numbers(sound.clone(), &mut count, &|_| false, 0);
    assert!(count > 50, "{count}");
    for number in [0, 1, 1 << 16, 1 << 32, 1 << 63] {
        // Each number alone, and three together.
        let alone = (0..count).map(|first| first..first + 1);
        for changed in alone.chain((0..count).step_by(3).map(|first| first..first + 3)) {
            let is_it = |index| changed.contains(&index);
            read(target(), with_numbers(sound.clone(), &mut 0, &is_it, number));
        }
    }
}

/// A module with numbers wherever it may have some.
const NUMBERS: &str = r#"
    pub mod m {
        use super::*;
        #[constant(align = 16)] pub static TAPS: [f32; 5] = [0.5; 5];
        #[global(align = 16)] static X: [V4<u32>; 8];
        #[shared(align = 128)] static ROW: [[u8; 64]; 16];
        #[shared(dynamic, align = 16)] static S: [B8];
        #[global] static P: [Ptr<Generic, u32>; 2] = [generic(X) + 4, addr(X) - 12];
        #[global] static B: [u8; 2] = [mask(0xFF00, addr(X)), mask(255, 3 + 4)];
        #[global(unified(1, 2))] pub static U: u32 = 7;
        #[global] static T: TexRef = TexRef::new().width(3);
        #[shared] static F: Family<u32, 10>;
        #[device(unified(1, 2))]
        fn f(a: Reg<u32>, s: [u8; 12]) -> Reg<u32> { ptx! { mov.u32 returned, 5; ret; } }
        #[kernel(reqntid = (64, 2, 2), reqnctapercluster = (2, 2, 2), maxnreg = 64, requires(n % 4 == 0, n >= 16, p.len() >= 64))]
        pub fn k(p: Ptr<Global, f32>, #[align(16)] s: [u64; 4], n: u32) {
            ptx! {
                .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %q;
                .shared .align 8 .b8 t[32][4]; .local .align 16 .b8 l[64];
                .global .u32 many[2] = {1, 2};
                ld.param.u64 %d1, [p]; ld.param.u64 %d2, [s + 8];
                st.shared.b32 [ROW[2][8]], 3; st.shared.b32 [t + 4], #(3 * 2); for i in 0..4 { bar.sync 1; }
                lea.shared.u32 %r2, ROW[%r1][4];
                mad.lo.s32 %r1, %r1, 12, 5; shl.b32 %r1, %r1, 2; bfe.u32 %r1, %r1, 3, 9;
                setp.lt.s32 %q, %r1, 100;
                @%q st.shared.v4.b32 [ROW + 16], {1, 2, 3, 4};
                bar.sync 1, 128;
                ld.global.v2.f32 {%r1, %r2}, [%d1 + 8];
                call (%r1), f, (6, l);
                ret;
            }
        }
        #[kernel(maxntid = (256, 1, 1), maxclusterrank = 8, minnctapersm = 2)]
        pub fn other(n: u32) { ptx! { ret; } }
    }
"#;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_tokens(args in tokens(2), item in tokens(3), body in tokens(3)) {
        read(args.into_iter().collect(), item.into_iter().collect());
        let body: TokenStream = body.into_iter().collect();
        let target = TokenStream::from_str("target = sm_90a").expect("tokens");
        read(target, quote::quote!(mod m { #[kernel] fn k(n: u32) { ptx! { #body } } }));
    }

    #[test]
    fn correct_modules_with_one_change(mut at in 0..220_usize, with in tokens(1)) {
        let target = TokenStream::from_str("target = sm_90a").expect("tokens");
        let sound = TokenStream::from_str(SOUND).expect("tokens");
        read(target, mutate(sound, &mut at, &with));
    }

    #[test]
    fn random_derives(item in tokens(3)) {
        let mut errors = ptx_frontend::Errors::default();
        let item: TokenStream = item.into_iter().collect();
        let _ = ptx_frontend::derive::parse(item.clone(), &mut errors);
        let _ = ptx_frontend::derive::parse(quote::quote!(#[repr(C)] struct S { #item }), &mut errors);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn generic_modules_with_one_change(mut at in 0..220_usize, with in tokens(1)) {
        let parse = |text| TokenStream::from_str(text).expect("tokens");
        let (args, item) = (parse(GENERIC.0), parse(GENERIC.1));
        let mut of_args = at % 30;
        read(mutate(args.clone(), &mut of_args, &with), item.clone());
        read(args, mutate(item, &mut at, &with));
    }
}

proptest! {
    // Each is a whole module, which is read twice.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    #[test]
    fn shared_modules_with_one_change(at in 0..560_usize, with in tokens(1)) {
        let target = TokenStream::from_str("target = sm_90a").expect("tokens");
        let module = TokenStream::from_str(SHARED).expect("tokens");
        let fragment = TokenStream::from_str(FRAGMENT).expect("tokens");
        let called = TokenStream::from_str(FUNCTION).expect("tokens");
        let (mut of_module, mut of_fragment, mut of_called) = (at, at % 160, at % 60);
        let changed = mutate(module.clone(), &mut of_module, &with);
        read_shared(target.clone(), changed, &fragment, called.clone());
        let changed = mutate(fragment.clone(), &mut of_fragment, &with);
        read_shared(target.clone(), module.clone(), &changed, called.clone());
        read_shared(target, module, &fragment, mutate(called, &mut of_called, &with));
    }
}
