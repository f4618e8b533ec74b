//! Free-form data of a file, and its conversion to PTC-Lisp values. Keys are unique and keep the order of the file.

use std::cell::{Cell, RefCell};
use std::fmt;

use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use ptc_lisp::json::key;
use ptc_lisp::read::{literal, read};
use ptc_lisp::source::Source;
use ptc_lisp::value::Value;

/// Maximum nesting of lists and maps. Both parsers refuse more.
pub const MAX_NESTING: u32 = 127;

/// The YAML tag of PTC-Lisp literals.
pub const LISP_TAG: &str = "lisp";

/// Bytes that aliases may add to a document. Without a limit, a few lines of YAML could expand to any size.
const ALIAS_ALLOWANCE: usize = 16 << 20;
/// Size of a node without its text.
const NODE_BYTES: usize = size_of::<Node>();

/// Data of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, rounded to the nearest float.
    Huge(f64),
    Float(f64),
    Str(EcoString),
    List(Vec<Node>),
    Map(Entries),
    /// `!lisp TEXT`: a PTC-Lisp literal, as text and as value.
    Lisp(EcoString, Value),
}

/// The entries of a map, in the order of the file.
pub type Entries = IndexMap<EcoString, Node, FxBuildHasher>;

/// Why a document was refused during parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub help: String,
}

impl Node {
    /// The value as seen by programs (`docs/language.md` §7.4).
    pub fn to_value(&self) -> Value {
        match self {
            Node::Null => Value::Nil,
            Node::Bool(value) => Value::Bool(*value),
            Node::Int(value) => Value::Int(*value),
            Node::Float(value) | Node::Huge(value) => Value::float(*value),
            Node::Str(text) => Value::Str(text.clone()),
            Node::List(items) => Value::vector(items.iter().map(Node::to_value).collect::<Vec<_>>()),
            Node::Map(entries) => {
                Value::map(entries.iter().map(|(name, node)| (key(name), node.to_value())).collect())
            }
            Node::Lisp(_, value) => value.clone(),
        }
    }
}

/// Reads one document with any parser, and limits its size and depth.
pub struct Reading {
    refusal: RefCell<Option<Refusal>>,
    /// Remaining bytes for the document.
    allowance: Cell<usize>,
}

impl Reading {
    /// A reader for a document of this length. The length limits alias expansion.
    pub fn new(length: usize) -> Reading {
        // Without aliases, each node takes at least two bytes of text.
        let own = length.saturating_mul(1 + NODE_BYTES / 2);
        Reading { refusal: RefCell::default(), allowance: Cell::new(own.saturating_add(ALIAS_ALLOWANCE)) }
    }

    /// A reader for data without aliases, such as already parsed nodes.
    pub fn unbounded() -> Reading {
        Reading { refusal: RefCell::default(), allowance: Cell::new(usize::MAX) }
    }

    /// Reads the document. If the reader refuses it, see [`Reading::refusal`] for the help; the parser's error lacks it.
    pub fn read<'de, D: Deserializer<'de>>(&self, parser: D) -> Result<Node, D::Error> {
        Seed { reading: self, depth: 0 }.deserialize(parser)
    }

    pub fn refusal(self) -> Option<Refusal> {
        self.refusal.into_inner()
    }

    fn make_refusal<E: Error>(&self, message: impl Into<String>, help: &str) -> E {
        let message = message.into();
        *self.refusal.borrow_mut() = Some(Refusal { message: message.clone(), help: help.to_owned() });
        E::custom(message)
    }

    fn spend_bytes<E: Error>(&self, bytes: usize) -> Result<(), E> {
        match self.allowance.get().checked_sub(bytes) {
            Some(left) => {
                self.allowance.set(left);
                Ok(())
            }
            None => {
                Err(self
                    .make_refusal(ALIAS_BOMB, "write the repeated parts out, or move them to a data file"))
            }
        }
    }

    fn read_text<E: Error>(&self, text: &str) -> Result<EcoString, E> {
        self.spend_bytes(text.len())?;
        Ok(text.into())
    }
}

