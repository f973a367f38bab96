/** Directive files beside sources: `src/a.c.directives` for `src/a.c`. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Background } from "../background.ts";
import { Rig } from "../rig.ts";

/** Without its directives every result is right, with them it is made on a device. */
const bare = `#include <stdio.h>
#include <stdlib.h>
static int clamp(int x) { return x > 200 ? 200 : x; }
void blur(int n, const int *a, int *b) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < 3; j++) s += a[(i + j) % n];
    b[i] = clamp(s);
  }
}
int main(void) {
  int n = 1000, sum = 0;
  int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) a[i] = i;
  blur(n, a, b);
  for (int i = 0; i < n; i++) { if (b[i] > 0) { sum += b[i]; } }
  printf("%d\\n", sum);
  return 0;
}
`;
/** What gcc makes of it, which reads no directives. */
async function serial(source: string): Promise<string> {
  const rig = new Rig({ "a.c": source });
  await rig.run("gcc", ["-w", "a.c", "-o", "a"]);
  return (await rig.run("./a", [])).out;
}

const printed = await serial(bare);

const entries = `# found by measuring
clamp: #pragma acc routine seq
blur loop 1: #pragma acc parallel loop gang copyin(a[0:n]) copyout(b[0:n])
blur loop 2: #pragma acc loop seq // few
main loop 2: #pragma acc parallel loop reduction(+:sum) copyin(b[0:n])
`;

/** The source as its author would have written it. */
const written = bare
  .replace("static int clamp", "#pragma acc routine seq\n$&")
  .replace(
    "  for (int i = 0; i < n; i++) {\n    int s",
    "#pragma acc parallel loop gang copyin(a[0:n]) copyout(b[0:n])\n$&",
  )
  .replace("    for (int j", "#pragma acc loop seq\n$&")
  .replace(
    "  for (int i = 0; i < n; i++) { if",
    "#pragma acc parallel loop reduction(+:sum) copyin(b[0:n])\n$&",
  );

const project = (more = "") => `arc: 1
project: blur
sources: [src/blur.c]
targets: { host: { kind: host }${hasOpenCl ? ", ocl: { kind: opencl }" : ""} }
${more}`;

const rigOf = (source: string, file?: string, more = ""): Rig =>
  new Rig(
    {
      "arc.yaml": project(more),
      "src/blur.c": source,
      ...(file !== undefined && { "src/blur.c.directives": file }),
    },
    "shared",
  );

const nothing = { status: 0, out: "", err: "" };
const FILE = "src/blur.c.directives";

const watches: Background[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.end("SIGKILL");
});

