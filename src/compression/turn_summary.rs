//! The messages that replace a program's turn in a summary.

use conversation::{MessageBuilder, MessagePart, Role, Turn};
use history_strategies::lines::list_outputs;
use history_strategies::turn_summary::{CALLS, NOTHING, OUTPUT};
use history_strategies::{Options, RequestDraft, Shown, View};

use super::sections::samples::{Samples, write_type};
use super::sections::{calls, user};
use crate::agent::{Call, ProgramTurn};
use ecow::EcoString;
use ptc_lisp::memory::Definition;

/// The calls, definitions and prints of a turn.
pub struct Left<'t> {
    pub calls: &'t [Call<'t>],
    pub definitions: &'t [&'t Definition],
    pub prints: &'t [EcoString],
}

/// Summarizes a turn in its state at the end of the turn.
pub fn summarize_program_turn(
    view: &View<'_>,
    program: &ProgramTurn,
    turn: &Turn,
    options: &Options,
) -> RequestDraft {
    let calls: Vec<Call<'_>> = program.tool_calls.iter().map(Call::Program).collect();
    let defined = program.memory.defined_last().filter(|definition| definition.turn == program.number);
    let definitions: Vec<&Definition> = defined.collect();
    let samples = Samples::unless_printed(program.prints.len() as u32, options);
    let left = Left { calls: &calls, definitions: &definitions, prints: &program.prints };
    write_left(view, &left, samples, turn)
}

/// Writes the calls, definitions and prints of a turn, and the line about the next turn.
pub fn write_left(view: &View<'_>, left: &Left<'_>, samples: Option<Samples>, turn: &Turn) -> RequestDraft {
    let mut answer = MessageBuilder::default();
    let tool_calls =
        answer.line(MessagePart::Calls, |out| calls::list(out, CALLS, left.calls.iter().copied(), samples));
    answer.line(MessagePart::User, |out| write_definitions(out, left.definitions, samples));
    let printlns = answer.line(MessagePart::Output, |out| list_outputs(out, OUTPUT, left.prints));
    let answer = if answer.has_parts() { answer } else { MessageBuilder::with_heading(NOTHING) };
    let mut feedback = MessageBuilder::default();
    if let Some(reply) = turn.replies.first()
        && let Some(turn_line) = reply.split_turn_line().1
    {
        feedback.part(MessagePart::TurnsLeft, |out| out.push_str(turn_line));
    }
    let shown = Shown { tool_calls, printlns, ..Shown::default() };
    let answer = view.messages().add(&answer.finish(Role::Assistant));
    let feedback = view.messages().add(&feedback.finish(Role::User));
    RequestDraft::new(vec![answer, feedback], shown)
}

/// `; Function: pricey? - "Costs over 100"` and `; Defined: electronics - "In stock" = list[4]`
fn write_definitions(out: &mut String, definitions: &[&Definition], samples: Option<Samples>) {
    let start = out.len();
    for definition in user::functions_first(|| definitions.iter().copied()) {
        if out.len() > start {
            out.push('\n');
        }
        let is_function = definition.is_function();
        out.push_str(if is_function { "; Function: " } else { "; Defined: " });
        out.push_str(definition.name.name());
        if let Some(docstring) = &definition.docstring {
            out.push_str(" - ");
            user::quote(out, docstring);
        }
        if !is_function {
            out.push_str(" = ");
            write_type(out, &definition.value, samples);
        }
    }
}
