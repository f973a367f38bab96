/** Lanes of simd loops, teams, and OpenACC's gangs. */
import { pattern } from "../pattern.ts";

const unseen = { unseen: true } as const;

export const lanes = [
  pattern(
    "simd-true-dependence",
    "a b",
    ({ r, n, at }) => `
#pragma omp simd
for (int k = 1; k < ${n}; k++)
  ${at("a", "k")} = ${at(r("a", "b"), "k - 1")} + 1;`,
    unseen,
  ),
  pattern(
    "simd-safelen",
    "a",
    ({ r, n, at }) => `
#pragma omp simd safelen(${r("8", "4")})
for (int k = 4; k < ${n}; k++)
  ${at("a", "k")} = ${at("a", "k - 4")} + 1;`,
    unseen,
  ),
  pattern(
    "simd-safelen-less-one",
    "a",
    ({ r, n, at }) => `
#pragma omp simd safelen(5)
for (int k = 0; k < ${n}; k++)
  ${at("a", r("k + 4", "k + 5"))} = ${at("a", "k")} + 1;`,
    unseen,
  ),
  pattern(
    "simd-sum",
    "a",
    ({ r, n, T }) => `
${T} s = 0;
#pragma omp simd ${r("", "reduction(+: s)")}
for (int k = 0; k < ${n}; k++)
  s += a[k];
a[3] = s;`,
    unseen,
  ),
  pattern(
    "simd-inside-threads",
    "a b:40",
    ({ r, at }) => `
#pragma omp parallel for
for (int i = 0; i < 16; i++)
#pragma omp simd
  for (int j = 1; j < 16; j++)
    ${at("b", "16 * i + j")} = ${r(at("b", "16 * i + j - 1"), at("a", "j"))} + 1;`,
    unseen,
  ),
  pattern(
    "for-simd",
    "a b",
    ({ r, n, at }) => `
#pragma omp parallel for simd
for (int k = 1; k < ${n}; k++)
  ${at("a", "k")} = ${at(r("a", "b"), "k - 1")} + 1;`,
  ),
  pattern(
    "for-simd-safelen",
    "a",
    ({ r, n, at }) => `
#pragma omp parallel
#pragma omp ${r("for simd", "single")}
for (int k = 4; k < ${n}; k++)
  ${at("a", "k")} = ${at("a", "k - 4")} + 1;`,
  ),
  pattern(
    "simd-linear",
    "a:2 b",
    ({ r, n, at }) => `
int k = 0;
#pragma omp simd ${r("safelen(8)", "linear(k: 2)")}
for (int m = 0; m < ${n}; m++) {
  ${at("a", "k")} = ${r("a[k / 2]", "b[m]")};
  k += 2;
}`,
    unseen,
  ),
  pattern(
    "teams-sum",
    "a",
    ({ r, n, T }) => `
${T} s = 0;
#pragma omp target teams distribute parallel for map(tofrom: s) ${r("", "reduction(+: s)")}
for (int k = 0; k < ${n}; k++)
  s += k;
a[3] = s;`,
  ),
  pattern(
    "distribute-neighbour",
    "a:1 b:1",
    ({ r, T }) => `
${T} v[80], w[80];
for (int k = 0; k < 80; k++) v[k] = w[k] = k;
#pragma omp target teams distribute parallel for map(tofrom: v, w)
for (int k = 0; k < 79; k++)
  v[k] = ${r("v", "w")}[k + 1];
a[3] = v[3];`,
  ),
  pattern(
    "distribute-only",
    "a",
    ({ r, T }) => `
${T} v[80];
for (int k = 0; k < 80; k++) v[k] = k;
#pragma omp target teams distribute map(tofrom: v)
for (int k = 0; k < 40; k++)
  v[${r("k / 2", "k")}] = k;
a[3] = v[3];`,
    unseen,
  ),
  pattern(
    "teams-critical",
    "a",
    ({ r }) => `
int s = 0;
#pragma omp target teams map(tofrom: s) num_teams(4)
{
#pragma omp ${r("critical", "atomic")}
  s += 1;
}
a[3] = s;`,
    unseen,
  ),
  pattern(
    "distribute-private",
    "a",
    ({ r, T }) => `
${T} v[80], t = 0;
#pragma omp target teams distribute parallel for map(tofrom: v) ${r("map(tofrom: t)", "private(t)")}
for (int k = 0; k < 80; k++) {
  t = k;
  v[k] = t;
}
a[3] = v[3];`,
  ),
  pattern(
    "target-loop",
    "a",
    ({ r, T }) => `
${T} v[80];
for (int k = 0; k < 80; k++) v[k] = k;
#pragma omp target teams loop map(tofrom: v)
for (int k = 1; k < 80; k++)
  v[k] = ${r("v[k - 1]", "v[k]")} + 1;
a[3] = v[3];`,
  ),
  pattern(
    "acc-neighbour",
    "a:1",
    ({ r, T }) => `
${T} v[80], w[80];
for (int k = 0; k < 80; k++) v[k] = w[k] = k;
#pragma acc parallel loop copy(v) copyin(w)
for (int k = 0; k < 79; k++)
  v[k] = ${r("v", "w")}[k + 1];
a[3] = v[3];`,
    unseen,
  ),
  pattern(
    "acc-sum",
    "a",
    ({ r, T }) => `
${T} s = 0;
#pragma acc parallel loop copy(s) ${r("", "reduction(+: s)")}
for (int k = 0; k < 80; k++)
  s += k;
a[3] = s;`,
    unseen,
  ),
  pattern(
    "acc-histogram",
    "a",
    ({ r }) => `
int v[8] = {0};
#pragma acc parallel loop copy(v)
for (int k = 0; k < 80; k++) {
${r("", "#pragma acc atomic update")}
  v[k % 8]++;
}
a[3] = v[3];`,
    unseen,
  ),
  pattern(
    "acc-independent",
    "a",
    ({ r, T }) => `
${T} v[80];
for (int k = 0; k < 80; k++) v[k] = k;
#pragma acc kernels copy(v)
#pragma acc loop ${r("independent", "")}
for (int k = 1; k < 80; k++)
  v[k] = v[k - 1] + 1;
a[3] = v[3];`,
    unseen,
  ),
  pattern(
    "acc-collapse",
    "a",
    ({ r, T }) => `
${T} v[20][20];
for (int k = 0; k < 20; k++) for (int m = 0; m < 20; m++) v[k][m] = k;
#pragma acc parallel loop ${r("collapse(2)", "gang")} copy(v)
for (int k = 0; k < 20; k++)
  for (int m = 1; m < 20; m++)
    v[k][m] = v[k][m - 1] + 1;
a[3] = v[3][3];`,
    unseen,
  ),
  pattern(
    "acc-vector-loop",
    "a",
    ({ r, T }) => `
${T} v[20][20];
for (int k = 0; k < 20; k++) for (int m = 0; m < 20; m++) v[k][m] = k;
#pragma acc parallel loop gang copy(v)
for (int k = 0; k < 20; k++) {
#pragma acc loop ${r("vector", "seq")}
  for (int m = 1; m < 20; m++)
    v[k][m] = v[k][m - 1] + 1;
}
a[3] = v[3][3];`,
    unseen,
  ),
  pattern(
    "acc-shared-room",
    "a",
    ({ r, T }) => `
${T} v[80], room[4];
#pragma acc parallel loop copyout(v) ${r("create(room)", "private(room)")}
for (int k = 0; k < 80; k++) {
  for (int m = 0; m < 4; m++) room[m] = k + m;
  v[k] = room[1] + room[2];
}
a[3] = v[3];`,
    unseen,
  ),
  pattern(
    "acc-inner-temporary",
    "a",
    ({ r, T }) => `
${T} v[80], t = 0;
#pragma acc parallel loop copyout(v) ${r("copy(t)", "private(t)")}
for (int k = 0; k < 80; k++) {
  t = k;
  v[k] = t + 1;
}
a[3] = v[3];`,
    unseen,
  ),
];
