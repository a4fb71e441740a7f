//! Shapes and text, as SVG.

use std::fmt::Write as _;

/// The width of the picture, in its own units.
pub(super) const WIDTH: f64 = 1000.0;
/// The width of a character of the tables.
const CHARACTER: f64 = 7.3;

/// The style, in light and dark mode.
const STYLE: &str = "
  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1c2330; }
  .title { font: 600 18px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
  .head { font-size: 15px; font-weight: 600; }
  .what { font: 600 13px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
  .small { font-size: 11px; }
  .faint { fill: #5d6675; }
  .ground { fill: #ffffff; }
  .card { fill: #f6f7f9; stroke: #d5d9e0; }
  .gauge { fill: #e1e5eb; }
  .used { fill: #3f6fd8; }
  .over { fill: #c62828; }
  .mark { stroke: #1c2330; stroke-width: 1.5; }
  .gap { fill: url(#gap); }
  .hatch { fill: #b9c0cb; }
  .c0 { fill: #b7d3f5; } .c1 { fill: #f7d3a8; } .c2 { fill: #bfe3c3; } .c3 { fill: #f3c1cf; }
  .c4 { fill: #d6c8f0; } .c5 { fill: #bce6e6; } .c6 { fill: #ede3a1; } .c7 { fill: #d9d3cb; }
  .part { stroke: #f6f7f9; stroke-width: 1; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6eaf1; }
    .faint { fill: #9aa5b5; }
    .ground { fill: #14171d; }
    .card { fill: #1d222b; stroke: #384150; }
    .gauge { fill: #323a47; }
    .used { fill: #6f9cf5; }
    .over { fill: #ff7b72; }
    .mark { stroke: #e6eaf1; }
    .hatch { fill: #566173; }
    .c0 { fill: #2c4f7c; } .c1 { fill: #77501f; } .c2 { fill: #2c5e36; } .c3 { fill: #7a3548; }
    .c4 { fill: #4d3d78; } .c5 { fill: #22595c; } .c6 { fill: #635a1c; } .c7 { fill: #4c4740; }
    .part { stroke: #1d222b; }
  }
";

/// The alignment of a text relative to its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    /// It starts at the position.
    Start,
    /// It is centred on the position.
    Middle,
    /// It ends at the position.
    End,
}

/// A picture that grows downwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    body: String,
}

impl Picture {
    /// A rectangle with a tooltip.
    pub(super) fn rect(&mut self, class: &str, place: [f64; 4], tip: &str) {
        let [x, y, width, height] = place;
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\""
        );
        if tip.is_empty() {
            self.body.push_str("/>\n");
        } else {
            let _ = writeln!(self.body, "><title>{}</title></rect>", escaped(tip));
        }
    }

    /// A vertical line.
    pub(super) fn mark(&mut self, x: f64, from: f64, to: f64) {
        let _ = writeln!(
            self.body,
            "<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{from:.1}\" y2=\"{to:.1}\"/>"
        );
    }

    /// A text with its baseline at `y`.
    pub(super) fn text(&mut self, class: &str, anchor: Anchor, x: f64, y: f64, text: &str) {
        self.text_with_tip(class, anchor, [x, y], text, "");
    }

    /// A text with a tooltip.
    pub(super) fn text_with_tip(
        &mut self,
        class: &str,
        anchor: Anchor,
        [x, y]: [f64; 2],
        text: &str,
        tip: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.body,
            "<text class=\"{class}\" text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{}",
            escaped(text)
        );
        if !tip.is_empty() {
            let _ = write!(self.body, "<title>{}</title>", escaped(tip));
        }
        self.body.push_str("</text>\n");
    }

    /// Draws the shapes of `other` over these.
    pub(super) fn add(&mut self, other: &Self) {
        self.body.push_str(&other.body);
    }

    /// The whole document, of this height.
    pub(super) fn document(&self, title: &str, height: f64) -> String {
        let (title, height) = (escaped(title), height.ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" \
             height=\"{height:.0}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <defs><pattern id=\"gap\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><rect class=\"hatch\" width=\"2\" height=\"6\"/></pattern></defs>\n\
             <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height:.0}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A text that fits into this width, with its middle left out if necessary.
pub(super) fn fitting(text: &str, width: f64) -> String {
    let count = text.chars().count();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few characters
    let most = (width / CHARACTER).max(0.0) as usize;
    if count <= most {
        return text.to_owned();
    }
    let Some(kept) = most.checked_sub(1).filter(|kept| *kept > 0) else { return String::new() };
    let start: String = text.chars().take(kept - kept / 3).collect();
    let end: String = text.chars().skip(count - kept / 3).collect();
    format!("{start}…{end}")
}

/// Escapes text for XML, without the characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_loses_its_middle() {
        assert_eq!(fitting("short", 100.0), "short");
        assert_eq!(fitting("_Z6vecaddPKfS0_Pfi", 80.0), "_Z6vec…Pfi");
        assert_eq!(fitting("anything", 3.0), "");
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("a<b>&\"\u{1b}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
