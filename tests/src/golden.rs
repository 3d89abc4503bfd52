//! Goldens: scenes whose every tenth frame is known bit for bit. See golden/README.md.

use crate::contact;
use crate::narrow::to_f32;
use crate::physics;
use crate::workload::wind::{self, Weather};
use crate::workload::{Run, Spec, Workload, absurd, scenes, walk};
use anyhow::{Context as _, Result};
use cloth_core::collide::Collider;
use cloth_core::replay::{Recorder, Recording};
use cloth_core::step::Colliders;
use cloth_core::{Block, Model, StepInput, Target, Targets};
use cloth_host_replay::script::wave;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The goldens, by the names of their files.
pub const SCENES: [&str; 12] = [
    "sheet", "skirt", "chain", "rig", "absurd", "drape", "sweep", "walk", "pinch", "wind", "streamer",
    "flutter",
];

/// Frames from one fingerprint to the next.
const EVERY: u32 = 10;

/// A golden scene, `golden/<scene>.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Which divergence it is there to provoke.
    pub about: String,
    /// Frames to run.
    pub frames: u32,
    /// What runs.
    pub workload: Kind,
    /// Substeps and iterations, where they are not the workload's own.
    pub budget: Option<[u32; 2]>,
    /// Damping (1/s), where it is not the workload's own.
    pub damping: Option<f32>,
    /// Sideways sweep of the pins (m), half the way there and back, once a second.
    #[serde(default)]
    pub sway: f64,
}

/// The workload of a golden.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Kind {
    /// The sheet.
    Sheet {
        /// Particles along a side.
        side: usize,
    },
    /// The bundled skirt.
    Skirt,
    /// The hard chain.
    Chain {
        /// Links.
        links: usize,
        /// Mass of a particle (kg).
        mass: f64,
    },
    /// The tethered rig.
    Rig,
    /// An absurd cloth, its events included.
    Absurd {
        /// Which one.
        number: u64,
    },
    /// A free sheet over a ball on a floor.
    Drape {
        /// Particles along a side.
        side: usize,
    },
    /// A hung sheet, a limb that goes through it turning, and a wire that follows.
    Sweep {
        /// Particles along a side.
        side: usize,
    },
    /// A cape on a walker.
    Walk {
        /// Particles along a side.
        side: usize,
    },
    /// A rope whose lower half is in two boxes that overlap.
    Pinch,
    /// A banner in wind that turns and gusts, on an anchor that sets out.
    Wind {
        /// Particles along a side.
        side: usize,
    },
    /// A rope in the same.
    Streamer {
        /// Links.
        links: usize,
    },
    /// A flag with lift in steady wind.
    Flag {
        /// Particles along a row.
        columns: usize,
        /// Rows.
        rows: usize,
    },
}

/// What a scene is known to give, `golden/<scene>.golden.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// The model's fingerprint.
    pub model: String,
    /// Every tenth frame, in order.
    pub checkpoint: Vec<Checkpoint>,
}

/// One frame of a golden: the fingerprint decides, the scalars say by how much a difference is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The frame.
    pub frame: u32,
    /// The state's fingerprint.
    pub state: String,
    /// Largest relative change of an edge's length, to four digits.
    pub max_strain: f64,
    /// Kinetic energy (J), to four digits.
    pub kinetic_energy: f64,
    /// Height of the lowest vertex (m), to four digits.
    pub lowest: f64,
    /// Height of the mean vertex (m), to four digits.
    pub mean_height: f64,
}

/// Where a golden's files are.
fn file(scene: &str, extension: &str) -> PathBuf {
    scenes::workspace().join("golden").join(format!("{scene}.{extension}"))
}

/// Reads a scene.
///
/// # Errors
///
/// A missing file, or one that is no scene.
pub fn scene(name: &str) -> Result<Scene> {
    let path = file(name, "toml");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    toml::from_str(&text).with_context(|| path.display().to_string())
}

/// Reads what a scene is known to give; nothing where it was never blessed.
///
/// # Errors
///
/// A file that is no golden.
pub fn known(name: &str) -> Result<Option<Golden>> {
    let path = file(name, "golden.toml");
    match std::fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).map(Some).with_context(|| path.display().to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Replaces what a scene is known to give.
///
/// # Errors
///
/// A file that can't be written.
pub fn bless(name: &str, golden: &Golden) -> Result<()> {
    let path = file(name, "golden.toml");
    let head = "# Minted by `cargo run --release -p cloth-tests --bin bless`; see README.md. Don't edit.\n";
    let text = head.to_owned() + &toml::to_string(golden)?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())
}

