//! Options for reading logs: the format, and the user messages that count as output.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use agent_logs::{FORMATS, LogFormat, Observations, ReadOptions};

#[derive(Args, Clone, Debug, Default)]
pub(super) struct LogOptions {
    /// Format of the logs; default: detected from the content
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    from: Option<String>,
    /// The user messages that count as tool results
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    observations: Observed,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Observed {
    /// Messages after a call written as text
    #[default]
    Auto,
    /// All messages after the first answer
    User,
    /// Only messages that the log marks as such
    None,
}

impl LogOptions {
    pub(super) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            from: self.from.as_deref().and_then(LogFormat::named),
            observations: match self.observations {
                Observed::Auto => Observations::Auto,
                Observed::User => Observations::User,
                Observed::None => Observations::None,
            },
        }
    }
}
