/** Comments beside clauses stay, whatever becomes of these: each clause of each directive has one in front and one behind. */
import { describe, expect, test } from "vitest";
import type { Language } from "../../../core/source-to-source/model/source.ts";
import { translated } from "./translating.ts";

const loop = "for (int i = 0; i < 20; i++) a[i] = b[i] + s;";
const compute = (directive: string): string => `#pragma ${directive}\n${loop}`;
const inRegion = (region: string, directive: string): string =>
  `#pragma ${region}\nfor (int k = 0; k < 9; k++) {\n#pragma ${directive}\n${loop}\n}`;

/** By the language that they become: bodies of functions; what is left out has no counterpart, or is said already. */
const bodies: Readonly<Record<Language, readonly string[]>> = {
  openmp: [
    compute(
      "acc parallel loop gang worker vector num_gangs(4) num_workers(2) vector_length(32) copy(a) copyin(b)",
    ),
    compute("acc parallel loop default(present) self(0) copyin(b) if(n) async(1) wait(2) firstprivate(s)"),
    compute("acc kernels loop copyin(a, b) num_workers(8) private(s) independent"),
    compute("acc serial loop copyin(b) copyout(a) no_create(c) device_type(nvidia) async"),
    inRegion("acc parallel loop copy(a) copyin(b)", "acc loop seq"),
    inRegion("acc parallel loop copy(a) copyin(b)", "acc loop vector independent private(s)"),
    "#pragma acc enter data copyin(a) create(b) async(2) wait(1) if(n)",
    "#pragma acc exit data copyout(a) delete(b) finalize async",
    "#pragma acc update self(a) device(b) if_present async(1)",
    "#pragma acc wait(1) async(2) if(n)",
    "#pragma acc wait if(n)",
    "#pragma acc data copy(a) present(b) default(none) if(n)\n{ a[0] = 1; }",
    "#pragma acc atomic update if(n)\na[0] += 1;",
    "#pragma acc init device_type(nvidia) device_num(1) if(n)",
    "#pragma acc cache(a)",
  ],
  openacc: [
    compute(
      "omp target teams distribute parallel for map(tofrom: a) map(to: b) num_teams(4) thread_limit(32) schedule(static)",
    ),
    compute(
      "omp target teams distribute parallel for simd map(to: b) safelen(8) nowait firstprivate(s) if(n)",
    ),
    compute("omp target teams loop bind(teams) order(concurrent) map(tofrom: a) shared(b) default(shared)"),
    inRegion(
      "omp target teams distribute map(tofrom: a) map(to: b)",
      "omp parallel for schedule(static, 1) num_threads(8)",
    ),
    inRegion("omp target teams distribute map(tofrom: a) map(to: b)", "omp simd aligned(c: 16) simdlen(4)"),
    "#pragma omp target enter data map(to: a) map(alloc: b) nowait if(n)",
    "#pragma omp target exit data map(from: a) map(delete: b) if(n)",
    "#pragma omp target update from(a) to(b) nowait if(n)",
    "#pragma omp target data map(tofrom: a) map(alloc: b) if(n)\n{ a[0] = 1; }",
    "#pragma omp taskwait",
  ],
};

/** Comments around each clause, with numbers; a line's own at the end. */
function commented(body: string): { readonly text: string; readonly comments: readonly string[] } {
  const comments: string[] = [];
  const next = (form: (words: string) => string): string => {
    comments.push(form(`note ${comments.length}`));
    return comments.at(-1) ?? "";
  };
  const text = body.replace(/^#pragma .*$/gm, (line) => {
    const parts = line.split(/ (?![^(]*\))/);
    const words = parts.findIndex((part, k) => k > 2 && isClause(part));
    const from = words < 0 ? parts.length : words;
    const head = parts.slice(0, from).join(" ");
    const clauses = parts.slice(from).map((part) => ` ${next((w) => `/* ${w} */`)} ${part}`);
    return `${head}${clauses.join("")} ${next((w) => `// ${w}`)}`;
  });
  return { text, comments };
}

const names =
  /^(parallel|kernels|serial|loop|data|enter|exit|update|target|teams|distribute|for|simd|wait\b.*|atomic|init)$/;
const isClause = (part: string): boolean => !names.test(part);

describe.each(["openmp", "openacc"] as const)("to %s", (to) => {
  describe.each(["default", "cpu", "gpu", "gcc"] as const)("--map %s", (map) => {
    test.each(bodies[to])("%s", (body) => {
      const { text, comments } = commented(body);
      const source = `void f(int n, double s) {\n  double a[20], b[20], c[20];\n${text}\n}\n`;
      const made = translated(source, to, "5.0", map);
      const found = comments.map((comment) => [comment, made.text.split(comment).length - 1]);
      expect(found).toEqual(comments.map((comment) => [comment, 1]));
    });
  });
});

test.each([
  ["acc parallel /* one */ loop /* two */ copy(/* three */ a)", "openmp"],
  ["omp target /* one */ teams /* two */ distribute parallel for map(/* three */ a)", "openacc"],
] as const)("comments between the words of '%s' stay", (directive, to) => {
  const { text, diagnostics } = translated(
    `int a[20];\nvoid f(void) {\n#pragma ${directive} // four\nfor (int i = 0; i < 20; i++) a[i] = i;\n}\n`,
    to,
  );
  expect(diagnostics).toEqual([]);
  for (const comment of ["/* one */", "/* two */", "/* three */", "// four"])
    expect(text.split(comment)).toHaveLength(2);
});
