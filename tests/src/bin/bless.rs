//! `bless`: replaces what golden scenes are known to give, and prints old and new.

use anyhow::Result;
use clap::Parser;
use cloth_tests::golden::{self, Golden};
use std::io::Write;
use std::process::ExitCode;

/// Runs golden scenes and writes down what they give now. Do this only when results were meant to change, and
/// say why in CHANGELOG.md under "Simulation results".
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Scenes to bless, or `all`.
    #[arg(required = true)]
    scenes: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "bless: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut out = std::io::stdout();
    for name in golden::chosen(&arguments.scenes)? {
        let found = golden::scene(name)?.mint()?;
        match golden::known(name)? {
            None => {
                writeln!(out, "{name}: new")?;
                print(&mut out, &found)?;
            }
            Some(known) => match golden::difference(&known, &found) {
                None => {
                    writeln!(out, "{name}: unchanged")?;
                    continue;
                }
                Some(difference) => {
                    writeln!(out, "{name}: changed\n{difference}old:")?;
                    print(&mut out, &known)?;
                    writeln!(out, "new:")?;
                    print(&mut out, &found)?;
                }
            },
        }
        golden::bless(name, &found)?;
    }
    Ok(())
}

fn print(out: &mut impl Write, golden: &Golden) -> Result<()> {
    writeln!(out, "  model {}", golden.model)?;
    for c in &golden.checkpoint {
        let scalars = golden::scalars(c, c).map(|(name, value, _)| format!("{name} {value:.3e}"));
        writeln!(out, "  frame {:>4} {} {}", c.frame, c.state, scalars.join(", "))?;
    }
    Ok(())
}
