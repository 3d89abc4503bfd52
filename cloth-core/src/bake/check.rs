//! Properties of what is built, tried on random meshes and chains by checks that share no code with the builder.

mod aggregates;
mod stencils;
mod validation;

use super::parts::Parts;
use super::{BuildError, BuildReport, ModelBuilder, Note, Repair, inspect};
use crate::index::{NONE, len32};
use crate::row::stretch::StretchRow;
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;
use proptest::sample::select;

#[derive(Clone, Debug)]
struct Mesh {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// `columns` × `rows` vertices in the xz plane, 1 apart, each quad cut along the diagonal that `cuts` says.
    /// With `closed` the last column is joined to the first.
    fn grid(columns: u32, rows: u32, cuts: u64, closed: bool) -> Self {
        let mut mesh = Self { positions: vec![], triangles: vec![] };
        for row in 0..rows {
            mesh.positions.extend((0..columns).map(|column| [column as f32, 0.0, row as f32]));
        }
        for row in 0..rows - 1 {
            for column in 0..columns - u32::from(!closed) {
                let next = (column + 1) % columns;
                let [a, b] = [row * columns + column, row * columns + next];
                let [c, d] = [a + columns, b + columns];
                let cut = cuts.rotate_right(row * columns + column) & 1 == 0;
                mesh.triangles.extend(if cut { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] });
            }
        }
        mesh
    }

    fn map(mut self, place: impl Fn([f32; 3]) -> [f32; 3]) -> Self {
        self.positions.iter_mut().for_each(|p| *p = place(*p));
        self
    }

    fn builder(&self) -> ModelBuilder {
        ModelBuilder::mesh(&self.positions, &self.triangles)
    }

    fn corners(&self, triangle: &[u32; 3]) -> [[f32; 3]; 3] {
        triangle.map(|vertex| self.positions[vertex as usize])
    }

    fn soup(&self) -> Vec<[f32; 3]> {
        self.triangles.iter().flat_map(|triangle| self.corners(triangle)).collect()
    }

    /// The same mesh with its vertices in the order in which the triangles first name them.
    fn renumbered(&self) -> Self {
        let mut named: Vec<u32> = vec![];
        let mut number = |vertex: u32| {
            if !named.contains(&vertex) {
                named.push(vertex);
            }
            named.iter().position(|seen| *seen == vertex).map_or(NONE, |place| place as u32)
        };
        let triangles = self.triangles.iter().map(|corners| corners.map(&mut number)).collect();
        let positions = named.iter().map(|vertex| self.positions[*vertex as usize]).collect();
        Self { positions, triangles }
    }

    /// Area by f64 (m²).
    fn area(&self) -> f64 {
        let area = |triangle: &[u32; 3]| {
            let [a, b, c] = self.corners(triangle).map(|p| p.map(f64::from));
            let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            0.5 * normal.map(|x| x * x).iter().sum::<f64>().sqrt()
        };
        self.triangles.iter().map(area).sum()
    }
}

fn meshes() -> impl Strategy<Value = Mesh> {
    let size = select(vec![1e-5_f32, 0.02, 1.0, 1e4]);
    (2_u32..9, 2_u32..9, any::<u64>(), any::<bool>(), size, any::<u64>()).prop_map(
        |(columns, rows, cuts, closed, size, noise)| {
            // A closed ring of two quads would have edges with four triangles.
            let mesh = Mesh::grid(columns, rows, cuts, closed && columns > 2);
            let shake = |salt: u64, at: [f32; 3]| {
                let place = (at[0] * 31.0 + at[2] * 7.0) as u64 + salt;
                (noise.wrapping_mul(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 40) as f32
                    / 16_777_216.0
                    - 0.5
            };
            mesh.map(|p| {
                [p[0] + 0.4 * shake(0, p), 0.6 * shake(1, p), p[2] + 0.4 * shake(2, p)].map(|x| x * size)
            })
        },
    )
}

/// Parents of a forest, each below its child or none.
fn forests() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 1..40).prop_map(|draws| {
        let parent =
            |(child, draw): (usize, &u32)| if child < 2 || draw % 9 == 0 { 0 } else { draw % child as u32 };
        [vec![NONE], draws.iter().enumerate().map(|(i, draw)| parent((i + 1, draw))).collect()].concat()
    })
}

fn built(builder: ModelBuilder) -> (Parts, BuildReport) {
    builder.parts().unwrap_or_else(|error| panic!("{error}"))
}

