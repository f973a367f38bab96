import { describe, expect, it } from "vitest";
import { compileCall, linkCall } from "../../../targets/vitis/toolchain.ts";
import { vitisVersion } from "../../../targets/vitis/versions.ts";
import { Rig } from "../../cli/rig.ts";

const options = { platform: "u250", version: "2022.1", build: "hw" } as const;

describe("calls of v++", () => {
  it("compile a kernel by its name up to 2023.1, and in HLS mode from 2023.2 on", () => {
    expect(compileCall(options).args("kernel.cpp", "work").join(" ")).toBe(
      "-c -t hw --platform u250 --temp_dir work -k work kernel.cpp -o work.xo",
    );
    const unified = compileCall({ ...options, version: "2023.2" });
    expect(unified.args("kernel.cpp", "work").join(" ")).toBe(
      "-c --mode hls --platform u250 --work_dir work --hls.flow_target=vitis --hls.syn.file=kernel.cpp " +
        "--hls.syn.top=work --hls.package.output.format=xo --hls.package.output.file=work.xo",
    );
    expect(unified.folders("work")).toEqual(["work/hls/syn/report"]);
    expect(compileCall(options).folders("work")[0]).toBe("work/work/work/work/solution/syn/report");
  });

  it("link objects with the platform, for the device or a simulation of it", () => {
    const { args } = linkCall({ ...options, build: "hw_emu", frequency: 300 });
    expect(args("kernel.cpp", "kernel.xclbin", "OBJECTS").join(" ")).toBe(
      "-l -t hw_emu --platform u250 --kernel_frequency=300 OBJECTS -o kernel.xclbin",
    );
  });

  it("know what versions differ in", () => {
    expect(vitisVersion("2023.1").layout).toBe("classic");
    expect(vitisVersion("2025.2").layout).toBe("unified");
    expect(vitisVersion("2018.3").layout).toBe("classic");
  });
});

const source = `
float x[64];
int main(void) {
#pragma acc parallel loop copy(x)
for (int i = 0; i < 64; i++) x[i] += 1;
return x[3] - 1; }`;
const project = (more: string) =>
  `arc: 1\nproject: p\nsources: [p.c]\ntargets: { u250: { kind: vitis, ${more} } }\n`;

/** Stands in for v++ in HLS mode and for its linker: leaves the reports and objects that it is told to. */
const standIn = (luts: number, ii = 1) => `
[ "$1" = --version ] && echo "stand-in for v++ 2023.2" && exit
if [ "$1" = -l ]; then
  echo "$@" >> "$(dirname "$0")/../links"
  while [ "$1" != -o ]; do case "$1" in *.xo) objects="$objects $1";; esac; shift; done
  cat $objects > "$2"; exit
fi
for word; do case "$word" in --hls.package.output.file=*) echo "object of stand-in" > "\${word#*=}";; esac; done
mkdir -p work/hls/syn/report
cat > work/hls/syn/report/work_csynth.xml <<'XML'
<profile><PerformanceEstimates><SummaryOfLoopLatency><loop1><Name>loop1</Name><TripCount>64</TripCount>
<PipelineII>${ii}</PipelineII></loop1></SummaryOfLoopLatency></PerformanceEstimates>
<AreaEstimates><Resources><LUT>${luts}</LUT></Resources><AvailableResources><LUT>1000</LUT></AvailableResources></AreaEstimates></profile>
XML
`;

describe("the vitis target", () => {
  const rigWith = (luts: number, ii = 1) => {
    const rig = new Rig({ "arc.yaml": project("platform: u250"), "p.c": source }, "shared");
    rig.tool("v++", standIn(luts, ii));
    return rig;
  };

  it("compiles each kernel to an object with a report, links the objects, and puts what comes out into the image", async () => {
    const rig = rigWith(20, 5);
    const { status, err } = await rig.arc(["build"]);
    expect(status, err).toBe(0);
    const image = rig.list().find((f) => f.endsWith(".arci")) ?? "";
    expect(rig.read(image)).toMatch(/backend opencl[\s\S]*payload binary 19\nend\nobject of stand-in/);
    expect(err).toContain("loop loop1 starts an iteration every 5 cycles");
  });

  it("puts all kernels of a program into one image, and compiles only those whose text an edit changed", async () => {
    const rig = rigWith(20);
    const second =
      "void more(float *y) {\n#pragma acc parallel loop copy(y[0:9])\nfor (int i = 0; i < 9; i++) y[i] *= 2; }";
    rig.write("arc.yaml", project("platform: u250").replace("[p.c]", "[p.c, q.c]"));
    rig.write("q.c", second);
    expect((await rig.arc(["build"])).status).toBe(0);
    const images = rig.list().filter((f) => f.endsWith(".arci"));
    expect(images.map((f) => f.split("/").at(-1))).toEqual(["all.arci"]);
    expect(rig.read(images[0] ?? "")).toMatch(/region main_[\s\S]*region more_[\s\S]*payload binary 38/);
    rig.write("q.c", second.replace("*= 2", "*= 3"));
    const { err } = await rig.arc(["build"]);
    expect(err).toMatch(/estimate more_/);
    expect(err).not.toMatch(/estimate main_/);
    const links = rig.readOutside("links").trim().split("\n");
    expect(links).toHaveLength(2);
    expect(links[0]).toMatch(/main_\w+\.xo more_\w+\.xo -o kernel\.xclbin$/);
  });

  it("never links a design that does not fit, and remembers that", async () => {
    const rig = rigWith(6500);
    for (const _ of [1, 2]) {
      const { status, err } = await rig.arc(["build"]);
      expect(status).toBe(1);
      expect(err).toContain("the design does not fit: it needs 650 % of the device's luts");
    }
    expect(() => rig.readOutside("links")).toThrow();
  });

  it("reports what is missing: the platform, or Vitis", async () => {
    const bare = new Rig({ "arc.yaml": project("version: '2022.1'"), "p.c": source }, "shared");
    expect((await bare.arc(["build"])).err).toContain("name the `platform` of the target");
    const none = new Rig({ "arc.yaml": project("platform: u250"), "p.c": source }, "shared");
    expect((await none.arc(["build"])).err).toContain("v++ is not here: install AMD Vitis");
  });

  it("runs the kernels on the processor when emulated", async () => {
    const rig = new Rig(
      {
        "arc.yaml": `${project("emulate: true")}runs: { all: {} }\nverify: { run: all }\n`,
        "p.c": source
          .replace("int main", "#include <stdio.h>\nint main")
          .replace("return x", 'printf("%g\\n", x[5]); return x'),
      },
      "shared",
    );
    const { status, err } = await rig.arc(["verify"]);
    expect(status, err).toBe(0);
    expect(err).toContain("u250:default with the serial program");
  });
});