describe("a program with a directive file", () => {
  it("runs on devices, by the kernels that it has with directives in its source", async () => {
    const rig = rigOf(bare, entries);
    for (const target of hasOpenCl ? ["host", "ocl"] : ["host"])
      expect((await rig.arc(["run", target], { env: { ARC_VERBOSE: "1" } })).out).toContain(printed);
    const made = rig.list().filter((name) => /^out\/.*\bblur_[0-9a-f]{8}/.test(name));
    expect(made.length).toBeGreaterThan(0);
    const other = rigOf(written);
    await other.arc(["build"]);
    expect(other.list().filter((name) => /^out\/.*\bblur_[0-9a-f]{8}/.test(name))).toEqual(made);
  });

  it("is built again when the file appears, changes and goes, and not before", async () => {
    const rig = rigOf(bare);
    const ran = async () => {
      const { status, err } = await rig.arc(["build", "host"]);
      expect(status).toBe(0);
      return err.split("\n").filter((line) => /^(ran|cached)/.test(line));
    };
    await ran();
    expect(await ran()).toEqual([]);
    rig.write(FILE, entries);
    expect((await ran()).join("\n")).toContain("preprocess src/blur.c");
    expect(await ran()).toEqual([]);
    expect((await rig.arc(["explain", "src/blur.c#preprocess"])).out).toContain(
      "last: src/blur.c.directives is a new input",
    );
    rig.write(FILE, `// a comment moves lines, and no kernel is compiled\n${entries}`);
    expect((await ran()).filter((line) => /compile .* for host/.test(line))).toEqual([]);
    rig.remove(FILE);
    expect((await ran()).join("\n")).toContain("preprocess src/blur.c");
    expect(await ran()).toEqual([]);
  });

  it("is built again by a watch, which waits for the file to appear", async () => {
    const rig = rigOf(bare);
    const watch = new Background(rig, ["watch", "host"]);
    watches.push(watch);
    const waits = (times: number) =>
      watch.until((said) => (said.match(/waiting for changes/g) ?? []).length >= times);
    await waits(1);
    rig.write(FILE, entries);
    await waits(2);
    expect(watch.err).toMatch(
      /changed: src\/blur\.c\.directives\n(.*\n)*(ran|cached) .* preprocess src\/blur\.c/,
    );
    rig.write(FILE, entries.replace("gang", "gnag"));
    await waits(3);
    expect(watch.out + watch.err).toContain("src/blur.c.directives:3:40: error[unknown-clause]: 'gnag'");
  });

  it("is the same for arc cc, wherever that is called", async () => {
    const rig = rigOf(bare, entries);
    mkdirSync(path.join(rig.folder, "made"));
    expect(await rig.arc(["cc", "-acc", "../src/blur.c", "-o", "blur"], { cwd: "made" })).toEqual(nothing);
    const { out, err } = await rig.run("./blur", [], { cwd: "made", env: { ARC_TRACE: "trace.json" } });
    expect({ out, err }).toEqual({ out: printed, err: "" });
    expect(rig.read("made/trace.json")).toMatch(/"line":5,"file":"..\/src\/blur.c.directives"/);
  });

  it("is checked with what the file adds, which fixes are put into", async () => {
    const rig = rigOf(bare, entries.replace(" reduction(+:sum)", ""));
    const { out } = await rig.arc(["check"]);
    expect(out).toContain("[missing-reduction]");
    expect((await rig.arc(["check", "src/blur.c", "--fix"])).status).toBe(0);
    expect(rig.read(FILE)).toContain("parallel loop copyin(b[0:n]) reduction(+:sum)\n");
    expect(rig.read("src/blur.c")).toBe(bare);
    expect(await rig.arc(["check"])).toEqual(nothing);
  });

  it("has the directives in its translation, in the other language or as they are", async () => {
    const rig = rigOf(bare, entries);
    expect(await rig.arc(["translate", "--to", "openacc", "-o", "acc"])).toEqual(nothing);
    // Directives, and comments that stand for them, are put at the margin of what they are for.
    const flat = (text: string) => text.replace(/^ +(?=#pragma|\/\* acc )/gm, "");
    expect(flat(rig.read("acc/src/blur.c"))).toBe(written);
    expect(await rig.arc(["translate", "src/blur.c", "--to", "openmp", "-o", "omp"])).toEqual(nothing);
    const other = rigOf(written);
    expect(await other.arc(["translate", "src/blur.c", "--to", "openmp", "-o", "omp"])).toEqual(nothing);
    expect(flat(rig.read("omp/src/blur.c"))).toBe(other.read("omp/src/blur.c"));
  });

  it("says with --explain what was read and where", async () => {
    const rig = rigOf(bare, entries);
    const told = "src/blur.c.directives:3:22: note[added-directive]: '#pragma acc parallel loop gang";
    for (const to of ["host", "openmp", "ir"]) {
      const { err } = await rig.arc(["translate", "src/blur.c", "--to", to, "--explain"]);
      expect(err.includes(told), to).toBe(true);
    }
    expect((await rig.arc(["translate", "src/blur.c"])).err).toBe("");
  });
});

describe("an entry is refused where it stands", () => {
  it.each([
    [
      "that is none",
      ["build", "cc", "check", "translate"],
      [
        ["blur lop 1: gang", "1:6: error[directive-file]: there is no place 'lop'", "write `loop`"],
        ["blur loop 1: gang(", "2:18: error[directive-file]: this parenthesis is not closed", "close it"],
      ],
    ],
    [
      "without a place, or that contradicts what stands there",
      ["build", "cc", "check", "translate"],
      [
        ["blurr loop 1: gang", "1:1: error[no-such-place]: src/blur.c defines no function blurr", "another"],
        ["blur loop 3: gang", "2:1: error[no-such-place]: blur of src/blur.c has 2 'for' loops", "from 1"],
        [
          "blur loop 1: #pragma acc loop",
          "3:22: error[contradicting-addition]: loop 1 of blur has",
          "add cla",
        ],
        [
          "blur region 1: #pragma acc serial",
          "4:24: error[contradicting-addition]: 'acc serial' would",
          "remo",
        ],
      ],
    ],
    [
      "with wrong words",
      ["build", "cc", "translate"],
      [
        ["blur region 1: gang", "1:16: error[repeated-clause]: clause 'gang' appears twice", "keep one"],
        ["blur loop 2: gang", "2:14: error[seq-with-level]: 'gang' contradicts 'seq'", "keep 'seq'"],
        ["blur region 1: private(q)", "3:24: error[undeclared-identifier]: `q` is not declared", "q"],
        ["main loop 1: #pragma acc lop", "4:26: error[unknown-directive]: 'lop' is not an OpenACC", "loop"],
      ],
    ],
  ] as const)("%s", async (_, commands, wrong) => {
    const rig = rigOf(written, wrong.map(([line]) => `${line}\n`).join(""));
    const calls = {
      build: ["build", "host"],
      cc: ["cc", "-acc", "-c", "src/blur.c"],
      check: ["check"],
      translate: ["translate", "--to", "openmp", "-o", "x"],
    };
    for (const name of commands) {
      const { status, out, err } = await rig.arc(calls[name]);
      expect(status, name).not.toBe(0);
      const blocks = (out + err).split(/^(?=\S+:\d+:\d+: )/m);
      for (const [, expected, remedy] of wrong) {
        const block = blocks.find((one) => one.startsWith(`src/blur.c.directives:${expected}`));
        expect(block, `${name}: ${expected}\n${out}${err}`).toContain(`try: `);
        expect(block).toContain(remedy);
      }
    }
  });

  it("and so is a file beside a source whose directives nobody reads", async () => {
    const rig = rigOf(bare, entries, "host: [src/io.c]\n");
    rig.write("src/io.c", "int io;\n");
    expect((await rig.arc(["build", "host"])).status).toBe(0);
    rig.write("src/io.c.directives", "\n");
    const { status, out, err } = await rig.arc(["build", "host"]);
    expect(status).toBe(1);
    expect(out + err).toContain(
      "src/io.c.directives:1:1: error[directive-file]: nothing can be added to directives of src/io.c",
    );
    expect(out + err).toContain("try: list src/io.c under 'sources'");
  });
});

it("arc.yaml adds clauses to directives of the file, and counts the regions that it makes", async () => {
  const rig = rigOf(
    bare,
    entries,
    "kernels: { k: { source: src/blur.c, function: main, region: 1, add: num_gangs(4) } }\n",
  );
  const acc = await rig.arc(["translate", "src/blur.c", "--to", "openacc"]);
  expect(acc.out).toContain("reduction(+:sum) copyin(b[0:n]) num_gangs(4)\n");
  rig.write("arc.yaml", rig.read("arc.yaml").replace("num_gangs(4)", "num_gnags"));
  const { out, err } = await rig.arc(["build", "host"]);
  expect(out + err).toContain("src/blur.c.directives:5:71: error[unknown-clause]: 'num_gnags'");
  expect(out + err).toContain("arc.yaml adds them to the directive");
});

it("an action of the project may write the file", async () => {
  const line = "main loop 2: #pragma acc parallel loop reduction(+:sum) copyin(b[0:n])";
  const rig = rigOf(
    bare,
    undefined,
    `actions: { tune: { run: [sh, -c, "sleep 0.2; echo '${line}' > ${FILE}"], outputs: [${FILE}] } }\n`,
  );
  const { status, err } = await rig.arc(["build", "host", "tune"]);
  expect(status, err).toBe(0);
  expect(err).toContain("(src/blur.c.directives:1) with cc");
});

it("directives for the host's threads reach the C compiler", async () => {
  const source = `#include <omp.h>
#include <stdio.h>
int main(void) {
  int most = 0;
  for (int i = 0; i < 8; i++) {
    int all = omp_get_num_threads();
    if (all > most) most = all;
  }
#pragma omp parallel for reduction(max:most)
  for (int i = 0; i < 8; i++) if (omp_get_num_threads() > most) most = omp_get_num_threads();
  printf("%d\\n", most);
  return 0;
}
`;
  const rig = new Rig({ "a.c": source, "a.c.directives": "main loop 2: num_threads(3)\n" }, "shared");
  const run = async () => {
    const made = await rig.arc(["cc", "-omp", "-fopenmp", "a.c", "-o", "a"]);
    expect(made).toEqual(nothing);
    return (await rig.run("./a", [])).out;
  };
  expect(await run()).toBe("3\n");
  rig.write(
    "a.c.directives",
    "main loop 2: num_threads(2)\nmain loop 1: #pragma omp parallel for reduction(max:most) num_threads(5)\n",
  );
  expect(await run()).toBe("5\n");
});
