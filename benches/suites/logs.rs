//! Writes conversations of an agent that calls tools, as logs of OpenAI's API, the same on every machine: one a line,
//! each result about 1 KB, and each call names something from an earlier result.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::generate::{Dice, Size};

/// # Errors
/// The log cannot be written.
pub fn write_logs(out: &mut impl Write, size: Size) -> io::Result<()> {
    (0..size.scenarios).try_for_each(|index| writeln!(out, "{}", log(index, size.turns)))
}

fn log(index: u32, turns: u32) -> Value {
    let mut dice = Dice::new(index);
    let mut messages = vec![
        json!({"role": "system", "content": "You work through orders with the tools that you have. ".repeat(40)}),
        json!({"role": "user", "content": format!("Settle the orders of {}.", dice.word())}),
    ];
    let mut order = format!("{}-{index}", dice.word());
    for turn in 0..turns {
        let id = format!("call_{index}_{turn}");
        let arguments = json!({"order": order, "page": turn}).to_string();
        let call =
            json!({"id": id, "type": "function", "function": {"name": "look_up", "arguments": arguments}});
        messages.push(json!({"role": "assistant", "content": Value::Null, "tool_calls": [call]}));
        let mut result = String::new();
        for row in 0..18 {
            let (word, other, number) = (dice.word(), dice.word(), dice.roll(100_000));
            let _ =
                writeln!(result, "{row}: order {word}-{number} of {other}, {} euros, open", dice.roll(900));
            if row == dice.roll(18) {
                order = format!("{word}-{number}");
            }
        }
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": result}));
    }
    messages.push(json!({"role": "assistant", "content": "All orders are settled."}));
    json!({ "messages": messages })
}
