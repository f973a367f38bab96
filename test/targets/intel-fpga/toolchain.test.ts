import { describe, expect, it } from "vitest";
import { intelFpga } from "../../../targets/intel-fpga/kind.ts";
import { compileArgs, reportArgs } from "../../../targets/intel-fpga/toolchain.ts";
import { Rig } from "../../cli/rig.ts";

describe("calls of aoc", () => {
  it("stop after the reports, or go all the way", () => {
    expect(reportArgs({ board: "p520_max_sg280h" }, "kernel.cl")).toEqual([
      "-rtl",
      "-report",
      "-board=p520_max_sg280h",
      "kernel.cl",
    ]);
    expect(compileArgs({ seed: 3 }, "kernel.cl", "kernel.aocx")).toEqual([
      "-seed=3",
      "kernel.cl",
      "-o",
      "kernel.aocx",
    ]);
  });

  it("let sums be reordered only when asked, in the version's spelling", () => {
    expect(compileArgs({ sdk: "19.4" }, "a.cl", "a.aocx").join(" ")).not.toMatch(/fp/);
    expect(compileArgs({ sdk: "19.4", reassociate: true }, "a.cl", "a.aocx")).toContain("-fp-relaxed");
    expect(compileArgs({ sdk: "20.3", reassociate: true }, "a.cl", "a.aocx")).toContain("-ffp-reassociate");
  });
});

describe("the intel-fpga target", () => {
  const source =
    "int main(void) { int a[8];\n#pragma acc parallel loop copyout(a)\nfor (int i = 0; i < 8; i++) a[i] = i;\nreturn a[3] - 3; }";
  const project =
    "arc: 1\nproject: p\nsources: [p.c]\ntargets: { s10: { kind: intel-fpga, device: stratix-10, board: p520, sdk: '19.4' } }\n";

  it("keeps the kernel text when emulated, and otherwise requests a binary from aoc", () => {
    expect(intelFpga.toolchain({ emulate: true }).payloads).toMatchObject([
      { kind: "source", connected: false },
      { kind: "so", connected: true, call: { tool: { program: "cc" } } },
    ]);
    expect(intelFpga.toolchain({}).payloads[0]).toMatchObject({
      kind: "binary",
      call: { tool: { program: "aoc" }, extension: "aocx" },
    });
  });

  it("puts what aoc writes into the image", async () => {
    const rig = new Rig({ "arc.yaml": project, "p.c": source }, "shared");
    rig.tool(
      "aoc",
      '[ "$1" = -version ] && echo "stand-in for aoc 19.4" && exit\n[ "$1" = -rtl ] && exit\nwhile [ "$1" != -o ]; do shift; done\necho bitstream > "$2"\n',
    );
    const { status, err } = await rig.arc(["build"]);
    expect(status, err).toBe(0);
    const image = rig.list().find((f) => f.endsWith(".arci")) ?? "";
    expect(rig.read(image)).toMatch(/payload binary 10[\s\S]*bitstream/);
  });

  it("compiles all kernels of a program into one image", async () => {
    const two = source.replace(
      "return a[3] - 3;",
      "\n#pragma acc parallel loop copy(a)\nfor (int i = 0; i < 8; i++) a[i] *= 2;\nreturn a[3] - 6;",
    );
    const rig = new Rig(
      {
        "arc.yaml": project.replace("[p.c]", "[p.c, q.c]"),
        "p.c": two,
        "q.c":
          "void more(int *a) {\n#pragma acc parallel loop copy(a[0:8])\nfor (int i = 0; i < 8; i++) a[i] -= 1; }",
      },
      "shared",
    );
    // A stand-in for aoc: its arguments become the image.
    rig.tool(
      "aoc",
      '[ "$1" = -version ] && echo "stand-in for aoc 19.4, all" && exit\n[ "$1" = -rtl ] && exit\nargs="$*"; files=$(ls *.cl)\nwhile [ "$1" != -o ]; do shift; done\n(echo "$args"; grep -h "__kernel void" $files) > "$2"\n',
    );
    const { status, out } = await rig.arc(["build", "--json"]);
    expect(status, out).toBe(0);
    // A watch does not give up hours of place and route for a newer save.
    expect(out).toMatch(/"type":"expanded".*"finish":true/);
    expect(out).toMatch(/"title":"compile main_\w+ and 2 more for \w+:default \(p\.c:\d+\) with aoc"/);
    const images = rig.list().filter((f) => f.endsWith(".arci"));
    expect(images).toHaveLength(1);
    const text = rig.read(images[0] ?? "");
    expect(text).toContain("-board=p520 kernel1.cl kernel.cl -o kernel.aocx");
    expect(text.match(/__kernel void (main|more)_/g)).toHaveLength(3);
    expect(text.match(/^region /gm)).toHaveLength(3);
  });

  it("reads the reports before the hours of place and route, and stops there when the design does not fit", async () => {
    const rig = new Rig({ "arc.yaml": project, "p.c": source }, "shared");
    // A stand-in for aoc: writes a report on request, and counts full compilations.
    rig.tool(
      "aoc",
      `[ "$1" = -version ] && echo "stand-in for aoc 19.4, too large" && exit
if [ "$1" = -rtl ]; then
  mkdir -p kernel/reports/lib/json
  echo '{"columns":["","ALUTs","FFs","RAMs","DSPs"],"total":[9,9,9,9],"total_percent":[650,20,30,40],"children":[]}' > kernel/reports/lib/json/area.json
  echo '{"columns":["","Pipelined","II","Bottleneck"],"children":[{"name":"B1","data":["Yes","8","Data dependency"],"debug":[[{"line":3}]]}]}' > kernel/reports/lib/json/loops.json
else echo full >> "$(dirname "$0")/../compiled"; fi`,
    );
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err).toContain("the design does not fit: it needs 650 % of the device's aluts");
    expect(err).toContain("loop B1 starts an iteration every 8 cycles: Data dependency");
    expect(() => rig.readOutside("compiled")).toThrow();
  });

  it("reports what is missing if aoc is not installed", async () => {
    const rig = new Rig({ "arc.yaml": project, "p.c": source }, "shared");
    const { err } = await rig.arc(["build"]);
    expect(err).toMatch(/aoc is not here: install the Intel FPGA SDK/);
  });
});
