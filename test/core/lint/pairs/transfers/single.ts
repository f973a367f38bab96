/** Clauses of one construct: direction, section, missing clauses. */
import { transfer } from "./words.ts";

export const single = [
  ...transfer(
    "pointer-without-map",
    "a",
    ({ r, n, T }, w) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T}));
for (int k = 0; k < 80; k++) p[k] = k;
${w.kernel(r("", "p").length > 0 ? [["both", "p[0:80]"]] : [["in", `a[0:${n}]`]], w.model === "acc" && r("y", "") ? " default(present)" : "")}
for (int k = 0; k < ${n}; k++)
  p[k] = p[k] + 1;
a[3] = p[3];
free(p);`,
  ),
  ...transfer(
    "not-copied-in",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}]`],
  [r("out", "both"), `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} += ${at("b", "i")};`,
  ),
  ...transfer(
    "copied-back-and-set-in-part",
    "a b",
    ({ r, loop }, w) => `
for (int k = 0; k < 60; k++)
  a[k] = b[k];
${w.kernel([
  ["in", `b[0:60]`],
  [r("out", "both"), `a[0:60]`],
])}
${loop("i", "1", "60")}
  a[i] = b[i] + 1;
b[1] = a[2];
b[0] = a[0];`,
  ),
  ...transfer(
    "copied-back-and-all-set",
    "a b",
    ({ r, loop }, w) => `
${w.kernel([
  ["in", `b[0:60]`],
  ["out", `a[0:60]`],
])}
${loop("i", r("3", "0"), "60")}
  a[i] = b[i] + 1;
for (int k = 0; k < 60; k++)
  b[k] = a[k];`,
  ),
  ...transfer(
    "memory-of-the-device-read-by-the-host",
    "a b",
    ({ r, n, T }, w) => `
${T} *there = (${T} *)${w.model === "acc" ? `acc_malloc(${n} * sizeof(${T}))` : `omp_target_alloc(${n} * sizeof(${T}), omp_get_default_device())`};
${w.kernel([["both", `a[0:${n}]`]], w.model === "acc" ? " deviceptr(there)" : " is_device_ptr(there)")}
for (int k = 0; k < ${n}; k++) {
  there[k] = k;
  a[k] += there[k];
}
b[0] = ${r("there[1]", "a[1]")};
${w.model === "acc" ? "acc_free(there)" : "omp_target_free(there, omp_get_default_device())"};`,
  ),
  ...transfer(
    "not-copied-back",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}]`],
  [r("in", "both"), `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;
