//! `header`, `find-package`, `size`, `c-no-panic`, `c-no-libm`, `c-no-fma`: what the C library is and needs.

use super::targets::{self, Outcome, ask, summary};
use super::{Measurement, Out, Table, Verdict};
use crate::c_library::{self, Build};
use crate::no_panic::{HOOK, callers, is_foreign};
use crate::object::{disassembly, fused, output, symbols};
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;

/// The header.
pub const HEADER: Measurement = Measurement {
    name: "header",
    about: "cloth.h against what cbindgen makes of the source; cloth.h and cloth.hpp compiled alone, with the builders and without",
    bar: "alone as C99, C11, C++17, pedantic, no warning; no drift",
    uses_clock: false,
    run: header,
};

/// The packages.
pub const FIND_PACKAGE: Measurement = Measurement {
    name: "find-package",
    about: "the library and the one with the builders installed, moved, and used by a CMake and a pkg-config project outside, shared and static; and built within a project by FetchContent",
    bar: "outside CMake and pkg-config projects configure, link, run",
    uses_clock: false,
    run: package,
};

/// The size.
pub const SIZE: Measurement = Measurement {
    name: "size",
    about: "bytes of the default library: the shared one without symbols, what a program takes of the static one, and what a machine keeps of the whole on every target",
    bar: "stripped default shared library ≤ 300 KB; reported per target",
    uses_clock: false,
    run: size,
};

/// Panics of the library.
pub const C_NO_PANIC: Measurement = Measurement {
    name: "c-no-panic",
    about: "the C library with a panic handler that calls what exists nowhere, linked with a program that calls everything; on thumbv7em by `.ci/targets`, with all functions of the header",
    bar: "no panic path in the linked C program, on the host and on thumbv7em",
    uses_clock: false,
    run: no_panic,
};

/// What else the library needs.
pub const C_NO_LIBM: Measurement = Measurement {
    name: "c-no-libm",
    about: "undefined symbols of the shared library, and functions of libm, an allocator or panics within it",
    bar: "no libm symbol, no allocator symbol; nothing but C's memory functions",
    uses_clock: false,
    run: no_libm,
};

/// Fused multiply-add.
pub const C_NO_FMA: Measurement = Measurement {
    name: "c-no-fma",
    about: "the C library built for x86-64-v3 (elsewhere for the machine at hand), disassembled",
    bar: "no fused instruction",
    uses_clock: false,
    run: no_fma,
};

const LARGEST: u64 = 300_000;

fn header(out: &mut Out) -> Result<Verdict> {
    script("header", "no warning", 8, out)
}

fn package(out: &mut Out) -> Result<Verdict> {
    script("package", "the same", 11, out)
}

/// Runs a part of `cloth-ffi/check`, which says a certain thing a number of times where all is well.
fn script(part: &str, good: &str, times: usize, out: &mut Out) -> Result<Verdict> {
    // A directory of its own: cargo may be waiting for this very measurement with the usual one locked.
    let directory = c_library::directory()?;
    let tools = directory.join("../tools/bin");
    let mut command = Command::new(workspace().join("cloth-ffi/check"));
    let path = std::env::var("PATH").unwrap_or_default();
    command.arg(part).env("CARGO_TARGET_DIR", &directory).env("PATH", format!("{}:{path}", tools.display()));
    let done = command.output().context("running cloth-ffi/check")?;
    let said = String::from_utf8_lossy(&done.stdout);
    out.line(said.trim_end());
    if !done.status.success() {
        out.line(String::from_utf8_lossy(&done.stderr).trim_end());
    }
    let found = said.lines().filter(|line| line.ends_with(good)).count();
    let mut verdict = Verdict::new();
    verdict.check(format!("{found} of {times}: {good}"), done.status.success() && found == times);
    Ok(verdict)
}

fn size(out: &mut Out) -> Result<Verdict> {
    let shared = c_library::library(Build::Shared)?;
    let bytes = |path: &Path| -> Result<u64> { Ok(std::fs::metadata(path)?.len()) };
    let shared_size = bytes(&shared)?;
    let library = c_library::library(Build::Static)?;
    let program =
        c_library::program("environment", &library, &["-frounding-math", "-Wl,--gc-sections", "-s"])?;
    let mut table = Table::new(["what", "bytes"]);
    table.row(["shared library, stripped".to_owned(), shared_size.to_string()]);
    table.row(["a C program with the static one, stripped".to_owned(), bytes(&program)?.to_string()]);
    let mut verdict = Verdict::new();
    verdict.check(format!("{shared_size} bytes"), shared_size <= LARGEST);
    let text = ask(&targets::names()?.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (name, outcome) in summary(&text) {
        match outcome {
            Outcome::Same { bytes: Some(bytes), .. } => {
                table.row([format!("{name}, what a machine keeps"), bytes.to_string()]);
            }
            Outcome::Same { bytes: None, .. } => {}
            Outcome::Absent(remedy) => verdict.unmeasured(format!("{name} (first {remedy})")),
            Outcome::Failed => verdict.check(format!("{name} differs or fails"), false),
        }
    }
    out.table(&table);
    Ok(verdict)
}

fn no_panic(out: &mut Out) -> Result<Verdict> {
    let library = c_library::library(Build::Proving)?;
    let (mut command, program) = c_library::compile("misuse", &library, &["-Wl,--gc-sections"]);
    let linked = command.output().context("running the C compiler")?;
    let mut verdict = Verdict::new();
    if !linked.status.success() {
        let message = String::from_utf8_lossy(&linked.stderr);
        ensure!(message.contains(HOOK), "linking failed for another reason:\n{message}");
        // Once more with the missing function at address 0, to see who gets there.
        let forced = format!("-Wl,--gc-sections,--defsym={HOOK}=0");
        let (mut again, _) = c_library::compile("misuse", &library, &[&forced]);
        output(&mut again)?;
        for name in callers(&program, "rust_begin_unwind")? {
            out.line(format!("a panic is reachable from {name}"));
        }
        verdict.check("a panic is reachable", false);
        return Ok(verdict);
    }
    // Or it would prove nothing.
    let declared = calls_everything(&program, Functions::WithoutBuilders, &mut verdict)?;
    verdict.check(format!("it links without {HOOK}"), true);
    let text = ask(&["cortex-m4f"])?;
    if let Some((_, Outcome::Absent(remedy))) = summary(&text).first() {
        verdict.unmeasured(format!("thumbv7em (first {remedy})"));
    } else {
        let said = text.lines().find_map(|line| line.strip_prefix("cortex-m4f: no panic in "));
        let all = said.is_some_and(|said| said == format!("{declared} functions"));
        verdict.check(format!("thumbv7em: links with {}", said.unwrap_or("a panic")), all);
    }
    Ok(verdict)
}

/// Which functions of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Functions {
    /// Those that every library has.
    WithoutBuilders,
    /// And those of the builders.
    All,
}

