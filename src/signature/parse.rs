//! Parses signatures (`docs/language.md` §14.1).

use super::{Field, PRIMITIVES, Shape, Signature, Type, same_name};

/// Maximum nesting of types. Limits the stack of the recursive parser on hostile input.
const MAX_NESTING: usize = 64;

const VALID_TYPES: &str = "valid types: :string :int :float :bool :keyword :map :any, [type], {field type}";

/// Error in a signature.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Invalid signature at column {column}: {reason}")]
pub struct SignatureError {
    /// In code points, from 1.
    pub column: usize,
    pub reason: String,
}

type Parsed<T> = Result<T, SignatureError>;

impl Signature {
    /// Parses `(id :int) -> :string`, `-> :string` or `:string`.
    pub fn parse(text: &str) -> Parsed<Signature> {
        let mut parser = Parser { characters: text.chars().collect(), at: 0 };
        let signature = parser.parse_signature()?;
        match parser.peek_character() {
            None => Ok(signature),
            Some(found) => parser.fail_here(format!("expected the end, found '{found}'")),
        }
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
}

impl Parser {
    fn parse_signature(&mut self) -> Parsed<Signature> {
        let mut parameters = Vec::new();
        if self.peek_character() == Some('(') {
            parameters = self.parse_fields('(', ')', 0)?;
            self.parse_arrow()?;
        } else if self.peek_character() == Some('-') {
            self.parse_arrow()?;
        }
        Ok(Signature { parameters, returns: self.parse_type(0)? })
    }

    fn parse_arrow(&mut self) -> Parsed<()> {
        self.expect_character('-', "'->'")?;
        if self.characters.get(self.at) != Some(&'>') {
            return self.fail_here("expected '->'".to_string());
        }
        self.at += 1;
        Ok(())
    }

    fn parse_type(&mut self, depth: usize) -> Parsed<Type> {
        if depth > MAX_NESTING {
            return self.fail_here(format!("types are nested more than {MAX_NESTING} deep"));
        }
        let shape = self.parse_shape(depth)?;
        let optional = self.peek_character() == Some('?');
        if optional {
            self.at += 1;
        }
        Ok(Type { shape, optional })
    }

    fn parse_shape(&mut self, depth: usize) -> Parsed<Shape> {
        match self.peek_character() {
            Some(':') => self.parse_primitive(),
            Some('[') => {
                self.at += 1;
                let element = self.parse_type(depth + 1)?;
                self.expect_character(']', "']'")?;
                Ok(Shape::List(Box::new(element)))
            }
            Some('{') => {
                let fields = self.parse_fields('{', '}', depth + 1)?;
                Ok(if fields.is_empty() { Shape::Map } else { Shape::Record(fields) })
            }
            _ => self.fail_expecting("a type"),
        }
    }

    fn parse_primitive(&mut self) -> Parsed<Shape> {
        let start = self.at;
        self.at += 1;
        let word = self.read_word();
        for shape in PRIMITIVES {
            if shape.name() == word {
                return Ok(shape);
            }
        }
        self.at = start;
        self.fail_here(format!("unknown type ':{word}'; {VALID_TYPES}"))
    }

    /// Comma-separated fields between two brackets.
    fn parse_fields(&mut self, open: char, close: char, depth: usize) -> Parsed<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        self.expect_character(open, &format!("'{open}'"))?;
        if self.peek_character() == Some(close) {
            self.at += 1;
            return Ok(fields);
        }
        loop {
            fields.push(self.parse_field(&fields, depth)?);
            if self.peek_character() == Some(',') {
                self.at += 1;
            } else {
                self.expect_character(close, &format!("',' or '{close}'"))?;
                return Ok(fields);
            }
        }
    }

    fn parse_field(&mut self, before: &[Field], depth: usize) -> Parsed<Field> {
        if !self.peek_character().is_some_and(|first| first.is_alphabetic() || first == '_') {
            return self.fail_expecting("a name");
        }
        let start = self.at;
        let name = self.read_word();
        if before.iter().any(|field| same_name(&field.name, &name)) {
            self.at = start;
            return self.fail_here(format!("the name '{name}' stands twice"));
        }
        if self.characters.get(self.at).is_some_and(|next| !next.is_whitespace()) {
            return self.fail_here(format!("expected a space between the name '{name}' and its type"));
        }
        Ok(Field { name, kind: self.parse_type(depth)? })
    }

    /// Takes letters, digits, `-` and `_`.
    fn read_word(&mut self) -> String {
        let rest = self.characters.iter().skip(self.at);
        let word: String = rest.take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        self.at += word.chars().count();
        word
    }

    /// The next character after white space, not taken.
    fn peek_character(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn expect_character(&mut self, wanted: char, described: &str) -> Parsed<()> {
        if self.peek_character() != Some(wanted) {
            return self.fail_expecting(described);
        }
        self.at += 1;
        Ok(())
    }

    fn fail_expecting<T>(&mut self, expected: &str) -> Parsed<T> {
        match self.peek_character() {
            Some(found) => self.fail_here(format!("expected {expected}, found '{found}'")),
            None => self.fail_here(format!("expected {expected}, found the end")),
        }
    }

    fn fail_here<T>(&self, reason: String) -> Parsed<T> {
        Err(SignatureError { column: self.at + 1, reason })
    }
}
