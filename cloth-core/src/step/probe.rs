//! Watching single vertex updates, for this project's own measurements (feature `probe`). Watching changes
//! no bit; switching the pivot floor off, which only a measurement does, changes what happens.

use super::{Pass, vertex};
use crate::Vec3;
use crate::index::at;
use crate::model::Model;
use crate::row::{bend, skip, stretch};
use crate::state::fields::Fields;
use super::{StepError, StepInput, StepReport};
use crate::state::State;
