/** Data that stays on the device: data regions, enter and exit data, updates. */
import { transfer } from "./words.ts";

export const held = [
  ...transfer(
    "host-reads-inside",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
${r("", w.toHost(`a[0:${n}]`))}
  printf("%g\\n", (double)a[3]);
}`,
  ),
  ...transfer(
    "host-writes-inside",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
  for (int k = 0; k < ${n}; k++) b[k] = 2 * k;
${r("", w.toDevice(`b[0:${n}]`))}
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
}`,
  ),
  ...transfer(
    "update-other-way",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
${r(w.toDevice(`a[0:${n}]`), w.toHost(`a[0:${n}]`))}
  printf("%g\\n", (double)a[3]);
}`,
  ),
  ...transfer(
    "update-other-array",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
${w.toHost(`${r("b", "a")}[0:${n}]`)}
  printf("%g\\n", (double)a[3]);
}`,
  ),
  ...transfer(
    "update-too-short",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
${w.toHost(`a[0:${r("2", "4")}]`)}
  printf("%g\\n", (double)a[3]);
}`,
  ),
  ...transfer(
    "update-before-kernel",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${r(w.toHost(`a[0:${n}]`), "")}
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
${r("", w.toHost(`a[0:${n}]`))}
  printf("%g\\n", (double)a[3]);
}`,
  ),
  ...transfer(
    "steps-with-host-boundary",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["both", `a[0:${n}]`],
  ["both", `b[0:${n}]`],
])}
for (int step = 0; step < 3; step++) {
  a[0] = step;
${r("", w.toDevice("a[0:1]"))}
${w.kernel([])}
  ${loop("i", "1", `${n} - 1`)}
    ${at("b", "i")} = ${at("a", "i - 1")} + ${at("a", "i")};
}`,
  ),
  ...transfer(
    "region-copies-in-only",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  [r("in", "both"), `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
}
b[0] = a[3];`,
  ),
  ...transfer(
    "region-makes-room-only",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  [r("room", "in"), `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
}`,
  ),
  ...transfer(
    "inner-copy-has-no-effect",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  [r("room", "in"), `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
${w.kernel([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
}`,
  ),
  ...transfer(
    "inner-copyout-has-no-effect",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  [r("in", "both"), `a[0:${n}]`],
])}
{
${w.kernel([["out", `a[0:${n}]`]])}
  ${loop("i", "0", n)}
    ${at("a", "i")} = ${at("b", "i")} + 1;
}
b[0] = a[3];`,
  ),
  ...transfer(
    "exit-without-copy",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.enter([["in", `a[0:${n}]`]])}
${w.kernel([])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("a", "i")} + 1;
${r(w.exit([], [`a[0:${n}]`]), w.exit([`a[0:${n}]`], []))}
b[0] = a[3];`,
  ),
  ...transfer(
    "read-before-exit",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.enter([["in", `a[0:${n}]`]])}
${w.kernel([])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("a", "i")} + 1;
${r("b[0] = a[3];", "")}
${w.exit([`a[0:${n}]`], [])}
${r("", "b[0] = a[3];")}`,
  ),
  ...transfer(
    "written-after-enter",
    "a b",
    ({ r, n, loop, at }, w) => `
${r("", `for (int k = 0; k < ${n}; k++) a[k] = 3 * k;`)}
${w.enter([
  ["in", `a[0:${n}]`],
  ["in", `b[0:${n}]`],
])}
${r(`for (int k = 0; k < ${n}; k++) a[k] = 3 * k;`, "")}
${w.kernel([])}
${loop("i", "0", n)}
  ${at("b", "i")} = ${at("a", "i")} + 1;
${w.exit([`b[0:${n}]`], [`a[0:${n}]`])}`,
  ),
  ...transfer(
    "entered-as-room",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.enter([
  [r("room", "in"), `a[0:${n}]`],
  ["in", `b[0:${n}]`],
])}
${w.kernel([])}
${loop("i", "0", n)}
  ${at("b", "i")} = ${at("a", "i")} + 1;
${w.exit([`b[0:${n}]`], [`a[0:${n}]`])}`,
  ),
  ...transfer(
    "used-after-exit",
    "b",
    ({ r, n, T }, w) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T}));
for (int k = 0; k < 80; k++) p[k] = k;
${w.enter([["in", "p[0:80]"]])}
${r(w.exit(["p[0:80]"], []), "")}
${w.kernel([["out", `b[0:${n}]`], ...(w.model === "acc" ? [["there", "p[0:80]"] as const] : [])])}
for (int k = 0; k < ${n}; k++)
  b[k] = p[k];
${r("", w.exit(["p[0:80]"], []))}
free(p);`,
  ),
  ...transfer(
    "update-after-exit",
    "b",
    ({ r, T }, w) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T}));
