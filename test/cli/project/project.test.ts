/** Projects with directives, from arc.yaml to verified programs. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

const source = `#include <stdio.h>
#include <stdlib.h>
#include "scale.h"
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  double *a = malloc(n * sizeof *a + 1), sum = 0;
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++) a[i] = FACTOR * i;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  printf("sum %g\\n", sum);
  FILE *f = fopen("a.bin", "wb");
  fwrite(a, sizeof *a, n, f);
  fclose(f);
  free(a);
  return 0;
}
`;
const yaml = `arc: 1
project: sums
sources: [src/sums.c]
include: [inc]
targets:
  cpu: { kind: host }
runs:
  small: { args: [17], outputs: [{ file: a.bin, type: f64 }] }
`;
const files = { "arc.yaml": yaml, "src/sums.c": source, "inc/scale.h": "#define FACTOR 0.5 /* half */\n" };
const project = (changes: Readonly<Record<string, string>> = {}): Rig =>
  new Rig({ ...files, ...changes }, "shared");
const withTargets = (targets: string): string => yaml.replace("cpu: { kind: host }", targets);

describe("a project", () => {
  it("is built, run and verified on the host and through OpenCL", async () => {
    const rig = project({ "arc.yaml": withTargets("cpu: { kind: host }\n  ocl: { kind: opencl }") });
    expect(await rig.arc(["build"])).toMatchObject({ status: 0, out: "" });
    expect(rig.list().filter((file) => file.startsWith("out/"))).toEqual([
      "out/cpu/default/sums",
      expect.stringMatching(/^out\/cpu\/default\/sums\.arc\/cpu\/default\/main_\w+\.arci$/),
      expect.stringMatching(/^out\/cpu\/default\/sums\.arc\/cpu\/default\/main_\w+\.arci$/),
      "out/ocl/default/sums",
      expect.stringMatching(/\.arci$/),
      expect.stringMatching(/\.arci$/),
    ]);
    const verified = await rig.arc(["verify"]);
    expect(verified.status).toBe(0);
    expect(verified.err).toMatch(/compare small on cpu:default with the serial program/);
    expect(verified.err).toMatch(/compare small on ocl:default with the serial program/);
    expect(verified.err).toMatch(/ocl:default +small +same +\d+ values +none .* s +\d+\.?\d* x/);
    expect(verified.err).toContain("2 of 2 runs agreed with the serial program\n");
    const run = await rig.arc(["run", "ocl"], { env: { ARC_VERBOSE: "1" } });
    expect(run).toMatchObject({ status: 0, out: "sum 22.5\n" });
    expect(run.err).toContain("opencl:0");
  });

  it("passes arguments, a named run and the program's exit status on", async () => {
    const rig = project({ "src/sums.c": source.replace("return 0;", "return n;") });
    expect(await rig.arc(["run", "cpu"])).toMatchObject({ status: 10, out: "sum 22.5\n" });
    expect(await rig.arc(["run", "cpu", "small"])).toMatchObject({ status: 17, out: "sum 68\n" });
    const profiled = await rig.arc(["run", "cpu", "--profile", "--", "3"]);
    expect(profiled).toMatchObject({ status: 3, out: "sum 1.5\n" });
    expect(profiled.err).toMatch(/^arc: profile of host.*\n.*\n.* %\s+1 .* kernel .* in main$/m);
    const wrong = await rig.arc(["run", "cpu", "smal"]);
    expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining("did you mean small?") });
  });

  it("recompiles what depends on an edit, and nothing else", async () => {
    const rig = project();
    await rig.arc(["build"]);
    const ran = async (): Promise<readonly string[]> => {
      const { out } = await rig.arc(["build", "--json"]);
      const events = out.split("\n").filter((line) => line !== "");
      return events
        .map((line) => JSON.parse(line) as { type: string; how?: string; address: string })
        .filter((event) => event.type === "done" && event.how === "ran")
        .map((event) => event.address.replace(/_[0-9a-f]{8}/, ""));
    };
    rig.write("inc/scale.h", "#define FACTOR 0.5 /* a half */\n");
    expect(await ran()).toEqual(["src/sums.c#preprocess", "src/sums.c#preprocess-host"]);
    rig.write("src/sums.c", source.replace('"sum %g', '"the sum %g'));
    expect((await ran()).filter((address) => address.startsWith("cpu"))).toEqual([
      "cpu:default/src/sums.c#translate",
      "cpu:default#link",
    ]);
    rig.write("inc/scale.h", "#define FACTOR 0.25\n");
    expect((await ran()).filter((address) => /#so/.test(address))).toEqual(["cpu:default/main#so"]);
  });

  it("notices a header that is put in front of the one it used", async () => {
    const rig = project({
      "arc.yaml": yaml.replace("include: [inc]", "include: [first, inc]"),
      "first/other.h": "",
    });
    expect((await rig.arc(["run", "cpu"])).out).toBe("sum 22.5\n");
    rig.write("first/scale.h", "#define FACTOR 2.0\n");
    expect((await rig.arc(["run", "cpu"])).out).toBe("sum 90\n");
  });

  it("translates sources that its own actions write", async () => {
    const rig = project({ "gen.sh": "sed 's/sum %g/generated %g/' src/sums.c > gen/sums.c\n" });
    rig.write(
      "arc.yaml",
      `${yaml.replace("src/sums.c", "gen/sums.c")}actions:
  generate: { run: [sh, gen.sh], inputs: [gen.sh, src/sums.c], outputs: [gen/sums.c], deterministic: true }
`,
    );
    expect((await rig.arc(["run", "cpu"])).out).toBe("generated 22.5\n");
  });

  it("calls routines of its other sources", async () => {
    const rig = project({
      "src/sums.c": `${source.replace("FACTOR * i", "scaled(i)")}`.replace(
        "int main",
        "#pragma acc routine seq\ndouble scaled(int i);\nint main",
      ),
      "src/scaled.c": "#pragma acc routine seq\ndouble scaled(int i) { return 3.0 * i; }\n",
      "arc.yaml": yaml.replace("[src/sums.c]", "[src/sums.c, src/scaled.c]"),
    });
    expect((await rig.arc(["run", "cpu"])).out).toBe("sum 135\n");
  });
});

