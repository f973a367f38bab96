/** Loops whose iterations meet in one array. */
import { pattern } from "../pattern.ts";

export const dependence = [
  pattern(
    "anti-dependence",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", `${n} - 1`)}
  ${at("a", "i")} = ${at(r("a", "b"), "i + 1")} + 1;`,
  ),
  pattern(
    "true-dependence",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "1", n)}
  ${at("a", "i")} = ${at(r("a", "b"), "i - 1")} + 1;`,
  ),
  pattern(
    "output-dependence",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("i / 2", "i"))} = ${at("b", "i")};`,
  ),
  pattern(
    "distance-constant",
    "a:2",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("i + 7", "i"))} = ${at("a", "i")} * 2;`,
  ),
  pattern(
    "distance-of-half",
    "a:2",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", r(n, `${n} / 2`))}
  ${at("a", `i + ${n} / 2`)} = ${at("a", "i")} + 1;`,
  ),
  pattern(
    "distance-of-length",
    "a:2",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", `i + ${n}${r(" - 1", "")}`)} = ${at("a", "i")} + 1;`,
  ),
  pattern(
    "linear-subscripts",
    "a:2",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "2 * i + 1")} = ${at("a", r("i", "2 * i"))} + 1;`,
  ),
  pattern(
    "subscripts-of-threes",
    "a:3",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)} {
  ${at("a", "3 * i")} = 1;
  ${at("a", "3 * i + 1")} = 2;
  ${at("a", r("3 * i + 3", "3 * i + 2"))} = 3;
}`,
  ),
  pattern(
    "mirrored",
    "a",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", r(n, `${n} / 2`))}
  ${at("a", "i")} = ${at("a", `${n} - 1 - i`)} + 1;`,
  ),
  pattern(
    "one-element",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("0", "i"))} = ${at("b", "i")};`,
  ),
  pattern(
    "one-element-read",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at(r("a", "b"), "5")} + 1;`,
  ),
  pattern(
    "last-element-read",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", r(n, `${n} - 1`))}
  ${at("a", "i")} = ${at("a", `${n} - 1`)} + ${at("b", "i")};`,
  ),
  pattern(
    "remainder",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("i % 8", `i % ${n}`))} = ${at("b", "i")};`,
  ),
  pattern(
    "shifted-right",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("i >> 1", "i >> 0"))} = ${at("b", "i")};`,
  ),
  pattern(
    "exclusive-or",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at(r("a", "b"), "i ^ 1")};`,
  ),
  pattern(
    "masked-bits",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", r("i & 15", "i & 1023"))} = ${at("b", "i")};`,
  ),
  pattern(
    "stride-of-loop",
    "a",
    ({ r, n, pfor, at }) => `
${pfor()}
for (int i = 0; i < ${n}; i += 2)
  ${at("a", "i")} = ${at("a", r("i + 2", "i + 1"))} + 1;`,
  ),
  pattern(
    "red-black",
    "a",
    ({ r, n, pfor, at }) => `
${pfor()}
for (int i = 1; i < ${n}; i += ${r("1", "2")})
  ${at("a", "i")} = ${at("a", "i - 1")} + ${at("a", "i + 1")};`,
  ),
  pattern(
    "blocks",
    "a:4",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  for (int j = 0; j < ${r("5", "4")}; j++)
    ${at("a", "4 * i + j")} = j + i;`,
  ),
  pattern(
    "blocks-neighbour",
    "a:4",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  for (int j = ${r("0", "1")}; j < 4; j++)
    ${at("a", "4 * i + j")} = ${at("a", r("4 * i + j + 1", "4 * i + j - 1"))};`,
  ),
  pattern(
    "windows",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "2", `${n} - 2`)} {
  for (int j = -2; j <= 2; j++)
    ${r(at("a", "i + j"), at("a", "i"))} += ${at("b", "i + j")};
}`,
  ),
  pattern(
    "guarded-neighbour",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  if (i % 2 == 0)
    ${at("a", "i")} = ${at("a", r("i + 2", "i + 1"))} + ${at("b", "i")};`,
  ),
  pattern(
    "swap-neighbours",
    "a",
    ({ r, n, pfor, at, T }) => `
${pfor()}
for (int i = 0; i < ${n}; i += ${r("1", "2")}) {
  ${T} t = ${at("a", "i")};
  ${at("a", "i")} = ${at("a", "i + 1")};
  ${at("a", "i + 1")} = t;
}`,
  ),
  pattern(
    "reversed-in-place",
    "a",
    ({ r, n, pfor, loop, at, T }) => `
${pfor()}
${loop("i", "0", r(n, `${n} / 2`))} {
  ${T} t = ${at("a", "i")};
  ${at("a", "i")} = ${at("a", `${n} - 1 - i`)};
  ${at("a", `${n} - 1 - i`)} = t;
}`,
  ),
  pattern(
    "prefix-sum",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${r(pfor(), "")}
${loop("i", "1", n)}
  ${at("a", "i")} = ${at("a", "i - 1")} + ${at("b", "i")};`,
  ),
  pattern(
    "recurrence-in-rows",
    "a:8",
    ({ r, n, pfor, loop, at }) => `
${r("", pfor())}
for (int k = 0; k < 8; k++)
${r(pfor(), "")}
  ${loop("j", "1", n).replace("for (j", "for (int j")}
    ${at("a", `k * ${n} + j`)} = ${at("a", `k * ${n} + j - 1`)} + 1;`,
  ),
  pattern(
    "histogram-of-few",
    "a:int b",
    ({ r, n, pfor, loop }) => `
${pfor()}
${loop("i", "0", n)} {
${r("", "#pragma omp atomic")}
  a[i % 5]++;
}`,
  ),
  pattern(
    "stencil-in-place",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "1", `${n} - 1`)}
  ${at(r("a", "b"), "i")} = (${at("a", "i - 1")} + ${at("a", "i")} + ${at("a", "i + 1")}) / 3;`,
  ),
  pattern(
    "two-statements",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)} {
  ${at("a", "i")} = i;
  ${at("b", "i")} = ${at("a", r("i + 1", "i"))};
}`,
  ),
  pattern(
    "difference-of-counters",
    "a:2",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", `${n} / 2`)}
  for (int j = 0; j < 2; j++)
    ${at("a", r("i + j", "2 * i + j"))} = i - j;`,
  ),
  pattern(
    "triangle-packed",
    "a:32",
    ({ r, pfor, at }) => `
${pfor()}
for (int i = 0; i < 40; i++)
  for (int j = 0; j <= i; j++)
    ${at("a", r("i * (i - 1) / 2 + j + 1", "i * (i + 1) / 2 + j"))} = i + j;`,
  ),
  pattern(
    "conditional-subscript",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", `i < 10 ? ${r("i / 2", "i")} : i`)} = ${at("b", "i")};`,
  ),
  pattern(
    "wrapped-neighbour",
    "a b",
    ({ r, n, pfor, loop, at }) => `
${pfor()}
${loop("i", "0", n)}
  ${at("a", "i")} = ${at(r("a", "b"), `(i + 1) % ${n}`)};`,
  ),
];
