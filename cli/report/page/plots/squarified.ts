/**
 * Divides a rectangle into rectangles with given areas, none of them long and thin: Bruls, Huizing and van Wijk,
 * Squarified Treemaps, 2000.
 */

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One rectangle per value, in the same order; values must be above 0 and sorted with the largest first. */
export function squarified(values: readonly number[], place: Rectangle): readonly Rectangle[] {
  const all = values.reduce((sum, value) => sum + value, 0);
  const scale = (place.width * place.height) / all;
  const areas = values.map((value) => value * scale);
  const rectangles: Rectangle[] = [];
  let left = place;
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(left.width, left.height);
    let to = from + 1;
    while (to < areas.length && worst(areas.slice(from, to + 1), side) <= worst(areas.slice(from, to), side))
      to += 1;
    const row = areas.slice(from, to);
    rectangles.push(...laid(row, left));
    left = rest(row, left);
    from = to;
  }
  return rectangles;
}

/** The largest aspect ratio in a row along `side`. */
function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((a, b) => a + b, 0);
  const [most, least] = [Math.max(...row), Math.min(...row)];
  return Math.max((side ** 2 * most) / sum ** 2, sum ** 2 / (side ** 2 * least));
}

/** Places a row along the shorter side. */
function laid(row: readonly number[], { x, y, width, height }: Rectangle): readonly Rectangle[] {
  const sum = row.reduce((a, b) => a + b, 0);
  const isUpright = width >= height;
  const depth = sum / (isUpright ? height : width);
  let at = isUpright ? y : x;
  return row.map((area) => {
    const length = area / depth;
    const one = isUpright
      ? { x, y: at, width: depth, height: length }
      : { x: at, y, width: length, height: depth };
    at += length;
    return one;
  });
}

function rest(row: readonly number[], { x, y, width, height }: Rectangle): Rectangle {
  const sum = row.reduce((a, b) => a + b, 0);
  if (width >= height) {
    const depth = Math.min(width, sum / height);
    return { x: x + depth, y, width: width - depth, height };
  }
  const depth = Math.min(height, sum / width);
  return { x, y: y + depth, width, height: height - depth };
}