/// Distances to the nearest pin by relaxing every row until nothing changes (Bellman and Ford).
fn relaxed(parts: &Parts) -> Vec<f32> {
    let mut distance: Vec<f32> =
        parts.reach.iter().map(|reach| if reach.is_pin() { 0.0 } else { f32::INFINITY }).collect();
    loop {
        let before = distance.clone();
        for row in &parts.rows.stretch {
            for (from, to) in [(row.a, row.b), (row.b, row.a)] {
                let by_row = distance[from as usize] + row.rest;
                if by_row < distance[to as usize] {
                    distance[to as usize] = by_row;
                }
            }
        }
        if distance == before {
            return distance;
        }
    }
}

fn is_sorted_strictly<K: PartialOrd>(keys: impl Iterator<Item = K>) -> bool {
    keys.is_sorted_by(|one, next| one < next)
}

proptest! {
    #[test]
    fn rows_of_meshes_are_sorted(mesh in meshes(), pins in prop::collection::vec(0_u32..4, 0..3)) {
        let (parts, report) = built(mesh.builder().pins(&pins));
        prop_assert!(is_sorted_strictly(parts.rows.stretch.iter().map(|row| (row.a, row.b))));
        prop_assert!(is_sorted_strictly(parts.rows.hinges.iter().map(|row| row.p)));
        prop_assert!(parts.rows.stretch.iter().all(|row| row.a < row.b) && parts.rows.hinges.iter().all(|row| row.p[0] < row.p[1]));
        // Each triangle has three sides, hinges stand on two of them and the boundary on one.
        let facts = inspect(&mesh.positions, &mesh.triangles, None);
        let boundary: usize = facts.boundary_loops.iter().map(Vec::len).sum();
        prop_assert_eq!(3 * facts.triangles, 2 * report.hinge_rows + boundary as u32);
        prop_assert_eq!(facts.edges, report.stretch_rows);
        prop_assert_eq!(report.hinge_rows + boundary as u32, report.stretch_rows);
        for vertex in 0..report.vertices {
            let particle = parts.particle_of[vertex as usize];
            prop_assert_eq!(parts.source_of[particle as usize], vertex);
            prop_assert_eq!(parts.particles[particle as usize].rest, mesh.positions[vertex as usize]);
        }
        mesh.builder().pins(&pins).build().map_err(|error| TestCaseError::fail(alloc::format!("{error}")))?;
    }

    #[test]
    fn rows_of_chains_are_sorted(parents in forests()) {
        let positions: Vec<[f32; 3]> =
            (0..parents.len()).map(|i| [i as f32, (i * i % 7) as f32, (i * i % 5) as f32]).collect();
        let (parts, report) = built(ModelBuilder::chains(&positions, &parents).pins(&[0]));
        prop_assert!(is_sorted_strictly(parts.rows.stretch.iter().map(|row| (row.a, row.b))));
        prop_assert!(is_sorted_strictly(parts.rows.skip.iter().map(|row| (row.a, row.b))));
        let with_grandparent = parents.iter().filter(|&&p| p != NONE && parents[p as usize] != NONE).count();
        prop_assert_eq!(report.skip_rows as usize, with_grandparent);
        prop_assert_eq!(report.stretch_rows as usize, parents.iter().filter(|&&p| p != NONE).count());
    }

    #[test]
    fn masses_sum_to_density_times_area(mesh in meshes(), density in 0.01_f32..2.0) {
        let (parts, _) = built(mesh.builder().areal_density(density));
        let total: f64 = parts.particles.iter().map(|particle| f64::from(particle.mass)).sum();
        let expected = f64::from(density) * mesh.area();
        prop_assert!((total / expected - 1.0).abs() < 1e-5, "{total} for {expected}");
    }

    #[test]
    fn the_order_of_triangles_and_pins_changes_nothing(
        (mesh, shuffled) in meshes().prop_flat_map(|mesh| {
            let triangles = Just(mesh.triangles.clone()).prop_shuffle();
            (Just(mesh), triangles)
        }),
        turns in prop::collection::vec(0_usize..3, 1..8),
        (pins, other_pins) in Just(vec![0_u32, 1, 2, 3]).prop_flat_map(|pins| (Just(pins.clone()), Just(pins).prop_shuffle())),
    ) {
        let mut other = Mesh { positions: mesh.positions.clone(), triangles: shuffled };
        for (triangle, turn) in other.triangles.iter_mut().zip(turns.iter().cycle()) {
            triangle.rotate_left(*turn);
        }
        let one = mesh.builder().pins(&pins).build().map(|baked| baked.blocks);
        let two = other.builder().pins(&other_pins[..2]).pins(&other_pins).build().map(|baked| baked.blocks);
        prop_assert_eq!(one, two);
    }

    #[test]
    fn reach_is_the_shortest_row_and_the_nearest_pin(mesh in meshes(), pin in 0_u32..4) {
        let (parts, _) = built(mesh.builder().pins(&[pin, 0]));
        let distances = relaxed(&parts);
        for (reach, particle) in parts.reach.iter().zip(0_u32..) {
            let touching = parts.rows.stretch.iter().filter(|row| row.a == particle || row.b == particle);
            let shortest = touching.map(|row| row.rest).fold(f32::INFINITY, |a, b| if b < a { b } else { a });
            prop_assert_eq!(reach.shortest_row, shortest);
            prop_assert_eq!(reach.geodesic, distances[particle as usize]);
            prop_assert_eq!(reach.is_tethered(), !reach.is_pin());
            prop_assert!(parts.reach[reach.pin as usize].is_pin());
        }
        let (loose, _) = built(mesh.builder().pins(&[pin]).tethers(false));
        prop_assert!(loose.reach.iter().all(|reach| !reach.is_tethered()));
    }

    #[test]
    fn a_welded_soup_is_the_indexed_mesh(mesh in meshes()) {
        let mesh = mesh.renumbered();
        let (indexed, _) = built(mesh.builder().pins(&[0]));
        let (welded, report) = built(ModelBuilder::triangle_soup(&mesh.soup()).weld(0.0).pins(&[0]));
        prop_assert_eq!(report.vertices as usize, 3 * mesh.triangles.len());
        prop_assert_eq!(&welded.particles, &indexed.particles);
        prop_assert_eq!(&welded.rows.stretch, &indexed.rows.stretch);
        prop_assert_eq!(&welded.rows.hinges, &indexed.rows.hinges);
        prop_assert_eq!(&welded.reach, &indexed.reach);
        let corners = mesh.triangles.as_flattened().iter();
        let through_index: Vec<u32> = corners.map(|vertex| indexed.particle_of[*vertex as usize]).collect();
        prop_assert_eq!(&welded.particle_of, &through_index);
    }

    #[test]
    fn a_few_turned_triangles_are_turned_back(mesh in meshes(), which in any::<prop::sample::Index>()) {
        prop_assume!(mesh.triangles.len() > 2);
        let mut turned = mesh.clone();
        let triangle = which.index(mesh.triangles.len());
        turned.triangles[triangle].swap(1, 2);
        let (parts, report) = built(turned.builder());
        prop_assert_eq!(report.repairs, vec![Repair::Flipped { triangle: triangle as u32 }]);
        prop_assert_eq!(parts, built(mesh.builder()).0);
    }

    #[test]
    fn flat_sheets_rest_flat_in_any_plane(
        (columns, rows, cuts) in (2_u32..9, 2_u32..9, any::<u64>()),
        (u, v) in (prop::array::uniform3(-1.0_f32..1.0), prop::array::uniform3(-1.0_f32..1.0)),
        origin in prop::array::uniform3(-30.0_f32..30.0),
    ) {
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        prop_assume!(normal.iter().map(|x| x * x).sum::<f32>() > 0.05);
        let mesh = Mesh::grid(columns, rows, cuts, false)
            .map(|p| core::array::from_fn(|i| origin[i] + u[i] * p[0] + v[i] * p[2]));
        let (parts, _) = built(mesh.builder());
        prop_assert!(parts.rows.hinges.iter().all(|hinge| hinge.rest.to_bits() == 0));
    }

    #[test]
    fn a_cylinder_stays_curved_to_one_side(columns in 5_u32..40, rows in 2_u32..6, radius in 0.01_f32..10.0) {
        let around = |p: [f32; 3]| {
            let angle = p[0] * core::f32::consts::TAU / columns as f32;
            [radius * angle.cos(), 0.3 * radius * p[2], radius * angle.sin()]
        };
        let mut mesh = Mesh::grid(columns, rows, 0, true).map(around);
        let axial = (columns * (rows - 1)) as usize;
        let side = |mesh: &Mesh, sign: f32| {
            let hinges = built(mesh.builder()).0.rows.hinges;
            // Edges between the quads around it bend, diagonals and rings lie between parts of one plane.
            (hinges.iter().filter(|hinge| hinge.rest * sign > 0.0).count(), hinges.iter().filter(|hinge| hinge.rest * sign < 0.0).count())
        };
        // Wound with the normals inwards or outwards: valleys or ridges all round.
        let one = side(&mesh, 1.0);
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        let other = side(&mesh, -1.0);
        prop_assert_eq!(one, other);
        prop_assert!(one == (axial, 0) || one == (0, axial), "{one:?} of {axial}");
    }

    #[test]
    fn garbage_is_refused_by_name_or_builds_a_valid_model(
        positions in prop::collection::vec(prop::array::uniform3(select(vec![
            0.0_f32, -0.0, 1.0, 2.0, -1.0, 1e-7, 1e-20, 3e5, 2e6, f32::MAX, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE,
        ])), 0..8),
        triangles in prop::collection::vec(prop::array::uniform3(0_u32..9), 0..8),
        weld in prop::option::of(select(vec![0.0_f32, 1e-6, 1.5, 1e30, -1.0, f32::NAN])),
    ) {
        let facts = inspect(&positions, &triangles, weld);
        let mut builder = ModelBuilder::mesh(&positions, &triangles);
        if let Some(distance) = weld {
            builder = builder.weld(distance);
        }
        match (builder.build(), facts.fatal()) {
            (Err(BuildError::Defect(named)), Some(fatal)) => prop_assert_eq!(named, fatal),
            (Err(BuildError::WeldDistance { .. } | BuildError::OutOfScale { .. }), _) => {}
            (Ok(baked), None) => {
                prop_assert!(crate::Model::from_blocks(&baked.blocks).is_ok());
                prop_assert_eq!(baked.report.repairs, facts.repairs);
            }
            (other, fatal) => prop_assert!(false, "{:?} against {:?}", other.err(), fatal),
        }
    }
}

