//! The results of checks that rustc evaluates.

use crate::text::Text;

/// The message about what a check found, if it found anything.
#[derive(Clone, Copy, Debug)]
pub struct Found(Option<Text<1024>>);

impl Found {
    /// Nothing is wrong.
    pub const NOTHING: Self = Self(None);

    /// Something is wrong.
    pub const fn of(message: Text<1024>) -> Self {
        Self(Some(message))
    }

    /// The first that is wrong.
    pub const fn first(all: &[Self]) -> Self {
        let mut n = 0;
        while n < all.len() {
            if all[n].0.is_some() {
                return all[n];
            }
            n += 1;
        }
        Self::NOTHING
    }

    /// The message, if anything is wrong.
    pub const fn text(&self) -> Option<&str> {
        match &self.0 {
            Some(message) => Some(message.as_str()),
            None => None,
        }
    }

    /// The same with the place in the fragments that the statement comes from.
    #[must_use]
    pub const fn inside(self, place: &str) -> Self {
        match self.0 {
            Some(mut message) => {
                message.push_str(place);
                Self::of(message)
            }
            None => self,
        }
    }

    /// This is wrong where `is_wrong`.
    pub const fn message(is_wrong: bool, message: &str) -> Self {
        if !is_wrong {
            return Self::NOTHING;
        }
        let mut text = Text::new();
        text.push_str(message);
        Self::of(text)
    }
}

/// Panics at its caller if a check found anything: expanded code places the call at the user's token.
#[track_caller]
pub const fn require(found: Found) {
    if let Some(message) = &found.0 {
        panic!("{}", message.as_str());
    }
}