describe("a target whose tool is missing", () => {
  const both = withTargets("cpu: { kind: host }\n  gpu: { kind: cuda }");
  /** No nvcc anywhere on PATH, but node. */
  const without = { env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` } };

  it("does not keep the others from being built, and is named with the remedy", async () => {
    const rig = project({ "arc.yaml": both });
    const { status, err } = await rig.arc(["build"], without);
    expect(status).toBe(0);
    expect(rig.has("out/cpu/default/sums")).toBe(true);
    expect(err).toMatch(/not built: gpu:default\/.*: nvcc is not here: install NVIDIA's CUDA toolkit/);
  });

  it("is a failure if it was requested by name, unless missing tools may be skipped", async () => {
    const rig = project({ "arc.yaml": both });
    for (const call of [
      ["build", "gpu"],
      ["build", "gpu"],
      ["verify", "gpu", "cpu"],
      ["-C", ".", "build", "gpu", "-k"],
    ]) {
      const { status, err } = await rig.arc(call, without);
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^failed .*: nvcc is not here: install NVIDIA's/m),
      ]);
    }
    const left = await rig.arc(["build", "gpu", "--skip-missing"], without);
    expect([left.status, left.err]).toEqual([
      0,
      expect.stringMatching(/not built: gpu:default\/.*nvcc is not here/),
    ]);
    expect((await rig.arc(["build", "g*"], without)).status).toBe(0);
  });

  it("fails a strict comparison, and is left out of one that is not", async () => {
    const rig = project({ "arc.yaml": both });
    expect((await rig.arc(["verify"], without)).status).toBe(0);
    const strict = await rig.arc(["verify", "--strict"], without);
    expect(strict.status).toBe(1);
    expect(strict.err).toMatch(/not built: gpu:default/);
  });
});

describe("a device that arc.yaml names", () => {
  const named = { "arc.yaml": withTargets("none: { kind: opencl, device: Radeon }") };

  it("fails a build where it is not here, which says what is, each time", async () => {
    const rig = project(named);
    for (const call of [["build"], ["build"], ["build", "none", "-k"]]) {
      const { status, err } = await rig.arc(call);
      expect(status).toBe(1);
      expect(err).toMatch(
        /the device that arc.yaml names is not here: .*DEVICE=Radeon.*; here: \w.*; .*--skip-missing/,
      );
    }
    expect((await rig.arc(["build", "--skip-missing"])).status).toBe(0);
  });

  it("fails comparisons where it is not here, which say what is", async () => {
    const rig = project(named);
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toMatch(
      /the device that arc.yaml names is not here: .*DEVICE=Radeon.*; here: \w.*; .*--skip-missing/,
    );
    const left = await rig.arc(["verify", "--skip-missing"]);
    expect([left.status, left.err]).toEqual([
      0,
      expect.stringMatching(/^not built: none:default#run-small: /m),
    ]);
  });
});

it("without targets and actions is nothing to build, which is said", async () => {
  const { status, err } = await new Rig({ "arc.yaml": "arc: 1\nproject: p\n" }).arc(["build"]);
  expect([status, err]).toEqual([2, expect.stringContaining("arc.yaml has no targets and no actions")]);
});

describe("a kernel compiler", () => {
  it("is called once per kernel text, and its failure is told with its words and kept", async () => {
    const rig = project({ "arc.yaml": withTargets("gpu: { kind: cuda, arch: sm_80 }") });
    rig.tool(
      "nvcc",
      `if [ "$1" = --version ]; then echo fake nvcc 1.2; exit 0; fi
echo "$@" >> '${rig.root}/calls'
echo "kernel.cu:3:3: error: no such thing" >&2; exit 2`,
    );
    const { status, err } = await rig.arc(["build", "-k"]);
    expect(status).toBe(1);
    expect(err).toMatch(/compile main_\w+ for gpu:default \(src\/sums\.c:7\) with nvcc/);
    // At the user's line, with the line of the emitted text.
    expect(err).toMatch(/src\/sums\.c:7:1: error\[kernel-compiler\]: no such thing\n {2}7 \| #pragma acc/);
    expect(err).toMatch(/why: this is in code that arc made[\s\S]*note: kernel\.cu:3: .*const long/);
    const calls = rig.readOutside("calls").trim().split("\n");
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatch(/^-fatbin .*code=\[sm_80,compute_80\] kernel\.cu -o kernel\.fatbin$/);
    await rig.arc(["build", "-k"]);
    expect(rig.readOutside("calls").trim().split("\n")).toHaveLength(2);
  });
});

describe("an error in emitted code", () => {
  it("is reported at the statement that the line was generated from", async () => {
    const rig = project({ "arc.yaml": withTargets("gpu: { kind: cuda, arch: sm_80 }") });
    rig.tool(
      "nvcc",
      `if [ "$1" = --version ]; then echo fake nvcc 1.2; exit 0; fi
line=$(grep -n 'sum_item +=' kernel.cu | head -1 | cut -d: -f1)
[ -z "$line" ] || echo "kernel.cu:$line:3: error: bad sum" >&2
exit 2`,
    );
    const { err } = await rig.arc(["build", "-k"]);
    expect(err).toMatch(/src\/sums\.c:10:31: error\[kernel-compiler\]: bad sum\n {2}10 \| .*sum \+= a\[i\];/);
  });

  it("can be looked up: --lines marks kernels with the lines of the source", async () => {
    const { out } = await project().arc([
      "translate",
      "--lines",
      "--to",
      "cuda",
      "src/sums.c",
      "--",
      "-Iinc",
    ]);
    expect(out).toMatch(/ = 0\.5 \* .*; \/\* 8 \*\//);
  });
});

describe("arc verify", () => {
  const wrong = source.replace("copyout(a[0:n])", "create(a[0:n])");

  it("finds incorrect directives, and says where the results differ", async () => {
    const rig = project({ "src/sums.c": wrong });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toMatch(
      /failed .*compare small on cpu:default.*: \d+ of \d+ values differ from the serial program/,
    );
    expect(err).toMatch(/a\.bin\[\d+\]: .*, serial /);
  });

  it("has no warnings about directives, whatever cflags ask for", async () => {
    const rig = project({ "arc.yaml": `${yaml}cflags: [-Wall, -Wextra]\n` });
    const { status, err } = await rig.arc(["build", "serial"]);
    expect({ status, warned: err.includes("warning") }).toEqual({ status: 0, warned: false });
  });

  it("compares exit statuses", async () => {
    const rig = project({
      "src/sums.c": source.replace("return 0;", "#ifdef _OPENACC\nreturn 1;\n#endif\nreturn 0;"),
    });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toContain("the program exited with 1, the serial one with 0");
  });

  it("names an output that the program did not write", async () => {
    const rig = project({ "arc.yaml": yaml.replace("a.bin", "b.bin") });
    expect((await rig.arc(["verify"])).err).toContain("the serial program did not write b.bin");
  });

  it("refuses to compare empty results", async () => {
    const quiet = source.replace(/printf.*\n/, "");
    const rig = project({ "src/sums.c": quiet, "arc.yaml": yaml.replace(/, outputs.*\}\]/, "") });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toMatch(/nothing to compare: print results, or list the files/);
    const none = project({ "arc.yaml": yaml.replace(/runs:[\s\S]*/, "") });
    expect(await none.arc(["verify"])).toMatchObject({ status: 2, err: expect.stringContaining("no runs") });
  });

  it("reports a program that crashes with its signal, and does not hold that against the next run", async () => {
    const rig = project({
      "src/sums.c": source.replace(
        "return 0;",
        "#ifdef _OPENACC\n*(volatile int *)8 = 1;\n#endif\nreturn 0;",
      ),
    });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toMatch(/run small on cpu:default: .*SIGSEGV/);
  });

  it("shows what libarcrt says when the device has no memory left, with the directive's place", async () => {
    const huge = `#include <stdio.h>
int main(void) {
  static char a[1];
  unsigned long n = 1ul << 46;
#pragma acc parallel loop create(a[0:n])
  for (int i = 0; i < 1; i++) a[i] = 1;
  puts("never");
  return 0;
}
`;
    const rig = project({
      "src/sums.c": huge,
      "arc.yaml": withTargets("ocl: { kind: opencl }").replace(/, outputs.*\}\]/, ""),
    });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toMatch(/src\/sums\.c:5: error\[[a-z-]*memory\]/);
  });

  it("compares numbers within the tolerance, and leaves ignored lines out", async () => {
    const noisy = source.replace(
      'printf("sum',
      '#ifdef _OPENACC\nsum *= 1.000001;\nputs("time: 1");\n#else\nputs("time: 2");\n#endif\nprintf("%.9f\\n", sum);\nprintf("sum',
    );
    const rig = project({ "src/sums.c": noisy });
    const { status, err } = await rig.arc(["verify"]);
    expect(status).toBe(1);
    expect(err).toContain("stdout, line 1: 1, serial 2, in `time: 1`\n");
    expect(err).toContain('such as a time, is left out by `verify: { ignore: ["^time"] }`');
    rig.write("arc.yaml", `${yaml}verify: { tolerance: { rel: 1e-5 }, ignore: ["^time:"] }\n`);
    expect((await rig.arc(["verify"])).status).toBe(0);
    rig.write("arc.yaml", `${yaml}verify: { tolerance: { rel: 1e-8 }, ignore: ["^time:"] }\n`);
    expect((await rig.arc(["verify"])).status).toBe(1);
  });
});

describe("bad input", () => {
  const cases: readonly (readonly [
    what: string,
    change: Readonly<Record<string, string>>,
    status: number,
    says: RegExp,
  ])[] = [
    ["a syntax error in C", { "src/sums.c": "int f( {\n" }, 1, /src\/sums\.c:1:\d+: error\[[\s\S]*\^/],
    [
      "a header that is not there",
      { "src/sums.c": '#include "none.h"\n' },
      1,
      /src\/sums\.c:1:10: error\[preprocessor\]: none\.h: No such file/,
    ],
    [
      "an unknown directive",
      { "src/sums.c": source.replace("parallel loop copyin", "paralel loop copyin") },
      1,
      /src\/sums\.c:9:13: error\[unknown-directive\][\s\S]*try: did you mean 'parallel/,
    ],
    [
      "an unknown clause",
      { "src/sums.c": source.replace("copyin", "copin") },
      1,
      /src\/sums\.c:9:\d+: error\[unknown-clause\][\s\S]*try: did you mean/,
    ],
    [
      "a variable that is not in scope",
      { "src/sums.c": source.replace("copyin(a[", "copyin(b[") },
      1,
      /src\/sums\.c:9:\d+: error\[[\s\S]*b[\s\S]*\^/,
    ],
    [
      "an error in C that only the C compiler finds",
      { "src/sums.c": source.replace("int main", "int broken(void) { goto nowhere; }\nint main") },
      1,
      /src\/sums\.c:4:\d+: error\[/,
    ],
    [
      "a function that is nowhere",
      {
        "src/sums.c": source
          .replace("free(a);", "missing(a);")
          .replace("int main", "void missing(void *);\nint main"),
      },
      1,
      /`missing` is used, but defined nowhere/,
    ],
    [
      "a library that is not there",
      { "arc.yaml": `${yaml}libs: [no-such-lib]\n` },
      1,
      /no library for -lno-such-lib/,
    ],
    [
      "an unknown target kind",
      { "arc.yaml": yaml.replace("host", "hosst") },
      2,
      /arc\.yaml:6:16: error\[unknown-kind\][\s\S]*did you mean `host`/,
    ],
  ];
  it.each(cases)("%s is reported with location, reason and remedy", async (_, change, status, says) => {
    const rig = project(change);
    const outcome = await rig.arc(["build"]);
    expect(outcome.err).toMatch(says);
    expect(outcome.status).toBe(status);
    expect(outcome.out).toBe("");
  });

  it("without a C compiler explains how to get one", async () => {
    const { status, err } = await project().arc(["build"], { env: { CC: "no-such-cc" } });
    expect(status).toBe(2);
    expect(err).toMatch(/there is no C compiler `no-such-cc`\n {2}try: install one/);
  });
});
