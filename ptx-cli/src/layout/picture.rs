//! A memory map as a picture.

use ptx_emit::{Budget, KernelMap, MemoryMap, Placed, Row};
use ptx_isa::ir::Module;
use ptx_isa::{Space, Text};

use super::svg::{Anchor, Picture, WIDTH, fitting};

/// The space around everything.
const MARGIN: f64 = 24.0;
/// The space around the contents of a card.
const INSET: f64 = 16.0;
const LEFT: f64 = MARGIN + INSET;
const INNER: f64 = WIDTH - 2.0 * LEFT;
const LINE: f64 = 18.0;
/// The maximum number of variables in a table.
const ROWS: usize = 64;
/// The maximum number of parts in a strip.
const PARTS: usize = 256;
const COLORS: usize = 8;

/// The positions of the columns of a table.
const OFFSET: f64 = LEFT + 64.0;
const BYTES: f64 = OFFSET + 84.0;
const ALIGN: f64 = BYTES + 60.0;
const SWATCH: f64 = ALIGN + 18.0;
const NAME: f64 = SWATCH + 20.0;
const TYPE: f64 = LEFT + 640.0;

/// The picture of a file's declarations.
pub(super) fn of(file: &str, module: &Module<'_>, map: &MemoryMap<'_>) -> String {
    let mut page = Page { picture: Picture::default(), y: MARGIN };
    page.title(file, &format!("PTX {}, {}", module.version(), module.target.name()));
    page.card("the module", |page| {
        page.memory(map, "constant memory", None, &map.constants);
        page.global(map);
    });
    for kernel in &map.kernels {
        page.card(&format!("kernel {}", kernel.name), |page| page.kernel(map, kernel));
    }
    page.picture.document(&format!("Memory map of {file}"), page.y)
}

struct Page {
    picture: Picture,
    /// The vertical position of the next element.
    y: f64,
}

impl Page {
    fn title(&mut self, file: &str, about: &str) {
        self.y += 16.0;
        self.picture.text("title", Anchor::Start, MARGIN, self.y, &fitting(file, 560.0));
        self.picture.text("faint", Anchor::End, WIDTH - MARGIN, self.y, about);
        self.y += 16.0;
    }

    /// A card with a heading.
    fn card(&mut self, heading: &str, fill: impl FnOnce(&mut Self)) {
        let mut inner = Self { picture: Picture::default(), y: self.y + INSET + 12.0 };
        let shown = fitting(heading, INNER - 40.0);
        inner.picture.text_with_tip("head", Anchor::Start, [LEFT, inner.y], &shown, heading);
        inner.y += 8.0;
        fill(&mut inner);
        inner.y += INSET - 4.0;
        let height = inner.y - self.y;
        self.picture.rect("card", [MARGIN, self.y, WIDTH - 2.0 * MARGIN, height], "");
        self.picture.add(&inner.picture);
        self.y = inner.y + MARGIN / 2.0;
    }

    fn kernel(&mut self, map: &MemoryMap<'_>, kernel: &KernelMap<'_>) {
        let name = Some(kernel.name);
        self.memory(map, "static shared memory", name, &kernel.shared);
        if let Some(budget) = budget(map, "dynamic shared memory", name) {
            self.gauge(budget);
            self.table(kernel.dynamic_shared.iter().map(Entry::of), false);
        }
        self.memory(map, "parameters", name, &kernel.parameters);
        if !kernel.local.is_empty() {
            self.heading("local memory of a thread", &sum(&kernel.local));
            self.table(kernel.local.iter().map(Entry::of_row), false);
        }
    }