impl Scene {
    /// The workload's spec.
    ///
    /// # Errors
    ///
    /// A missing mesh.
    pub fn spec(&self) -> Result<Spec> {
        let mut spec = match self.workload {
            Kind::Sheet { side } => scenes::sheet(side),
            Kind::Skirt => scenes::skirt()?.0,
            Kind::Chain { links, mass } => scenes::chain(links, mass),
            Kind::Rig => scenes::rig(),
            Kind::Absurd { number } => absurd::cloth(number).0,
            Kind::Drape { side } => contact::golden::drape(side),
            Kind::Sweep { side } => contact::golden::sweep(side),
            Kind::Walk { side } => walk::cape(side),
            Kind::Pinch => contact::jaws::rope(),
            Kind::Wind { side } => wind::banner(side),
            Kind::Streamer { links } => wind::rope(links),
            Kind::Flag { columns, rows } => wind::flag(columns, rows, 1.0),
        };
        if let Some([substeps, iterations]) = self.budget {
            spec = spec.budget(substeps, iterations);
        }
        if let Some(damping) = self.damping {
            spec = spec.damping(damping);
        }
        Ok(spec)
    }

    /// Runs a workload of this scene from its start.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn run(&self, workload: &Workload) -> Result<Golden> {
        self.run_on(workload, workload.model(), &mut workload.memory())
    }

    /// [`run`](Self::run) on a copy of the workload's model and in given memory.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn run_on<'w>(
        &self,
        workload: &'w Workload,
        model: Model<'w>,
        memory: &'w mut [Block],
    ) -> Result<Golden> {
        self.run_noting(workload.start_on(&model, memory)?, &mut None)
    }

    /// [`run`](Self::run), and a recording of every frame.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn record(&self, workload: &Workload) -> Result<(Golden, Recording)> {
        let mut memory = workload.memory();
        let run = workload.start(&mut memory)?;
        let mut recorder = Some(Recorder::new(&run.state)?);
        let golden = self.run_noting(run, &mut recorder)?;
        Ok((golden, recorder.context("there is a recorder")?.finish()?))
    }

    fn run_noting(&self, mut run: Run<'_>, recorder: &mut Option<Recorder>) -> Result<Golden> {
        let workload = run.workload;
        let mut random = match self.workload {
            Kind::Absurd { number } => Some(absurd::cloth(number).1),
            _ => None,
        };
        let mut checkpoint = Vec::new();
        for frame in 1..=self.frames {
            let event = random.as_mut().and_then(|random| absurd::event(&run.state, random, &workload.spec));
            if let Some(event) = event {
                event.happen(&mut run.state)?;
            }
            let records = self.colliders(frame)?;
            let targets = self.targets(workload, frame);
            let colliders = Colliders { records: &records, shapes: &[] };
            let mut input = StepInput { targets: Targets::Listed(&targets), colliders, ..workload.input() };
            let weather = match self.workload {
                Kind::Wind { .. } | Kind::Streamer { .. } => {
                    input.anchor = wind::anchor(frame);
                    wind::weather(workload, frame)
                }
                Kind::Flag { .. } => Weather::Uniform(wind::past_flag(8.0)),
                _ => Weather::None,
            };
            input.air = weather.air();
            if let Kind::Walk { .. } = self.workload {
                (input.anchor, input.gravity) = walk::anchor(frame);
            }
            run.step_with(&input)?;
            if let Some(recorder) = recorder {
                event.into_iter().for_each(|event| recorder.event(event));
                recorder.frame(&input, run.state.fingerprint());
            }
            if frame % EVERY == 0 {
                checkpoint.push(look(&run));
            }
        }
        Ok(Golden { model: run.state.model().fingerprint().to_string(), checkpoint })
    }

    /// Where the pins of a scene that moves them are after a frame.
    pub fn targets(&self, workload: &Workload, frame: u32) -> Vec<Target> {
        match self.workload {
            Kind::Pinch => contact::jaws::goals(),
            _ if self.sway > 0.0 => swayed(workload, self.sway * wave(frame, 60)),
            _ => Vec::new(),
        }
    }

    /// What the cloth meets in a frame.
    ///
    /// # Errors
    ///
    /// None.
    pub fn colliders(&self, frame: u32) -> Result<Vec<Collider>> {
        match self.workload {
            Kind::Drape { side } => contact::golden::ball_on_floor(side),
            Kind::Sweep { side } => contact::golden::limb_and_wire(side, frame),
            Kind::Walk { side } => walk::colliders(side, frame),
            Kind::Pinch => Ok(contact::jaws::jaws(-0.55, 0.08)?.to_vec()),
            _ => Ok(Vec::new()),
        }
    }

    /// Builds the workload and runs it.
    ///
    /// # Errors
    ///
    /// What builder or core object to.
    pub fn mint(&self) -> Result<Golden> {
        self.run(&self.spec()?.build()?)
    }
}

