//! Core's source as tokens, without its unit tests: what the rules about source are checked on.
//!
//! Tokens and not text: comments and strings are no code, and code inside macro calls is.

use anyhow::{Context as _, Result, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use std::path::{Path, PathBuf};
use syn::visit_mut::{self, VisitMut};

/// One file of a crate.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is, relative to the crate's `src`.
    pub path: PathBuf,
    /// The module it is: `["step", "sweep"]` for `step/sweep.rs` and `["step"]` for `step/mod.rs`.
    pub module: Vec<String>,
    /// Its tokens without items under `#[cfg(test)]`.
    pub tokens: TokenStream,
}

/// All files below a crate's `src`, in the order of their paths.
///
/// # Errors
/// A file that can't be read or is not Rust.
pub fn of_crate(src: &Path) -> Result<Vec<Source>> {
    let mut paths = Vec::new();
    let mut directories = vec![src.to_path_buf()];
    while let Some(directory) = directories.pop() {
        let entries = std::fs::read_dir(&directory).with_context(|| format!("{}", directory.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("{}", directory.display()))?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    ensure!(!paths.is_empty(), "{} holds no Rust", src.display());
    let mut sources = Vec::new();
    let mut test_modules = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        let file = syn::parse_file(&text).with_context(|| format!("{}", path.display()))?;
        let source = source(src, path, file.clone());
        for item in &file.items {
            if let syn::Item::Mod(module) = item
                && module.content.is_none()
                && is_test(item)
            {
                let mut whole = source.module.clone();
                whole.push(module.ident.to_string());
                test_modules.push(whole);
            }
        }
        sources.push(source);
    }
    sources.retain(|source| !test_modules.iter().any(|tests| source.module.starts_with(tests)));
    Ok(sources)
}

fn source(src: &Path, path: &Path, mut file: syn::File) -> Source {
    WithoutTests.visit_file_mut(&mut file);
    let path = path.strip_prefix(src).unwrap_or(path).to_path_buf();
    let mut module: Vec<String> =
        path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    Source { path, module, tokens: file.into_token_stream() }
}

/// The tokens of a file's text, without items under `#[cfg(test)]`.
///
/// # Errors
/// Text that is not Rust.
pub fn tokens(text: &str) -> Result<TokenStream> {
    let mut file = syn::parse_file(text).context("not Rust")?;
    WithoutTests.visit_file_mut(&mut file);
    Ok(file.into_token_stream())
}

/// Takes out items, at any depth, that exist in test builds only.
struct WithoutTests;

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| !is_test(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }
}

fn is_test(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

/// The names directly below the crate's root that a file's code mentions: `a` of `crate::a::b`, and of
/// `super::super::a` two modules down.
pub fn root_names(source: &Source) -> Vec<String> {
    let mut names = Vec::new();
    collect(source.tokens.clone(), source.module.len(), &mut names);
    names.sort();
    names.dedup();
    names
}

fn collect(tokens: TokenStream, depth: usize, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inside_module = at >= 2
                && group.delimiter() == Delimiter::Brace
                && matches!(&tokens[at - 2], TokenTree::Ident(word) if word == "mod");
            collect(group.stream(), depth + usize::from(inside_module), names);
        }
        // The head of a path: what precedes it is not `::`.
        if is_word(Some(token), "crate") && !follows_path(&tokens, at) {
            first_of(&tokens[at + 1..], names);
        }
        if is_word(Some(token), "super") && !follows_path(&tokens, at) {
            let supers = tokens[at..].chunks(3).take_while(|three| is_word(three.first(), "super")).count();
            if supers == depth {
                first_of(&tokens[at + 3 * supers - 2..], names);
            }
        }
    }
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn follows_path(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && is_colon(tokens.get(at - 1)) && is_colon(tokens.get(at - 2))
}

/// Notes the name after `::`, or every first name of a braced list there.
fn first_of(rest: &[TokenTree], names: &mut Vec<String>) {
    if !(is_colon(rest.first()) && is_colon(rest.get(1))) {
        return;
    }
    match rest.get(2) {
        Some(TokenTree::Ident(name)) => names.push(name.to_string()),
        Some(TokenTree::Group(list)) => {
            let items: Vec<TokenTree> = list.stream().into_iter().collect();
            let parts = items.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','));
            names.extend(parts.filter_map(|part| part.first()).map(ToString::to_string));
        }
        _ => {}
    }
}

/// The words of a token stream in order, with the punctuation or the opening bracket that stands before and after
/// each (a space where none does).
pub fn words(tokens: TokenStream) -> Vec<(char, String, char)> {
    let mut found = Vec::new();
    let mut pending: Vec<std::vec::IntoIter<TokenTree>> =
        vec![tokens.into_iter().collect::<Vec<_>>().into_iter()];
    let mut before = ' ';
    while let Some(top) = pending.last_mut() {
        match top.next() {
            None => {
                pending.pop();
                before = ' ';
            }
            Some(TokenTree::Group(group)) => {
                pending.push(group.stream().into_iter().collect::<Vec<_>>().into_iter());
                before = ' ';
            }
            Some(TokenTree::Ident(word)) => {
                let after = match top.as_slice().first() {
                    Some(TokenTree::Punct(punct)) => punct.as_char(),
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => '(',
                    _ => ' ',
                };
                found.push((before, word.to_string(), after));
                before = ' ';
            }
            Some(TokenTree::Punct(punct)) => before = punct.as_char(),
            Some(TokenTree::Literal(literal)) => {
                // A suffix is a word too: 1.0f64.
                let text = literal.to_string();
                if let Some(digits) = text.strip_suffix("f64")
                    && digits.starts_with(|c: char| c.is_ascii_digit())
                {
                    found.push((before, "f64".into(), ' '));
                }
                before = ' ';
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(module: &[&str], text: &str) -> Result<Source> {
        let module = module.iter().map(ToString::to_string).collect();
        Ok(Source { path: PathBuf::new(), module, tokens: tokens(text)? })
    }

    #[test]
    fn root_names_are_found_wherever_they_stand() -> Result<()> {
        let source = of(
            &["step", "sweep"],
            "use crate::{math::{real, sum}, Vec3}; use super::vertex; use super::super::state::State;
             mod inner { use super::vertex; use super::super::super::row; fn f() { x!(crate::fabric::map()) } }
             // crate::comment
             #[cfg(test)] mod tests { use crate::bake; }",
        )?;
        assert_eq!(root_names(&source), ["Vec3", "fabric", "math", "row", "state"]);
        Ok(())
    }

    #[test]
    fn words_know_their_neighbours() -> Result<()> {
        let found = words(tokens("fn f() { g(x.sqrt(), 1.0f64); panic!(\"unsafe\") } // unsafe")?);
        assert!(found.contains(&('.', "sqrt".into(), '(')));
        assert!(found.contains(&(';', "panic".into(), '!')));
        assert!(found.iter().any(|(_, word, _)| word == "f64"));
        assert!(found.iter().all(|(_, word, _)| word != "unsafe"));
        Ok(())
    }
}