    /// A memory with a fixed order: its gauge, its variables side by side, and a table of them.
    fn memory(
        &mut self,
        map: &MemoryMap<'_>,
        what: &str,
        kernel: Option<&str>,
        placed: &[Placed<'_>],
    ) {
        let Some(budget) = budget(map, what, kernel) else { return };
        self.gauge(budget);
        if placed.is_empty() {
            return;
        }
        self.strip(placed, budget.bytes);
        self.table(placed.iter().map(Entry::of), true);
    }

    /// Global memory, which has no limit and no order.
    fn global(&mut self, map: &MemoryMap<'_>) {
        let global: Vec<&Row<'_>> =
            map.rows.iter().filter(|row| row.space == Space::Global).collect();
        if let Some(budget) = budget(map, "global memory", None) {
            self.gauge(budget);
            self.table(global.into_iter().map(Entry::of_row), false);
        }
    }

    fn heading(&mut self, what: &str, how_much: &str) {
        self.y += 22.0;
        self.picture.text("what", Anchor::Start, LEFT, self.y, what);
        self.picture.text("faint", Anchor::End, LEFT + INNER, self.y, how_much);
        self.y += 6.0;
    }

    /// The used part of a budget.
    fn gauge(&mut self, budget: &Budget<'_>) {
        let (limit, most) = match (budget.limit, budget.opt_in) {
            (None, _) => {
                self.heading(budget.what, &how_much(budget));
                return;
            }
            (Some(limit), Some(most)) if most > limit => (limit, most),
            (Some(limit), _) => (limit, limit),
        };
        self.heading(budget.what, &how_much(budget));
        let whole = to_f64(most.max(1));
        self.picture.rect("gauge", [LEFT, self.y, INNER, 6.0], "");
        if let Some(bytes) = budget.bytes.filter(|bytes| *bytes > 0) {
            let width = (to_f64(bytes) / whole * INNER).clamp(1.0, INNER);
            let class = if bytes > limit { "over" } else { "used" };
            self.picture.rect(class, [LEFT, self.y, width, 6.0], "");
        }
        for mark in [Some(limit), budget.without_opt_in].into_iter().flatten() {
            if mark < most {
                let x = LEFT + to_f64(mark) / whole * INNER;
                self.picture.mark(x, self.y - 2.0, self.y + 8.0);
            }
        }
        self.y += 12.0;
    }

    /// Variables side by side, each with a width for its size, with the gaps between them.
    fn strip(&mut self, placed: &[Placed<'_>], bytes: Option<usize>) {
        const HEIGHT: f64 = 26.0;
        let (parts, rest) = parts(placed, bytes);
        let total: f64 = parts.iter().map(|part| part.bytes).sum();
        if total <= 0.0 {
            return;
        }
        // Small variables stay visible.
        let widths: Vec<f64> =
            parts.iter().map(|part| (part.bytes / total * INNER).max(2.0)).collect();
        let scale = INNER / widths.iter().sum::<f64>();
        let mut x = LEFT;
        for (part, width) in parts.iter().zip(widths) {
            let width = width * scale;
            let class = part.color.map_or_else(|| "gap".to_owned(), |n| format!("part c{n}"));
            self.picture.rect(&class, [x, self.y, width, HEIGHT], &part.tip);
            if part.color.is_some() {
                let label = fitting(part.name, width - 8.0);
                // A label that is cut too short is useless.
                if label == part.name || label.chars().count() > 6 {
                    let at = [x + width / 2.0, self.y + 17.0];
                    self.picture.text_with_tip("small", Anchor::Middle, at, &label, &part.tip);
                }
            }
            x += width;
        }
        self.y += HEIGHT + 4.0;
        if rest > 0 {
            self.y += 12.0;
            let more = format!("and {} more", grouped(rest));
            self.picture.text("faint small", Anchor::End, LEFT + INNER, self.y, &more);
        }
    }

    fn table<'e>(&mut self, entries: impl Iterator<Item = Entry<'e>>, is_colored: bool) {
        let entries: Vec<Entry<'_>> = entries.collect();
        if entries.is_empty() {
            return;
        }
        self.y += LINE - 2.0;
        let has_offsets = entries.iter().any(|entry| !entry.offset.is_empty());
        let heads = [(OFFSET, "offset"), (BYTES, "bytes"), (ALIGN, "align")];
        for (x, head) in heads.into_iter().skip(usize::from(!has_offsets)) {
            self.picture.text("faint small", Anchor::End, x, self.y, head);
        }
        self.picture.text("faint small", Anchor::Start, NAME, self.y, "name");
        self.picture.text("faint small", Anchor::Start, TYPE, self.y, "type");
        for (n, entry) in entries.iter().enumerate().take(ROWS) {
            self.y += LINE;
            for (x, cell) in [(OFFSET, &entry.offset), (BYTES, &entry.bytes), (ALIGN, &entry.align)]
            {
                self.picture.text("", Anchor::End, x, self.y, cell);
            }
            if is_colored {
                let class = format!("c{}", n % COLORS);
                self.picture.rect(&class, [SWATCH, self.y - 10.0, 12.0, 12.0], "");
            }
            let name = fitting(entry.name, TYPE - NAME - 12.0);
            self.picture.text_with_tip("", Anchor::Start, [NAME, self.y], &name, entry.name);
            let ty = fitting(&entry.ty, LEFT + INNER - TYPE);
            self.picture.text_with_tip("faint", Anchor::Start, [TYPE, self.y], &ty, &entry.ty);
        }
        if entries.len() > ROWS {
            self.y += LINE;
            let more = format!("and {} more", grouped(entries.len() - ROWS));
            self.picture.text("faint", Anchor::Start, NAME, self.y, &more);
        }
        self.y += 4.0;
    }
}

/// A line of a table.
struct Entry<'m> {
    offset: String,
    bytes: String,
    align: String,
    name: &'m str,
    ty: String,
}

