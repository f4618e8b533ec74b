//! PLACEHOLDER
pub struct Regex {
    source: ecow::EcoString,
}
impl Regex {
    pub fn source(&self) -> &str {
        &self.source
    }
}
