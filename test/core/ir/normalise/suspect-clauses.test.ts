/** Warnings about data clauses that are valid but certainly a mistake. */
import { expect, test } from "vitest";
import { normalise } from "../../../../core/ir/normalise/normalise.ts";
import { accepted, inFunction } from "../reading.ts";

const warnings = (pragma: string, body: string) =>
  normalise(
    accepted(inFunction(`\n#pragma ${pragma}\nfor (i = 0; i < n; i++) { ${body} }`)),
  ).diagnostics.flatMap(({ severity, code, remedy }) =>
    severity === "warning" ? [`${code}: ${remedy}`] : [],
  );

test.each([
  ["acc parallel loop copy(t)", "t += b[i];", "unreduced: say reduction(+:t)"],
  ["acc parallel loop copy(t)", "t = b[i] > t ? b[i] : t;", "unreduced: say reduction(max:t)"],
  ["omp target teams distribute parallel for map(tofrom: t)", "t *= b[i];", "unreduced: say reduction(*:t)"],
  ["acc parallel loop copy(t) reduction(+:t)", "t += b[i];"],
  ["acc parallel loop seq copy(t)", "t += b[i];"],
  ["acc parallel loop copy(t)", "\n#pragma acc atomic update\nt += b[i];"],
  ["acc parallel loop copyin(t)", "a[i] = t;"],
  ["acc parallel loop copyout(a)", "a[i] += b[i];", "read-before-set: map 'a' in both directions"],
  ["acc parallel loop copyout(a)", "a[i] = 2 * a[i];", "read-before-set: map 'a' in both directions"],
  ["omp target teams loop map(from: a)", "a[i] -= 1;", "read-before-set: map 'a' in both directions"],
  ["acc parallel loop copyout(a)", "a[i]++;", "read-before-set: map 'a' in both directions"],
  ["acc parallel loop copyout(a)", "a[i] = n ? a[i] : 1;"],
  ["acc parallel loop copyout(a)", "a[i] = b[i]; a[i] += 1;"],
  ["acc parallel loop copyout(a)", "if (i > 3) a[i] += 1;"],
  ["acc parallel loop copy(a)", "a[i] += 1;"],
])("%s over %s is warned of exactly where a clause is wrong", (pragma, body, ...expected) => {
  expect(warnings(pragma, body)).toEqual(expected);
});
