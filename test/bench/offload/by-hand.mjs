/** Directives of examples as a programmer writes them in OpenMP for a device, in the order of OpenACC's in the source. */

const over = "target teams distribute parallel for";
const all = (name) => `${name}[0:rows][0:columns]`;

/** An empty text: OpenMP needs no directive there. `|`: where `simd` may stand. */
const directives = {
  jacobi: [
    `${over}| collapse(2) reduction(max: change) map(alloc: ${all("now")}, ${all("next")})`,
    `${over}| collapse(2) map(alloc: ${all("from")}, ${all("to")})`,
    `target data map(tofrom: ${all("plate")}) map(alloc: ${all("next")})`,
    "",
  ],
  matmul: [
    `${over}| collapse(2)`,
    "",
    "target data map(to: a[0:rows * inner], b[0:inner * columns]) map(from: c[0:rows * columns])",
    "",
  ],
  hotspot: [
    `${over}| collapse(2)`,
    "",
    `${over}|`,
    "target data map(to: power[0:size]) map(tofrom: t[0:size]) map(alloc: next[0:size])",
    "",
  ],
  spmv: [
    over,
    "| reduction(+: sum)",
    `${over}| reduction(max: norm)`,
    `${over}|`,
    `target data map(to: m.first[0:rows + 1], m.column[0:elements], m.value[0:elements]) map(tofrom: x[0:rows]) map(alloc: y[0:rows])`,
    "",
  ],
  srad: [
    `${over}| reduction(+: sum, squares)`,
    `${over}| collapse(2)`,
    `${over}| collapse(2)`,
    "target data map(tofrom: image[0:size]) map(alloc: north[0:size], south[0:size], west[0:size], east[0:size], coefficient[0:size])",
    "",
  ],
};

export const examples = Object.keys(directives);

/**
 * The example's source with these directives. `simd`: gcc runs each of OpenMP's threads as a warp, whose lanes only
 * loops with `simd` use; other compilers leave the word out.
 */
export function byHand(example, source, simd) {
  const list = [...directives[example]];
  const text = source.replaceAll(/^([ \t]*)#pragma acc (?:.*\\\n)*.*\n/gm, (_, indent) => {
    const words = list.shift();
    if (words === undefined) throw new Error(`${example} has more directives than are written here`);
    const inner = words.startsWith("|");
    if (words === "" || (inner && !simd)) return "";
    return `${indent}#pragma omp ${words.replace("|", inner ? "simd" : simd ? " simd" : "")}\n`;
  });
  if (list.length > 0) throw new Error(`${example} has fewer directives than are written here`);
  return text;
}