/// Whether a program, linked without what it does not call, has all functions that the header declares; how many these are.
///
/// # Errors
/// A program or a header that cannot be read.
pub(super) fn calls_everything(program: &Path, which: Functions, verdict: &mut Verdict) -> Result<usize> {
    let there: Vec<String> =
        symbols(program)?.into_iter().filter(|s| s.defined && s.function).map(|s| s.name).collect();
    let text = std::fs::read_to_string(workspace().join("cloth-ffi/include/cloth.h"))?;
    let declared = declared(&text, which);
    let missing: Vec<&&str> = declared.iter().filter(|name| !there.iter().any(|s| s == **name)).collect();
    verdict.check(
        format!(
            "the program has {} of {} functions of the header {missing:?}",
            declared.len() - missing.len(),
            declared.len()
        ),
        missing.is_empty() && !declared.is_empty(),
    );
    Ok(declared.len())
}

/// The functions that the header declares.
fn declared(header: &str, which: Functions) -> Vec<&str> {
    let mut is_builder = false;
    let mut names = Vec::new();
    for line in header.lines() {
        match line {
            "#if defined(CLOTH_BAKE)" => is_builder = true,
            "#endif" => is_builder = false,
            _ if (!is_builder || which == Functions::All) && !line.starts_with([' ', '#', '}']) => {
                let name = line.split_once('(').and_then(|(before, _)| before.rsplit([' ', '*']).next());
                names.extend(name.filter(|name| name.starts_with("cloth_")));
            }
            _ => {}
        }
    }
    names
}

/// What the shared library may take from C.
const MEMORY: &[&str] = &["memcpy", "memmove", "memset", "memcmp", "bcmp"];
/// What every ELF library mentions, weakly, and works without.
const WEAK: &[&str] =
    &["__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize", ""];

fn no_libm(out: &mut Out) -> Result<Verdict> {
    // The stripped library has no names left within it; the program's are those of the same code.
    let shared = symbols(&c_library::library(Build::Shared)?)?;
    let undefined: Vec<&str> = shared.iter().filter(|s| !s.defined).map(|s| s.name.as_str()).collect();
    let taken: Vec<&&str> = undefined.iter().filter(|name| !WEAK.contains(name)).collect();
    out.line(format!("the shared library takes {taken:?}"));
    let strange: Vec<&&&str> = taken.iter().filter(|name| !MEMORY.contains(**name)).collect();
    let library = c_library::library(Build::Static)?;
    let program = c_library::program("environment", &library, &["-frounding-math", "-Wl,--gc-sections"])?;
    let within: Vec<String> =
        symbols(&program)?.into_iter().filter(|s| s.defined && is_foreign(s)).map(|s| s.name).collect();
    let mut verdict = Verdict::new();
    verdict.check(
        format!("{} symbols beyond C's memory functions {strange:?}", strange.len()),
        strange.is_empty(),
    );
    verdict.check(
        format!("{} functions of libm, an allocator or panics in a program {within:?}", within.len()),
        within.is_empty(),
    );
    Ok(verdict)
}

fn no_fma(out: &mut Out) -> Result<Verdict> {
    let library = c_library::library(Build::WithFma)?;
    let program = c_library::program("misuse", &library, &["-Wl,--gc-sections"])?;
    let text = disassembly("objdump", &program)?;
    let found = fused(&text);
    for name in &found {
        out.line(format!("fused in {name}"));
    }
    let instructions = text.lines().filter(|line| line.contains(":\t")).count();
    let mut verdict = Verdict::new();
    verdict.check(
        format!("{} functions with one, of {instructions} instructions", found.len()),
        found.is_empty(),
    );
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use super::{Functions, declared};

    #[test]
    fn functions_are_read_from_the_header() {
        let text = "typedef struct A {\n  uint32_t (*x);\n} A;\n#if defined(CLOTH_BAKE)\nClothStatus cloth_bake(int a);\n#endif\n\
                    const char *cloth_message(uint32_t n);\nClothStatus cloth_step(struct Cloth *cloth,\n                       int b);\n";
        assert_eq!(declared(text, Functions::WithoutBuilders), ["cloth_message", "cloth_step"]);
        assert_eq!(declared(text, Functions::All), ["cloth_bake", "cloth_message", "cloth_step"]);
    }
}
