//! A small software rasteriser: which triangle is seen where, and how it is lit.

use glam::{Vec2, Vec3};

use super::camera::{Camera, Seen};
use super::colour;
use super::light::Light;
use super::picture::Picture;
use super::ribbon::{Air, Veil};

/// Samples along each side of a pixel.
const SAMPLES: usize = 3;
/// "No triangle": the ground or the sky is seen.
const NOTHING: u32 = u32::MAX;

/// Background at the top and at the bottom of a picture (sRGB).
const SKY: [[u8; 3]; 2] = [[0xf3, 0xf5, 0xf8], [0xd5, 0xdb, 0xe2]];
/// Ground near the cloth (sRGB).
const GROUND: [u8; 3] = [0xdf, 0xe2, 0xe6];
/// Grid lines on the ground (sRGB).
const GRID: [u8; 3] = [0xa9, 0xb3, 0xbf];
/// Pins (sRGB), and the ring round them.
const PIN: [[u8; 3]; 2] = [[0x1d, 0x24, 0x2e], [0xff, 0xff, 0xff]];

/// What all pictures of a motion share.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The camera.
    pub camera: Camera,
    /// Height of a picture (pixels).
    pub height: usize,
    /// Width of a picture (pixels).
    pub width: usize,
    /// Height of the ground (m).
    pub ground: f32,
    /// Where the motion is, on the ground (x, z) (m).
    pub centre: Vec2,
    /// How far it reaches from there (m).
    pub radius: f32,
    /// Distance of grid lines (m).
    pub grid: f32,
    /// Mean edge of the mesh (m): shadows on the cloth itself keep that coarse a distance.
    pub detail: f32,
}

/// The cloth and what it meets at one time.
#[derive(Clone, Debug)]
pub struct Pose<'a> {
    /// Vertex positions (m).
    pub positions: &'a [Vec3],
    /// Vertex normals.
    pub normals: &'a [Vec3],
    /// Triangles.
    pub triangles: &'a [[u32; 3]],
    /// How many of them throw shadows, the first ones: nothing that is seen is behind a plane, and a shadow map of all that
    /// is drawn of one would be coarse.
    pub casters: usize,
    /// Where the pins are (m).
    pub pins: &'a [Vec3],
    /// The air about it, which is drawn into the first picture alone: the others' colours mean something else.
    pub air: Option<Air<'a>>,
}

/// What one sample sees: a triangle, and the weights of its second and third corner.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    triangle: u32,
    weights: [f32; 2],
    /// As [`Seen::nearness`]; 0 of the ground and the sky.
    pub nearness: f32,
}

impl Sample {
    /// Whether it sees cloth or a solid.
    pub fn is_something(&self) -> bool {
        self.triangle != NOTHING
    }
}

/// What all samples of a picture see, row by row from the top.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Each sample.
    pub all: Vec<Sample>,
    /// Samples in a row.
    pub width: usize,
    /// Samples along a side of a pixel.
    pub scale: f32,
}

impl Samples {
    /// Samples that all see a wall at one nearness (1/m), or the sky at 0.
    #[cfg(test)]
    pub fn of(nearness: f32, width: usize, height: usize) -> Self {
        let triangle = if nearness > 0.0 { 0 } else { NOTHING };
        let sample = Sample { triangle, weights: [0.0; 2], nearness };
        let all = vec![sample; width * height * SAMPLES * SAMPLES];
        Self { all, width: width * SAMPLES, scale: SAMPLES as f32 }
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.all.len() / self.width.max(1)
    }
}

/// Calls `found` for every sample that a triangle covers, with its index, the corners' shares of its nearness, and their sum.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
pub fn cover(corners: [Seen; 3], width: usize, height: usize, mut found: impl FnMut(usize, [f32; 3], f32)) {
    let [a, b, c] = corners.map(|corner| Vec2::new(corner.x, corner.y));
    let area = (b - a).perp_dot(c - a);
    if area.abs() < 1e-9 {
        return;
    }
    let last = Vec2::new((width - 1) as f32, (height - 1) as f32);
    let low = (a.min(b).min(c) - 0.5).floor();
    let high = (a.max(b).max(c) - 0.5).ceil();
    if high.cmplt(Vec2::ZERO).any() || low.cmpgt(last).any() {
        return;
    }
    let (low, high) = (low.clamp(Vec2::ZERO, last), high.clamp(Vec2::ZERO, last));
    for y in low.y as usize..=high.y as usize {
        for x in low.x as usize..=high.x as usize {
            let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let u = (c - b).perp_dot(p - b) / area;
            let v = (a - c).perp_dot(p - c) / area;
            let w = 1.0 - u - v;
            if u < 0.0 || v < 0.0 || w < 0.0 {
                continue;
            }
            let shares = [u * corners[0].nearness, v * corners[1].nearness, w * corners[2].nearness];
            found(y * width + x, shares, shares[0] + shares[1] + shares[2]);
        }
    }
}

