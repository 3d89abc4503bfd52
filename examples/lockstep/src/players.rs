//! What two players do: buttons, and characters that walk by them.
//!
//! This is the game's own state. It is rolled back and it moves colliders, so the rules of cloth hold for it: `+ − × ÷ √` on `f64` and
//! nothing else. A sine of the system's library may have another last bit on another machine, and that is a desync.

use cloth_host::world::Transform;
use serde::{Deserialize, Serialize};

/// Players.
pub const PLAYERS: usize = 2;
/// Directions that a character can look in: a full turn.
pub const DIRECTIONS: u8 = 64;
/// Ticks of two paces, at a walk.
const STRIDE: u16 = 256;

/// What a player holds down. This is all that goes over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buttons(pub u8);

impl Buttons {
    /// Walk.
    pub const FORWARD: u8 = 1;
    /// Turn left.
    pub const LEFT: u8 = 2;
    /// Turn right.
    pub const RIGHT: u8 = 4;
    /// Walk faster.
    pub const RUN: u8 = 8;

    fn has(self, button: u8) -> bool {
        self.0 & button != 0
    }

    /// What a bot holds down in a frame: other buttons every 12 frames.
    pub fn of_bot(seed: u64, player: usize, frame: u64) -> Self {
        let which = (frame / 12) * PLAYERS as u64 + player as u64;
        let mut random = fastrand::Rng::with_seed(seed ^ which.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // Who only turns does not get anywhere.
        let often = if random.u8(..4) > 0 { Self::FORWARD } else { 0 };
        Self(random.u8(..16) | often)
    }
}

/// A character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Character {
    /// Where it stands: x and z (m).
    pub at: [f64; 2],
    /// Where it looks, of [`DIRECTIONS`]; 0 is along +Z.
    pub looks: u8,
    /// How fast it goes (m/s).
    pub speed: f64,
    /// Where its legs are, of [`STRIDE`].
    stride: u16,
}

impl Character {
    /// One that stands.
    pub fn new(at: [f64; 2], looks: u8) -> Self {
        Self { at, looks, speed: 0.0, stride: 0 }
    }

    /// One tick of 1/60 s.
    fn walk(&mut self, buttons: Buttons, directions: &Directions) {
        let turn =
            u8::from(buttons.has(Buttons::LEFT)) + (DIRECTIONS - u8::from(buttons.has(Buttons::RIGHT)));
        self.looks = (self.looks + turn) % DIRECTIONS;
        let wanted = match (buttons.has(Buttons::FORWARD), buttons.has(Buttons::RUN)) {
            (false, _) => 0.0,
            (true, false) => 1.4,
            (true, true) => 2.8,
        };
        // It takes a quarter of a second to set out and to stop.
        self.speed += (wanted - self.speed).clamp(-0.1, 0.1);
        let [sine, cosine] = directions.whole(self.looks);
        let way = self.speed / 60.0;
        self.at = [self.at[0] + way * sine, self.at[1] + way * cosine].map(|x| x.clamp(-ARENA, ARENA));
        let paces = match () {
            () if self.speed < 0.2 => 0,
            () if self.speed < 2.0 => 5,
            () => 8,
        };
        self.stride = (self.stride + paces) % STRIDE;
    }

    /// Where its shoulders are.
    pub fn shoulders(&self, directions: &Directions) -> Transform {
        let [sine, cosine] = directions.half(self.looks);
        Transform {
            translation: [self.at[0], 1.5, self.at[1]],
            rotation: [0.0, sine, 0.0, cosine],
            ..Transform::IDENTITY
        }
    }

    /// Where a leg is, seen from the shoulders: it swings about the hip.
    pub fn leg(&self, is_left: bool) -> Transform {
        // There and back, −64 to 64.
        let there = i32::from(self.stride);
        let swing = if there < 128 { there - 64 } else { 192 - there };
        let side = if is_left { 1.0 } else { -1.0 };
        // Half the angle's sine; the other half of the quaternion follows.
        let half = side * f64::from(swing) * (0.12 / 64.0);
        let cosine = (1.0 - half * half).sqrt();
        let [whole_sine, whole_cosine] = [2.0 * half * cosine, 1.0 - 2.0 * half * half];
        Transform {
            translation: [side * 0.09, -0.5 - 0.35 * whole_cosine, -0.35 * whole_sine],
            rotation: [half, 0.0, 0.0, cosine],
            ..Transform::IDENTITY
        }
    }
}

