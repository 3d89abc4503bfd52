//! Worlds, cloths and fabrics on their way through a file and back.

use std::sync::Arc;

use cloth_core::anchor::{Teleport, TeleportLimits};
use cloth_core::step::Escape;
use cloth_core::{ClothDynamics, library};
use cloth_host::fluid::FluidVolume;
use cloth_host::world::file::{ClothFile, DynamicsFile, EntityFile, WorldFile};
use cloth_host::world::{
    AmbientWind, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothModel, ClothPin, ClothTargets, Collider,
    MeshSource, Rate, Shape, Transform, WindSource, WindZone, WordsKind, World, WorldError, ZoneBlend,
    ZoneShape,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Through both formats and back.
fn round<T: Serialize + DeserializeOwned + PartialEq + core::fmt::Debug>(value: &T) {
    let text = toml::to_string(value).expect("TOML takes it");
    assert_eq!(&toml::from_str::<T>(&text).expect("TOML gives it back"), value, "{text}");
    let text = serde_json::to_string_pretty(value).expect("JSON takes it");
    assert_eq!(&serde_json::from_str::<T>(&text).expect("JSON gives it back"), value, "{text}");
}

fn refusal<T: DeserializeOwned + core::fmt::Debug>(text: &str) -> String {
    toml::from_str::<T>(text).expect_err("it is refused").to_string()
}

fn odd_cloth() -> Cloth {
    Cloth {
        dynamics: ClothDynamics { slack: 0.1, bend: 3.3e-6, ..library::HAIR },
        density: Some(0.07),
        blend: 0.3,
        layer: 0xdead_beef,
        mask: 6,
        visible: false,
        rate: Rate::Fourth,
        sleeps: false,
        stiff_bend: true,
        colliders: 32,
        most_substeps: 99,
        escape: Escape { strain: f32::INFINITY, distance: 0.7, steps: 11, window: 3 },
        limits: TeleportLimits { distance: f32::INFINITY, angle: 0.25, beyond: Some(Teleport::Keep) },
    }
}

#[test]
fn every_fabric_and_cloth_comes_back_to_the_bit() {
    for fabric in library::ALL {
        round(&DynamicsFile::from(fabric.dynamics));
        let back = ClothDynamics::from(DynamicsFile::from(fabric.dynamics));
        assert_eq!(back, fabric.dynamics);
    }
    for cloth in [
        Cloth::default(),
        odd_cloth(),
        Cloth { limits: TeleportLimits { beyond: None, ..odd_cloth().limits }, ..odd_cloth() },
    ] {
        round(&ClothFile::from(cloth));
        assert_eq!(Cloth::from(ClothFile::from(cloth)), cloth);
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(
        ClothDynamics::from(toml::from_str::<DynamicsFile>("").expect("nothing is said")),
        ClothDynamics::default()
    );
    assert_eq!(Cloth::from(toml::from_str::<ClothFile>("").expect("nothing is said")), Cloth::default());
    let cloth: ClothFile =
        toml::from_str("rate = \"second\"\n[dynamics]\nslack = 0.2").expect("two things are said");
    let cloth = Cloth::from(cloth);
    assert_eq!((cloth.rate, cloth.dynamics.slack), (Rate::Second, 0.2));
    let world: WorldFile = toml::from_str("[[entities]]").expect("an entity without anything");
    assert_eq!(world.entities, [EntityFile::default()]);
    let shape = "[[entities]]\ncollider = { shape = { sphere = { radius = 0.5 } } }\ncloth_collider = {}";
    let world: WorldFile = toml::from_str(shape).expect("a shape is enough");
    assert_eq!(world.entities[0].collider, Some(Collider::new(Shape::Sphere { radius: 0.5 })));
    assert_eq!(world.entities[0].cloth_collider, Some(ClothCollider::default()));
}

#[test]
fn what_is_unknown_is_refused_by_name() {
    let said = refusal::<DynamicsFile>("slack = 0.5\nstrecth = 0.1");
    assert!(said.contains("`strecth`"), "{said}");
    assert!(refusal::<ClothFile>("blned = 1.0").contains("`blned`"));
    assert!(refusal::<ClothFile>("rate = \"third\"").contains("third"));
    assert!(refusal::<WorldFile>("wind = 3").contains("`wind`"));
    assert!(refusal::<WorldFile>("[[entities]]\nclothe = 1").contains("clothe"));
    assert!(
        refusal::<WorldFile>("[[entities]]\n[entities.transform]\nposition = [0, 0, 0]").contains("position")
    );
    assert!(
        refusal::<WorldFile>("[[entities]]\n[entities.collider]\nshape = { sphere = { diameter = 1.0 } }")
            .contains("diameter")
    );
    assert!(
        refusal::<WorldFile>("[[entities]]\n[entities.cloth_collider]\nfriction = 1").contains("friction")
    );
    assert!(refusal::<WorldFile>("[[entities]]\n[entities.mesh]\nvertices = []").contains("vertices"));
    assert!(refusal::<WorldFile>("[[entities]]\n[entities.attachment]\nparent = 0\nto = 1").contains("to"));
    assert!(refusal::<DynamicsFile>("slack = 1.5").contains("slack must lie within 0 to 1"));
}

#[test]
fn what_a_newer_version_wrote_is_refused_as_that() {
    // Whatever else is in it: fields that came since are no misspelling.
    for text in ["version = 2", "version = 2\nweave = \"twill\"", "version = 0"] {
        for said in [refusal::<DynamicsFile>(text), refusal::<ClothFile>(text), refusal::<WorldFile>(text)] {
            assert!(said.contains("version") && said.contains("reads up to 1"), "{said}");
        }
    }
    let said = refusal::<WorldFile>("[[entities]]\n[entities.cloth]\n[entities.cloth.dynamics]\nversion = 9");
    assert!(said.contains("version 9"), "{said}");
}

/// A world with one of everything.
fn full() -> World {
    let mut world = World::new();
    world.set_gravity([0.5, -9.0, 0.0]).expect("it is one");
    let hand = world.spawn((Transform::at([0.1, 2.0, 0.3]), odd_cloth_that_lives()));
    let mut parent = hand;
    for link in 0..6 {
        parent = world.attach(parent, Transform::at([0.1, 0.02, 0.0]));
        if link == 4 {
            world.entities_mut().insert_one(parent, ClothPin).expect("it is there");
        }
    }
    let hat = world.attach(parent, Transform::at([0.0, 0.1, 0.0]));
    world.entities_mut().insert_one(hat, ClothExclude).expect("it is there");
    let mesh = MeshSource {
        positions: vec![[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.0, 0.2], [0.2, 0.0, 0.2]],
        triangles: vec![[0, 2, 1], [1, 2, 3]],
        pins: vec![0, 1],
        weld: Some(0.001),
    };
    let targets = ClothTargets(mesh.positions.clone());
    world.spawn((Transform::IDENTITY, Cloth::of(library::COTTON), ClothMesh::new(mesh), targets));
    let hull = world
        .shapes_mut()
        .hull(&[[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]])
        .expect("a hull");
    let shapes = [
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { half_height: 0.1, radius: 0.2 },
        Shape::TaperedCapsule { half_height: 0.1, lower_radius: 0.2, upper_radius: 0.1 },
        Shape::Box { half_extents: [0.1, 0.2, 0.3] },
        Shape::Cylinder { half_height: 0.1, radius: 0.2 },
        Shape::Cone { half_height: 0.1, radius: 0.2 },
        Shape::Plane,
        Shape::Words { kind: WordsKind::Hull, data: [hull.first, hull.count] },
    ];
    for (x, shape) in (0_u8..).zip(shapes) {
        let collider = Collider { friction: 0.25, ..Collider::new(shape) };
        let cloth = ClothCollider { inflation: 0.01, friction_scale: 0.5, ..ClothCollider::default() };
        world.spawn((Transform::at([f64::from(x) * 0.1, -0.4, 0.0]), collider, cloth));
    }
    world
}

fn odd_cloth_that_lives() -> Cloth {
    Cloth { visible: true, blend: 1.0, rate: Rate::Every, ..odd_cloth() }
}

#[test]
fn a_world_goes_through_a_file_and_steps_on_alike() {
    let mut world = full();
    let fresh = WorldFile::of(&world).expect("it is data");
    round(&fresh);
    let text = toml::to_string(&fresh).expect("TOML takes it");
    let (mut again, entities) =
        toml::from_str::<WorldFile>(&text).expect("it is one").build().expect("it is sound");
    assert_eq!(entities.len(), fresh.entities.len());
    for tick in 0..60 {
        world.tick().expect("it steps");
        again.tick().expect("it steps");
        assert_eq!(again.fingerprint(), world.fingerprint(), "tick {tick}");
    }
    // How cloth hangs is no part of a file: the authored pose is.
    assert_eq!(WorldFile::of(&world).expect("it is data"), fresh);
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let fresh = WorldFile::of(&full()).expect("it is data");
    let mut file = fresh.clone();
    file.entities[1].attachment.as_mut().expect("it is attached").parent = 99;
    assert_eq!(file.build().err(), Some(WorldError::FileParent { number: 1, parent: 99 }));
    let mut file = fresh.clone();
    file.shapes[9] ^= 0x7f00_0000;
    assert!(matches!(file.build(), Err(WorldError::Shapes { .. })));
    let mut file = fresh.clone();
    file.step = 3.0;
    assert_eq!(file.build().err(), Some(WorldError::StepLength { seconds: 3.0 }));
    let mut file = fresh;
    file.entities[2].attachment.as_mut().expect("it is attached").parent = 2;
    let (mut world, entities) = file.build().expect("the tick will tell");
    assert_eq!(world.tick(), Err(WorldError::AttachmentCycle { entity: entities[2] }));

    let mut world = World::new();
    let builder =
        cloth_core::ModelBuilder::chains(&[[0.0; 3], [0.1, 0.0, 0.0]], &[cloth_core::NONE, 0]).pins(&[0]);
    let model = ClothModel::build(builder).expect("a link");
    let anchor = world.spawn((Transform::IDENTITY, Cloth::default(), model));
    assert!(matches!(WorldFile::of(&world), Err(WorldError::NotInFile { entity, .. }) if entity == anchor));
}

#[test]
fn wind_comes_back_and_code_is_refused() {
    let mut world = World::new();
    let zone = WindZone {
        turbulence: 0.3,
        eddy: 0.7,
        falloff: 0.25,
        blend: ZoneBlend::Replace,
        mask: 5,
        ..WindZone::of(ZoneShape::Box { half_extents: [1.0, 0.3, 2.0] }, [0.1, -0.2, 3.3])
    };
    let gusts =
        AmbientWind { gust: [1.5, 0.1, 0.0], period: 0.7, mask: 6, ..AmbientWind::of([0.3, 0.0, 0.0]) };
    let volume = FluidVolume {
        prevailing: Some([4.0, 0.1, 0.0]),
        confinement: 0.3,
        mask: 3,
        ..FluidVolume::default()
    };
    world.spawn((gusts,));
    world.spawn((Transform::at([1.0, 2.0, 3.0]), zone, volume));
    world.spawn((Transform::IDENTITY, WindZone::default(), FluidVolume::default()));
    world.tick().expect("they are sound");
    let file = WorldFile::of(&world).expect("it is data");
    round(&file);
    let (mut back, entities) = file.build().expect("it is a world");
    assert_eq!(*back.entities().get::<&AmbientWind>(entities[0]).expect("it has it"), gusts);
    assert_eq!(*back.entities().get::<&WindZone>(entities[1]).expect("it has it"), zone);
    assert_eq!(*back.entities().get::<&FluidVolume>(entities[1]).expect("it has it"), volume);
    back.tick().expect("they are sound");
    assert_eq!(back.fingerprint(), world.fingerprint());

    let said = refusal::<EntityFile>("zone = { gust = 1.0 }");
    assert!(said.contains("gust"), "{said}");
    let sparse: EntityFile =
        toml::from_str("wind = { velocity = [1.0, 0.0, 0.0] }").expect("the rest has defaults");
    assert_eq!(sparse.wind, Some(AmbientWind::of([1.0, 0.0, 0.0])));

    let own = world.spawn((WindSource(Arc::new(gusts)),));
    let said = WorldFile::of(&world).expect_err("it is code");
    assert!(
        matches!(said, WorldError::NotInFile { entity, .. } if entity == own)
            && said.to_string().contains("WindSource")
    );
}
