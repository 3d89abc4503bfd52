//! The library that C links: how it is built, and C programs that are linked with it.

use crate::object::{output, target_directory};
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result};
use cloth_core::Model;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to build the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// As it is shipped, to be linked.
    Static,
    /// As it is shipped, to be loaded, without symbols that nobody asks for.
    Shared,
    /// Its panic handler calls what exists nowhere: what links cannot panic.
    Proving,
    /// As `Proving`, for processors that could fuse (x86-64-v3; elsewhere the target's own).
    WithFma,
    /// Rust's code under the address sanitizer too, by a switch that stable compilers keep for themselves; on other machines
    /// than x86-64 Linux it is `Static`.
    Sanitised,
    /// As `Sanitised`, with the builders, which bring std and unwind.
    SanitisedBuilders,
}

impl Build {
    /// What is built, and how.
    fn command(self, cargo: &mut Command) {
        let (features, kind) = match self {
            Self::Static | Self::Sanitised => ("standalone", "staticlib"),
            Self::Shared => ("standalone", "cdylib"),
            Self::Proving | Self::WithFma => ("prove", "staticlib"),
            Self::SanitisedBuilders => ("bake", "staticlib"),
        };
        cargo.args(["--profile", self.profile()]);
        cargo.args(["--features", features, "--crate-type", kind]);
        match self {
            Self::WithFma if cfg!(target_arch = "x86_64") => {
                _ = cargo.env("RUSTFLAGS", "-Ctarget-cpu=x86-64-v3");
            }
            Self::Sanitised | Self::SanitisedBuilders if SANITIZER => {
                cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Zsanitizer=address");
                cargo.args(["--target", TARGET]);
            }
            Self::Shared => _ = cargo.args(["--", "-Cstrip=symbols"]),
            _ => {}
        }
    }

    /// Where the library lies in a target directory.
    fn file(self) -> PathBuf {
        let name = if self == Self::Shared { "libcloth_ffi.so" } else { "libcloth_ffi.a" };
        let is_sanitised = matches!(self, Self::Sanitised | Self::SanitisedBuilders);
        let target = if is_sanitised && SANITIZER { TARGET } else { "" };
        Path::new(target).join(self.profile()).join(name)
    }

    /// What libraries without std are built as does not unwind.
    fn profile(self) -> &'static str {
        if self == Self::SanitisedBuilders { "release" } else { "standalone" }
    }
}

/// Whether Rust's own code can be built with the sanitizer here.
const SANITIZER: bool = cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"));
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the library.
///
/// # Errors
/// A build that fails.
pub fn library(build: Build) -> Result<PathBuf> {
    // A directory of its own: cargo may be waiting for this very measurement with the usual one locked. What the compiler is told
    // otherwise needs another; the rest share core, and take turns with what comes of it.
    let target = match build {
        Build::WithFma | Build::Sanitised | Build::SanitisedBuilders => {
            directory()?.join(format!("{build:?}").to_lowercase())
        }
        Build::Static | Build::Shared | Build::Proving => directory()?,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace());
    command.args(["rustc", "--locked", "--quiet", "-p", "cloth-ffi", "--target-dir"]);
    command.arg(&target);
    build.command(&mut command);
    output(&mut command).with_context(|| format!("building cloth-ffi, {build:?}"))?;
    Ok(target.join(build.file()))
}

/// Where libraries, programs and models of these measurements lie.
///
/// # Errors
/// A directory that cannot be made.
pub fn directory() -> Result<PathBuf> {
    let directory = target_directory()?.join("c_library");
    std::fs::create_dir_all(&directory).with_context(|| format!("making {}", directory.display()))?;
    Ok(directory)
}

/// A command of the C compiler in strict C11 that compiles a program of `cloth-ffi/tests/c` and links it with a library, beside
/// which it will lie.
#[must_use]
pub fn compile(name: &str, library: &Path, more: &[&str]) -> (Command, PathBuf) {
    let program = library.with_file_name(name);
    let ffi = workspace().join("cloth-ffi");
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g"]).args(more);
    command.arg("-I").arg(ffi.join("include")).arg(ffi.join("tests/c").join(name).with_extension("c"));
    // What std asks for; a library without it takes nothing of them.
    command.arg(library).args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program);
    (command, program)
}

/// Compiles and links a program of `cloth-ffi/tests/c`.
///
/// # Errors
/// A compiler that refuses.
pub fn program(name: &str, library: &Path, more: &[&str]) -> Result<PathBuf> {
    let (mut command, program) = compile(name, library, more);
    output(&mut command).with_context(|| format!("compiling {name}.c"))?;
    Ok(program)
}

/// Writes a model's file form.
///
/// # Errors
/// A file that cannot be written.
pub fn write_model(name: &str, model: &Model<'_>) -> Result<PathBuf> {
    let mut bytes = vec![0; model.byte_len()];
    model.save(&mut bytes)?;
    write_file(&format!("{name}.cloth"), &bytes)
}

/// Writes a file that a C program reads.
///
/// # Errors
/// A file that cannot be written.
pub fn write_file(name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = directory()?.join(name);
    std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}
