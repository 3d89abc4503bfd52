//! Reading what carries a version: it is looked at before anything else is.
//!
//! Formats give fields in an order of their own – TOML's are sorted –, and what a newer version wrote may be anything. So a value is
//! taken in as it is, and read by its fields once its version is known. Complaints say where they are by path, not by line.

use core::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

use super::VERSION;

/// Reads a value whose fields are `T`'s, and that `what` names, if its version is one that this program reads.
pub(super) fn versioned<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    what: &str,
    from: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(from)?;
    let version = match &value {
        Value::Map(fields) => fields.iter().find(|(name, _)| name == "version").map(|(_, version)| version),
        _ => None,
    };
    // What is no whole number the field itself complains of.
    let version = match version {
        Some(Value::Whole(version)) => i128::from(*version),
        Some(Value::Large(version)) => i128::from(*version),
        _ => 1,
    };
    if !(1..=i128::from(VERSION)).contains(&version) {
        let text =
            format!("{what} is of version {version}, and this program reads up to {VERSION}: update it");
        return Err(D::Error::custom(text));
    }
    T::deserialize(value).map_err(D::Error::custom)
}

/// What a format holds.
#[derive(Debug)]
enum Value {
    Nothing,
    Flag(bool),
    Whole(i64),
    /// Beyond those.
    Large(u64),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Flag(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Whole(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(i64::try_from(value).map_or(Value::Large(value), Value::Whole))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Number(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(Value::Text(value.to_owned()))
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Nothing)
            }

            fn visit_none<E>(self) -> Result<Value, E> {
                Ok(Value::Nothing)
            }

            fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
                Value::deserialize(from)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
                let mut list = Vec::new();
                while let Some(value) = from.next_element()? {
                    list.push(value);
                }
                Ok(Value::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = from.next_entry()? {
                    fields.push(field);
                }
                Ok(Value::Map(fields))
            }
        }
        from.deserialize_any(Any)
    }
}

/// A complaint, and where it is.
#[derive(Debug)]
struct Fault {
    path: String,
    what: String,
}

impl Fault {
    /// The complaint about a part, of the whole.
    fn within(self, part: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: format!("{part}{joint}{}", self.path), ..self }
    }
}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self { path: String::new(), what: what.to_string() }
    }
}

impl core::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{joint}{}", self.path, self.what)
    }
}

/// A value at its place, which it adds to complaints about it.
struct Part {
    name: String,
    value: Value,
}

impl IntoDeserializer<'_, Fault> for Part {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Part {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.value.deserialize_any(visitor).map_err(|fault| fault.within(&self.name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.value.deserialize_option(visitor).map_err(|fault| fault.within(&self.name))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.value.deserialize_newtype_struct(name, visitor).map_err(|fault| fault.within(&self.name))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.value.deserialize_enum(name, variants, visitor).map_err(|fault| fault.within(&self.name))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Value {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Nothing => visitor.visit_unit(),
            Self::Flag(value) => visitor.visit_bool(value),
            Self::Whole(value) => visitor.visit_i64(value),
            Self::Large(value) => visitor.visit_u64(value),
            Self::Number(value) => visitor.visit_f64(value),
            Self::Text(value) => visitor.visit_string(value),
            Self::List(values) => {
                let part = |(at, value)| Part { name: format!("[{at}]"), value };
                let mut parts = SeqDeserializer::new(values.into_iter().enumerate().map(part));
                let value = visitor.visit_seq(&mut parts)?;
                parts.end()?;
                Ok(value)
            }
            Self::Map(fields) => {
                let part = |(name, value): (String, Self)| (name.clone(), Part { name, value });
                let mut parts = MapDeserializer::new(fields.into_iter().map(part));
                let value = visitor.visit_map(&mut parts)?;
                parts.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self {
            Self::Nothing => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self {
            Self::Text(name) => visitor.visit_enum(Variant { name, value: None }),
            Self::Map(mut fields) if fields.len() == 1 => match fields.pop() {
                Some((name, value)) => visitor.visit_enum(Variant { name, value: Some(value) }),
                None => Err(Fault::custom("a choice without a name")),
            },
            _ => Err(Fault::custom("expected one choice, by its name or as a table of one")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// One of several, with what it says of itself.
struct Variant {
    name: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let name: serde::de::value::StrDeserializer<'_, Fault> = self.name.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.value {
            None | Some(Value::Nothing) => Ok(()),
            Some(_) => Err(Fault::invalid_type(Unexpected::NewtypeVariant, &"a name alone")),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        let (name, value) = (self.name, self.value.unwrap_or(Value::Nothing));
        seed.deserialize(Part { name, value })
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Fault> {
        let (name, value) = (self.name, self.value.unwrap_or(Value::Nothing));
        Part { name, value }.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (name, value) = (self.name, self.value.unwrap_or(Value::Nothing));
        Part { name, value }.deserialize_any(visitor)
    }
}
