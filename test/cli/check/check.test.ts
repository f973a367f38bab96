/** `arc check` as its user has it: formats, comments, edits, exit statuses. */
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

const source = `#include "n.h"
double sum(const double *a) {
  double s = 0, t;
#pragma omp parallel \\
      for /* both */ schedule(static) // and more
  for (int i = 0; i < N; i++) {
    t = a[i];
    s += t;
  }
  return s;
}
void shift(double *a) {
#pragma acc parallel loop copy(a[0:N])
  for (int i = 0; i < N - 1; i++)
    a[i] = a[i + 1];
}
`;
const project = (changes: Readonly<Record<string, string>> = {}): Rig =>
  new Rig({ "sum.c": source, "n.h": "#define N 9\n", ...changes }, "shared");

it("prints what gcc would, each with its line, and exits with 1", async () => {
  const rig = project();
  const { status, out, err } = await rig.arc(["check", "sum.c"]);
  expect({ status, err }).toEqual({ status: 1, err: "" });
  expect(out).toContain(
    "sum.c:7:5: warning: iterations that run at the same time share 't', which each of them sets for itself [missing-private]\n  7 |     t = a[i];\n    |     ^\n",
  );
  expect(out).toContain("sum.c:15:12: note:");
  expect(out.match(/: warning: .* \[([a-z-]+)\]$/gm)).toHaveLength(3);
  expect(rig.list()).toEqual(["n.h", "sum.c"]);
});

it("checks the project's sources with its options, and exits with 0 where nothing is wrong", async () => {
  const yaml =
    "arc: 1\nproject: p\nsources: [clean.c]\ninclude: [inc]\ndefines: { N: 4 }\ntargets: { cpu: { kind: host } }\n";
  const clean =
    "#include <h.h>\nint f(int *a) {\n#pragma omp parallel for\n  for (int i = 0; i < N; i++) a[i] = ONE;\n  return 0;\n}\n";
  const rig = project({ "arc.yaml": yaml, "clean.c": clean, "inc/h.h": "#define ONE 1\n" });
  expect(await rig.arc(["check"])).toEqual({ status: 0, out: "", err: "" });
  rig.write("clean.c", clean.replace("a[i] = ONE", "a[0] += ONE"));
  expect(await rig.arc(["check"])).toMatchObject({ status: 1, out: expect.stringContaining("clean.c:4:") });
});

it("reads a file of a project with the project's options, wherever it is named", async () => {
  const yaml =
    "arc: 1\nproject: p\nsources: [sum.c]\ncflags: [-DSKIP=1]\ndefines: { N: 4 }\ntargets: { cpu: { kind: host } }\n";
  const rig = project({ "arc.yaml": yaml, "sub/here": "" });
  rig.write(
    "sum.c",
    "void f(int *a) {\n#pragma acc parallel loop copy(a[0:N])\n  for (int i = SKIP; i < N; i++) a[i] = i;\n}\n",
  );
  expect(await rig.arc(["check", "../sum.c"], { cwd: "sub" })).toEqual({ status: 0, out: "", err: "" });
  for (const to of ["openmp", "opencl"])
    expect(await rig.arc(["translate", "sum.c", "--to", to])).toMatchObject({ status: 0, err: "" });
  // What the call says comes later, and counts.
  const { err } = await rig.arc(["translate", "sum.c", "--", "-USKIP"]);
  expect(err).toContain("`SKIP` is not declared");
});

it("says where options of the C compiler go", async () => {
  const { status, err } = await project().arc(["check", "sum.c", "-Iinc"]);
  expect(status).toBe(2);
  expect(err).toContain("arc check FILE -- -I");
});

