/**
 * The back ends of GPUs against stand-in drivers (stand-ins/cuda_stand_in.c, stand-ins/hip_stand_in.c): calls, order, memory. What a GPU makes of
 * the same calls is not shown here.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { execute, readTrace, Workshop } from "./harness.ts";
import type { ImageText } from "./image.ts";
import { gpuRegions, standInKernels } from "./regions.ts";
import { sized } from "./stand-in-code.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const makers = [
  {
    backend: "cuda",
    file: "libcuda.so.1",
    payload: "cubin",
    arch: ["sm_90", "sm_80"],
    illegal: "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS",
    noBinary: "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU",
    noMemory: "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY",
  },
  {
    backend: "hip",
    file: "libamdhip64.so.6",
    payload: "hsaco",
    arch: ["gfx 9.0", "gfx1030"],
    illegal: "hipStreamSynchronize: hipErrorIllegalAddress",
    noBinary: "hipModuleLoadDataEx: hipErrorNoBinaryForGpu",
    noMemory: "hipMalloc: hipErrorOutOfMemory",
  },
] as const;

const drivers = shop.path("drivers");
mkdirSync(drivers);
for (const { backend, file } of makers) shop.library(`${backend}_stand_in`, `${drivers}/${file}`);

const code = sized(shop.kernels(standInKernels));
const log = shop.path("calls");
const calls = () => readFileSync(log, "utf8").trim().split("\n");
const count = (name: string) => calls().filter((call) => call.startsWith(name)).length;

describe.each(makers)("$backend", ({ backend, payload, arch, illegal, noBinary, noMemory }) => {
  const env = {
    ARC_IMAGES: shop.image(backend, gpuRegions(backend, payload, code)),
    LD_LIBRARY_PATH: drivers,
    STAND_IN_LOG: log,
  };

  describe("programs on the stand-in", () => {
    it.each(["deep", "async", "threads", "api", "defer", "under_way"])(
      "%s.c is right, and frees all it allocated",
      (name) => {
        expect(execute([shop.program(name)], { env })).toMatchObject({
          code: 0,
          stdout: "right\n",
          stderr: "",
        });
        expect(calls().at(-1)).toBe("cuDevicePrimaryCtxRelease used=0");
      },
    );

    it("times kernels by events in their streams", () => {
      const trace = shop.path("trace.json");
      execute([shop.program("async")], { env: { ...env, ARC_TRACE: trace } });
      const launches = readTrace(trace).filter((event) => event.cat === "launch");
      expect(launches.length).toBeGreaterThan(300);
      expect(new Set(launches.map((event) => event.args.async))).toEqual(
        new Set([0, 1, 2, 3, 4, 5, 6, 7, -2]),
      );
      for (const event of launches) expect(event.dur).toBeGreaterThanOrEqual(0);
    });
  });

  describe("the calls of a data region and a launch", () => {
    const program = shop.program("steps");
    const run = (steps: string, more: Record<string, string> = {}) =>
      execute([program, steps], { env: { ...env, ...more } });

    it("are one allocation, one copy in, one launch, one copy out; small data is not waited for on its way in", () => {
      run("region");
      expect(calls().filter((call) => /^cu(MemAlloc|Memcpy|Launch|StreamSync)/.test(call))).toEqual([
        "cuMemAlloc 256 -> 0", // for pointers to nothing
        "cuMemAlloc 4096 -> 0",
        "cuMemcpyHtoDAsync 4000",
        "cuLaunchKernel add 16 1 1  64 1 1",
        "cuMemcpyDtoHAsync 4000",
        "cuStreamSynchronize",
      ]);
    });

    it("allocate no memory the second time: freed memory is kept", () => {
      run("region region region region");
      expect(count("cuMemAlloc")).toBe(2);
    });

    it("return kept memory when the device would otherwise run out", () => {
      expect(run("region region big", { STAND_IN_MEMORY: "987000", ARC_POOL: "1048576" })).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect(calls()).toContain("cuMemAlloc 983040 -> 2");
      expect(calls()).toContain("cuMemAlloc 983040 -> 0");
    });

    it("keep no more freed memory than ARC_POOL allows", () => {
      run("region region", { ARC_POOL: "0" });
      expect(count("cuMemAlloc 4096")).toBe(2);
    });

    it("touch the device not at all when everything is present", () => {
      run("inside");
      const before = calls().length;
      run("inside nested nested nested nested");
      expect(calls().length).toBe(before);
    });

    it("are done before a device address leaves the runtime", () => {
      expect(run("foreign")).toMatchObject({ code: 0, stdout: "" });
    });

    it("do not wait for launches until the program could tell", () => {
      const waits = (more: Record<string, string>) => {
        const ran = execute([shop.program("under_way"), "late"], { env: { ...env, ...more } });
        expect(ran).toMatchObject({ code: 0, stdout: "right\n", stderr: "" });
        return count("cuStreamSynchronize");
      };
      const launches = 500 + 20 * 3 + 20 + 1;
      // Three updates, a wait in each of the 20 rounds, twenty ends of data, the wait and the end of all.
      expect(waits({})).toBeLessThanOrEqual(3 + 20 + 20 + 2);
      expect(waits({ ARC_WAIT: "each" })).toBeGreaterThanOrEqual(launches);
    });

    it("do not make an async region wait", () => {
      run("async async async");
      expect(count("cuStreamSynchronize")).toBe(1); // the program's own wait
      expect(count("cuMemAlloc 4096")).toBe(1); // the queue reuses what it frees itself
    });
  });

  describe("failures", () => {
    const program = shop.program("bad");
    const region = (name: string) => ({
      name,
      args: 1,
      kernels: [{ name, grid: ["t0"], group: ["1"], params: ["a0"] }],
    });
    const bad = (payloads: ImageText["payloads"]) =>
      shop.image(`bad-${backend}`, { backend, target: "gpu", regions: [region("fault")], payloads });

    it("of a kernel name its directive, though they show up later", () => {
      const so = shop.kernels("const unsigned fault_sizes[] = {8, 0};\nvoid fault(void **p) { (void)p; }\n");
      const ran = execute([program, "fault"], {
        env: { ...env, ARC_IMAGES: bad([{ kind: payload, bytes: sized(so) }]) },
      });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(
        `heat.c:40: error[device-failed]: parallel loop: work on ${backend}:0 (stand-in, ${arch[0]}) failed: ${illegal} (700): an illegal memory access was encountered; the last kernel queued was fault\n`,
      );
    });

    it("to load code of another architecture say which", () => {
      const ran = execute([program, "fault"], {
        env: { ...env, ARC_IMAGES: bad([{ kind: payload, bytes: "wrong", tag: arch[1] }]) },
      });
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain("error[load]: ");
      expect(ran.stderr).toContain(
        `it holds code for ${arch[1]}, this device is ${arch[0]} (${noBinary} (209): `,
      );
      expect(ran.stderr).toContain(")\nwhat ptxas would say");
    });

    it("to find memory name what it was for", () => {
      const ran = execute([program, "huge"], { env });
      expect(ran.stderr).toContain(`heat.c:40: error[device-memory]: parallel loop: ${backend}:0 `);
      expect(ran.stderr).toContain(
        ` has no room for temperature[0:n] (70368744177664 bytes): ${noMemory} (2): `,
      );
      expect(ran.code).toBe(1);
    });

    it("leave no allocations", () => {
      expect(existsSync(log)).toBe(true);
      expect(execute([program, "absent"], { env })).toMatchObject({ code: 1, stdout: "exit handlers ran\n" });
    });
  });
});
