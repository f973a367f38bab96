/** Stencils that windows must get right: loops over edges, inner parts, rows, backwards, in branches. */

export const ones = "num_gangs(1) num_workers(1) vector_length(1)";

export interface Stencil {
  /** Loop headers, outermost first. */
  readonly loops: string;
  readonly body: string;
  readonly depth?: number;
  readonly unroll?: number;
  readonly params?: string;
  readonly clauses?: string;
  readonly window?: string;
  readonly size?: number;
  readonly directive?: string;
}

/** The source of a function `work` with one loop. */
export const stencil = ({
  loops,
  body,
  depth = 1,
  unroll,
  params = "const float *restrict in, float *restrict out",
  clauses = "copyin(in[0:SIZE]) copy(out[0:SIZE])",
  window = "in, out",
  size = 90,
  directive = "parallel loop",
}: Stencil) => `
#define SIZE ${size}
#define COLS 9
void work(${params}) {
#pragma acc ${directive} ${directive.startsWith("serial") ? "" : ones} ${depth > 1 ? `collapse(${depth})` : ""} ${clauses}
#pragma openarc transform window(${window})
${unroll ? `#pragma unroll ${unroll}` : ""}
  ${loops}
  { ${body} }
}`;
/** Runs it on separate data and prints everything. */
export const main = (size = 90) => `
  float *in = malloc(${size} * sizeof(float)), *out = malloc(${size} * sizeof(float));
  for (int k = 0; k < ${size}; k++) { in[k] = (k * 7919u) % 97; out[k] = -1; }
  WORK(in, out);
  for (int k = 0; k < ${size}; k++) printf("%g %g ", in[k], out[k]);
  free(in); free(out);
`;
export const fivePoint =
  "float c = in[x]; out[x] = 0.25f * (in[x - COLS] + in[x - 1] + in[x + 1] + in[x + COLS]) - c;";

const guarded =
  "float s = in[x]; if (x >= COLS) s += 2 * in[x - COLS]; if (x < SIZE - COLS) s += 3 * in[x + COLS]; out[x] = s;";
export const inner =
  "float s = 0; for (int di = -1; di <= 1; di++) for (int dj = -1; dj <= 1; dj++) s += (di * 3 + dj) * in[(i + di) * COLS + j + dj]; out[i * COLS + j] = s;";
const clamped =
  "int up = i == 0 ? 0 : -COLS; int x = i * COLS + j; out[x] = in[x] - in[x + up] + in[j < COLS - 1 ? x + 1 : x];";
export const stencils: readonly (readonly [string, Stencil])[] = [
  ["an interior loop", { loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint }],
  ["guarded edges", { loops: "for (int x = 0; x < SIZE; x++)", body: guarded }],
  [
    "only elements behind",
    { loops: "for (int x = 5; x < SIZE; x++)", body: "out[x] = in[x - 5] + 2 * in[x - 1];" },
  ],
  [
    "only elements ahead",
    { loops: "for (int x = 0; x < SIZE - 7; x++)", body: "out[x] = in[x] + 2 * in[x + 7];" },
  ],
  [
    "a window far from the iteration",
    { loops: "for (int x = 20; x < 50; x++)", body: "out[x] = in[x - 20] + in[x - 17];" },
  ],
  [
    "an interior nest",
    { depth: 2, loops: "for (int i = 1; i < 9; i++) for (int j = 1; j < COLS - 1; j++)", body: inner },
  ],
  [
    "a nest over everything",
    { depth: 2, loops: "for (int i = 0; i < 10; i++) for (int j = 0; j < COLS; j++)", body: clamped },
  ],
  [
    "<= and odd lower bounds",
    { depth: 2, loops: "for (int i = 2; i <= 7; i++) for (int j = 3; j <= 6; j++)", body: inner },
  ],
  [
    "a loop that counts down",
    {
      loops: "for (int x = SIZE - 2; x > 0; x--)",
      body: "out[x] = in[x - 1] + 2 * in[x] + 3 * in[x + 1];",
    },
  ],
  [
    "coefficient -1",
    {
      loops: "for (int x = 1; x < SIZE - 1; x++)",
      body: "out[x] = in[SIZE - 1 - x] + 2 * in[SIZE - x] + 3 * in[SIZE - 2 - x];",
    },
  ],
  [
    "a nest walked backwards",
    { depth: 2, loops: "for (int i = 8; i > 0; i--) for (int j = COLS - 2; j >= 1; j--)", body: inner },
  ],
  [
    "rows two apart",
    { depth: 2, loops: "for (int i = 1; i < 9; i += 2) for (int j = 1; j < COLS - 1; j++)", body: inner },
  ],
  [
    "accesses in some branches only",
    {
      loops: "for (int x = 3; x < SIZE - 3; x++)",
      body: "float v = 0; if (x % 3 == 0) v = in[x - 3]; else if (x % 3 == 1) v = in[x + 3] - in[x]; out[x] = v;",
    },
  ],
  [
    "continue",
    {
      loops: "for (int x = 3; x < SIZE - 3; x++)",
      body: "if (x % 4 == 1) continue; out[x] = in[x - 3] + in[x + 3];",
    },
  ],
  [
    "conditional stores",
    {
      loops: "for (int x = 1; x < SIZE - 1; x++)",
      body: "if (in[x] > 40) out[x] = in[x - 1] - in[x + 1];",
    },
  ],
  [
    "stores that several branches share",
    {
      loops: "for (int x = 1; x < SIZE - 1; x++)",
      body: "if (in[x] > 40) out[x] = in[x - 1]; else out[x] = -in[x + 1];",
    },
  ],
  ["a single iteration", { loops: "for (int x = 40; x < 41; x++)", body: "out[x] = in[x - 3] + in[x + 3];" }],
  ["no iteration", { loops: "for (int x = 40; x < 40; x++)", body: "out[x] = in[x - 3] + in[x + 3];" }],
  [
    "stores elsewhere",
    { loops: "for (int x = 4; x < SIZE - 4; x++)", body: "out[SIZE - 1 - x] = in[x - 4] + in[x + 4];" },
  ],
  [
    "an output that the loop reads",
    { loops: "for (int x = 4; x < SIZE - 4; x++)", body: "out[x] = out[x] + in[x - 4] + in[x + 4];" },
  ],
];
