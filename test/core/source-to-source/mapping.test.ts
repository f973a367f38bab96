/** Where --map puts the parallelism of loops: CCAMP's Algorithms 2 to 4 on the programs that it shows. */
import { expect, test } from "vitest";
import { type MappingName, mappings, profiles } from "../../../core/source-to-source/mapping/profiles.ts";
import { statement } from "./translating.ts";

const jacobi = (outer: string, inner: string) =>
  [
    outer,
    "for (i = 1; i < 9; i++)",
    inner,
    "for (j = 1; j < 9; j++)",
    "m[i][j] = rows[i][j] + rows[i - 1][j];",
  ]
    .filter((line) => line !== "")
    .join("\n");
const matmul = (outer: string, innermost: string) =>
  [
    outer,
    "for (i = 0; i < n; i++)",
    "for (j = 0; j < n; j++) {",
    "double sum = 0;",
    innermost,
    "for (k = 0; k < n; k++)",
    "sum += rows[i][k] * rows[k][j];",
    "rows[i + n][j] = sum; }",
  ]
    .filter((line) => line !== "")
    .join("\n");

const ACC = "#pragma acc parallel loop copyout(m)";

test("default leaves loops as they are written", () => {
  expect(statement(jacobi(ACC, "#pragma acc loop"), "openmp", "5.0", "default")).toBe(
    jacobi("#pragma omp target teams distribute map(from: m) map(to: rows[0:9])", "#pragma omp parallel for"),
  );
});

test("cpu: simd where it pays, the outermost loop over teams and threads", () => {
  expect(statement(jacobi(ACC, "#pragma acc loop"), "openmp", "5.0", "cpu")).toBe(
    jacobi(
      "#pragma omp target teams distribute parallel for map(from: m) map(to: rows[0:9]) private(j)",
      "#pragma omp simd",
    ),
  );
  expect(statement(jacobi(ACC, ""), "openmp", "5.0", "cpu")).toBe(
    jacobi(
      "#pragma omp target teams distribute parallel for map(from: m) map(to: rows[0:9]) private(j)",
      "#pragma omp simd",
    ),
  );
});

test("gpu: loops are collapsed, and there is no simd", () => {
  expect(statement(jacobi(ACC, "#pragma acc loop"), "openmp", "5.0", "gpu")).toBe(
    jacobi(
      "#pragma omp target teams distribute parallel for map(from: m) map(to: rows[0:9]) collapse(2)",
      "",
    ),
  );
});

test("gcc needs simd on GPUs, clang does not", () => {
  const made = (map: "gcc" | "clang") => statement(jacobi(ACC, "#pragma acc loop"), "openmp", "5.0", map);
  expect(made("gcc")).toContain("simd");
  expect(made("clang")).not.toContain("simd");
});

test("nvc and HPE Cray's compiler get what GPUs get, each rule with its source", () => {
  const nest = jacobi(ACC, "#pragma acc loop");
  const made = (map: MappingName) => statement(nest, "openmp", "5.0", map);
  for (const map of ["nvc", "cce"] as const) expect(made(map)).toBe(made("gpu"));
  for (const map of mappings)
    for (const { source } of Object.values(profiles[map])) expect(source, map).toMatch(/\w{4}/);
  expect(profiles.cce.openmp.source).toMatch(/Cray.*clang/);
});

test("an imperfect nest is teams outside and threads inside on a GPU", () => {
  const code = (outer: string, inner: string) =>
    `${outer}\nfor (i = 0; i < 100; i++) { x[i] = 0;\n${inner}\nfor (j = 0; j < 100; j++) rows[i][j] = 1; }`;
  expect(statement(code("#pragma acc parallel loop", "#pragma acc loop"), "openmp", "5.0", "gpu")).toBe(
    code(
      "#pragma omp target teams distribute map(tofrom: rows[0:100]) map(tofrom: x[0:100])",
      "#pragma omp parallel for",
    ),
  );
});

test("an inner loop that reduces, or has few iterations, does not become a nested parallel region", () => {
  const code = (outer: string, inner: string) =>
    [
      outer,
      "for (i = 0; i < 100; i++) { double r = 0;",
      inner,
      "for (j = 0; j < 100; j++) r += j;",
      "x[i] = r; }",
    ]
      .filter((line) => line !== "")
      .join("\n");
  expect(
    statement(
      code("#pragma acc parallel loop", "#pragma acc loop vector reduction(+: r)"),
      "openmp",
      "5.0",
      "gpu",
    ),
  ).toBe(code("#pragma omp target teams distribute parallel for map(tofrom: x[0:100]) private(j)", ""));
});

test("OpenACC: collapse outside, seq for what does not pay as vectors", () => {
  const from = matmul("#pragma omp target teams distribute parallel for collapse(2)", "");
  expect(statement(from, "openacc", "5.0", "gpu")).toBe(
    matmul("#pragma acc parallel loop collapse(2) independent present(rows)", "#pragma acc loop seq"),
  );
});

test("sizes of before go, data stays", () => {
  const made = statement(
    jacobi(
      "#pragma acc parallel loop gang num_gangs(4) vector_length(8) copyout(m)",
      "#pragma acc loop vector",
    ),
    "openmp",
    "5.0",
    "gpu",
  );
  expect(made).toBe(
    jacobi(
      "#pragma omp target teams distribute parallel for map(from: m) map(to: rows[0:9]) collapse(2)",
      "",
    ),
  );
});

test("a nest with a sequential outermost loop is unchanged", () => {
  const code = "for (i = 1; i < 100; i++) x[i] = x[i - 1];";
  expect(statement(`#pragma acc parallel loop seq\n${code}`, "openmp", "5.0", "gpu")).toBe(
    `#pragma omp target teams map(tofrom: x[0:100])\n/* acc loop seq */\n${code}`,
  );
});
