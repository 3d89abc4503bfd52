//! Whether sections stand in as many brackets as their number asks for. The parser takes a list for a section and its
//! items for the keys in their order, and then complains of types that nobody wrote.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::read::Reader;
use crate::error::Error;

type Value<'a> = Spanned<DeValue<'a>>;

const ROTATION: &str = "rotation = { axis = [0, 1, 0], degrees = 90 }";
const SWING: &str = "swing = { axis = [1, 0, 0], amplitude = 0.1, frequency = 1 }";

/// Refuses lists of what there is one of, and single sections of what there are many. What is no TOML is left to the
/// parser's complaint, as is what is neither.
pub(super) fn check(reader: &Reader<'_>, text: &str) -> Result<(), Error> {
    let Ok(file) = DeTable::parse(text) else { return Ok(()) };
    let file = file.get_ref();
    for section in ["mesh", "pins", "fabric", "motion", "copies", "backstop", "wind", "run", "output"] {
        one(reader, file.get(section), section, "a scene", &format!("[{section}], with one bracket"))?;
    }
    motion(reader, file.get("motion"), "motion")?;
    many(reader, file.get("nested"), "nested", "a scene", "[[nested]], with two brackets, for each")?;
    for rope in many(reader, file.get("rope"), "rope", "a scene", "[[rope]], with two brackets, for each")? {
        let fabric = rope.get_ref().as_table().and_then(|rope| rope.get("fabric"));
        one(reader, fabric, "rope.fabric", "a rope", "[rope.fabric], with one bracket")?;
    }
    for name in ["collider", "zone", "fluid"] {
        let remedy = format!("[[{name}]], with two brackets, for each");
        for body in many(reader, file.get(name), name, "a scene", &remedy)? {
            let Some(body) = body.get_ref().as_table() else { continue };
            let (moved, turned) = (body.get("motion"), body.get("rotation"));
            let (whole, inner) = (format!("a {name}"), format!("{name}.motion"));
            one(reader, moved, &inner, &whole, &format!("[{inner}], with one bracket"))?;
            one(reader, turned, &format!("{name}.rotation"), &whole, ROTATION)?;
            motion(reader, moved, &inner)?;
        }
    }
    Ok(())
}

/// The same within a motion.
fn motion(reader: &Reader<'_>, section: Option<&Value<'_>>, name: &str) -> Result<(), Error> {
    let Some(section) = section.and_then(|section| section.get_ref().as_table()) else { return Ok(()) };
    one(reader, section.get("swing"), &format!("{name}.swing"), "a motion", SWING)?;
    let keys = format!("{name}.keys");
    for key in many(reader, section.get("keys"), &keys, "a motion", "keys = [{ time = 0 }, …]")? {
        let rotation = key.get_ref().as_table().and_then(|key| key.get("rotation"));
        one(reader, rotation, &format!("{keys}.rotation"), "a key", ROTATION)?;
    }
    Ok(())
}

/// What `whole` has one of.
fn one(
    reader: &Reader<'_>,
    value: Option<&Value<'_>>,
    key: &str,
    whole: &str,
    form: &str,
) -> Result<(), Error> {
    let Some(value) = value.filter(|value| value.get_ref().is_array()) else { return Ok(()) };
    let what = format!("is written as a list, and {whole} has one");
    Err(reader.fail(Some(value.span()), key, what, format!("write {form}")))
}

/// What `whole` has a list of; nothing where it is something else altogether.
fn many<'v, 'a>(
    reader: &Reader<'_>,
    value: Option<&'v Value<'a>>,
    key: &str,
    whole: &str,
    form: &str,
) -> Result<&'v [Value<'a>], Error> {
    let Some(value) = value else { return Ok(&[]) };
    if value.get_ref().is_table() {
        let what = format!("is written as one section, and {whole} has a list");
        return Err(reader.fail(Some(value.span()), key, what, format!("write {form}")));
    }
    Ok(value.get_ref().as_array().map_or(&[][..], |items| items))
}
