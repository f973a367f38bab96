/** Random time loops: stencils over rows of one to three dimensions, stepped any number of times, with what they read besides. */
import fc from "fast-check";
import type { Assignment } from "../../../../../schema/document/axis.ts";

interface TimeLoopCase {
  readonly source: string;
  readonly main: string;
  readonly choice: Assignment;
}

interface Shape {
  readonly extents: readonly number[];
  /** How far an iteration reads on each side of each dimension. */
  readonly reach: readonly (readonly [number, number])[];
  readonly type: "int" | "float" | "short" | "unsigned char";
  readonly steps: number;
  readonly stages: number;
  /** Cells at the border are computed by a case of their own, instead of staying as they are. */
  readonly edges: boolean;
  readonly reads: "nothing" | "here" | "around" | "table" | "conditionally";
  readonly written: "kernels" | "serial";
  /** The arrays are parameters, and the outer extent and the steps are known at run time alone. */
  readonly open: boolean;
  readonly branch: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.integer({ min: 1, max: 3 }).chain((dims) =>
  fc.record({
    extents: fc.array(fc.integer({ min: 5, max: dims === 1 ? 40 : 9 }), { minLength: dims, maxLength: dims }),
    reach: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })), {
      minLength: dims,
      maxLength: dims,
    }),
    type: fc.constantFrom("int", "float", "short", "unsigned char"),
    steps: fc.integer({ min: 0, max: 11 }),
    stages: fc.integer({ min: 2, max: 5 }),
    edges: fc.boolean(),
    reads: fc.constantFrom("nothing", "here", "around", "table", "conditionally"),
    written: fc.constantFrom("kernels", "serial"),
    open: fc.boolean(),
    branch: fc.boolean(),
  }),
);

export const timeLoopCase = (k: number): fc.Arbitrary<TimeLoopCase> => shape.map((s) => caseOf(s, k));

const variables = ["i", "j", "l"];

function caseOf(s: Shape, k: number): TimeLoopCase {
  const dims = s.extents.length;
  const size = s.extents.reduce((a, b) => a * b, 1);
  const strides = s.extents.map((_, d) => s.extents.slice(d + 1).reduce((a, b) => a * b, 1));
  const at = variables
    .slice(0, dims)
    .map((v, d) => `${v} * ${strides[d]}`)
    .join(" + ");
  const offsets = s.reach.flatMap(([back, ahead], d) => [
    { d, by: -back },
    { d, by: ahead },
  ]);
  const upper = (d: number) => (d === 0 && s.open ? "n" : String(s.extents[d]));
  // Of neighbours that do not exist the cell itself takes the place.
  const neighbour = ({ d, by }: { d: number; by: number }) => {
    const v = variables[d];
    const element = `a[x + ${by * (strides[d] as number)}]`;
    if (!s.edges || by === 0) return element;
    return by < 0
      ? `(${v} >= ${-by} ? ${element} : a[x])`
      : `(${v} < ${upper(d)} - ${by} ? ${element} : a[x])`;
  };
  const terms = offsets.map((o, n) => `${n + 1} * ${neighbour(o)}`);
  const besides = {
    nothing: [],
    here: ["p[x]"],
    around: s.edges ? ["p[x]"] : [`p[x + ${offsets[0]?.by ?? 0}]`, "p[x]"],
    table: ["p[2]"],
    conditionally: ["(a[x] > 3 ? p[x] : 1)"],
  }[s.reads];
  const sum = [...terms, ...besides].join(" + ");
  const value = s.type === "float" ? `0.125f * (${sum})` : `(${sum}) % 101`;
  const body = s.branch
    ? `{ int x = ${at}; if (a[x] > 5) b[x] = ${value}; else b[x] = a[x] + 1; b[x] = ${value}; }`
    : `{ int x = ${at}; b[x] = ${value}; }`;
  const loops = (what: string) =>
    variables
      .slice(0, dims)
      .map((v, d) => {
        const [back, ahead] = s.edges ? [0, 0] : (s.reach[d] as readonly [number, number]);
        return `for (int ${v} = ${back}; ${v} < ${upper(d)}${ahead ? ` - ${ahead}` : ""}; ${v}++)`;
      })
      .concat(what)
      .join(" ");
  const directive = s.written === "kernels" ? `#pragma acc loop independent collapse(${dims})` : "";
  const sections = `copy(a[0:${size}], b[0:${size}]) copyin(p[0:${size}])`;
  const parameters = s.open
    ? `int n, int steps, ${s.type} *restrict a, ${s.type} *restrict b, const int *restrict p`
    : "void";
  const [a, b, p] = ["a", "b", "p"].map((name) => `${name}${k}`);
  const names = s.open ? "" : `#define a ${a}\n#define b ${b}\n#define p ${p}\n`;
  const source = `${names}static ${s.type} ${a}[${size}], ${b}[${size}];
static int ${p}[${size}];
void work${k}(${parameters}) {
#pragma acc ${s.written} ${sections}
  for (int t = 0; t < ${s.open ? "steps" : s.steps}; t++) {
${directive}
    ${loops(body)}
${directive}
    ${loops(`a[${at}] = b[${at}];`)}
  }
}${s.open ? "" : "\n#undef a\n#undef b\n#undef p"}`;
  const print = s.type === "float" ? "%a %a " : "%d %d ";
  const main = `
  for (int k = 0; k < ${size}; k++) { ${a}[k] = k * 7 % 23; ${b}[k] = k * 5 % 17; ${p}[k] = k % 5; }
  WORK(${s.open ? `${s.extents[0]}, ${s.steps}, ${a}, ${b}, ${p}` : ""});
  for (int k = 0; k < ${size}; k++) printf("${print}", ${a}[k], ${b}[k]);`;
  return { source, main, choice: { "time-steps": s.stages, model: "swi" } };
}