/// Error for aliases with excessive expansion.
pub const ALIAS_BOMB: &str = "the aliases of this file expand to far more than the file";

#[derive(Clone, Copy)]
struct Seed<'a> {
    reading: &'a Reading,
    depth: u32,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Node, D::Error> {
        self.reading.spend_bytes(NODE_BYTES)?;
        parser.deserialize_any(self)
    }
}

impl Seed<'_> {
    fn one_deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAX_NESTING {
            return Err(self.reading.make_refusal(TOO_DEEP, TOO_DEEP_HELP));
        }
        self.reading.spend_bytes(1)?;
        Ok(Seed { depth: self.depth + 1, ..self })
    }
}

/// Error for nesting deeper than [`MAX_NESTING`].
pub const TOO_DEEP: &str = "lists and maps are nested more than 127 deep";
/// Help for [`TOO_DEEP`].
pub const TOO_DEEP_HELP: &str = "flatten the data, or keep it as text and read it with json/parse-string";

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Huge(value as f64), Node::Int))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Huge(value as f64), Node::Int))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or(Node::Huge(value as f64), Node::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Node, E> {
        self.reading.read_text(text).map(Node::Str)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let deeper = self.one_deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(deeper)? {
            self.reading.spend_bytes(1)?;
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let deeper = self.one_deeper()?;
        let mut entries = Entries::default();
        let mut merged = None;
        while let Some(key) = items.next_key_seed(Key { reading: self.reading, entries: &entries })? {
            let value = items.next_value_seed(deeper)?;
            if key == "<<" {
                merged = Some(value);
            } else {
                entries.insert(key, value);
            }
        }
        if let Some(merged) = merged {
            self.merge_entries(&mut entries, merged)?;
        }
        Ok(Node::Map(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Node, A::Error> {
        let (tag, content) = tagged.variant::<EcoString>()?;
        if tag.trim_start_matches('!') != LISP_TAG {
            let help = "leave the tag out: text that begins with ! goes in quotes";
            return Err(self.reading.make_refusal("the only YAML tag that is read is !lisp", help));
        }
        let help = "write it as !lisp '{:status :ok, \"key\" [1 2]}'";
        let Ok(text) = content.newtype_variant::<String>() else {
            let message = "expected text after !lisp, found a list or a map of YAML";
            return Err(self.reading.make_refusal(message, help));
        };
        let text = self.reading.read_text(&text)?;
        if let Ok([form]) = read(&Source::new("", &text)).as_deref()
            && let Some(value) = literal(form)
        {
            return Ok(Node::Lisp(text, value));
        }
        Err(self.reading.make_refusal("expected one value in PTC-Lisp after !lisp", help))
    }
}

impl Seed<'_> {
    /// Handles `<<: *base`: adds the entries of other maps. Existing keys win.
    fn merge_entries<E: Error>(self, entries: &mut Entries, merged: Node) -> Result<(), E> {
        match merged {
            Node::Map(others) => {
                for (key, value) in others {
                    entries.entry(key).or_insert(value);
                }
                Ok(())
            }
            Node::List(maps) => maps.into_iter().try_for_each(|map| match map {
                Node::List(_) => Err(self.refuse_merge()),
                map => self.merge_entries(entries, map),
            }),
            _ => Err(self.refuse_merge()),
        }
    }

    fn refuse_merge<E: Error>(self) -> E {
        self.reading.make_refusal("<< can merge only maps", "write `<<: *NAME`, where `&NAME` marks a map")
    }
}

/// Reads a key and refuses duplicates. Keys are always text, even `1` and `true`.
struct Key<'a> {
    reading: &'a Reading,
    entries: &'a Entries,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = EcoString;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<EcoString, D::Error> {
        parser.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key<'_> {
    type Value = EcoString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<EcoString, E> {
        if self.entries.contains_key(text) {
            let message = format!("the key '{text}' stands twice in the same map");
            return Err(self.reading.make_refusal(message, "remove one of the two, or rename it"));
        }
        self.reading.read_text(text)
    }
}
