//! Output. Nothing is written anywhere: prints are captured by the interpreter.

use ecow::EcoString;

use super::format::format_arguments;
use super::{Builtin, Call, at_least, builtins, exactly};
use crate::builtin;
use crate::error::Eval;
use crate::eval::{Interpreter, infinite};
use crate::print::Style;
use crate::value::Value;

builtins! {
    pub(super) static ROWS;

    /// Does nothing: output is captured.
    "flush" [exactly(0)] = |_, _| Ok(Value::Nil) => "(flush) ;=> nil"
    /// Ends the pending line of output.
    "newline" [exactly(0)] = newline => "(newline) ;=> nil"
    /// Appends values, as the reader reads them, to the pending line of output.
    "pr" [at_least(0)] = pr => r#"(pr "a" :b) ;=> nil"#
    /// Appends values to the pending line of output.
    "print" [at_least(0)] = print => r#"(print "a" :b) ;=> nil"#
    /// What print would print, as a string.
    "print-str" [at_least(0)] = print_str => r#"(print-str "a" [:b "c"]) ;=> "a [:b c]""#
    /// Appends a formatted text to the pending line of output; see format.
    "printf" [at_least(1)] = printf => r#"(printf "%d items" 3) ;=> nil"#
    /// Prints values, with spaces between them, as one line of output.
    "println" [at_least(0)] = println => r#"(println "total:" 3) ;=> nil"#
    /// What println would print, as a string with a line break at its end.
    "println-str" [at_least(0)] = println_str => r#"(println-str "a" :b) ;=> "a :b\n""#
    /// Prints values, as the reader reads them, as one line of output.
    "prn" [at_least(0)] = prn => r#"(prn "a" :b) ;=> nil"#
    /// What prn would print, as a string with a line break at its end.
    "prn-str" [at_least(0)] = prn_str => r#"(prn-str "a" :b) ;=> "\"a\" :b\n""#
}

/// `(with-out-str body…)`, reached through a special form with its body as a function.
pub static WITH_OUT_STR: Builtin = builtin!("with-out-str", with_out_str, "", "");

fn with_out_str(cx: &mut Call, body: &Value) -> Eval {
    let text = cx.printed_by(|cx| cx.call(body, &mut []))?;
    cx.string(text)
}

/// The values with a space between each two.
pub(super) fn printed(cx: &mut Interpreter<'_>, style: Style, values: &[Value]) -> Eval<EcoString> {
    if values.iter().any(|value| matches!(value, Value::Generator(_))) {
        return infinite();
    }
    let text = cx.printed(style, values, " ")?;
    cx.tick_text(&text)?;
    Ok(text)
}

fn println(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.println(&text)?;
    Ok(Value::Nil)
}

fn prn(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Readable, args)?;
    cx.println(&text)?;
    Ok(Value::Nil)
}

fn newline(cx: &mut Interpreter<'_>, _: &mut [Value]) -> Eval {
    cx.println("")?;
    Ok(Value::Nil)
}

fn print(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn pr(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Readable, args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn printf(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = format_arguments(cx, "printf", args)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn print_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let text = printed(cx, Style::Plain, args)?;
    cx.string(text)
}

fn println_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut text = printed(cx, Style::Plain, args)?;
    text.push('\n');
    cx.string(text)
}

fn prn_str(cx: &mut Interpreter<'_>, args: &mut [Value]) -> Eval {
    let mut text = printed(cx, Style::Readable, args)?;
    text.push('\n');
    cx.string(text)
}
