//! The scenes that come with the program, in the program: they run from any folder.

/// A scene inside the program.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// Its scene file.
    pub text: &'static str,
    /// The files it names, with their bytes.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// Every bundled scene; the first is the one that runs when none is named.
pub const BUNDLED: [Bundled; 12] = [
    Bundled {
        name: "skirt",
        about: "a skirt from a mesh file, hung by its waist and swung from side to side",
        text: include_str!("../../../scenes/skirt.toml"),
        files: &[("../assets/skirt.obj", include_bytes!("../../../assets/skirt.obj"))],
    },
    Bundled {
        name: "cape",
        about: "a cape on shoulders that walk, stop and turn",
        text: include_str!("../../../scenes/cape.toml"),
        files: &[],
    },
    Bundled {
        name: "flag",
        about: "a flag on a pole that is waved",
        text: include_str!("../../../scenes/flag.toml"),
        files: &[],
    },
    Bundled {
        name: "rope",
        about: "a rope that falls into a swing from its one fixed end",
        text: include_str!("../../../scenes/rope.toml"),
        files: &[],
    },
    Bundled {
        name: "drape",
        about: "a sheet that falls onto a sphere over a floor, and comes to rest",
        text: include_str!("../../../scenes/drape.toml"),
        files: &[],
    },
    Bundled {
        name: "walk",
        about: "a walker made of capsules, who wears a cape of five strips",
        text: include_str!("../../../scenes/walk.toml"),
        files: &[],
    },
    Bundled {
        name: "stride",
        about: "the skirt, and two legs that walk under it",
        text: include_str!("../../../scenes/stride.toml"),
        files: &[("../assets/skirt.obj", include_bytes!("../../../assets/skirt.obj"))],
    },
    Bundled {
        name: "bridge",
        about: "a rope bridge: ropes that hang from two hand ropes, and a barrel that swings through",
        text: include_str!("../../../scenes/bridge.toml"),
        files: &[],
    },
    Bundled {
        name: "crowd",
        about: "sixty-four walkers in capes, who set out one after the other",
        text: include_str!("../../../scenes/crowd.toml"),
        files: &[],
    },
    Bundled {
        name: "banner",
        about: "a silk banner behind a post, in air that is simulated",
        text: include_str!("../../../scenes/banner.toml"),
        files: &[],
    },
    Bundled {
        name: "flag-and-rope",
        about: "a flag and a rope in one laminar wind",
        text: include_str!("../../../scenes/flag-and-rope.toml"),
        files: &[],
    },
    Bundled {
        name: "gust",
        about: "a cape on a stand, in gusts",
        text: include_str!("../../../scenes/gust.toml"),
        files: &[],
    },
];