for (int k = 0; k < 80; k++) p[k] = k;
${w.enter([["in", "p[0:80]"]])}
${w.kernel([])}
for (int k = 0; k < 80; k++)
  p[k] = p[k] + 1;
${r(w.exit([], ["p[0:80]"]), "")}
${w.toHost("p[0:80]")}
${r("", w.exit([], ["p[0:80]"]))}
b[3] = p[3];
free(p);`,
  ),
  ...transfer(
    "update-of-nothing",
    "b",
    ({ r, n, T }, w) => `
${T} own[80];
for (int k = 0; k < 80; k++) own[k] = k;
${r("", `${w.data([["both", "own"]])}\n{`)}
${w.toDevice("own")}
${r("", w.kernel([]))}
for (int k = 0; k < ${n}; k++)
  own[k] = own[k] + 1;
${r("", "}")}
b[3] = own[3];`,
  ),
  ...transfer(
    "function-in-region",
    "a b",
    ({ n, T: _ }, w) => `
${w.data([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}]`],
])}
{
  step(a, b, ${n});
}`,
    ({ r, T }, w) => `static void step(${T} *to, ${T} *from, int m) {
  ${T} *t = (${T} *)malloc(80 * sizeof(${T}));
  for (int k = 0; k < 60; k++) t[k] = k;
${w.kernel([
  [r("room", "in"), "t[0:60]"],
  ["in", "from[0:m]"],
  ["both", "to[0:m]"],
])}
  for (int k = 0; k < 60; k++) to[k] = from[k] + t[k];
  free(t);
}
`,
  ),
  ...transfer(
    "second-kernel-sees-host",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.data([
  ["both", `a[0:${n}]`],
  ["both", `b[0:${n}]`],
])}
{
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("b", "i")} = ${at("a", "i")} + 1;
${r("", w.toHost(`b[0:${n}]`))}
  for (int k = 0; k < ${n}; k++) a[k] = b[k] * 2;
${w.toDevice(`a[0:${n}]`)}
${w.kernel([])}
  ${loop("i", "0", n)}
    ${at("b", "i")} = ${at("a", "i")} + 1;
}`,
  ),
  ...transfer(
    "never-exited",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.enter([["in", `a[0:${n}]`]])}
${w.kernel([])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("a", "i")} + 1;
${r("", w.exit([`a[0:${n}]`], []))}
b[0] = a[3];`,
  ),
  ...transfer(
    "freed-before-exit",
    "b",
    ({ r, T }, w) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T}));
${w.enter([["room", "p[0:80]"]])}
${w.kernel([])}
for (int k = 0; k < 80; k++)
  p[k] = k;
${r("free(p);", "")}
${w.exit(["p[0:80]"], [])}
${r("", "b[3] = p[3];\nfree(p);")}`,
  ),
  ...transfer(
    "freed-inside",
    "b",
    ({ r, T }, w) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T}));
${w.data([["out", "p[0:80]"]])}
{
${w.kernel([])}
for (int k = 0; k < 80; k++)
  p[k] = k;
${r("free(p);", "")}
}
${r("", "b[3] = p[3];\nfree(p);")}`,
  ),
  ...transfer(
    "left-by-functions",
    "b",
    () => "start();\ntwice();\nend();\nb[3] = kept[3];",
    ({ r, T }, w) => `static ${T} *kept;
static void start(void) {
  kept = (${T} *)malloc(80 * sizeof(${T}));
  for (int k = 0; k < 80; k++) kept[k] = k;
${w.enter([["in", "kept[0:80]"]])}
}
static void twice(void) {
${w.kernel([])}
  for (int k = 0; k < 80; k++) kept[k] = 2 * kept[k];
}
static void end(void) {
${r(w.exit([], ["kept[0:80]"]), w.exit(["kept[0:80]"], []))}
}
`,
  ),
  ...transfer(
    "put-by-a-function",
    "b",
    ({ r, n }) => `
kept = own;
${r("", `put(kept, ${n});`)}
twice(${n});
${r("", `get(kept, ${n});`)}
b[3] = own[3];`,
    ({ T }, w) => `static ${T} own[80];
static ${T} *kept;
static void put(${T} *p, int m) {
${w.enter([["in", "p[0:m]"]])}
}
static void get(${T} *p, int m) {
${w.exit(["p[0:m]"], [])}
}
static void twice(int m) {
${w.kernel(w.model === "acc" ? [["there", "own[0:m]"]] : [["room", "own[0:m]"]])}
  for (int k = 0; k < m; k++) own[k] = 2 * own[k];
}
`,
  ),
];
