//! Rectangles whose areas are amounts: the squarified treemap of Bruls, Huizing and van Wijk (2000).

/// A rectangle, in percent of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The least that is left for a row. By rounding, nothing or less than that may be left for amounts that nobody sees.
const SIDE_MIN: f64 = 1e-9;

/// A rectangle for each of `amounts`, which are positive and descend, in a whole that is `aspect` times as wide as high.
pub(super) fn squarify(amounts: &[f64], aspect: f64) -> Vec<Rect> {
    let total: f64 = amounts.iter().sum();
    if total <= 0.0 {
        return Vec::new();
    }
    // Laid out in a space in which a square is a square, and an amount is an area.
    let scale = aspect / total;
    let mut free = Rect { x: 0.0, y: 0.0, width: aspect, height: 1.0 };
    let mut rects = Vec::with_capacity(amounts.len());
    let mut rest = amounts;
    while !rest.is_empty() {
        let side = free.width.min(free.height);
        let count = row_len(rest, scale, side);
        let (row, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        place(row, scale, &mut free, &mut rects);
        rest = behind;
    }
    rects.iter().map(|rect| percent(rect, aspect)).collect()
}

/// How many of `amounts` stand in one row along a side of length `side`: as long as the worst of them becomes less oblong.
fn row_len(amounts: &[f64], scale: f64, side: f64) -> usize {
    let (mut sum, mut worst) = (0.0, f64::INFINITY);
    for (count, amount) in amounts.iter().enumerate() {
        sum += amount * scale;
        let depth = sum / side;
        let oblong = |amount: f64| {
            let len = amount * scale / depth;
            (len / depth).max(depth / len)
        };
        // The first is the largest and this one the smallest.
        let now = oblong(*amount).max(amounts.first().map_or(0.0, |first| oblong(*first)));
        if now > worst {
            return count;
        }
        worst = now;
    }
    amounts.len()
}

/// Places a row at the beginning of `free`, along its shorter side, and takes its room away.
fn place(row: &[f64], scale: f64, free: &mut Rect, rects: &mut Vec<Rect>) {
    let area: f64 = row.iter().sum::<f64>() * scale;
    let upright = free.width >= free.height;
    let depth = area / if upright { free.height } else { free.width };
    let mut at = 0.0;
    for amount in row {
        let len = amount * scale / depth;
        rects.push(if upright {
            Rect { x: free.x, y: free.y + at, width: depth, height: len }
        } else {
            Rect { x: free.x + at, y: free.y, width: len, height: depth }
        });
        at += len;
    }
    if upright {
        free.x += depth;
        free.width = (free.width - depth).max(SIDE_MIN);
    } else {
        free.y += depth;
        free.height = (free.height - depth).max(SIDE_MIN);
    }
}

fn percent(rect: &Rect, aspect: f64) -> Rect {
    let wide = 100.0 / aspect;
    Rect { x: rect.x * wide, y: rect.y * 100.0, width: rect.width * wide, height: rect.height * 100.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas(rects: &[Rect]) -> Vec<f64> {
        rects.iter().map(|rect| rect.width * rect.height / 100.0).collect()
    }

    /// The example of the paper: 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 by 4. Its first row is two of 3 by 2.
    #[test]
    fn the_papers_example() {
        let rects = squarify(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], 1.5);
        assert_eq!(rects.len(), 7);
        let first = rects[0];
        assert!((first.width - 50.0).abs() < 1e-9 && (first.height - 50.0).abs() < 1e-9, "{first:?}");
        assert!((rects[1].y - 50.0).abs() < 1e-9 && rects[1].x.abs() < 1e-9);
        // The third, 4 of area, is 12/7 wide and 7/3 high, as the fourth beside it, 3.
        assert!((rects[2].width - 100.0 * 12.0 / 7.0 / 6.0).abs() < 1e-9, "{:?}", rects[2]);
        assert!((rects[2].height - 100.0 * 7.0 / 3.0 / 4.0).abs() < 1e-9, "{:?}", rects[2]);
    }

    #[test]
    fn areas_are_amounts_and_nothing_overlaps() {
        let amounts: Vec<f64> = (1..60).rev().map(|n| f64::from(n * n)).collect();
        let total: f64 = amounts.iter().sum();
        for aspect in [0.3, 1.0, 2.4] {
            let rects = squarify(&amounts, aspect);
            for (area, amount) in areas(&rects).iter().zip(&amounts) {
                assert!((area - 100.0 * amount / total).abs() < 1e-6);
            }
            for (number, a) in rects.iter().enumerate() {
                assert!(a.x > -1e-9 && a.x + a.width < 100.0 + 1e-6 && a.y + a.height < 100.0 + 1e-6);
                for b in rects.iter().skip(number + 1) {
                    let apart = a.x + a.width < b.x + 1e-6
                        || b.x + b.width < a.x + 1e-6
                        || a.y + a.height < b.y + 1e-6
                        || b.y + b.height < a.y + 1e-6;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn amounts_of_any_size_have_finite_rectangles() {
        assert_eq!(squarify(&[], 2.0), []);
        assert_eq!(squarify(&[0.0], 2.0), []);
        let rects = squarify(&[1e19, 1.0, 1.0, 1e-3], 2.0);
        assert!(rects.iter().all(|rect| [rect.x, rect.y, rect.width, rect.height].iter().all(|side| side.is_finite())));
    }
}
