//! The target's prompt cache as a value: request in, served text and next state out.
//!
//! The target keeps the texts of the last few pairs of channel and fingerprint. The fingerprint is made of
//! modification times, so an edit that keeps its time is served stale.

use std::sync::Arc;

use model::{Assembly, Context};

/// What the target's cache holds, least recently used first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetCache {
    capacity: usize,
    entries: Vec<(String, Arc<str>)>,
}

impl TargetCache {
    /// An empty cache of `capacity` texts.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, entries: Vec::new() }
    }

    /// The key of a request: `<channel>:<fingerprint>`. The channel is taken as it is spelled; `desktop` when
    /// none was passed.
    pub fn key(context: &Context, assembly: &Assembly) -> String {
        format!("{}:{}", context.template_channel(), assembly.fingerprint.text())
    }

    /// The text that is kept for `key`.
    pub fn get(&self, key: &str) -> Option<&Arc<str>> {
        self.entries.iter().find(|(kept, _)| kept == key).map(|(_, text)| text)
    }

    /// Serves `key`: the kept text, or `fresh`, which is kept from now on. The entry becomes the most recent
    /// one; beyond the capacity the oldest goes.
    #[must_use]
    pub fn serve(mut self, key: &str, fresh: &Arc<str>) -> (Self, Arc<str>) {
        let text = match self.entries.iter().position(|(kept, _)| kept == key) {
            Some(at) => self.entries.remove(at).1,
            None => Arc::clone(fresh),
        };
        self.entries.push((key.to_owned(), Arc::clone(&text)));
        if self.entries.len() > self.capacity {
            self.entries.remove(0);
        }
        (self, text)
    }

    /// The cache after its host cleared it.
    #[must_use]
    pub fn cleared(self) -> Self {
        Self::new(self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_text_goes_first() {
        let text = |text: &str| Arc::<str>::from(text);
        let serve = |cache: TargetCache, key: &str, fresh: &str| {
            let (cache, served) = cache.serve(key, &text(fresh));
            (cache, served.to_string())
        };
        let (cache, _) = serve(TargetCache::new(2), "a", "1");
        let (cache, _) = serve(cache, "b", "2");
        let (cache, kept) = serve(cache, "a", "3");
        assert_eq!(kept, "1", "a is kept, and now the most recent");
        let (cache, _) = serve(cache, "c", "4");
        assert_eq!((cache.get("b"), cache.get("a").is_some()), (None, true));
        assert_eq!(cache.cleared(), TargetCache::new(2));
    }
}