#[test]
fn colours_are_few() {
    let colours = |cuts| {
        let built = Mesh::grid(32, 32, cuts, false).builder().pins(&[0]).build();
        built.map_or(0, |baked| baked.report.colours)
    };
    // Six rows meet at a vertex of an evenly cut grid, up to eight at one of a randomly cut grid.
    assert_eq!([colours(0), colours(u64::MAX)], [6, 6]);
    assert_eq!(colours(0x1234_5678_9abc_def1), 7);
}

#[test]
fn particles_follow_each_other_from_the_pins() {
    let (parts, _) = built(Mesh::grid(3, 2, 0, false).builder().pins(&[4]));
    assert_eq!(parts.source_of, vec![4, 1, 2, 3, 5, 0]);
    assert_eq!(parts.particle_of, vec![5, 1, 2, 3, 0, 4]);
}

#[test]
fn rows_are_those_of_the_model() -> Result<(), BuildError> {
    let builder = Mesh::grid(4, 5, 0, false).builder().pins(&[0]).stretch_stiffness(50.0);
    let rows = builder.clone().rows()?;
    let baked = builder.build()?;
    let model = baked.model();
    let header = model.header();
    assert_eq!((len32(&rows.stretch), len32(&rows.skip)), (header.stretch, header.skip));
    assert_eq!(len32(&rows.hinges), header.hinges + header.merged_hinges);
    let rests = |row: &StretchRow| [row.rest.to_bits(), (1.0 / row.stiffness).to_bits()];
    let mut expected: Vec<[u32; 2]> = rows.stretch.iter().map(rests).collect();
    let lanes = model.stretch_groups().iter().flat_map(|group| group.rest.into_iter().zip(group.compliance));
    let mut found: Vec<[u32; 2]> = lanes.map(|lane| [lane.0.to_bits(), lane.1.to_bits()]).collect();
    found.retain(|lane| lane[1] != 0);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    Ok(())
}

