//! A folder to run the command in.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

/// A folder of its own, and the command run in it.
pub struct Desk(pub TempDir);

impl Desk {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for what is written"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path(name), text).expect("the folder can be written");
        self
    }

    pub fn cloth(&self, words: &[&str]) -> Output {
        Command::new(cargo_bin!("cloth")).current_dir(self.0.path()).args(words).output().expect("it starts")
    }

    /// What a command that fails says.
    pub fn complaint(&self, words: &[&str]) -> String {
        let output = self.cloth(words);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        let said = text(&output.stderr);
        assert!(said.starts_with("error: ") && said.contains("\n  remedy: "), "{said}");
        said
    }
}

/// What was said.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
