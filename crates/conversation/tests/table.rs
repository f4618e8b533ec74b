//! The table stores and counts each text once.

use std::sync::atomic::{AtomicU64, Ordering};

use conversation::{Message, Messages, Role};
use proptest::prelude::*;

#[test]
fn equal_messages_have_one_identifier_and_are_counted_once() {
    let counted = AtomicU64::new(0);
    let tokens = |text: &str| {
        counted.fetch_add(1, Ordering::Relaxed);
        text.len() as u64
    };
    let table = Messages::new(&tokens);
    let [first, second, other] =
        ["a fox", "a fox", "a hen"].map(|text| table.add(&Message::new(Role::User, text)));
    assert_eq!(first, second);
    assert_ne!(first, other);
    assert_ne!(first, table.add(&Message::new(Role::Assistant, "a fox")));
    // The chat format adds four tokens to each message.
    assert_eq!([table.tokens(first), table.tokens(other)], [9, 9]);
    let distinct = counted.load(Ordering::Relaxed);
    table.add(&Message::new(Role::Tool, "a fox"));
    assert_eq!(table.tokens(first), 9);
    assert_eq!(counted.load(Ordering::Relaxed), distinct);
}

proptest! {
    /// Texts come back as they were, however they are cut into pieces.
    #[test]
    fn texts_are_whole(texts in prop::collection::vec("[a-c \n]{0,9}(x{3000})?[a-c \n]{0,9}", 1..6)) {
        let tokens = |text: &str| text.len() as u64;
        let table = Messages::new(&tokens);
        let messages: Vec<Message> = texts.iter().map(|text| Message::new(Role::User, text.as_str())).collect();
        let ids: Vec<_> = messages.iter().map(|message| table.add(message)).collect();
        for (message, id) in messages.iter().zip(ids) {
            prop_assert_eq!(&table.message(id), message);
            prop_assert_eq!(u64::from(table.tokens(id)), message.tokens(tokens));
        }
    }
}
