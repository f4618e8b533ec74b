//! The table of messages. A text is a list of pieces, each stored once, since strategies with one growing message repeat most of it. Values
//! that depend only on a message are columns, filled once for all strategies.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::sync::Arc;

use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::long_lines::{LONG, line_parts};
use super::message::{Message, MessagePart, Native, Role};
use super::runs::{Runs, Stretches};
use ptc_tokens::{Key, MESSAGE_OVERHEAD, blocks};

/// Counts the tokens of a text.
pub type TextTokens<'t> = dyn Fn(&str) -> u64 + Sync + 't;

/// A strategy's messages are forgotten at its end if there are at least this many.
const MANY: usize = 512;

/// The identifier of a message in a [`Table`]. Equal messages have the same identifier: same role, text, native fields and parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(u32);

/// The distinct messages of one scenario. Strategies add theirs while rendering.
///
/// ```
/// use conversation::{Message, Messages, Role};
///
/// let count_words = |text: &str| text.split_whitespace().count() as u64;
/// let messages = Messages::new(&count_words);
/// let first = messages.add(&Message::new(Role::User, "Which train is first?"));
/// let again = messages.add(&Message::new(Role::User, "Which train is first?"));
/// assert_eq!(first, again);
/// assert_eq!(messages.table().len(), 1);
/// ```
pub struct Messages<'t> {
    table: RefCell<Table>,
    tokens: &'t TextTokens<'t>,
}

/// [`Row`]s and columns of the messages, borrowed from [`Messages`].
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    ids: FxHashMap<RowKey, MessageId>,
    /// Piece numbers by text hash. No token spans two pieces, so the tokens of a text are the sum over its pieces.
    pieces: FxHashMap<Key, u32>,
    /// Texts by piece number.
    piece_texts: Vec<PieceText>,
    /// Tokens by piece number, counted lazily: the newest pieces may be missing.
    piece_tokens: Vec<u32>,
    /// Distinct parts of long pieces.
    parts: IndexSet<EcoString, FxBuildHasher>,
    /// Shared stretches of piece and part numbers.
    stretches: Stretches,
    /// Number of rows with counted tokens.
    counted: usize,
    /// For each message that names a file, the message with the file's text.
    in_files: FxHashMap<MessageId, MessageId>,
    shared: Shared,
}

/// The number of leading rows, pieces and parts that survive the end of a strategy.
#[derive(Clone, Copy, Default)]
struct Shared {
    rows: usize,
    pieces: usize,
    parts: usize,
}

/// Identifies a message among all that the table ever had, including evicted ones.
#[derive(PartialEq, Eq, Hash)]
pub enum Identity<'t> {
    Shared(MessageId),
    Own(Role, Key, Option<&'t Native>, u32, &'t [(MessagePart, u32)]),
}

/// A [`Message`] without its text, in a [`Table`].
pub struct Row {
    pub role: Role,
    pub native: Option<Arc<Native>>,
    pub image_tokens: u32,
    /// The parts of the text, each with its start byte, in ascending order.
    pub parts: Arc<[(MessagePart, u32)]>,
    /// The hash of the text.
    pub text: Key,
    /// The numbers of the pieces of the text.
    pieces: Runs,
    /// Tokens in a request, including the chat format's overhead.
    tokens: u32,
}

/// The text of a piece.
enum PieceText {
    Whole(EcoString),
    /// The numbers of its parts. Growing pieces share most parts.
    Long(Runs),
}

/// Role, text, native fields, image tokens and parts. Messages of a user's own strategy have no parts, so without them they would share a
/// row with equal messages of built-in strategies.
type RowKey = (Role, Key, Option<Arc<Native>>, u32, Arc<[(MessagePart, u32)]>);

impl MessageId {
    /// The identifier of the message at this position.
    pub fn at(position: u32) -> MessageId {
        MessageId(position)
    }

