//! `measure`: runs the project's measurements and says what holds and what falls short.

use anyhow::{Context as _, Result};
use clap::Parser;
use cloth_tests::measure::{self, Child, Measurement, Out};
use cloth_tests::workload::scenes::workspace;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Runs named measurements: a table each, and at last whether it holds its bar.
///
/// Exits with 1 where one falls short, 2 where one could not be run.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The measurements to run; all of them without a name.
    names: Vec<String>,
    /// List the measurements and their bars.
    #[arg(long)]
    list: bool,
    /// Also write docs/measurements.md, from the measurements run.
    #[arg(long)]
    markdown: bool,
    /// Leave out what only a clock decides.
    #[arg(long)]
    no_timing: bool,
    /// Be the process another measurement observes from outside.
    #[arg(long, hide = true, value_name = "WHAT")]
    workload: Option<Child>,
    /// Where the observed process finds its state.
    #[arg(long, hide = true)]
    state: Option<std::path::PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "measure: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let mut terminal = std::io::stdout();
    if let Some(workload) = arguments.workload {
        measure::child(workload, arguments.state.as_deref(), &mut terminal)?;
        return Ok(true);
    }
    let chosen = choose(arguments)?;
    if arguments.list {
        for m in &chosen {
            writeln!(terminal, "{:<14} {}\n{:<14} bar: {}", m.name, m.about, "", m.bar)?;
        }
        return Ok(true);
    }
    let mut document = String::from(HEAD);
    let mut all_hold = true;
    for m in &chosen {
        writeln!(terminal, "# {}: {}\n", m.name, m.about)?;
        let mut out = Out::new(&mut terminal);
        let verdict = (m.run)(&mut out).with_context(|| m.name.to_owned())?;
        let text = out.into_text();
        let last = format!("{}: {} (bar {}) {}", m.name, verdict.figure(), m.bar, verdict.word());
        writeln!(terminal, "{last}\n")?;
        write!(document, "\n## {}\n\n{}.\n\n{}\n\n{last}\n", m.name, m.about, text.trim_end())?;
        all_hold &= verdict.stands();
    }
    if arguments.markdown {
        let path = workspace().join("docs/measurements.md");
        std::fs::create_dir_all(workspace().join("docs"))?;
        std::fs::write(&path, document).with_context(|| path.display().to_string())?;
        writeln!(terminal, "wrote {}", path.display())?;
    }
    Ok(all_hold)
}

fn choose(arguments: &Arguments) -> Result<Vec<&'static Measurement>> {
    let mut chosen = Vec::new();
    for name in &arguments.names {
        chosen.push(measure::find(name).map_err(|near| {
            let hint =
                if near.is_empty() { "see --list".into() } else { format!("near it: {}", near.join(", ")) };
            anyhow::anyhow!("no measurement is called {name:?}; {hint}")
        })?);
    }
    if arguments.names.is_empty() {
        chosen.extend(measure::ALL);
    }
    chosen.retain(|m| !(arguments.no_timing && m.uses_clock));
    Ok(chosen)
}

/// The head of docs/measurements.md.
const HEAD: &str = "\
# Measurements

What the solver does, measured. Made by

```sh
cargo run --release -p cloth-tests --bin measure -- --markdown
```

which writes this file anew; don't edit it. A figure in bold falls short of its bar. Strains and energies are
computed in f64 from positions and velocities. Instruction counts depend on the compiler, and the skirts on the platform's
sine and cosine; every other figure is the same on every machine. What is marked (oracle) shows the vertex solver of `tests/src/oracle`, which the
record was measured on, and not the product's step. Rn is a case of the record's list (`tests/cases/README.md` and
`tests/tests/cases.rs` hold those of this version). The workloads are described in `tests/src/workload/`.
";
