//! Recording a run.

use super::command::{Command, Event, Switches};
use super::{HEADER_BLOCKS, Header, MAGIC, Replay, ReplayError, VERSION};
use crate::Fingerprint;
use crate::model::Block;
use crate::model::header::BYTE_ORDER;
use crate::state::{State, low_high};
use crate::step::StepInput;
use alloc::vec;
use alloc::vec::Vec;

/// Settings of a step that are written only where they change.
const SETTINGS: usize = 12;

/// Writes a replay while a cloth runs.
///
/// ```
/// use cloth_core::replay::{Event, Recorder, verify};
/// use cloth_core::{Block, ClothDynamics, Level, ModelBuilder, State, StepInput, Vec3, step};
///
/// let baked = ModelBuilder::chains(&[[0.0; 3], [0.1, 0.0, 0.0], [0.2, 0.0, 0.0]], &[u32::MAX, 0, 1]).pins(&[0]).build()?;
/// let model = baked.model();
/// let mut memory = vec![Block::default(); model.state_blocks()];
/// let mut state = State::seed(&model, &mut memory)?;
/// let dynamics = ClothDynamics::default();
/// let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics);
///
/// let mut recorder = Recorder::new(&state)?;
/// for frame in 1..=30 {
///     if frame == 10 {
///         let event = Event::Release { vertex: 0 };
///         event.happen(&mut state)?;
///         recorder.event(event);
///     }
///     step(&mut state, &input)?;
///     recorder.frame(&input, state.fingerprint());
/// }
/// let recording = recorder.finish()?;
///
/// // On any machine, in any lanes:
/// let verified = verify(&recording.replay()?, &mut memory, Level::SCALAR)?;
/// assert_eq!((verified.frames, verified.last.0 != 0), (30, true));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    /// Header, model and snapshot.
    blocks: Vec<Block>,
    stream: Vec<u32>,
    /// The last command of each setting, as words.
    last: [Vec<u32>; SETTINGS],
    header: Header,
}

impl Recorder {
    /// Begins where a state is: its model, and a snapshot where it is not as seeded.
    ///
    /// # Errors
    /// [`ReplayError::Start`] where the state is not what a snapshot may hold; no state that a step left is refused.
    pub fn new(state: &State<'_>) -> Result<Self, ReplayError> {
        let model = state.model();
        let mut blocks = vec![Block::default(); HEADER_BLOCKS];
        blocks.extend_from_slice(model.blocks());
        let mut memory = vec![Block::default(); model.state_blocks()];
        let seeded = State::seed(model, &mut memory).map_err(ReplayError::Start)?.fingerprint();
        let here = state.fingerprint();
        let mut snapshot = Vec::new();
        if here != seeded {
            snapshot.resize(model.snapshot_blocks(), Block::default());
            state.snapshot(&mut snapshot).map_err(ReplayError::Start)?;
            blocks.extend_from_slice(&snapshot);
        }
        let header = Header {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            version: VERSION,
            model_blocks: count(model.blocks().len())?,
            start_blocks: count(snapshot.len())?,
            start: low_high(here.0),
            ..Header::default()
        };
        Ok(Self { blocks, stream: Vec::new(), last: Default::default(), header })
    }

    /// Notes what happened to the state between two steps.
    pub fn event(&mut self, event: Event) {
        Command::Event(event).write(&mut self.stream);
    }

    /// Notes a step that was taken: what it was told, and the fingerprint it left.
    pub fn frame(&mut self, input: &StepInput<'_>, after: Fingerprint) {
        let StepInput {
            dt,
            gravity,
            air,
            anchor,
            targets,
            dynamics,
            colliders,
            layer,
            mask,
            most_substeps,
            faces,
            backstop_normals,
            sleep,
            escape,
            constants,
            level: _,
        } = *input;
        let settings: [Command; SETTINGS] = [
            Command::Dt(dt),
            Command::Gravity(gravity),
            Command::Air(air),
            Command::Anchor(anchor),
            Command::Dynamics(*dynamics),
            Command::Constants(constants),
            Command::Switches(Switches { layer, mask, most_substeps, faces, sleep }),
            Command::Escape(escape),
            Command::Colliders(colliders.records),
            Command::Shapes(colliders.shapes),
            Command::Targets(targets),
            Command::Normals(backstop_normals),
        ];
        for (setting, last) in settings.iter().zip(&mut self.last) {
            let mut now = Vec::new();
            setting.write(&mut now);
            if now != *last {
                self.stream.extend_from_slice(&now);
                *last = now;
            }
        }
        Command::Step(after).write(&mut self.stream);
        self.header.frames = self.header.frames.saturating_add(1);
    }

    /// The replay of everything noted.
    ///
    /// # Errors
    /// What [`Replay::from_blocks`] would object to: inputs or events that were refused when they were recorded, or more than
    /// 2³² words.
    pub fn finish(mut self) -> Result<Recording, ReplayError> {
        let (quads, rest) = self.stream.as_chunks::<4>();
        self.blocks.extend(quads.iter().map(|quad| Block(*quad)));
        if !rest.is_empty() {
            let mut last = Block::default();
            for (to, from) in last.0.iter_mut().zip(rest) {
                *to = *from;
            }
            self.blocks.push(last);
        }
        self.header.stream_words = count(self.stream.len())?;
        self.header.blocks = count(self.blocks.len())?;
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut self.blocks);
        for (to, from) in words.iter_mut().zip(bytemuck::cast_slice(&[self.header])) {
            *to = *from;
        }
        let recording = Recording { blocks: self.blocks };
        recording.replay()?;
        Ok(recording)
    }
}

fn count(length: usize) -> Result<u32, ReplayError> {
    u32::try_from(length).map_err(|_| ReplayError::Header)
}

/// A replay in memory of its own.
#[derive(Clone, Debug)]
pub struct Recording {
    blocks: Vec<Block>,
}

impl Recording {
    /// The replay, looked through.
    ///
    /// # Errors
    /// None: [`Recorder::finish`] has looked through it.
    pub fn replay(&self) -> Result<Replay<'_>, ReplayError> {
        Replay::from_blocks(&self.blocks)
    }

    /// The file form.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.blocks.iter().flat_map(|block| block.0).flat_map(u32::to_le_bytes).collect()
    }

    /// The replay's blocks, to be kept.
    pub fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }
}
