import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseProgram } from "../../../core/ir/text/parse.ts";
import { pathWithout } from "../path-without.ts";
import { lines, Rig } from "../rig.ts";

const source = `#include <stdio.h>
#include "n.h"
int main(void) {
  double a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) a[i] = i;
  printf("%g\\n", a[N - 1]);
  return 0;
}
`;
const yaml = `arc: 1
project: last
sources: [last.c]
targets: { cpu: { kind: host } }
runs: { small: {} }
`;
const project = (changes: Readonly<Record<string, string>> = {}): Rig =>
  new Rig({ "arc.yaml": yaml, "last.c": source, "n.h": "#define N 9\n", ...changes }, "shared");

describe("arc translate", () => {
  it("prints the kernels of a file with the place that each comes from", async () => {
    const rig = project();
    const { status, out, err } = await rig.arc(["translate", "last.c", "--to", "cuda"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/^\/\* main_\w+: parallel loop at last\.c:5 \*\/\nextern "C" __global__ void/);
    expect(rig.list()).toEqual(["arc.yaml", "last.c", "n.h"]);
  });

  it("prints the host code, and tells the passes' story when asked", async () => {
    const { out, err } = await project().arc(["translate", "last.c", "--host-code", "--explain"]);
    expect(out).toContain('#include "n.h"');
    expect(out).toContain("arc_launch");
    expect(err).toMatch(/last\.c:5:13: note\[/);
  });

  it("writes files on request, and takes preprocessor options after --", async () => {
    const rig = project({ "sub/n.h": "#define N 5\n" });
    rig.remove("n.h");
    const { status } = await rig.arc(["translate", "last.c", "--to", "opencl", "-o", "made", "--", "-Isub"]);
    expect(status).toBe(0);
    expect(rig.list().filter((file) => file.startsWith("made/"))).toEqual([
      "made/last.host.c",
      expect.stringMatching(/^made\/main_\w+\.cl$/),
    ]);
  });

  it("leaves what hardware computes as C, beside the Verilog", async () => {
    const rig = project();
    expect((await rig.arc(["translate", "last.c", "--to", "rtl", "-o", "made"])).status).toBe(0);
    const [reference] = rig.list().filter((file) => /^made\/main_\w+\.reference\.c$/.test(file));
    expect(rig.read(reference ?? "")).toMatch(/^void main_\w+\(/m);
  });

  it("prints the regions themselves, as text that can be read back", async () => {
    const rig = project();
    const { status, out, err } = await rig.arc(["translate", "last.c", "--to", "ir"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/^ *#pragma upir task offload parallel region\(main_[0-9a-f]{8}\) data\(/m);
    expect(out).toMatch(/^ *#pragma upir loop independent levels\(gang, vector\) free\n *for \(/m);
    expect(parseProgram(out, "last.upir").diagnostics).toEqual([]);
    expect((await rig.arc(["translate", "last.c", "--to", "ir", "-o", "made"])).status).toBe(0);
    expect(rig.read("made/last.upir")).toBe(out);
  });

  it("gives all of it as JSON", async () => {
    const { out } = await project().arc(["translate", "last.c", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      kind: "host",
      files: [
        { file: "last.c", host: expect.stringContaining("arc_launch"), kernels: [{ site: { line: 5 } }] },
      ],
      diagnostics: expect.any(Array),
    });
  });

  it("reports findings in JSON at their position in the file, as arc build --json does", async () => {
    const indented = source
      .replace("#pragma acc", "  #  pragma /* one */ acc")
      .replace("copyout(a)", "gangs");
    const col = (indented.split("\n")[4]?.indexOf("gangs") ?? 0) + 1;
    const rig = project({ "last.c": indented });
    const finding = { code: "unknown-clause", loc: { line: 5, col } };
    const translated = await rig.arc(["translate", "last.c", "--json"]);
    expect(JSON.parse(translated.out)).toMatchObject({ diagnostics: [finding] });
    const built = await rig.arc(["build", "--json"]);
    const failed = lines(built.out)
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === "failed");
    expect(failed).toMatchObject({ diagnostics: [finding] });
  });

  const stencil = `void edges(int n, const float *restrict in, float *restrict out) {
#pragma acc parallel loop copyin(in[0:n]) copyout(out[0:n])
#pragma openarc transform window(in, out)
  for (int k = 1; k < n - 1; k++) out[k] = in[k - 1] + in[k + 1];
}
`;

  it("tells how groups and accesses of a GPU's kernels meet the device", async () => {
    const source = stencil.replace(/num_\w+\(1\)|vector_length\(1\)|#pragma openarc.*/g, "");
    const rig = new Rig({ "edges.c": source });
    const { err } = await rig.arc(["translate", "edges.c", "--to", "cuda", "--explain"]);
    expect(err).toMatch(/^ {2}kernel \w+: groups of 256 items, .* a multiprocessor .* has room for 6 /m);
    expect(err).toMatch(/^ {2}read in\[k - 1\]: \d+ x 32 bytes for 32 lanes along 'k', lanes side by side$/m);
  });

  it("says once what host code and kernels both tell of a region", async () => {
    const counter = `int j;
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) for (j = 0; j < 4; j++) a[i] += j;
}
`;
    const rig = new Rig({ "counter.c": counter });
    const { err } = await rig.arc(["translate", "counter.c", "--to", "cuda", "--explain"]);
    expect(err.match(/note\[own-scalar\]/g)).toHaveLength(1);
  });

  it("shapes FPGA kernels as a variant's name says, and tells what each pass did", async () => {
    const rig = new Rig({ "edges.c": stencil });
    const to = ["translate", "edges.c", "--to", "intel-fpga", "--explain"];
    const { status, out, err } = await rig.arc([...to, "--variant", "swi_sw4"]);
    expect(status).toBe(0);
    expect(out).toContain("max_global_work_dim(0)");
    expect(err).toMatch(
      /edges\.c:2: region edges_[\s\S]*model: single work-item kernel: the variant asks for it/,
    );
    expect(err).toMatch(/window: 'in' is read through a window of 6 elements .*4 iterations per step/);
    const { err: withCode } = await rig.arc([...to, "--code", "--variant", "swi_sw4"]);
    expect(withCode).toMatch(/window: 'in' is read[\s\S]*delayline/);
  });

  it.each([
    [["--to", "intel-fpga", "--variant", "swi_w4"], /swi_w4: `w4` names no value of any axis/],
    [["--to", "intel-fpga", "--variant", "swi_x_nd"], /names several kernels/],
    [["--to", "intel-fpga", "--device", "up5k"], /no device up5k: there are stratix-v, arria-10, stratix-10/],
    [["--to", "cuda", "--variant", "swi"], /`swi` names no value of any axis/],
    [["--to", "host", "--variant", "vl64"], /`vl64` names no value of any axis/],
  ])("refuses %s", async (options, words) => {
    const rig = new Rig({ "edges.c": stencil });
    expect(await rig.arc(["translate", "edges.c", ...options])).toMatchObject({
      status: 2,
      err: expect.stringMatching(words),
    });
  });

  it("fails with findings for wrong directives, and with 2 for a wrong kind or file", async () => {
    const rig = project({ "bad.c": "void f(void) {\n#pragma acc paralel\n  ;\n}\n" });
    expect(await rig.arc(["translate", "bad.c"])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/bad\.c:2:13: error/),
    });
    expect(await rig.arc(["translate", "last.c", "--to", "cud"])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/did you mean cuda/),
    });
    expect(await rig.arc(["translate", "none.c"])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/none\.c/),
    });
  });
});