impl Stage {
    /// Draws a pose once for each list of vertex colours (linear light).
    pub fn draw<const N: usize>(&self, pose: &Pose<'_>, colours: [&[Vec3]; N]) -> [Picture; N] {
        let samples = self.visible(pose);
        let veil = pose.air.as_ref().map(|air| Veil::new(air, &self.camera, self.width, &samples));
        let towards = self.camera.direction(-0.45, 0.75, 0.6);
        let light =
            Light::new(towards, pose.positions, &pose.triangles[..pose.casters.min(pose.triangles.len())]);
        let fill = self.camera.direction(0.8, 0.15, 0.5);
        let (width, height) = (self.width, self.height);
        let mut pictures = [(); N].map(|()| Picture::new(width, height, [0; 3]));
        for y in 0..height {
            for x in 0..width {
                let mut sums = [Vec3::ZERO; N];
                for sub in 0..SAMPLES * SAMPLES {
                    let (sx, sy) = (x * SAMPLES + sub % SAMPLES, y * SAMPLES + sub / SAMPLES);
                    let index = sy * samples.width + sx;
                    let sample = samples.all[index];
                    // The samples of a pixel look at the shadow map in different places: soft edges.
                    let jitter = Vec2::new((sub % SAMPLES) as f32 - 1.0, (sub / SAMPLES) as f32 - 1.0) * 1.6;
                    let mut seen = if sample.is_something() {
                        let lit = self.lit(pose, sample, &light, fill, jitter);
                        colours.map(|colours| lit.of(mix(pose.triangles, sample, colours)))
                    } else {
                        [self.surroundings(sx, sy, &light, jitter); N]
                    };
                    if let (Some(veil), Some(first)) = (&veil, seen.first_mut()) {
                        *first = veil.over(index, *first);
                    }
                    sums.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += seen);
                }
                for (picture, sum) in pictures.iter_mut().zip(sums) {
                    picture.put_light(x, y, sum / (SAMPLES * SAMPLES) as f32);
                }
            }
        }
        for picture in &mut pictures {
            self.draw_pins(picture, pose.pins, &samples);
        }
        pictures
    }

    /// The nearest triangle of every sample.
    fn visible(&self, pose: &Pose<'_>) -> Samples {
        let (width, height) = (self.width * SAMPLES, self.height * SAMPLES);
        let empty = Sample { triangle: NOTHING, weights: [0.0; 2], nearness: 0.0 };
        let mut all = vec![empty; width * height];
        let seen: Vec<Seen> =
            pose.positions.iter().map(|point| self.camera.see(*point, SAMPLES as f32)).collect();
        for (triangle, corners) in (0..).zip(pose.triangles) {
            cover(corners.map(|vertex| seen[vertex as usize]), width, height, |at, shares, nearness| {
                let place = &mut all[at];
                if nearness > place.nearness {
                    let weights = [shares[1] / nearness, shares[2] / nearness];
                    *place = Sample { triangle, weights, nearness };
                }
            });
        }
        Samples { all, width, scale: SAMPLES as f32 }
    }

    fn lit(&self, pose: &Pose<'_>, sample: Sample, light: &Light, fill: Vec3, jitter: Vec2) -> Lit {
        let point = mix(pose.triangles, sample, pose.positions);
        let [a, b, c] =
            pose.triangles[sample.triangle as usize].map(|vertex| pose.positions[vertex as usize]);
        let view = (self.camera.eye - point).normalize_or(Vec3::Y);
        let inside = (b - a).cross(c - a).dot(view) < 0.0;
        let outward = mix(pose.triangles, sample, pose.normals).normalize_or(view);
        let normal = if inside { -outward } else { outward };

        // Flat triangles shade their own smooth normals in steps: asking a little off the surface hides them.
        let facing = normal.dot(light.direction);
        let off = 2.0 * light.cell_size() + self.detail * (0.12 + 0.3 * (1.0 - facing.clamp(0.0, 1.0)));
        let lamp = if facing > 0.0 { light.reaching(point + normal * off, jitter, 0.1 * off) } else { 0.0 };
        let key = facing.max(0.0) * lamp;
        let soft = normal.dot(fill).max(0.0);
        let sky = 0.5 + 0.5 * normal.y;
        let edge = 1.0 - normal.dot(view).clamp(0.0, 1.0);
        Lit {
            diffuse: Vec3::new(1.0, 0.97, 0.92) * (0.92 * key)
                + Vec3::new(0.80, 0.88, 1.0) * (0.20 * soft)
                + Vec3::new(0.26, 0.25, 0.26).lerp(Vec3::new(0.42, 0.45, 0.50), sky),
            rim: 0.10 * edge * edge * edge * (0.4 + 0.6 * sky),
            inside,
        }
    }

    /// The ground where there is some, the sky elsewhere.
    fn surroundings(&self, sx: usize, sy: usize, light: &Light, jitter: Vec2) -> Vec3 {
        let (width, height) = ((self.width * SAMPLES) as f32, (self.height * SAMPLES) as f32);
        let (x, y) = ((sx as f32 + 0.5) / width, (sy as f32 + 0.5) / height);
        let sky = colour::linear(SKY[0]).lerp(colour::linear(SKY[1]), y);
        let Some(hit) = self.ground_at(x, y) else { return sky };
        let reach = (Vec2::new(hit.x, hit.z) - self.centre).length() / self.radius;
        let fade = 1.0 - smooth((reach - 0.8) / 1.6);
        if fade <= 0.0 {
            return sky;
        }
        let across = self.ground_at(x + 1.0 / width, y).unwrap_or(hit);
        let down = self.ground_at(x, y + 1.0 / height).unwrap_or(hit);
        let line = |axis: usize| {
            let footprint = (across[axis] - hit[axis]).abs() + (down[axis] - hit[axis]).abs();
            let from_line = (hit[axis] / self.grid - (hit[axis] / self.grid).round()).abs() * self.grid;
            let cover = (1.5 - from_line / footprint.max(1e-9)).clamp(0.0, 1.0);
            cover * (1.0 - footprint / (0.25 * self.grid)).clamp(0.0, 1.0)
        };
        let floor = colour::linear(GROUND).lerp(colour::linear(GRID), 0.75 * line(0).max(line(2)));
        let lamp = light.reaching(hit, jitter * 2.5, 2.0 * light.cell_size());
        sky.lerp(floor * (0.55 + 0.45 * lamp), fade)
    }

    /// Where the ground is seen at a place in the picture (0…1).
    fn ground_at(&self, x: f32, y: f32) -> Option<Vec3> {
        let ray = self.camera.ray(x, y);
        let fall = self.ground - self.camera.eye.y;
        (fall < 0.0 && ray.y < -1e-6).then(|| self.camera.eye + ray * (fall / ray.y))
    }

    /// Dots on the pins that are not hidden.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "negative ones become 0; put ignores what is outside"
    )]
    fn draw_pins(&self, picture: &mut Picture, pins: &[Vec3], samples: &Samples) {
        let radius = (self.width as f32 / 260.0).clamp(0.9, 4.0);
        for pin in pins {
            let seen = self.camera.see(*pin, 1.0);
            let (sx, sy) = ((seen.x * SAMPLES as f32) as usize, (seen.y * SAMPLES as f32) as usize);
            let in_front = sx < self.width * SAMPLES
                && samples
                    .all
                    .get(sy * self.width * SAMPLES + sx)
                    .is_some_and(|there| seen.nearness * 1.01 >= there.nearness);
            if !in_front {
                continue;
            }
            for y in (seen.y - radius - 2.0) as usize..=(seen.y + radius + 2.0) as usize {
                for x in (seen.x - radius - 2.0) as usize..=(seen.x + radius + 2.0) as usize {
                    let distance = Vec2::new(x as f32 + 0.5 - seen.x, y as f32 + 0.5 - seen.y).length();
                    picture.blend(x, y, PIN[1], 0.5 * (radius + 1.0 - distance).clamp(0.0, 1.0));
                    picture.blend(x, y, PIN[0], (radius + 0.2 - distance).clamp(0.0, 1.0));
                }
            }
        }
    }
}