it("reads many files with several processes, and reports findings in order", async () => {
  const names = Array.from({ length: 26 }, (_, k) => `f${k}.c`);
  const race = (name: string) =>
    `void ${name.slice(0, -2)}(int *a) {\n#pragma omp parallel for\n  for (int i = 0; i < 9; i++) a[0] += i;\n}\n`;
  const files = Object.fromEntries(names.map((name) => [name, race(name)]));
  const rig = new Rig({ ...files, "f3.c": "void f3(int *a) {\n" }, "own");
  const { status, out, err } = await rig.arc(["check", "--jobs", "2", ...names]);
  expect(status).toBe(2);
  expect(err.match(/error\[/g)).toHaveLength(1);
  expect(out.match(/^\w+\.c(?=:3:.* warning)/gm)).toEqual(names.filter((name) => name !== "f3.c"));
});

it("mends what it surely can, in directives of several lines too", async () => {
  const rig = project();
  const { status, err } = await rig.arc(["check", "--fix", "sum.c"]);
  expect({ status, err }).toEqual({ status: 1, err: "arc: mended 2 findings in sum.c\n" });
  expect(rig.read("sum.c")).toBe(
    source.replace("schedule(static)", "schedule(static) private(t) reduction(+:s)"),
  );
  expect((await rig.arc(["check", "sum.c", "--format", "json"])).out.match(/"code"/g)).toHaveLength(1);
});

it("takes comments for an answer", async () => {
  const quiet = source
    .replace("t = a[i];", "t = a[i]; // arc-check: ignore missing-private, data-race")
    .replace("    s += t;", "    /* arc-check: ignore */\n    s += t;");
  const rig = project({ "sum.c": quiet });
  expect((await rig.arc(["check", "sum.c"])).out).not.toMatch(/missing-/);
  rig.write("sum.c", `// arc-check: ignore-file loop-carried-dependence\n${quiet}`);
  expect(await rig.arc(["check", "sum.c"])).toEqual({ status: 0, out: "", err: "" });
});

it("tells of SARIF's rules, places and edits", async () => {
  const { out, status } = await project().arc(["check", "sum.c", "--format", "sarif"]);
  const { version, runs } = JSON.parse(out);
  expect({ status, version }).toEqual({ status: 1, version: "2.1.0" });
  const [{ tool, results }] = runs;
  for (const { ruleId, ruleIndex, message } of results) {
    expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    // Sentences, each with one full stop.
    expect(message.text).toMatch(/^[^.].*[^.]\.$/);
    expect(message.text).not.toContain("..");
  }
  expect(results[0].locations[0].physicalLocation).toMatchObject({
    artifactLocation: { uri: "sum.c" },
    region: { startLine: 7, startColumn: 5 },
  });
  expect(results[0].fixes[0].artifactChanges[0].replacements[0].insertedContent.text).toBe(" private(t)");
});

it("names what it cannot read or does not know, and exits with 2", async () => {
  const rig = project({ "bad.c": "int f( {\n" });
  expect(await rig.arc(["check", "bad.c"])).toMatchObject({
    status: 2,
    err: expect.stringContaining("bad.c:1:"),
  });
  expect(await rig.arc(["check", "none.c"])).toMatchObject({ status: 2 });
  expect(await rig.arc(["check", "sum.c", "--format", "xml"])).toMatchObject({ status: 2 });
  expect(await rig.arc(["check"])).toMatchObject({
    status: 2,
    err: expect.stringContaining("arc check FILE.c"),
  });
  expect((await rig.arc(["check", "--list"])).out).toMatch(/^missing-reduction {2,}\S/);
});

it("says of what cannot be checked why, and what to name instead", async () => {
  const empty = { "arc.yaml": "arc: 1\nproject: p\n", "some/a.c": "int a;\n" };
  for (const command of ["check", "translate"]) {
    const { status, err } = await project(empty).arc([command, "some"]);
    expect({ status, err }).toEqual({
      status: 2,
      err: "arc: some is a folder, not a C file\n  try: name the files in it: some/*.c\n",
    });
  }
  const nothing = await project(empty).arc(["check"]);
  expect(nothing.status).toBe(2);
  expect(nothing.err).toMatch(/nothing to check: arc\.yaml has no sources\n {2}try: /);
  for (const command of ["explore", "watch"]) {
    const nowhere = await project().arc([command]);
    expect(nowhere.status).toBe(2);
    expect(nowhere.err).toMatch(/there is no arc\.yaml in .*\n {2}try: write one with `arc init`/);
  }
});
