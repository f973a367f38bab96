/**
 * What a kernel's manifest says of its launches before any size is known. Expressions are those of
 * targets/runtime/IMAGE.md.
 */

export interface Launch {
  /** Work-items of a group along each dimension. */
  readonly group: readonly [number, number];
  /** Work-items of a launch at most; infinite where the sizes of the data decide. */
  readonly items: number;
}

/** One for each kernel. */
export function launchesOf(manifest: string): readonly Launch[] {
  const boundsOf = (key: string) =>
    [...manifest.matchAll(new RegExp(`^${key} (.*)$`, "gm"))].map(([, text = ""]) =>
      text.split(" ; ").map((expression) => Math.max(1, upperBound(expression))),
    );
  const grids = boundsOf("grid");
  return boundsOf("group").map((group, i) => {
    const [x = 1, y = 1] = group;
    return { group: [x, y], items: volume(group) * volume(grids[i] ?? []) };
  });
}

const volume = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** What drivers take at most: a launch that such a number limits is limited by its sizes. */
const DRIVERS_LIMIT = 65_535;
const UNKNOWN = Number.POSITIVE_INFINITY;

/** Unknown numbers are infinite, and so is what is made of them, unless `min` says otherwise. */
function upperBound(expression: string): number {
  const stack: number[] = [];
  const pop = (): number => stack.pop() ?? UNKNOWN;
  for (const word of expression.split(" ")) {
    const apply = operators[word];
    if (word === "?") {
      const [otherwise, then] = [pop(), pop()];
      pop();
      stack.push(Math.max(then, otherwise));
    } else if (apply !== undefined) {
      const [b, a] = [pop(), pop()];
      stack.push(apply(a, b));
    } else {
      const number = /^-?\d+$/.test(word) ? Number(word) : UNKNOWN;
      stack.push(number >= DRIVERS_LIMIT ? UNKNOWN : number);
    }
  }
  return pop();
}

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  // What is taken away may be nothing, and what is divided by may be 1.
  "-": (a, b) => (b === UNKNOWN ? a : a - b),
  "*": (a, b) => (a === 0 || b === 0 ? 0 : a * b),
  "/": (a, b) => (b === UNKNOWN ? a : Math.trunc(a / b)),
  "%": (_, b) => b,
  ceildiv: (a, b) => (b === UNKNOWN ? a : Math.ceil(a / b)),
  min: Math.min,
  max: Math.max,
};