/// How far from its middle the world goes on (m).
const ARENA: f64 = 2.5;
/// How close two characters come (m).
const APART: f64 = 0.5;
/// How close they come to the pole in the middle (m).
const FROM_POLE: f64 = 0.35;

/// One tick of all of them.
pub fn walk(characters: &mut [Character; PLAYERS], buttons: [Buttons; PLAYERS], directions: &Directions) {
    for (character, buttons) in characters.iter_mut().zip(buttons) {
        character.walk(buttons, directions);
    }
    let [a, b] = characters;
    // Each gives way by half.
    let [x, z] = out_of(b.at, a.at, APART).map(|way| 0.5 * way);
    a.at = [a.at[0] - x, a.at[1] - z];
    b.at = [b.at[0] + x, b.at[1] + z];
    for character in characters {
        let [x, z] = out_of(character.at, [0.0; 2], FROM_POLE);
        character.at = [character.at[0] + x, character.at[1] + z];
    }
}

/// The way that leads straight from `other` until `least` away; along X for who stands in it.
fn out_of(at: [f64; 2], other: [f64; 2], least: f64) -> [f64; 2] {
    let (x, z) = (at[0] - other[0], at[1] - other[1]);
    let distance = (x * x + z * z).sqrt();
    let missing = (least - distance).max(0.0);
    if distance > 1e-3 { [x / distance * missing, z / distance * missing] } else { [missing, 0.0] }
}

/// Sines and cosines of the directions, by halving a right angle and by turning on from there: no sine is asked of a library.
#[derive(Clone, Debug)]
pub struct Directions {
    /// Of half the angles.
    half: Vec<[f64; 2]>,
}

impl Directions {
    /// The table.
    pub fn new() -> Self {
        let steps = u32::from(DIRECTIONS) * 2;
        let (mut sine, mut cosine) = (1.0_f64, 0.0_f64);
        for _ in 0..(steps / 4).ilog2() {
            let half = f64::midpoint(1.0, cosine).sqrt();
            (sine, cosine) = (sine / (2.0 * half), half);
        }
        let mut half = vec![[0.0, 1.0]];
        for step in 1..usize::from(DIRECTIONS) {
            let [s, c] = half[step - 1];
            half.push([s * cosine + c * sine, c * cosine - s * sine]);
        }
        Self { half }
    }

    /// Sine and cosine of half the angle.
    fn half(&self, looks: u8) -> [f64; 2] {
        self.half[usize::from(looks % DIRECTIONS)]
    }

    /// Sine and cosine of the angle.
    fn whole(&self, looks: u8) -> [f64; 2] {
        let [sine, cosine] = self.half(looks);
        [2.0 * sine * cosine, cosine * cosine - sine * sine]
    }
}

impl Default for Directions {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_sine() {
        let directions = Directions::new();
        for looks in 0..DIRECTIONS {
            let angle = std::f64::consts::TAU * f64::from(looks) / f64::from(DIRECTIONS);
            let [sine, cosine] = directions.whole(looks);
            assert!((sine - angle.sin()).abs() < 1e-13 && (cosine - angle.cos()).abs() < 1e-13, "{looks}");
        }
    }

    #[test]
    fn who_meets_another_gives_way() {
        let directions = Directions::new();
        let mut characters = [Character::new([1.0, -1.0], 0), Character::new([1.0, 1.0], DIRECTIONS / 2)];
        for _ in 0..240 {
            walk(&mut characters, [Buttons(Buttons::FORWARD); 2], &directions);
        }
        let [a, b] = characters.map(|character| character.at[1]);
        assert!(b - a > 0.9 * APART && b - a < 1.1 * APART, "{a} {b}");
    }
}