b[0] = a[3];`,
  ),
  ...transfer(
    "room-only-read",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  [r("room", "in"), `b[0:${n}]`],
  ["out", `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;`,
  ),
  ...transfer(
    "room-only-written",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}]`],
  [r("room", "out"), `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;
b[0] = a[1] + a[3];`,
  ),
  ...transfer(
    "section-of-half",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}${r(" / 2", "")}]`],
  ["out", `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;`,
  ),
  ...transfer(
    "section-less-one",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}${r("", " + 1")}]`],
  ["out", `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i + 1")} + 1;`,
  ),
  ...transfer(
    "section-from-one",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[${r("1", "0")}:${n}]`],
  ["out", `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;`,
  ),
  ...transfer(
    "section-written-too-short",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}]`],
  ["both", `a[0:${n}${r(" - 2", "")}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;`,
  ),
  ...transfer(
    "section-without-halo",
    "a b",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", r(`b[1:${n} - 2]`, `b[0:${n}]`)],
  ["out", `a[0:${n}]`],
])}
${loop("i", "1", `${n} - 1`)}
  ${at("a", "i")} = ${at("b", "i - 1")} + ${at("b", "i + 1")};`,
  ),
  ...transfer(
    "section-of-rows",
    "a:20 b:20",
    ({ r, n, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}${r("", " * 20")}]`],
  ["out", `a[0:${n} * 20]`],
])}
for (int i = 0; i < ${n}; i++)
  for (int j = 0; j < 20; j++)
    ${at("a", "i * 20 + j")} = ${at("b", "i * 20 + j")};`,
  ),
  ...transfer(
    "section-doubled-index",
    "a b:2",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${r("", "2 * ")}${n}]`],
  ["out", `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "2 * i + 1")};`,
  ),
  ...transfer(
    "two-kernels",
    "a b c",
    ({ r, n, loop, at }, w) => `
${w.kernel([
  ["in", `b[0:${n}]`],
  [r("room", "out"), `a[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at("b", "i")} + 1;
${w.kernel([
  ["in", `a[0:${n}]`],
  ["out", `c[0:${n}]`],
])}
${loop("i", "0", n)}
  ${at("c", "i")} = ${at("a", "i")} + 1;`,
  ),
  ...transfer(
    "scalar-result",
    "a",
    ({ r, n, loop, at, T }, w) => `
${T} s = 0;
${w.kernel(
  [
    [r("in", "both"), "s"],
    ["in", `a[0:${n}]`],
  ],
  " reduction(+: s)",
)}
${loop("i", "0", n)}
  s += ${at("a", "i")};
a[3] = s;`,
  ),
  ...transfer(
    "read-while-queued",
    "a b",
    ({ r, n, at }, w) => `
${w.beside([
  ["in", `b[0:${n}]`],
  ["out", `a[0:${n}]`],
])}
for (int k = 0; k < ${n}; k++)
  ${at("a", "k")} = ${at("b", "k")} + 1;
${r("", w.wait())}
b[0] = a[3];
${w.wait()}`,
  ),
  ...transfer(
    "written-while-queued",
    "a b",
    ({ r, n, at }, w) => `
${w.beside([
  ["in", `b[0:${n}]`],
  ["out", `a[0:${n}]`],
])}
for (int k = 0; k < ${n}; k++)
  ${at("a", "k")} = ${at("b", "k")} + 1;
${r("", w.wait())}
b[3] = 7;
${w.wait()}`,
  ),
  ...transfer(
    "scalar-added-to-in-room",
    "a",
    ({ r, n, at, T }, w) => `
${T} s = 0;
${w.serial([
  [r("out", "both"), "s"],
  ["in", `a[0:${n}]`],
])}
for (int k = 0; k < ${n}; k++)
  s += ${at("a", "k")};
a[3] = s;`,
  ),
  ...transfer(
    "scalar-reduced-in-room",
    "a",
    ({ r, n, loop, at, T }, w) => `
${T} s = 0;
${w.kernel(
  [
    [r("out", "both"), "s"],
    ["in", `a[0:${n}]`],
  ],
  " reduction(+: s)",
)}
${loop("i", "0", n)}
  s += ${at("a", "i")};
a[3] = s;`,
  ),
  ...transfer(
    "rows-without-map",
    "b",
    ({ r, T }, w) => `
${T} **m = (${T} **)malloc(10 * sizeof(${T} *));
for (int k = 0; k < 10; k++) {
  m[k] = (${T} *)malloc(10 * sizeof(${T}));
  for (int j = 0; j < 10; j++) m[k][j] = k;
}
${r("", w.model === "acc" ? "" : "#pragma omp target enter data map(to: m[0:10])\nfor (int k = 0; k < 10; k++) {\n#pragma omp target enter data map(to: m[k][0:10])\n}")}
${w.kernel([["both", w.model === "acc" ? r("m[0:10]", "m[0:10][0:10]") : "m[0:10]"]])}
for (int k = 0; k < 10; k++)
  for (int j = 0; j < 10; j++) m[k][j] = 2 * m[k][j];
b[3] = b[2];`,
  ),
  ...transfer(
    "argument-without-map",
    "b",
    ({ n, T }) => `
${T} *p = (${T} *)malloc(80 * sizeof(${T})), *q = (${T} *)malloc(80 * sizeof(${T}));
for (int k = 0; k < 80; k++) p[k] = q[k] = k;
add(p, q, ${n});
b[3] = p[3];
free(p);
free(q);`,
    ({ r, T }, w) => `static void add(${T} *to, ${T} *from, int m) {
${w.kernel([["both", `to[0:m]${r("", ", from[0:m]")}`]], w.model === "acc" ? " default(present)" : "")}
  for (int k = 0; k < m; k++) to[k] = to[k] + from[k];
}
`,
  ),
  ...transfer(
    "device-pointer-in-host-code",
    "a b",
    ({ r, n }, w) => `
${w.data([["both", `a[0:${n}]`]])}
{
${w.asDevice("a")}
  {
    ${r("b[0] = a[3];", "use(a);")}
  }
}`,
    ({ T }) => `static void use(${T} *device) { (void)device; }\n`,
  ),
];