/// The goldens of these names; all of them where no name is given, or `all` is.
///
/// # Errors
///
/// A name that is no golden's.
pub fn chosen(names: &[String]) -> Result<Vec<&'static str>> {
    let all = names.is_empty() || names.iter().any(|name| name == "all");
    if let Some(wrong) = names.iter().find(|name| *name != "all" && !SCENES.contains(&name.as_str())) {
        anyhow::bail!("no golden is called {wrong:?}; there are {}", SCENES.join(", "));
    }
    Ok(SCENES.into_iter().filter(|scene| all || names.iter().any(|name| name == scene)).collect())
}

/// A golden as a replay file: every frame's fingerprint, those of the checkpoints as they were blessed.
///
/// # Errors
///
/// A scene that gives something else than it is known to.
pub fn replay(name: &str) -> Result<Vec<u8>> {
    let scene = scene(name)?;
    let known = known(name)?.with_context(|| format!("{name} was never blessed; see golden/README.md"))?;
    let (found, recording) = scene.record(&scene.spec()?.build()?)?;
    if let Some(difference) = difference(&known, &found) {
        anyhow::bail!("golden {name} differs, and no replay is made of it:\n{difference}");
    }
    Ok(recording.to_bytes())
}

fn swayed(workload: &Workload, by: f64) -> Vec<Target> {
    let target = |&vertex: &u32| {
        let [x, y, z] = workload.spec.shape.positions[vertex as usize];
        Target { vertex, position: [to_f32(f64::from(x) + by), y, z] }
    };
    workload.spec.pins.iter().map(target).collect()
}

fn look(run: &Run<'_>) -> Checkpoint {
    let positions = run.positions();
    let heights = || positions.iter().map(|x| x.y);
    Checkpoint {
        frame: run.frame,
        state: run.state.fingerprint().to_string(),
        max_strain: coarse(physics::strain(run.workload, &positions).worst),
        kinetic_energy: coarse(physics::energy(run).kinetic),
        lowest: coarse(heights().fold(f64::INFINITY, f64::min)),
        mean_height: coarse(crate::workload::mean(heights())),
    }
}

/// Four significant digits.
fn coarse(value: f64) -> f64 {
    format!("{value:.3e}").parse().expect("a number just printed")
}

/// How `found` differs from `expected`; nothing where it does not.
pub fn difference(expected: &Golden, found: &Golden) -> Option<String> {
    let mut text = String::new();
    if expected.model != found.model {
        let _ = writeln!(text, "the model is another one: {} was {}", found.model, expected.model);
    }
    let frames = |g: &Golden| g.checkpoint.iter().map(|c| c.frame).collect::<Vec<_>>();
    if frames(expected) != frames(found) {
        let _ = writeln!(text, "other frames: {:?} were {:?}", frames(found), frames(expected));
    }
    let pairs = || expected.checkpoint.iter().zip(&found.checkpoint);
    if let Some((was, is)) = pairs().find(|(was, is)| was.state != is.state) {
        let last = pairs().next_back().expect("there is a pair");
        let _ = writeln!(
            text,
            "first differs in frame {} or the {EVERY} before it: {} was {}",
            is.frame, is.state, was.state
        );
        for (when, (was, is)) in [("there", (was, is)), ("at the end", last)] {
            let _ = writeln!(text, "{when} (frame {}):", is.frame);
            for (name, was, is) in scalars(was, is) {
                let _ = writeln!(text, "  {name:<15} {is:>12.4e} was {was:>12.4e} ({:+.1e})", is - was);
            }
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The scalars of two checkpoints by name.
pub fn scalars(was: &Checkpoint, is: &Checkpoint) -> [(&'static str, f64, f64); 4] {
    [
        ("max strain", was.max_strain, is.max_strain),
        ("kinetic energy", was.kinetic_energy, is.kinetic_energy),
        ("lowest", was.lowest, is.lowest),
        ("mean height", was.mean_height, is.mean_height),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden(states: [&str; 3]) -> Golden {
        let checkpoint = |(i, state): (u32, &str)| Checkpoint {
            frame: 10 * (i + 1),
            state: state.into(),
            max_strain: 0.5,
            kinetic_energy: f64::from(i),
            lowest: -1.0,
            mean_height: 0.0,
        };
        Golden { model: "m".into(), checkpoint: (0..).zip(states).map(checkpoint).collect() }
    }

    #[test]
    fn a_difference_names_its_first_frame() {
        let expected = golden(["a", "b", "c"]);
        assert_eq!(difference(&expected, &expected), None);
        let text = difference(&expected, &golden(["a", "x", "y"])).unwrap();
        assert!(text.contains("frame 20"), "{text}");
        assert!(!text.contains("frame 10"), "{text}");
        let mut other = golden(["a", "b", "c"]);
        other.model = "n".into();
        assert!(difference(&expected, &other).unwrap().contains("n was m"));
    }
}