#[test]
fn pins_and_pieces_are_noted() {
    let mesh = Mesh::grid(2, 2, 0, false);
    let notes = |builder: ModelBuilder| built(builder).1.notes;
    assert_eq!(notes(mesh.builder()), vec![Note::NoPins]);
    assert_eq!(notes(mesh.builder().pins(&[0, 3])), vec![]);
    assert_eq!(notes(mesh.builder().pins(&[0, 1, 2, 3, 3])), vec![Note::EverythingPinned]);
    let soup = ModelBuilder::triangle_soup(&mesh.soup());
    let expected = vec![Note::Duplicates { count: 2 }, Note::Components { count: 2 }];
    assert_eq!(notes(soup.clone().pins(&[0])), expected);
    assert_eq!(notes(soup.weld(0.0).pins(&[0])), vec![]);
}

#[test]
fn masses_are_as_told() {
    let mesh = Mesh::grid(2, 2, 0, false);
    let masses = |builder: ModelBuilder| -> Vec<f32> {
        let (parts, _) = built(builder);
        parts.particle_of.iter().map(|particle| parts.particles[*particle as usize].mass).collect()
    };
    assert_eq!(masses(mesh.builder().uniform_mass(2.0)), vec![0.5; 4]);
    assert_eq!(masses(mesh.builder().masses(&[1.0, 2.0, 3.0, 4.0])), vec![1.0, 2.0, 3.0, 4.0]);
    assert_eq!(masses(mesh.builder().masses(&[1.0; 4]).areal_density(6.0)), vec![1.0, 2.0, 2.0, 1.0]);
    let soup = ModelBuilder::triangle_soup(&mesh.soup()).weld(0.0).masses(&[1.0; 6]);
    assert_eq!(masses(soup), vec![1.0, 2.0, 2.0, 2.0, 2.0, 1.0]);
    let chain = ModelBuilder::chains(&[[0.0; 3], [2.0, 0.0, 0.0]], &[NONE, 0]);
    assert_eq!(masses(chain.linear_density(0.5)), vec![0.5, 0.5]);
}

