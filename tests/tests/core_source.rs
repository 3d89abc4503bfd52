//! Core's source keeps to the arithmetic of docs/DETERMINISM.md, also where macros wrote it.
//!
//! clippy.toml bans the same by type; this reads words, so it also sees what clippy does not look into: bodies of
//! macros, code of other targets and features, and a lint somebody switched off.

use anyhow::{Context as _, Result, ensure};
use cloth_tests::source;
use cloth_tests::workload::scenes::workspace;
use proc_macro2::TokenStream;
use std::process::Command;

/// Words that have no business in core.
const BANNED: &[&str] = &[
    "f64",
    "f16",
    "f128",
    "HashMap",
    "HashSet",
    "mul_add",
    "powi",
    "powf",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "sin_cos",
    "atan2",
    "hypot",
    "cbrt",
    "recip",
    "to_degrees",
    "to_radians",
    "sort_unstable_by",
    "fadd_fast",
    "fmul_fast",
    "fadd_algebraic",
    "fmul_algebraic",
    "algebraic_add",
    "algebraic_mul",
    "transmute",
    "Vec3A",
    "Vec4",
    "Quat",
    "Mat2",
    "Mat3",
    "Mat3A",
    "Mat4",
    "Affine3A",
    "libm",
    "thread_local",
    "SystemTime",
    "Instant",
];

/// Methods that have no business in core: through libm, through glam's backend, or with a panic inside.
const BANNED_METHODS: &[&str] = &[
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "log",
    "floor",
    "ceil",
    "round",
    "trunc",
    "rem_euclid",
    "length",
    "length_recip",
    "distance",
    "normalize",
    "normalize_or_zero",
    "try_normalize",
    "angle_between",
    "unwrap",
    "expect",
];

/// Macros that have no business in core.
const BANNED_MACROS: &[&str] =
    &["panic", "todo", "unimplemented", "unreachable", "assert", "assert_eq", "assert_ne", "dbg", "println"];

/// The only files that may say `unsafe`.
const UNSAFE: &[&str] = &[
    "math/sqrt.rs",
    "simd/avx2.rs",
    "simd/columns.rs",
    "simd/crew.rs",
    "simd/groups.rs",
    "simd/neon.rs",
    "simd/rows.rs",
    "simd/sse2.rs",
    "simd/wasm.rs",
];

/// The banned words of a token stream.
fn offences(tokens: TokenStream, unsafe_allowed: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (before, word, after) in source::words(tokens) {
        let text = word.as_str();
        if BANNED.contains(&text) || (text == "unsafe" && !unsafe_allowed) {
            found.push(word);
        } else if before == '.' && after == '(' && BANNED_METHODS.contains(&text) {
            found.push(format!(".{word}"));
        } else if after == '!' && BANNED_MACROS.contains(&text) {
            found.push(format!("{word}!"));
        }
    }
    found
}

#[test]
fn core_uses_no_banned_word() -> Result<()> {
    let mut wrong = Vec::new();
    for source in source::of_crate(&workspace().join("cloth-core/src"))? {
        let path = source.path.to_string_lossy().replace('\\', "/");
        let unsafe_allowed = UNSAFE.contains(&path.as_str());
        wrong.extend(
            offences(source.tokens, unsafe_allowed).into_iter().map(|word| format!("{path}: {word}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn nor_do_the_macros_it_calls() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace()).args([
        "rustc",
        "--quiet",
        "-p",
        "cloth-core",
        "--lib",
        "--all-features",
    ]);
    // A directory of its own, because the lock of the usual one may be held by whoever runs this test.
    command.arg("--target-dir").arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/expanded"));
    // Printing expanded source is not stable; nothing is built this way.
    command.env("RUSTC_BOOTSTRAP", "1").args(["--", "-Zunpretty=expanded"]);
    let output = command.output().context("running cargo")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).context("not text")?;
    ensure!(text.contains("mod predict"), "this is not core:\n{text}");
    // Derives of bytemuck write `unsafe impl`s, which its checks of the record types justify.
    let wrong = offences(source::tokens(&text)?, true);
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn banned_words_are_seen() -> Result<()> {
    let offences = |text| -> Result<Vec<String>> { Ok(offences(source::tokens(text)?, false)) };
    assert_eq!(offences("fn f(x: f32) -> f32 { x.sqrt() + (1.0f64 as f32) }")?, [".sqrt", "f64"]);
    assert_eq!(offences("fn f() { m!(x.mul_add(y, z)); panic!() }")?, ["mul_add", "panic!"]);
    assert_eq!(offences("fn f() { unsafe { g() } }")?, ["unsafe"]);
    let fine = "// f64\n fn f() { math::sqrt(x); h(\"unsafe\", row.length) } #[expect(dead_code)] #[cfg(test)] mod t { type F = f64; }";
    assert_eq!(offences(fine)?, [""; 0]);
    Ok(())
}