    /// The position of the row.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'t> Messages<'t> {
    /// An empty table. `tokens` counts the tokens of a text.
    pub fn new(tokens: &'t TextTokens<'t>) -> Messages<'t> {
        Messages { table: RefCell::default(), tokens }
    }

    /// Adds a message, unless it is in the table. Returns its identifier.
    pub fn add(&self, message: &Message) -> MessageId {
        self.table.borrow_mut().add_message(message)
    }

    /// Adds a message that names a file. `text_of` is the message with the file's text.
    pub fn add_file(&self, message: &Message, text_of: MessageId) -> MessageId {
        let mut table = self.table.borrow_mut();
        let id = table.add_message(message);
        table.in_files.insert(id, text_of);
        id
    }

    /// Marks the current messages as shared, to survive the end of a strategy.
    pub fn share(&self) {
        let mut table = self.table.borrow_mut();
        table.shared =
            Shared { rows: table.rows.len(), pieces: table.piece_texts.len(), parts: table.parts.len() };
    }

    /// Evicts the messages added since the last [`Messages::share`], if they are many: they belong to a strategy that has ended. Their
    /// identifiers are reused.
    pub fn forget(&self) {
        self.table.borrow_mut().evict_unshared();
    }

    /// The message with its text.
    pub fn message(&self, id: MessageId) -> Message {
        self.table.borrow().message(id)
    }

    /// The table with all columns filled. Nothing can be added while it is borrowed.
    pub fn table(&self) -> Ref<'_, Table> {
        self.count_tokens();
        self.table.borrow()
    }

    /// Tokens of a message in a request, including the chat format's overhead.
    pub fn tokens(&self, id: MessageId) -> u32 {
        self.count_tokens();
        self.table.borrow().row(id).tokens
    }

    fn count_tokens(&self) {
        // Strategies ask for tokens at every turn, mostly without new messages.
        if self.table.borrow().is_counted() {
            return;
        }
        self.table.borrow_mut().count_tokens(self.tokens);
    }
}

impl Table {
    fn add_message(&mut self, message: &Message) -> MessageId {
        let text = Key::of(&message.content);
        let key = (message.role, text, message.native.clone(), message.image_tokens, message.parts.clone());
        if let Some(known) = self.ids.get(&key) {
            return *known;
        }
        let id = MessageId(self.rows.len() as u32);
        let pieces = self.pieces_of(&message.content);
        self.rows.push(Row {
            role: message.role,
            native: message.native.clone(),
            image_tokens: message.image_tokens,
            parts: message.parts.clone(),
            text,
            pieces,
            tokens: 0,
        });
        self.ids.insert(key, id);
        id
    }

    /// The piece numbers of a text. New pieces are added.
    fn pieces_of(&mut self, text: &str) -> Runs {
        let numbers: Vec<u32> = blocks(text).map(|piece| self.piece_number(piece)).collect();
        self.stretches.numbers(numbers)
    }

    fn piece_number(&mut self, piece: &str) -> u32 {
        let next = self.piece_texts.len() as u32;
        let number = *self.pieces.entry(Key::of(piece)).or_insert(next);
        if number == next {
            if piece.len() <= LONG {
                self.piece_texts.push(PieceText::Whole(piece.into()));
                return number;
            }
            let parts = piece.split_inclusive('\n').flat_map(line_parts);
            let numbers = parts.map(|part| part_number(&mut self.parts, part));
            self.piece_texts.push(PieceText::Long(self.stretches.numbers(numbers)));
        }
        number
    }

    fn evict_unshared(&mut self) {
        let Shared { rows, pieces, parts } = self.shared;
        // Eviction trades time for memory: the next strategy may send some of these messages again.
        if self.rows.len() - rows < MANY {
            return;
        }
        self.rows.truncate(rows);
        self.ids.retain(|_, id| id.index() < rows);
        self.in_files.retain(|id, _| id.index() < rows);
        self.counted = self.counted.min(rows);
        self.pieces.retain(|_, piece| (*piece as usize) < pieces);
        self.piece_texts.truncate(pieces);
        self.piece_tokens.truncate(pieces);
        self.parts.truncate(parts);
        self.stretches = Stretches::default();
    }

    fn is_counted(&self) -> bool {
        self.counted == self.rows.len()
    }

