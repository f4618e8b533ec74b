//! Output, which the interpreter captures.

use super::format::format_arguments;
use crate::builtins::prelude::*;

builtins! {
    pub(super) static ROWS;

    "flush" = || Value::Nil;
    "newline" = |cx: &mut Call| print_line(cx, "");
    "pr" = |cx: &mut Call, values: &mut [Value]| print(cx, Style::Readable, values);
    "print" = |cx: &mut Call, values: &mut [Value]| print(cx, Style::Plain, values);
    "print-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Plain, values, "");
    "printf" = |cx: &mut Call, AtLeast(arguments): AtLeast<1>| -> Eval {
        let text = format_arguments(cx, arguments)?;
        cx.print(&text)?;
        Ok(Value::Nil)
    };
    "println" = |cx: &mut Call, values: &mut [Value]| println(cx, Style::Plain, values);
    "println-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Plain, values, "\n");
    "prn" = |cx: &mut Call, values: &mut [Value]| println(cx, Style::Readable, values);
    "prn-str" = |cx: &mut Call, values: &mut [Value]| as_string(cx, Style::Readable, values, "\n");
}

/// `(with-out-str body…)`, reached through a special form with its body as a function.
pub static WITH_OUT_STR: Builtin = crate::builtin!("with-out-str", with_out_str);

fn with_out_str(cx: &mut Call, body: &Value) -> Eval {
    let text = cx.printed_by(|cx| cx.call(body, &mut []))?;
    cx.string(text)
}

/// The values with a space between each two.
fn printed(cx: &mut Call, style: Style, values: &[Value]) -> Eval<EcoString> {
    let mut finite = Vec::with_capacity(values.len());
    for value in values {
        finite.push(cx.realized(value.clone())?);
    }
    let text = cx.printed(style, &finite, " ")?;
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
