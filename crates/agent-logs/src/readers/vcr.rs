//! Cassettes of VCR in Python and Ruby, and HAR files as Polly.JS and browsers write them: requests to any provider, each
//! with its response. The readers of the providers' formats read their bodies.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use serde_json::{Value, json};

use super::event_stream::whole_of_frames;
use super::inner::Inner;
use super::interactions::as_responses;
use super::prompts::as_chat;
use crate::format::{LogFormat, Reader};
use crate::json::{Json, Object};
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::stream::{whole_of_lines, whole_response};
use crate::time::LogTime;

const NAME: &str = "vcr";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "cassettes of VCR and pytest-recording (YAML or JSON), HAR files: requests of any provider with their responses",
    recognises: |object| interactions(object).is_some_and(|list| !list.is_empty()),
    reader: || Box::new(Cassettes(Inner::of(NAME))),
};

/// Lists of interactions, by the kind of file.
const LISTS: [&str; 2] = ["interactions", "http_interactions"];

/// Parts of addresses of providers that answer with something else than a message.
const OTHER_PATHS: [&str; 12] = [
    "embedding",
    "embedContent",
    "EmbedContents",
    "moderations",
    "count_tokens",
    "countTokens",
    "input_tokens",
    "/images",
    "/audio",
    "/rerank",
    "/files",
    "/uploads",
];

/// The note for an interaction that is no call of a model.
const OTHER: &str = "requests for something else than an answer of a model, left out";

/// Bytes that a body has at most when it is unpacked.
const MAX_BODY: u64 = 256 << 20;

struct Cassettes(Inner);

impl Reader for Cassettes {
    fn value(&mut self, value: Json, place: LogPlace, sink: &mut Sink) {
        let object = value.object().unwrap_or_default();
        let Some(list) = interactions(&object) else {
            return sink.notes.lost("values without interactions", place);
        };
        for (index, interaction) in list.iter().enumerate() {
            self.interaction(interaction, place.item(interaction.list, index), sink);
        }
    }

    fn end(&mut self, sink: &mut Sink) {
        self.0.end(sink);
    }
}

impl Cassettes {
    fn interaction(&mut self, interaction: &Interaction, place: LogPlace, sink: &mut Sink) {
        let Interaction { asked, told, .. } = interaction;
        let request = body(asked).map(|body| body.text);
        let request =
            request.as_deref().and_then(|text| Json::parse(text).ok()).filter(|json| json.object().is_some());
        let address = asked.first(&["uri", "url"]).and_then(Json::text).unwrap_or_default();
        let Some(request) = request.filter(|_| OTHER_PATHS.iter().all(|part| !address.contains(part))) else {
            return sink.notes.note(OTHER, place);
        };
        let response = body(told);
        if response.as_ref().is_some_and(|body| body.is_packed) {
            let kind = "responses in an encoding that is not read; record with decode_compressed_response";
            sink.notes.lost(kind, place.key("response"));
        }
        let response = response.and_then(|body| as_json(&body.text));
        if response.as_ref().is_some_and(Value::is_null) {
            sink.notes.lost("streamed responses that cannot be put together", place.key("response"));
        }
        let (mut request, mut response) = (request.read::<Value>().unwrap_or_default(), response);
        if let Some(response) = &mut response {
            as_chat(&mut request, response, &address);
            as_responses(&mut request, response);
        }
        let both = json!({"request": request, "response": response});
        if !self.0.exchange(&both, interaction.times, &place, sink) {
            sink.notes.note(OTHER, place);
        }
    }
}

/// A request and its response.
struct Interaction<'a> {
    /// Name of the list that it stands in.
    list: &'static str,
    asked: Object<'a>,
    told: Object<'a>,
    times: (Option<LogTime>, Option<LogTime>),
}

/// The interactions of a cassette. Those of LangChain have the requests and the responses in a list each.
fn interactions<'a>(object: &Object<'a>) -> Option<Vec<Interaction<'a>>> {
    let own = || LISTS.iter().find_map(|key| Some((*key, object.list(key)?)));
    let Some((list, all)) = own().or_else(|| Some(("log.entries", object.object("log")?.list("entries")?)))
    else {
        let all = object.list("requests")?.into_iter().zip(object.list("responses")?);
        let both = all.map(|(asked, told)| Some((asked.object()?, told.object()?)));
        let interaction = |(asked, told)| Interaction { list: "requests", asked, told, times: (None, None) };
        return both.map(|both| both.map(interaction)).collect();
    };
    let interaction = |interaction: Json<'a>| {
        let interaction = interaction.object()?;
        let (asked, told) = (interaction.object("request")?, interaction.object("response")?);
        Some(Interaction { list, asked, told, times: times(&interaction) })
    };
    Some(all.into_iter().filter_map(interaction).collect())
}

/// When a request was sent and answered, as HAR says it. Cassettes in Ruby have the end alone.
fn times(interaction: &Object) -> (Option<LogTime>, Option<LogTime>) {
    let sent = interaction.get("startedDateTime").and_then(LogTime::read);
    let took = interaction.get("time").and_then(Json::read::<f64>).filter(|took| *took >= 0.0);
    let ended = sent.zip(took).map(|(sent, took)| sent.after(took));
    (sent.or_else(|| interaction.get("recorded_at").and_then(LogTime::read)), ended)
}

/// The body of a request or a response.
struct Body {
    text: String,
    /// True if it is packed in a way that is not read.
    is_packed: bool,
}

/// A body as text, JSON, bytes in base64, or an object with one of these.
fn body(object: &Object) -> Option<Body> {
    const BELOW: [&str; 3] = ["body", "postData", "content"];
    let given = object.get("parsed_body").or_else(|| object.first(&BELOW))?;
    let inside = given.object();
    let below = inside.as_ref().and_then(|inside| inside.first(&["string", "base64_string", "text"]));
    match below.unwrap_or(given).text() {
        Some(text) => Some(unpacked(text)),
        // Some serializers keep the JSON of a body as it is.
        None => Some(Body { text: given.raw().to_owned(), is_packed: false }),
    }
}

/// The text of bytes in base64, which may be packed. Any other text is itself.
fn unpacked(text: String) -> Body {
    let is_plain =
        ["{", "[", "data:", "event:", ":", "\""].iter().any(|start| text.trim_start().starts_with(start));
    let base64: String = text.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(base64).ok().filter(|_| !is_plain && !text.is_empty());
    let Some(bytes) = bytes else { return Body { text, is_packed: false } };
    let mut unpacked = Vec::new();
    let is_read = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            GzDecoder::new(bytes.as_slice()).take(MAX_BODY).read_to_end(&mut unpacked).is_ok()
        }
        [0x78, ..] => ZlibDecoder::new(bytes.as_slice()).take(MAX_BODY).read_to_end(&mut unpacked).is_ok(),
        _ => false,
    };
    if let Some(whole) = whole_of_frames(&bytes) {
        return Body { text: whole.to_string(), is_packed: false };
    }
    match String::from_utf8(if is_read { unpacked } else { bytes }) {
        Ok(text) => Body { text, is_packed: false },
        Err(_) => Body { text: String::new(), is_packed: true },
    }
}

/// The JSON of a response, of a streamed one put together; `null` if its events are of no known provider.
fn as_json(text: &str) -> Option<Value> {
    let text = text.trim_start();
    whole_response(text).or_else(|| serde_json::from_str(text).ok()).or_else(|| whole_of_lines(text))
}
