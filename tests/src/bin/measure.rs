//! `measure`: runs the project's measurements and says what holds and what falls short.

use anyhow::{Context as _, Result};
use clap::Parser;
use cloth_tests::measure::{self, Child, Document, Measurement, Out};
use cloth_tests::workload::scenes::workspace;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

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
    /// Also write the sections of what is run in docs/measurements.md.
    #[arg(long)]
    markdown: bool,
    /// Leave out what only a clock decides.
    #[arg(long)]
    no_timing: bool,
    /// How many measurements run at a time, each in a process of its own.
    #[arg(long, default_value_t = 1, conflicts_with = "markdown")]
    jobs: usize,
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
    if arguments.jobs > 1 {
        return side_by_side(&chosen, arguments.jobs, &mut terminal);
    }
    let path = workspace().join("docs/measurements.md");
    let mut document = Document::parse(&std::fs::read_to_string(&path).unwrap_or_default());
    let mut all_hold = true;
    for m in &chosen {
        writeln!(terminal, "# {}: {}\n", m.name, m.about)?;
        let mut out = Out::new(&mut terminal);
        let verdict = (m.run)(&mut out).with_context(|| m.name.to_owned())?;
        let text = out.into_text();
        let last = format!("{}: {} (bar {}) {}", m.name, verdict.figure(), m.bar, verdict.word());
        writeln!(terminal, "{last}\n")?;
        document.set(m, &text, &last);
        all_hold &= verdict.stands();
    }
    if arguments.markdown {
        std::fs::write(&path, document.text(measure::ALL)).with_context(|| path.display().to_string())?;
        writeln!(terminal, "wrote {}", path.display())?;
    }
    Ok(all_hold)
}

/// Runs measurements in processes of their own, a few at a time, and prints what each said in the order they were asked for.
/// Those that build take turns, for they build in the same places.
fn side_by_side(chosen: &[&Measurement], jobs: usize, terminal: &mut impl std::io::Write) -> Result<bool> {
    let program = std::env::current_exe().context("finding this program")?;
    let builds = |i: &usize| measure::BUILDERS.contains(&chosen[*i].name);
    let (builders, others): (Vec<usize>, Vec<usize>) = (0..chosen.len()).partition(builds);
    let (queues, turn) = ([Queue::new(builders), Queue::new(others)], Mutex::new(()));
    let (send, said) = mpsc::channel();
    // One thread begins with the builders, the rest with the others, and whoever is done helps.
    let work = |first: usize, send: mpsc::Sender<(usize, std::io::Result<Output>)>| {
        for queue in [first, 1 - first] {
            while let Some(i) = queues[queue].next() {
                let guard = (queue == 0).then(|| turn.lock().unwrap_or_else(PoisonError::into_inner));
                let done = Command::new(&program).arg(chosen[i].name).stdin(Stdio::null()).output();
                drop(guard);
                if send.send((i, done)).is_err() {
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let (send, work) = (send.clone(), &work);
            scope.spawn(move || work(job.min(1), send));
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut all_hold = true;
        for (i, m) in chosen.iter().enumerate() {
            let done = loop {
                if let Some(done) = waiting.remove(&i) {
                    break done;
                }
                let (other, done) = said.recv().context("a thread of measurements ended")?;
                waiting.insert(other, done);
            };
            let done = done.with_context(|| m.name.to_owned())?;
            terminal.write_all(&done.stdout)?;
            std::io::stderr().write_all(&done.stderr)?;
            all_hold &= done.status.success();
        }
        Ok(all_hold)
    })
}

/// Numbers that threads take one by one.
struct Queue {
    all: Vec<usize>,
    taken: AtomicUsize,
}

impl Queue {
    fn new(all: Vec<usize>) -> Self {
        Self { all, taken: AtomicUsize::new(0) }
    }

    fn next(&self) -> Option<usize> {
        self.all.get(self.taken.fetch_add(1, Ordering::Relaxed)).copied()
    }
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
