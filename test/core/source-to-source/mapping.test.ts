/** Where --map puts the parallelism of loops: CCAMP's Algorithms 2 to 4 on the programs that it shows. */
import { expect, test } from "vitest";
import { type MappingName, mappings, profiles } from "../../../core/source-to-source/mapping/profiles.ts";
import { inFunction, statement, translated } from "./translating.ts";

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
    jacobi(
      "#pragma omp target teams distribute map(from: m) map(to: rows[0:9]) /* acc: parallel loop copyout(m) */",
      "#pragma omp parallel for /* acc: loop */",
    ),
  );
});

test("cpu: simd where it pays, the outermost loop over the host's threads", () => {
  const wanted = jacobi("#pragma omp parallel for private(j)", "#pragma omp simd");
  for (const inner of ["#pragma acc loop", ""])
    expect(statement(jacobi(ACC, inner), "openmp", "5.0", "cpu")).toBe(wanted);
});

test("cpu: a short outermost loop is collapsed with the next, a long one is not", () => {
  const nest = (outer: string, bound: string) =>
    `${outer}\nfor (i = 0; i < 4; i++) for (j = 0; j < ${bound}; j++) for (k = 0; k < n; k++) m[i][j] += k;`;
  const made = (bound: string) =>
    statement(nest("#pragma acc parallel loop collapse(2) copy(m)", bound), "openmp", "5.0", "cpu");
  expect(made("n")).toContain("parallel for collapse(2)");
  const long = nest("#pragma acc parallel loop collapse(2) copy(m)", "n").replace("i < 4", "i < 400");
  expect(statement(long, "openmp", "5.0", "cpu")).not.toContain("collapse");
});

test("cpu: a loop that loses its collapse hands the reduction on to the loop inside", () => {
  const made = statement(
    "#pragma acc parallel loop collapse(2) reduction(max: t) copyin(m)\n" +
      "for (i = 0; i < 10; i++) for (j = 0; j < n; j++) t = m[i][j] > t ? m[i][j] : t;",
    "openmp",
    "5.0",
    "cpu",
  );
  expect(made).toContain("#pragma omp parallel for reduction(max: t) private(j)");
  expect(made).toContain("#pragma omp simd reduction(max: t)");
});

test("gpu: a nest that a directive collapses stays one, if it reduces, too", () => {
  const made = (map: MappingName) =>
    statement(
      "#pragma acc parallel loop collapse(2) reduction(max: t) copyin(m)\n" +
        "for (i = 0; i < 10; i++) for (j = 0; j < n; j++) t = m[i][j] > t ? m[i][j] : t;",
      "openmp",
      "5.0",
      map,
    );
  for (const map of ["gpu", "gcc"] as const) {
    expect(made(map)).toContain("reduction(max: t) map(to: m) collapse(2)");
    expect(made(map)).not.toContain("simd");
  }
});

test("cpu: data, queues and lengths of vectors go; copies and the number of gangs that code can see stay", () => {
  const made = statement(
    [
      "#pragma acc data copy(a) create(b)",
      "{",
      "#pragma acc parallel num_gangs(8) vector_length(64) async(1) firstprivate(t)",
      "{ t += 1;",
      "#pragma acc loop gang vector",
      "for (i = 0; i < 100; i++) a[i] = t; }",
      "#pragma acc serial",
      "{ t = 4; a[0] = t; }",
      "#pragma acc update self(a) wait(1)",
      "}",
    ].join("\n"),
    "openmp",
    "5.0",
    "cpu",
  );
  expect(made).toBe(
    [
      "{",
      "#pragma omp teams num_teams(8) firstprivate(t)",
      "{ t += 1;",
      "#pragma omp distribute parallel for",
      "for (i = 0; i < 100; i++) a[i] = t; }",
      "#pragma omp parallel num_threads(1) private(t)",
      "{ t = 4; a[0] = t; }",
      "}",
    ].join("\n"),
  );
});

test("cpu: regions of a source that handles the device's memory itself stay the device's", () => {
  const code = "#pragma acc parallel loop deviceptr(x)\nfor (i = 0; i < n; i++) x[i] = 1;";
  expect(statement(code, "openmp", "5.0", "cpu")).toContain(
    "#pragma omp target teams distribute parallel for",
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

test("gcc, which runs a thread as a warp, gets simd where an iteration holds a loop; clang gets none", () => {
  const loops = ["#pragma acc loop reduction(+: sum)", ""].map((inner) =>
    statement(matmul("#pragma acc parallel loop collapse(2) copy(rows[0:n])", inner), "openmp", "5.0", "gcc"),
  );
  const over = "#pragma omp target teams distribute parallel for";
  for (const made of loops)
    expect(made).toBe(matmul(`${over} simd map(tofrom: rows[0:n]) collapse(2) private(k)`, ""));
  const flat = jacobi(ACC, "#pragma acc loop");
  for (const map of ["gcc", "clang"] as const)
    expect(statement(flat, "openmp", "5.0", map)).toBe(
      jacobi(`${over} map(from: m) map(to: rows[0:9]) collapse(2)`, ""),
    );
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
    matmul("#pragma acc parallel loop collapse(2) independent present(rows[0:1])", "#pragma acc loop seq"),
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

test("loops that are collapsed hand on their copies of variables, each once", () => {
  const nest = (outer: string, inner: string) =>
    `${outer}\nfor (i = 1; i < 9; i++)\n${inner}\nfor (j = 1; j < 9; j++) { t = i; s = j; m[i][j] = t + s; }`.replace(
      "\n\n",
      "\n",
    );
  const both = nest("#pragma acc parallel loop private(t) copyout(m)", "#pragma acc loop private(s, t)");
  for (const map of ["gpu", "gcc"] as const)
    expect(statement(both, "openmp", "5.0", map)).toBe(
      nest(
        "#pragma omp target teams distribute parallel for private(t) map(from: m) collapse(2) private(s)",
        "",
      ),
    );
  const bare = `#pragma acc kernels copyout(m)\n${nest("", "#pragma acc loop private(s, t)").trim()}`;
  expect(statement(bare, "openmp", "5.0", "gpu")).toBe(
    nest(
      "#pragma omp target teams map(from: m)\n#pragma omp distribute parallel for collapse(2) private(s, t)",
      "",
    ),
  );
  const long = (outer: string, inner: string) => nest(outer, inner).replace("j < 9", "j < n");
  const threads = long(
    "#pragma omp target teams distribute map(from: m) private(t)",
    "#pragma omp parallel for private(s, t)",
  );
  expect(statement(threads, "openacc", "5.0", "gcc")).toBe(
    long("#pragma acc parallel loop copyout(m) private(t) collapse(2) private(s) independent", ""),
  );
  const first = threads.replace("private(s, t)", "firstprivate(s) private(t)");
  expect(translated(inFunction(first), "openacc", "5.0", "gcc").diagnostics.map((d) => d.message)).toEqual([
    "OpenACC's 'loop' has no 'firstprivate'",
  ]);
});
