//! `gather`: how far a world looks for what a cloth may meet.

use super::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::library;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{Cloth, ClothCollider, Collider, Shape, Transform, World};

/// The margin of M§59.
pub const GATHER: Measurement = Measurement {
    name: "gather",
    about: "M§59's rope of eight links of 10 cm, hanging, and carried along by its anchor at 3 and 9 m/s: of six spheres, one at its tail and five 2 m \
            away, those gathered; and the widest gap between its box and a sphere that appears below it at which that is gathered",
    bar: "margin ≤ 2.2 cm, 1 of 6 colliders gathered; it grows with speed",
    uses_clock: false,
    run,
};

const RADIUS: f32 = 0.05;

/// A rope at a speed.
struct Carried {
    world: World,
    anchor: Entity,
    links: Vec<Entity>,
    speed: f64,
}

impl Carried {
    fn new(speed: f64) -> Result<Self> {
        let mut world = World::new();
        let cloth = Cloth { sleeps: false, ..Cloth::of(library::ROPE) };
        let anchor = world.spawn((Transform::at([0.0; 3]), cloth));
        let mut links = Vec::new();
        for _ in 0..8 {
            let above = links.last().copied().unwrap_or(anchor);
            links.push(world.attach(above, Transform::at([0.0, -0.1, 0.0])));
        }
        let mut carried = Self { world, anchor, links, speed };
        for _ in 0..240 {
            carried.tick()?;
        }
        Ok(carried)
    }

    fn tick(&mut self) -> Result<()> {
        self.world.entities_mut().get::<&mut Transform>(self.anchor)?.translation[0] += self.speed / 60.0;
        Ok(self.world.tick()?)
    }

    fn ball(&mut self, centre: [f64; 3]) -> Entity {
        let shape = Shape::Sphere { radius: RADIUS };
        self.world.spawn((Transform::at(centre), Collider::new(shape), ClothCollider::default()))
    }

    /// The lowest link.
    fn lowest(&self) -> Result<[f64; 3]> {
        let mut lowest = [f64::INFINITY; 3];
        for &link in &self.links {
            let place = self.world.entities().get::<&Transform>(link)?.translation;
            if place[1] < lowest[1] {
                lowest = place;
            }
        }
        Ok(lowest)
    }

    fn gathered(&self) -> Result<u32> {
        Ok(self.world.diagnostics(self.anchor).context("the rope lives")?.colliders)
    }

    /// Whether a sphere that appears at a gap below it is gathered.
    fn sees(&mut self, gap: f64) -> Result<bool> {
        let [x, y, z] = self.lowest()?;
        let ball = self.ball([x, y - gap - f64::from(RADIUS), z]);
        self.tick()?;
        let sees = self.gathered()? > 0;
        self.world.entities_mut().despawn(ball)?;
        self.tick()?;
        Ok(sees)
    }

    /// The widest gap that is seen, to 10 µm.
    fn margin(&mut self) -> Result<f64> {
        let (mut seen, mut unseen) = (0.0, 2.0);
        while unseen - seen > 1.0e-5 {
            let gap = 0.5 * (seen + unseen);
            if self.sees(gap)? {
                seen = gap;
            } else {
                unseen = gap;
            }
        }
        Ok(seen)
    }
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["speed (m/s)", "margin (mm)"]);
    let mut margins = Vec::new();
    for speed in [0.0, 3.0, 9.0] {
        let margin = Carried::new(speed)?.margin()?;
        table.row([speed.to_string(), format!("{:.1}", 1000.0 * margin)]);
        margins.push(margin);
    }
    out.table(&table);
    let mut rope = Carried::new(0.0)?;
    let [x, y, z] = rope.lowest()?;
    rope.ball([x + 0.06, y, z]);
    for i in 0..5 {
        let i = f64::from(i);
        rope.ball([x + 2.0 * (i - 2.0).signum(), y + 0.2 * i, z + 2.0]);
    }
    rope.tick()?;
    let gathered = rope.gathered()?;
    let mut verdict = Verdict::new();
    // A quarter more than the 15 mm of rope, and a fall's 2.7 mm.
    verdict.check(format!("margin {:.1} mm", 1000.0 * margins[0]), margins[0] <= 0.022);
    verdict.check(format!("{gathered} of 6 gathered"), gathered == 1);
    verdict.check("it grows with speed", margins.is_sorted_by(|a, b| a < b));
    Ok(verdict)
}
