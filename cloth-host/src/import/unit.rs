//! Units of length a modelling program may have written.

use std::str::FromStr;

/// The unit of a file's coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Metre, what glTF prescribes.
    #[default]
    Metre,
    /// Decimetre, MakeHuman's unit.
    Decimetre,
    /// Centimetre, the default of Maya and Marvelous Designer.
    Centimetre,
    /// Millimetre.
    Millimetre,
    /// Inch.
    Inch,
}

impl Unit {
    /// Every unit with the name it has in scenes and on the command line.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("m", Self::Metre),
        ("dm", Self::Decimetre),
        ("cm", Self::Centimetre),
        ("mm", Self::Millimetre),
        ("in", Self::Inch),
    ];

    /// Metres per unit.
    pub const fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
        }
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::NAMES
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, unit)| *unit)
            .ok_or_else(|| format!("\"{text}\" is no unit we know; write m, dm, cm, mm or in"))
    }
}