impl<'m> Entry<'m> {
    fn of_row(row: &'m Row<'_>) -> Self {
        Self {
            offset: String::new(),
            bytes: row.bytes.map_or_else(|| "launch".to_owned(), grouped),
            align: row.align.to_string(),
            name: row.name,
            ty: format!("{} {}", row.ty, row.extents).trim_end().to_owned(),
        }
    }

    fn of(placed: &'m Placed<'_>) -> Self {
        let mut entry = Self::of_row(&placed.variable);
        entry.offset = placed.offset.map_or_else(|| "?".to_owned(), grouped);
        if let Some(pointee) = placed.points_to {
            entry.ty += " to ";
            entry.ty += pointee.space.map_or("generic", Space::directive);
        }
        entry
    }
}

/// A part of a strip: a variable, or a gap.
struct Part<'m> {
    name: &'m str,
    bytes: f64,
    /// The index of its colour; `None` for a gap.
    color: Option<usize>,
    tip: String,
}

/// The parts of a strip, and the number of variables that did not fit.
fn parts<'m>(placed: &'m [Placed<'_>], bytes: Option<usize>) -> (Vec<Part<'m>>, usize) {
    let mut parts = Vec::new();
    let mut end = 0;
    let gap = |parts: &mut Vec<Part<'m>>, from: usize, to: usize| {
        if to > from {
            let tip = format!("{} bytes of padding", grouped(to - from));
            parts.push(Part { name: "", bytes: to_f64(to - from), color: None, tip });
        }
    };
    for (n, placed) in placed.iter().enumerate().take(PARTS) {
        let (Some(offset), Some(size)) = (placed.offset, placed.variable.bytes) else { continue };
        gap(&mut parts, end, offset);
        let name = placed.variable.name;
        let tip = format!("{name}: {} bytes at {}", grouped(size), grouped(offset));
        parts.push(Part { name, bytes: to_f64(size), color: Some(n % COLORS), tip });
        end = offset.saturating_add(size);
    }
    let rest = placed.len().saturating_sub(PARTS);
    if rest == 0 {
        gap(&mut parts, end, bytes.unwrap_or(end));
    }
    (parts, rest)
}

fn budget<'m, 'a>(
    map: &'m MemoryMap<'a>,
    what: &str,
    kernel: Option<&str>,
) -> Option<&'m Budget<'a>> {
    map.budgets.iter().find(|budget| budget.what == what && budget.kernel == kernel)
}

fn sum(rows: &[Row<'_>]) -> String {
    let bytes: usize = rows.iter().filter_map(|row| row.bytes).fold(0, usize::saturating_add);
    format!("{} bytes", grouped(bytes))
}

/// The used bytes, and the limit.
fn how_much(budget: &Budget<'_>) -> String {
    let limit = budget.limit.map_or_else(String::new, |limit| match budget.bytes {
        Some(_) => format!(" of {}", grouped(limit)),
        None => format!(", up to {}", grouped(limit)),
    });
    let used = match budget.bytes {
        Some(bytes) => format!("{} bytes", grouped(bytes)),
        None => "the launch decides".to_owned(),
    };
    let limit_then = budget.opt_in.filter(|most| Some(*most) > budget.limit);
    let with = limit_then.map(|most| format!(" ({} with an opt-in)", grouped(most)));
    let free = budget.without_opt_in.filter(|free| Some(*free) < budget.limit);
    let without = free.map(|free| format!(" ({} without an opt-in)", grouped(free)));
    format!("{used}{limit}{}", with.or(without).unwrap_or_default())
}

/// A number with a comma after every three digits.
fn grouped(number: usize) -> String {
    let mut text = Text::<64>::new();
    text.push_int(i128::try_from(number).unwrap_or(i128::MAX), true);
    text.as_str().to_owned()
}

#[allow(clippy::cast_precision_loss)] // a width in a picture
fn to_f64(number: usize) -> f64 {
    number as f64
}
