/**
 * A task with four versions: the host's, CUDA's and OpenCL's kernels of the author's own, and one whose region arc compiles for
 * the program's device. CUDA is a stand-in, the other device PoCL's.
 */
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { Rig } from "../rig.ts";

const file = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, "../../programs/task-kernels", name), "utf8");

const shop = new Workshop();
afterAll(() => shop.remove());
const drivers = shop.path("cuda");
mkdirSync(drivers);
shop.library("cuda_stand_in", path.join(drivers, "libcuda.so.1"));
shop.library("rtc_stand_in", path.join(drivers, "libnvrtc.so"), "-DRTC=nvrtc", "-DCODE=CUBIN");

describe.skipIf(!hasOpenCl)("versions of a task", () => {
  const rig = new Rig(
    {
      "arc.yaml": "arc: 1\nproject: p\nsources: [versions.c]\ntargets:\n  pocl: { kind: opencl }\n",
      "versions.c": file("versions.c"),
      "kernels.cl": file("kernels.cl"),
      "saxpy.cu": file("saxpy.cu"),
    },
    "shared",
  );
  // The stand-in for the driver does not load real machine code: the text is compiled at run time.
  rig.tool("nvcc", 'for last; do :; done; { echo wrong; echo ".entry saxpy"; } > $last');

  const ran = async (more: Readonly<Record<string, string>>) => {
    const env = { ARC_OPENCL_PLATFORM: "Portable", LD_LIBRARY_PATH: drivers, ARC_VERBOSE: "2", ...more };
    const { status, out, err } = await rig.run("out/pocl/default/p", [], { env });
    expect(`${status} ${out}`, err).toBe("0 8828820 4095\n");
    const chosen = [...err.matchAll(/task: scale_on_host runs as (\w+)/g)].map((m) => m[1] ?? "");
    expect(chosen).toHaveLength(128);
    return (name: string) => chosen.filter((t) => t === name).length;
  };

  it("all run, each until its time is known, and then the fastest", async () => {
    const { status, out, err } = await rig.arc(["build"]);
    expect(status, out + err).toBe(0);
    const times = await ran({ ARC_TASK_POLICY: "versioning", ARC_NUM_THREADS: "3" });
    for (const name of ["scale_on_host", "scale_opencl", "scale_cuda", "scale_arc"])
      expect(times(name), name).toBeGreaterThanOrEqual(3);
  });

  it("are right in whatever order they come", async () => {
    for (const threads of ["1", "4"]) await ran({ ARC_NUM_THREADS: threads });
  });
});