/// The light that falls on a sample.
struct Lit {
    diffuse: Vec3,
    rim: f32,
    inside: bool,
}

impl Lit {
    /// What a colour looks like in it. The inside of a cloth is shown a little darker.
    fn of(&self, colour: Vec3) -> Vec3 {
        let colour = if self.inside { colour * 0.72 } else { colour };
        // A rim of pure white would look like metal: most of it takes the cloth's colour.
        colour * (self.diffuse + self.rim) + 0.2 * self.rim
    }
}

/// A vertex value at a sample.
fn mix(triangles: &[[u32; 3]], sample: Sample, values: &[Vec3]) -> Vec3 {
    let [a, b, c] = triangles[sample.triangle as usize].map(|vertex| values[vertex as usize]);
    let [v, w] = sample.weights;
    a * (1.0 - v - w) + b * v + c * w
}

fn smooth(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::View;

    fn stage(points: &[Vec3]) -> Stage {
        let view = View { azimuth: 0.0, elevation: 20.0, tile: 60, ..View::default() };
        let (camera, height) = Camera::framing(&view, points.iter().copied());
        Stage {
            camera,
            height,
            width: 60,
            ground: -1.0,
            centre: Vec2::ZERO,
            radius: 2.0,
            grid: 0.5,
            detail: 0.1,
        }
    }

    /// Pixels in which one channel (0 red, 1 green) is more than twice the other.
    fn count(picture: &Picture, strong: usize, weak: usize) -> usize {
        let twice = |pixel: &&[u8]| u16::from(pixel[strong]) > 2 * u16::from(pixel[weak]);
        picture.rgb.chunks_exact(3).filter(twice).count()
    }

    #[test]
    fn the_nearer_triangle_hides_the_farther() {
        let square = |z: f32, half: f32| {
            [[-half, -half], [half, -half], [half, half], [-half, half]].map(|[x, y]| Vec3::new(x, y, z))
        };
        let positions: Vec<Vec3> = square(0.5, 0.8).into_iter().chain(square(-0.5, 0.8)).collect();
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let normals = vec![Vec3::Z; 8];
        let (red, green) = (colour::linear([200, 20, 20]), colour::linear([20, 200, 20]));
        let pose = Pose {
            positions: &positions,
            normals: &normals,
            triangles: &triangles,
            casters: 4,
            pins: &[],
            air: None,
        };
        let colours = [red, red, red, red, green, green, green, green];
        let [picture] = stage(&positions).draw(&pose, [&colours]);
        let (reds, greens) = (count(&picture, 0, 1), count(&picture, 1, 0));
        // Seen from 20° above, a strip of the farther square looks out over the nearer one.
        assert!(reds > 4 * greens && greens > 20, "{reds} red, {greens} green");
        // Another order of the triangles changes no pixel.
        let turned = [[4, 6, 7], [0, 2, 3], [4, 5, 6], [0, 1, 2]];
        let [again] = stage(&positions).draw(&Pose { triangles: &turned, ..pose }, [&colours]);
        assert_eq!(picture, again);
    }

    #[test]
    fn a_pin_is_drawn_where_it_is_seen_and_not_where_it_is_hidden() {
        let positions = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let white = [Vec3::ONE; 3];
        let picture = |pins: &[Vec3]| {
            let pose = Pose {
                positions: &positions,
                normals: &[Vec3::Z; 3],
                triangles: &[[0, 1, 2]],
                casters: 1,
                pins,
                air: None,
            };
            let [picture] = stage(&positions).draw(&pose, [&white]);
            picture
        };
        let bare = picture(&[]);
        assert!(picture(&[Vec3::new(0.0, 0.0, 0.0)]) != bare);
        assert_eq!(picture(&[Vec3::new(0.0, -0.5, -0.5)]), bare, "behind the cloth");
        assert_eq!(picture(&[Vec3::new(50.0, 0.0, 0.0)]), bare, "outside the picture");
    }
}
