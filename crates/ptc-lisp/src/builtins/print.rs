//! Output, which the interpreter captures.

use super::format::format_arguments;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    /// Does nothing: output is captured.
    "flush" = || Value::Nil => "(flush) ;=> nil"
    /// Ends the pending line of output.
    "newline" = |cx: &mut Call| print_line(cx, "") => "(newline) ;=> nil"
    /// Appends values, as the reader reads them, to the pending line of output.
    "pr" = |cx: &mut Call, values: &mut [Value]| print(cx, Style::Readable, values) =>
        r#"(pr "a" :b) ;=> nil"#
    /// Appends values to the pending line of output.
    "print" = |cx: &mut Call, values: &mut [Value]| print(cx, Style::Plain, values) =>
        r#"(print "a" :b) ;=> nil"#
    /// The text that print prints, as a string.
    "print-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Plain, values, "") =>
        r#"(print-str "a" [:b "c"]) ;=> "a [:b c]""#
    /// Appends a formatted text to the pending line of output; see format.
    "printf" = printf => r#"(printf "%d items" 3) ;=> nil"#
    /// Prints values, with spaces between them, as one line of output.
    "println" = |cx: &mut Call, values: &mut [Value]| println(cx, Style::Plain, values) =>
        r#"(println "total:" 3) ;=> nil"#
    /// The text that println prints, as a string, with a line break at its end.
    "println-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Plain, values, "\n") =>
        r#"(println-str "a" :b) ;=> "a :b\n""#
    /// Prints values, as the reader reads them, as one line of output.
    "prn" = |cx: &mut Call, values: &mut [Value]| println(cx, Style::Readable, values) =>
        r#"(prn "a" :b) ;=> nil"#
    /// The text that prn prints, as a string, with a line break at its end.
    "prn-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Readable, values, "\n") =>
        r#"(prn-str "a" :b) ;=> "\"a\" :b\n""#
}

/// `(with-out-str body…)`, reached through a special form with its body as a function.
pub static WITH_OUT_STR: Builtin = crate::builtin!("with-out-str", with_out_str, "", "");

fn with_out_str(cx: &mut Call, body: &Value) -> Eval {
    let text = cx.printed_by(|cx| cx.call(body, &mut []))?;
    cx.string(text)
}

/// The values with a space between each two.
fn printed(cx: &mut Call, style: Style, values: &[Value]) -> Eval<EcoString> {
    let values = values.iter().map(|value| cx.realized(value.clone())).collect::<Eval<Vec<Value>>>()?;
    let text = cx.printed(style, &values, " ")?;
    cx.tick_text(&text)?;
    Ok(text)
}

pub(super) fn as_string(cx: &mut Call, style: Style, values: &[Value], end: &str) -> Eval {
    let text = printed(cx, style, values)? + end;
    cx.string(text)
}

fn print(cx: &mut Call, style: Style, values: &[Value]) -> Eval {
    let text = printed(cx, style, values)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}

fn println(cx: &mut Call, style: Style, values: &[Value]) -> Eval {
    let text = printed(cx, style, values)?;
    print_line(cx, &text)
}

pub(super) fn print_line(cx: &mut Call, line: &str) -> Eval {
    cx.println(line)?;
    Ok(Value::Nil)
}

fn printf(cx: &mut Call, AtLeast(arguments): AtLeast<1>) -> Eval {
    let text = format_arguments(cx, arguments)?;
    cx.print(&text)?;
    Ok(Value::Nil)
}