#[test]
fn stiffness_is_by_row_and_else_for_all() {
    let mesh = Mesh::grid(2, 2, 0, false);
    let (parts, _) =
        built(mesh.builder().stretch_stiffness(7.0).row_stiffness(&[(2, 0, 5.0), (0, 2, f32::INFINITY)]));
    let row = |a: usize, b: usize| {
        let ends = [parts.particle_of[a], parts.particle_of[b]];
        parts
            .rows
            .stretch
            .iter()
            .find(|row| ends.contains(&row.a) && ends.contains(&row.b))
            .map(|row| row.stiffness)
    };
    assert_eq!([row(0, 2), row(0, 1), row(0, 3)], [Some(f32::INFINITY), Some(7.0), None]);
}

#[test]
fn bad_input_is_named() {
    let mesh = Mesh::grid(2, 2, 0, false);
    let error = |builder: ModelBuilder| builder.build().err();
    assert_eq!(error(mesh.builder().pins(&[1, 4])), Some(BuildError::PinOutOfRange { pin: 4, count: 4 }));
    assert_eq!(error(mesh.builder().areal_density(0.0)), Some(BuildError::Density { density: 0.0 }));
    assert_eq!(error(mesh.builder().uniform_mass(-1.0)), Some(BuildError::TotalMass { mass: -1.0 }));
    assert_eq!(error(mesh.builder().masses(&[1.0])), Some(BuildError::MassCount { given: 1, vertices: 4 }));
    let infinite = BuildError::Mass { vertex: 2, mass: f32::INFINITY };
    assert_eq!(error(mesh.builder().masses(&[1.0, 1.0, f32::INFINITY, 1.0])), Some(infinite));
    assert_eq!(
        error(mesh.builder().masses(&[1.0, 1e-30, 1.0, 1.0])),
        Some(BuildError::OutOfScale { vertex: 1 })
    );
    assert_eq!(error(mesh.builder().stretch_stiffness(0.0)), Some(BuildError::Stiffness { stiffness: 0.0 }));
    assert_eq!(
        error(mesh.builder().row_stiffness(&[(0, 3, 1.0)])),
        Some(BuildError::NoSuchRow { a: 0, b: 3 })
    );
    assert_eq!(
        error(mesh.builder().row_stiffness(&[(0, 9, 1.0)])),
        Some(BuildError::NoSuchRow { a: 0, b: 9 })
    );
    assert_eq!(error(mesh.builder().weld(-1.0)), Some(BuildError::WeldDistance { distance: -1.0 }));
    assert_eq!(
        error(ModelBuilder::triangle_soup(&[[0.0; 3]; 4])),
        Some(BuildError::SoupLength { positions: 4 })
    );
    let chain = ModelBuilder::chains(&[[0.0; 3], [2.0, 0.0, 0.0]], &[NONE, 0]);
    assert_eq!(error(chain.weld(0.0)), Some(BuildError::WeldOnChains));
}