describe("arc init", () => {
  it("writes an arc.yaml that builds", async () => {
    const rig = new Rig(
      {
        "src/last.c": source,
        "src/other.c": "int other;\n",
        "include/n.h": "#define N 4\n",
        "build/old.c": source,
      },
      "shared",
    );
    const { status, out } = await rig.arc(["init"]);
    expect(status).toBe(0);
    expect(out).toMatch(/1 of 2 C files have directives/);
    const written = rig.read("arc.yaml");
    const [, schema = ""] = /^# yaml-language-server: \$schema=(file:\S+)\narc: 1$/m.exec(written) ?? [];
    expect(JSON.parse(readFileSync(new URL(schema), "utf8")).title).toBe("arc.yaml");
    expect(written).toMatch(/^sources: \[src\/last\.c\]$/m);
    expect(written).toMatch(/^host: \[src\/other\.c\]$/m);
    expect(written).toMatch(/^include: \[include\]$/m);
    expect((await rig.arc(["run", "cpu"])).out).toBe("3\n");
  });

  it("finds directives in _Pragma, and accepts file names", async () => {
    const rig = new Rig({ "a.c": 'void f(void) { _Pragma("acc parallel") ; }\n', "b.c": "" });
    await rig.arc(["init", "a.c"]);
    expect(rig.read("arc.yaml")).toMatch(/^sources: \[a\.c\]$/m);
    expect(rig.read("arc.yaml")).not.toMatch(/host:/);
  });

  it("reads files and flags from a compilation database, and reports what it omits", async () => {
    const rig = new Rig({ "src/a.c": source, "src/b.c": "int b;\n", "old.c": source, "inc/n.h": "" });
    const compile = (name: string, more: readonly string[]) => ({
      directory: path.join(rig.folder, "src"),
      arguments: [
        "gcc",
        "-I../inc",
        "-DN=4",
        "-O3",
        "-Wall",
        "-MMD",
        "-MF",
        "x.d",
        ...more,
        "-c",
        name,
        "-o",
        "x.o",
      ],
      file: name,
    });
    const entries = [compile("a.c", ["-fopenacc", "-DFAST"]), compile("b.c", ["-I", "/usr/share"])];
    rig.write("build/compile_commands.json", JSON.stringify(entries));
    const { status, err } = await rig.arc(["init"]);
    expect(status, err).toBe(0);
    const written = rig.read("arc.yaml");
    expect(written).toMatch(
      /^sources: \[src\/a\.c\]\nhost: \[src\/b\.c\]\ninclude: \[inc\]\ndefines: \{ N: "4" \}$/m,
    );
    expect(written).toMatch(/^cflags: \["-O3", "-Wall"\]$/m);
    expect(err).toContain("flags are those of build/compile_commands.json");
    expect(err).toContain("not taken over: -DFAST of src/a.c");
    expect(err).toContain("not taken over: -I/usr/share of src/b.c");
    expect(err).toContain("not taken over: -fopenacc (arc reads directives itself)");
  });

  it("takes what make would run, in folders that it enters, and builds the same program", async () => {
    const rig = new Rig(
      {
        Makefile:
          "all: sub\n\t$(CC) -o p main.o sub/last.o -lm\nsub: main.o\n\t$(MAKE) -C sub CFLAGS='-O1 -DTEXT=\\\"hi\\\"'\nmain.o: main.c\n\tcc -O1 -DTEXT='\"hi\"' -Iinc -c main.c\n.PHONY: sub\n",
        "main.c":
          '#include <stdio.h>\n#include "v.h"\nint last(void);\nint main(void) { printf("%s %d\\n", TEXT, last() + V); return 0; }\n',
        "inc/v.h": "#define V 1\n",
        "sub/Makefile": "last.o: last.c\n\tcd . && gcc $(CFLAGS) \\\n\t  -c $<\n",
        "sub/last.c":
          "int last(void) {\n  int s = 0;\n#pragma acc parallel loop reduction(+:s)\n  for (int i = 0; i < 4; i++) s += i;\n  return s;\n}\n",
        "unused.c": source,
      },
      "shared",
    );
    const { status, err } = await rig.arc(["init", "--from", "Makefile"]);
    expect(status, err).toBe(0);
    expect(rig.read("arc.yaml")).toMatch(
      /^sources: \[sub\/last\.c\]\nhost: \[main\.c\]\ninclude: \[inc\]\ndefines: \{ TEXT: "\\"hi\\"" \}\ncflags: \["-O1"\]\nlibs: \[m\]$/m,
    );
    expect((await rig.arc(["run", "cpu"])).out).toBe("hi 7\n");
    expect(rig.has("sub/last.o")).toBe(false);
    expect(await rig.arc(["init", "--force", "--from", "nothing"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("there is no nothing"),
    });
    rig.write("empty.json", "[]");
    expect(await rig.arc(["init", "--force", "--from", "empty.json"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("compiles no C files"),
    });
  });

  it("reads options from files, and calls behind other programs and within the shell's grammar", async () => {
    const rig = new Rig({
      "main.c": source,
      "lib/x.c": "int x;\n",
      "lib/flags": "-DN=4 -I../inc\n-O2",
      "inc/n.h": "",
      Makefile: `all: lib/libx.a
	if true; then CCACHE_DIR=/tmp env ccache $(CC) @lib/flags "-DSEP=;a|b" \`echo -g -I/x\` -c main.c 2> log | tee log; fi
	$(CC) -o p main.o -Llib -lx -lm
lib/libx.a:
	cd lib && gcc @flags '-DSEP=;a|b' @none -c x.c && gcc @flags '-DSEP=;a|b' -c made.c
	ar rcs $@ lib/x.o
`,
    });
    const { status, err } = await rig.arc(["init", "--from", "Makefile"]);
    expect(status, err).toBe(0);
    expect(rig.read("arc.yaml")).toMatch(
      /^sources: \[main\.c\]\nhost: \[lib\/x\.c\]\ninclude: \[inc\]\ndefines: \{ N: "4", SEP: ";a\|b" \}\ncflags: \["-O2"\]\nlibs: \[m\]$/m,
    );
    for (const left of [
      "`echo -g -I/x` (the shell computes it)",
      "@none (this file of options cannot be read)",
      "lib/made.c (there is no such file yet: make it, and call arc init again)",
      "-lx (what is in it is compiled into the program)",
    ])
      expect(err).toContain(`arc: not taken over: ${left}\n`);
    rig.write(
      "Makefile",
      `all: missing.def\n\t$(CC) -DN=4 -c main.c\n.PHONY: two\nall: two\ntwo:\n\t$(CC) -DN=4 -c main.c\n`,
    );
    const broken = await rig.arc(["init", "--force", "--from", "Makefile"]);
    expect(broken.err).toMatch(/not taken over: commands that make did not list \(.*missing\.def.*\)/);
  });

  it("keeps an existing arc.yaml, unless told to replace it", async () => {
    const rig = project();
    expect(await rig.arc(["init"])).toMatchObject({ status: 2, err: expect.stringContaining("--force") });
    expect(rig.read("arc.yaml")).toBe(yaml);
    expect(await rig.arc(["init", "--force"])).toMatchObject({ status: 0 });
    expect(rig.read("arc.yaml")).not.toBe(yaml);
  });

  it("reports what is missing if there is nothing to build", async () => {
    expect(await new Rig().arc(["init"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("no C files"),
    });
    const plain = new Rig({ "a.c": "int x;\n" });
    expect(await plain.arc(["init"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("#pragma acc"),
    });
    const omp = new Rig({ "a.c": "#pragma omp parallel\n" });
    expect(await omp.arc(["init"])).toMatchObject({ status: 2, err: expect.stringContaining("OpenMP") });
  });
});

describe("arc explain", () => {
  it("shows why an action ran last, its inputs, and what a build would do now", async () => {
    const rig = project();
    await rig.arc(["build"]);
    rig.write("n.h", "#define N 7\n");
    await rig.arc(["build"]);
    rig.write("last.c", source.replace("a[i] = i", "a[i] = 2 * i"));
    const { status, out } = await rig.arc(["explain", "last.c#preprocess"]);
    expect(status).toBe(0);
    expect(out).toMatch(/now: would run: last\.c changed/);
    expect(out).toMatch(/last: n\.h changed; took/);
    expect(out).toMatch(/tool: cc \(/);
    expect(out).toMatch(/found: n\.h, \d+ of the system/);
    expect(out).toMatch(/output: unit\.i [0-9a-f]{12} /);
  });

  it("finds kernels by name without their variant", async () => {
    const rig = project();
    await rig.arc(["build"]);
    const { out } = await rig.arc(["explain", "cpu/main_*#so"]);
    expect(out).toMatch(/^cpu:default\/main_\w+#so: compile .*\n {2}now: up to date/);
    // What the next build will make of them is not known before it translates.
    rig.write("last.c", source.replace("a[i] = i", "a[i] = 2 * i"));
    expect((await rig.arc(["explain", "cpu/main_*#so"])).out).toMatch(
      /^cpu:default\/main_\w+#so: compile .*\n {2}now: is known after cpu:default#kernels\n {2}last: never built before; took/,
    );
  });

  it("and a build refuse what no kernel is called, also when all is up to date", async () => {
    const rig = project();
    for (const command of ["build", "build", "explain"]) {
      const { status, err } = await rig.arc([command, "cpu/nosuch"]);
      expect(status).toBe(2);
      expect(err).toMatch(/nothing is called cpu\/nosuch[\s\S]*arc report cpu/);
    }
  });

  it("knows what was never built", async () => {
    const { out } = await project().arc(["explain", "cpu:default#link"]);
    expect(out).toMatch(/last: never built/);
  });
});

describe("arc graph", () => {
  it("prints actions after their dependencies, with what is known later", async () => {
    const { status, out } = await project().arc(["graph", "cpu"]);
    expect(status).toBe(0);
    const order = lines(out).filter((line) => !line.startsWith(" "));
    const at = (start: string): number => order.findIndex((line) => line.startsWith(start));
    expect(at("last.c#preprocess:")).toBeLessThan(at("last.c#translate:"));
    expect(at("last.c#compile:")).toBeLessThan(at("cpu:default#link:"));
    expect(out).toMatch(/cpu:default#kernels.*\n(?: {2}.*\n)* {2}then cpu:default#images/);
  });

  it("prints it in Graphviz's language", async () => {
    const { out } = await project().arc(["graph", "--format", "dot"]);
    expect(out).toMatch(/^digraph arc \{/);
    expect(out).toContain('"last.c#preprocess" -> "last.c#translate";');
  });
});

describe("arc report", () => {
  it("leaves out what has left the store", async () => {
    const rig = new Rig({ "arc.yaml": yaml, "last.c": source, "n.h": "#define N 9\n" });
    await rig.arc(["verify", "cpu"]);
    await rig.arc(["cache", "prune", "--limit", "0 B"]);
    const { status, out } = await rig.arc(["report"]);
    expect(status).toBe(0);
    expect(out).toMatch(/cpu:default .* not run/);
  });

  it("shows for every target what was built, and how its runs compared", async () => {
    const rig = project({ "arc.yaml": yaml.replace("host }", "host }, other: { kind: host }") });
    await rig.arc(["verify", "cpu"]);
    const { status, out } = await rig.arc(["report"]);
    expect(status).toBe(0);
    const [header, cpu, other] = lines(out);
    expect(header).toMatch(/^target +program +images +run small$/);
    expect(cpu).toMatch(/^cpu:default +\d+ kB +[\d.]+ kB +same, [\d.]+ s$/);
    expect(other).toMatch(/^other:default +not built +not built +not run$/);
  });
});

describe("arc clean", () => {
  it("removes what arc wrote, and keeps what somebody else changed or made", async () => {
    const rig = project({ "out/mine.txt": "mine" });
    await rig.arc(["build"]);
    rig.write("out/cpu/default/last", "somebody's");
    const { status, out, err } = await rig.arc(["clean"]);
    expect(status).toBe(0);
    expect(out).toMatch(/removed out\/cpu\/default\/last\.arc\/cpu\/default/);
    expect(err).toMatch(/kept out\/cpu\/default\/last: somebody else changed it/);
    expect(rig.list()).toEqual(["arc.yaml", "last.c", "n.h", "out/cpu/default/last", "out/mine.txt"]);
  });

  it("leaves the folder as it was before the first build", async () => {
    const rig = project();
    const before = rig.list();
    await rig.arc(["verify"]);
    await rig.arc(["clean"]);
    expect(rig.list()).toEqual(before);
    expect(rig.has("out")).toBe(false);
    expect(rig.has(".arc")).toBe(false);
  });
});

describe("arc doctor", () => {
  it("lists installed tools, and how to get missing ones", async () => {
    const rig = new Rig({}, "shared");
    const without = { env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` } };
    const { status, out } = await rig.arc(["doctor"], without);
    expect(status).toBe(0);
    expect(out).toMatch(/^ok +node +v\d+/m);
    expect(out).toMatch(/^ok +C compiler +cc: .*\d+\.\d+/m);
    expect(out).toMatch(/^missing +nvcc .*\n +try: install NVIDIA's CUDA toolkit/m);
    expect(out).toMatch(/^ok +host device/m);
  });

  it("names the FPGA tools of this machine, else those of npm that do instead, each with its version", async () => {
    const rig = new Rig({}, "shared");
    const native = await rig.arc(["doctor"]);
    expect(native.out).toMatch(/^ok +yosys +Yosys \d/m);
    expect(native.out).toMatch(/^ok +nextpnr-ice40 +.*Version \d/m);
    expect(native.out).toMatch(/^ok +icepack/m);
    expect(native.out).toMatch(/^ok +verilator +Verilator \d/m);
    expect(native.out).toMatch(/^ok +iverilog +Icarus Verilog version \d/m);
    const missing = /^(yosys|nextpnr|ice|verilator|iverilog)/;
    const packaged = await rig.arc(["doctor"], { env: { PATH: pathWithout(`${rig.root}/path`, missing) } });
    expect(packaged.out).toMatch(/^ok +yosys +@yowasp\/yosys \d+\.\S+ of npm \(WebAssembly\)$/m);
    expect(packaged.out).toMatch(/^ok +icepack +@yowasp\/nextpnr-ice40 \d+\.\S+ of npm \(WebAssembly\)$/m);
    expect(packaged.out).toMatch(
      /^missing +verilator .*, unless g\+\+ is here\n +try: apt-get install verilator/m,
    );
    expect(packaged.out).toMatch(/^ok +g\+\+ +.*\d+\.\d+/m);
  });

  it("fails without a C compiler", async () => {
    const { status, out } = await new Rig().arc(["doctor"], { env: { CC: "no-such-cc" } });
    expect(status).toBe(1);
    expect(out).toMatch(/^missing +C compiler .*\n +try: install one/m);
  });
});
