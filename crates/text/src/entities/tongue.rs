//! How far capitals can be trusted in a text, judged by its small words.
//!
//! German capitalises every noun, so only known names count there. The name model has been fitted on English only. This
//! is not language detection (`language` does that): it only has to be right about what capitals mean, and it has to be
//! cheap.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Lexed, lower_hash};

/// What a capital indicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capitals {
    /// Names are capitalised, and the model may judge.
    English,
    /// Names are capitalised.
    Names,
    /// Every noun is capitalised.
    Nouns,
}

static SMALL_WORDS: LazyLock<FxHashMap<u64, usize>> = LazyLock::new(|| {
    let english = "the of to in and for on that is with as at by from has was are it his their an be said this which were have";
    let romance = "le la les des du et un une est dans pour sur avec au aux par qui que se ses leur il elle ce cette sont plus \
        el los las una y por su con del es il della di che non sono gli nel o os um uma não na dos";
    let german = "der die das und den dem des ein eine einen einem einer ist nicht mit auf für im von zu sich auch als wird \
        werden bei nach aus wie noch über vor um sind hat de het een van en niet";
    let mut words = FxHashMap::default();
    for (sort, list) in [english, romance, german].into_iter().enumerate() {
        for word in list.split_whitespace() {
            words.entry(lower_hash(word)).or_insert(sort);
        }
    }
    words
});

/// What capitals indicate in a text.
pub(super) fn capitals(lexed: &Lexed<'_>) -> Capitals {
    let mut counts = [0_usize; 3];
    for token in lexed.tokens.iter().take(400) {
        if let Some(&sort) = SMALL_WORDS.get(&token.lower) {
            counts[sort] += 1;
        }
    }
    let [english, romance, german] = counts;
    if german > english && german > romance {
        Capitals::Nouns
    } else if romance > english {
        Capitals::Names
    } else {
        Capitals::English
    }
}