    /// Counts the tokens of new pieces and rows.
    fn count_tokens(&mut self, tokens: &TextTokens<'_>) {
        for number in self.piece_tokens.len() as u32..self.piece_count() {
            let piece_tokens = as_u32(tokens(&self.piece(number)));
            self.piece_tokens.push(piece_tokens);
        }
        for row in self.rows.iter_mut().skip(self.counted) {
            let mut of_text = 0_u32;
            for piece in row.pieces.numbers() {
                of_text = of_text.saturating_add(self.piece_tokens[piece as usize]);
            }
            let native = row.native.as_ref().map_or(0, |native| native.tokens(tokens));
            let beside = as_u32(native).saturating_add(row.image_tokens).saturating_add(MESSAGE_OVERHEAD);
            row.tokens = of_text.saturating_add(beside);
        }
        self.counted = self.rows.len();
    }

    /// Number of messages.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there is no message.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All messages, in insertion order.
    pub fn ids(&self) -> impl Iterator<Item = MessageId> + use<> {
        (0..self.rows.len() as u32).map(MessageId)
    }

    /// The row of a message of this table.
    pub fn row(&self, id: MessageId) -> &Row {
        &self.rows[id.index()]
    }

    /// Identifies the message among all that the table ever had.
    pub fn identity(&self, id: MessageId) -> Identity<'_> {
        if id.index() < self.shared.rows {
            return Identity::Shared(id);
        }
        let row = self.row(id);
        Identity::Own(row.role, row.text, row.native.as_deref(), row.image_tokens, &row.parts)
    }

    /// For a message that names a file, the message with the file's text.
    pub fn in_file(&self, id: MessageId) -> Option<MessageId> {
        self.in_files.get(&id).copied()
    }

    /// The piece numbers of a text, in order.
    pub fn pieces(&self, id: MessageId) -> impl Iterator<Item = u32> + '_ {
        self.row(id).pieces.numbers()
    }

    /// Number of pieces.
    pub fn piece_count(&self) -> u32 {
        self.piece_texts.len() as u32
    }

    /// The text of a piece.
    pub fn piece(&self, number: u32) -> Cow<'_, str> {
        match &self.piece_texts[number as usize] {
            PieceText::Whole(text) => Cow::Borrowed(text),
            PieceText::Long(parts) => self.texts_of_parts(parts).map(EcoString::as_str).collect(),
        }
    }

    /// Bytes of the text of a piece.
    pub fn piece_bytes(&self, number: u32) -> usize {
        self.piece_parts(number).map(|part| part.len()).sum()
    }

    /// Tokens of a piece. Counted in tables from [`Messages::table`].
    pub fn piece_tokens(&self, number: u32) -> u32 {
        self.piece_tokens[number as usize]
    }

    /// The strings that form a piece.
    pub fn piece_parts(&self, number: u32) -> impl Iterator<Item = &EcoString> {
        let (whole, parts) = match &self.piece_texts[number as usize] {
            PieceText::Whole(text) => (Some(text), None),
            PieceText::Long(parts) => (None, Some(parts)),
        };
        whole.into_iter().chain(parts.into_iter().flat_map(|parts| self.texts_of_parts(parts)))
    }

    fn texts_of_parts(&self, numbers: &Runs) -> impl Iterator<Item = &EcoString> {
        numbers.numbers().filter_map(|number| self.parts.get_index(number as usize))
    }

    /// The text of a message.
    pub fn text(&self, id: MessageId) -> String {
        self.pieces(id).flat_map(|piece| self.piece_parts(piece)).map(EcoString::as_str).collect()
    }

    /// The message with its text.
    pub fn message(&self, id: MessageId) -> Message {
        let row = self.row(id);
        Message {
            role: row.role,
            content: self.text(id).into(),
            parts: row.parts.clone(),
            native: row.native.clone(),
            image_tokens: row.image_tokens,
        }
    }
}

impl Row {
    /// Tokens in a request, including the chat format's overhead.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Returns true if the message has only text, without native fields and images.
    pub fn is_text(&self) -> bool {
        self.native.is_none() && self.image_tokens == 0
    }

    /// The part of the text at a byte.
    pub fn part_at(&self, byte: usize) -> Option<MessagePart> {
        let before = self.parts.iter().take_while(|(_, start)| *start as usize <= byte);
        before.last().map(|(part, _)| *part)
    }
}

fn part_number(parts: &mut IndexSet<EcoString, FxBuildHasher>, part: &str) -> u32 {
    let known = parts.get_index_of(part);
    known.unwrap_or_else(|| parts.insert_full(part.into()).0) as u32
}

fn as_u32(tokens: u64) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}
