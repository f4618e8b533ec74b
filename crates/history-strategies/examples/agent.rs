//! An agent that shortens its history while it runs: `cargo run --example agent`.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use conversation::{Conversation, Message, Native, NativeCall, Role};
use history_strategies::{FOLDING, Variant};
use ptc_prices::PriceTable;
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

/// Stands for a model: it reads one page after the other, then answers.
fn ask_model(messages: &[Message], page: usize) -> Message {
    if page > 20 {
        return Message::new(
            Role::Assistant,
            format!("Done; the last request had {} messages.", messages.len()),
        );
    }
    let arguments = format!("{{\"page\":{page}}}");
    let call =
        NativeCall { id: format!("call-{page}").into(), name: "read".into(), arguments: arguments.into() };
    Message { native: Some(Arc::new(Native::Calls(vec![call]))), ..Message::new(Role::Assistant, "") }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (tokenizer, prices) = (Tokenizer::named(DEFAULT_TOKENIZER)?, PriceTable::built_in()?);
    let count = |text: &str| u64::from(tokenizer.count(text));
    // Old results stay until carrying them has cost as much as sending the rest again without them.
    let price = prices.find("claude-sonnet-4-5", prices.day())?;
    let fold = Variant::new(FOLDING).with("keep_recent_turns", 2)?.at_prices(&price)?;
    let mut messages = vec![Message::new(Role::User, "Read the book, then say what it is about.")];
    for page in 1.. {
        let request = fold.shorten(&Conversation::from_messages(&messages)?, &count)?;
        let tokens = |messages: &[Message]| messages.iter().map(|message| message.tokens(count)).sum::<u64>();
        println!("request {page}: {} of {} tokens", tokens(&request), tokens(&messages));
        let answer = ask_model(&request, page);
        messages.push(answer.clone());
        let [call] = answer.calls() else { break };
        let native = Some(Arc::new(Native::ResultOf(call.id.clone())));
        let text = format!("Page {page}: {}", "once upon a time ".repeat(40));
        messages.push(Message { native, ..Message::new(Role::Tool, text) });
    }
    Ok(())
}
