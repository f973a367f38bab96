/** Tasks whose bodies are user-written kernels: OpenCL's on PoCL, CUDA's and HIP's on stand-ins. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateHost } from "../../core/compiler/driver/translate.ts";
import { withKernelFiles } from "../../core/ir/ompss/kernel-files.ts";
import { readTrace, runtime, Workshop } from "../targets/runtime/harness.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-task-kernels-"));
const shop = new Workshop();
afterAll(() => {
  rmSync(folder, { recursive: true });
  shop.remove();
});

const sources = path.join(import.meta.dirname, "task-kernels");
const pocl = { ARC_OPENCL_PLATFORM: "Portable" };

type Edit = (text: string) => string;
const asItIs: Edit = (text) => text;

/** An executable of a program, which `change` changes as `edit` changes its files of kernels. */
async function built(name: string, edit = asItIs, program = "kernels.c", change = asItIs): Promise<string> {
  const original = change(readFileSync(path.join(sources, program), "utf8"));
  const file = path.join(folder, `${name}-${program}`);
  writeFileSync(file, original);
  const options = ["-E", "-dD", "-D_OPENMP=201811", `-I${runtime}/include`];
  const preprocessed = await start("gcc", [...options, file]);
  const text = withKernelFiles(preprocessed.out, (kernels) => ({
    path: kernels,
    text: edit(readFileSync(path.join(sources, kernels), "utf8")),
  }));
  const host = translateHost({ file, text }, original);
  expect(host.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const base = path.join(folder, name);
  writeFileSync(`${base}.c`, host.text);
  const flags = ["-std=gnu11", "-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", `-I${runtime}/include`];
  const libraries = [shop.archive(), "-ldl", "-lpthread", "-lm"];
  const { err } = await start("gcc", [...flags, `${base}.c`, ...libraries, "-o", base]);
  expect(err).toBe("");
  return base;
}

describe("kernels of the author's own", () => {
  it("run as tasks, and their data stays where it is used", { timeout: 60_000 }, async () => {
    const program = await built("kernels");
    const { status, out, err } = await start(program, [], { env: { ...pocl, ARC_VERBOSE: "2" } });
    expect(status).toBe(0);
    // PoCL copies written data, so the host has the old bytes until the wait that flushes.
    expect(out).toBe("1\n2047\n12160 3.14368e+06 1 2235 1828\n");
    const moved = [...err.matchAll(/task: (\d+) bytes (to|from)/g)].map((m) => `${m[1]} ${m[2]}`);
    // Four launches in a row copy their data once, and write-only data is not copied to the device at all.
    expect(moved.filter((m) => m === "4096 to")).toHaveLength(6);
    expect(moved.filter((m) => m === "4096 from")).toHaveLength(3);
    expect(moved).toContain("64 from");
    expect(moved).not.toContain("64 to");
    for (const threads of ["1", "4"])
      expect((await start(program, [], { env: { ...pocl, ARC_NUM_THREADS: threads } })).out).toBe(out);
  });

  it("appear in the trace, with their predecessors and the bytes they moved", {
    timeout: 60_000,
  }, async () => {
    const trace = path.join(folder, "trace.json");
    const env = { ...pocl, POCL_DEVICES: "pthread", ARC_NUM_THREADS: "3", ARC_TRACE: trace };
    expect((await start(path.join(folder, "kernels"), [], { env })).status).toBe(0);
    const events = readTrace(trace);
    const of = (cat: string) => events.filter((event) => event.cat === cat);
    const tasks = new Map(of("task").map((event) => [event.args.task as number, event]));
    expect([...tasks.keys()].sort((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    // They are created while the first one's kernel is being compiled.
    for (const number of [9, 10, 11]) expect(tasks.get(number)?.args.after).toEqual([number - 1]);
    for (const { args, ts } of tasks.values())
      for (const before of args.after as number[]) {
        const { ts: begin = 0, dur = 0 } = tasks.get(before) ?? {};
        // Sums of microseconds are rounded.
        expect(begin + dur).toBeLessThanOrEqual(ts + 0.01);
      }
    expect(of("task").find(({ args }) => args.task === 7)?.args).toMatchObject({
      device: "host",
      line: 40,
      memory: ["inout sums"],
    });
    expect(of("launch")).toHaveLength(11);
    const moved = of("transfer").map(({ args }) => `${args.direction} ${args.bytes}`);
    expect(moved).toContain("in 4096");
    expect(moved).toContain("out 64");
    expect(of("idle").length).toBeGreaterThan(0);
    // Each arrow begins and ends.
    const arrows = events.filter((event) => event.cat === "dependence");
    expect(arrows.filter((a) => a.ph === "s").map((a) => a.id)).toEqual(
      expect.arrayContaining(arrows.filter((a) => a.ph === "f").map((a) => a.id)),
    );
    expect(arrows.length).toBeGreaterThanOrEqual(6);
  });

  it("stand in the program's own file", { timeout: 60_000 }, async () => {
    const program = await built("own", asItIs, "own.c");
    const { status, out, err } = await start(program, [], { env: pocl });
    expect(`${status} ${err}`).toBe("0 ");
    expect(out).toBe("16 3082 7 line 34\n");
    const wrong = await built("wrong", asItIs, "own.c", (text) => text.replace("+ x[i].second", "+ third"));
    const result = await start(wrong, [], { env: pocl });
    expect(result.err).toMatch(
      /error\[kernel\]: task: kernel 'mapped' of wrong-own.c[\s\S]*wrong-own.c:19:.*third/,
    );
  });

  it("move what copy clauses name, to the device that onto names", { timeout: 60_000 }, async () => {
    const program = await built("copies", asItIs, "copies.c");
    const env = { ...pocl, POCL_DEVICES: "pthread pthread", ARC_VERBOSE: "2" };
    const { out, err } = await start(program, [], { env });
    expect(out).toBe("2 devices: 2045\n");
    const moved = [...err.matchAll(/task: (\d+) bytes (to|from) (opencl:\d)/g)].map((m) =>
      m.slice(2).join(" "),
    );
    // Made on the one and used on the other: one copy each way.
    expect(moved.sort()).toEqual(
      [
        ...["to opencl:0", "to opencl:0", "from opencl:0"],
        ...["to opencl:1", "to opencl:1", "from opencl:1"],
      ].sort(),
    );
    const wrong = await built("onto", asItIs, "copies.c", (text) =>
      text.replace("where = turn", "where = 7 + turn"),
    );
    expect((await start(wrong, [], { env })).err).toContain(
      "error[no-device]: task: kernel 'saxpy' is to run onto(7), and there are 2 devices of kind opencl",
    );
  });

  it("give a task of the host the bytes that it reads, and no more", { timeout: 60_000 }, async () => {
    const program = await built("reading", asItIs, "reading.c");
    const { status, out, err } = await start(program, [], {
      env: { ...pocl, ARC_VERBOSE: "2", ARC_NUM_THREADS: "1" },
    });
    expect(`${status} ${out}`).toBe("0 1283 56 99 4\n");
    const moved = (to: string) =>
      [...err.matchAll(new RegExp(`task: (\\d+) bytes ${to} `, "g"))].map((m) => Number(m[1]));
    expect(moved("to")).toEqual([4096, 4096]);
    // The three sums are ready at once and run in any order; what one of them fetched is there for the others.
    const fetched = moved("from");
    expect(fetched.pop()).toBe(4096);
    expect(fetched.reduce((sum, bytes) => sum + bytes, 0)).toBe(1024 + 40);
    const through = await start(program, [], {
      env: { ...pocl, ARC_VERBOSE: "2", ARC_NUM_THREADS: "1", ARC_TASK_CACHE: "write-through" },
    });
    expect(through.out).toBe(out);
    // Each kernel's result comes once, when it has ended.
    expect(through.err.match(/\d+ bytes (to|from)/g)).toEqual([
      "4096 bytes to",
      "4096 bytes to",
      "4096 bytes from",
      "4096 bytes from",
    ]);
  });

  /** What a program moves with ARC_TASK_PREFETCH, and how many transfers begin while a kernel runs. */
  async function moving(program: string, prefetch: string) {
    const trace = path.join(folder, `${path.basename(program)}-${prefetch}.json`);
    const env = { ...pocl, POCL_DEVICES: "pthread", ARC_TASK_PREFETCH: prefetch, ARC_TRACE: trace };
    const { status, out, err } = await start(program, [], { env });
    expect(`${status} ${err}`).toBe("0 ");
    const events = readTrace(trace);
    const of = (cat: string) => events.filter((event) => event.cat === cat);
    const moved = of("transfer").map(({ args }) => `${args.direction} ${args.bytes}`);
    const early = of("transfer").filter(
      ({ ts, args }) =>
        args.direction === "in" &&
        of("launch").some((launch) => launch.ts < ts && ts < launch.ts + (launch.dur ?? 0)),
    );
    return { out, moved: moved.sort(), early: early.length };
  }

  it("get their data while the kernel before them runs, and no more of it", { timeout: 60_000 }, async () => {
    const program = await built("prefetch", asItIs, "prefetch.c");
    const [alone, ahead] = [await moving(program, "0"), await moving(program, "1")];
    expect(ahead.out).toBe(alone.out);
    expect(alone.moved).toEqual([...Array(6).fill("in 16384"), ...Array(6).fill("out 4")]);
    expect(ahead.moved).toEqual(alone.moved);
    expect(alone.early).toBe(0);
    expect(ahead.early).toBeGreaterThan(0);
    const { err } = await start(program, [], { env: { ...pocl, ARC_TASK_PREFETCH: "yes" } });
    expect(err).toContain("error[task-prefetch]: ARC_TASK_PREFETCH=yes means nothing");
  });

  it("get much data even while the kernel runs that they wait for", { timeout: 60_000 }, async () => {
    const program = await built("following", asItIs, "prefetch.c", (text) =>
      text.replace("N = 4096", "N = 131072").replace("out(*y)", "inout(*y)").replace("&y[t])", "y)"),
    );
    const [alone, ahead] = [await moving(program, "0"), await moving(program, "1")];
    expect(ahead.out).toBe(alone.out);
    expect(alone.moved).toEqual(["in 4", ...Array(6).fill("in 524288"), "out 4"]);
    expect(ahead.moved).toEqual(alone.moved);
    expect(alone.early).toBe(0);
    expect(ahead.early).toBeGreaterThan(0);
  });

  it("that do not compile are told with the driver's words", { timeout: 60_000 }, async () => {
    const program = await built("broken", (text) => text.replace("a * x[i]", "a * xx[i]"));
    const { status, err } = await start(program, [], { env: pocl });
    expect(status).toBe(1);
    expect(err).toContain("error[kernel]: task: kernel 'saxpy' of kernels.cl on opencl:0");
    expect(err).toContain("xx");
  });

  it("need a device", { timeout: 60_000 }, async () => {
    const { status, err } = await start(path.join(folder, "kernels"), [], {
      env: { ...pocl, ARC_OPENCL_LIBRARY: "none.so" },
    });
    expect(status).toBe(1);
    expect(err).toContain("error[no-device]: task: kernel 'saxpy' needs a device of kind opencl");
  });
});

const makers = [
  { kind: "cuda", driver: "libcuda.so.1", compiler: "libnvrtc.so", rtc: ["-DRTC=nvrtc", "-DCODE=CUBIN"] },
  { kind: "hip", driver: "libamdhip64.so", compiler: "libhiprtc.so", rtc: ["-DRTC=hiprtc", "-DCODE=Code"] },
] as const;

describe.each(makers)("kernels for $kind", ({ kind, driver, compiler, rtc }) => {
  const drivers = shop.path(kind);
  mkdirSync(drivers);
  shop.library(`${kind}_stand_in`, path.join(drivers, driver));
  shop.library("rtc_stand_in", path.join(drivers, compiler), ...rtc);
  const env = { ...pocl, LD_LIBRARY_PATH: drivers, ARC_VERBOSE: "2", STAND_IN_LOG: path.join(folder, kind) };
  const change = (text: string) => text.replaceAll("device(cuda)", `device(${kind})`);

  it("share data with those for OpenCL, each moved once each way", { timeout: 60_000 }, async () => {
    const program = await built(`gpu-${kind}`, asItIs, "gpu.c", change);
    const { status, out, err } = await start(program, [], { env });
    expect(`${status} ${out}`).toBe("0 25 7993\n0 7692 2820\n");
    const moved = [...err.matchAll(/task: (\d+) bytes (to|from) (\w+)/g)].map((m) => m.slice(1).join(" "));
    expect(moved.sort()).toEqual(
      [
        ...[`4000 to ${kind}`, `4000 to ${kind}`, `4000 from ${kind}`, "4000 to opencl", "4000 to opencl"],
        ...[
          "4000 from opencl",
          `4000 to ${kind}`,
          `4000 from ${kind}`,
          `1920 to ${kind}`,
          `1920 from ${kind}`,
        ],
      ].sort(),
    );
    const calls = readFileSync(path.join(folder, kind), "utf8");
    expect(calls.match(/cuModuleLoadDataEx/g)).toHaveLength(2);
    expect(calls).toContain("cuLaunchKernel lowered_saxpy 8 1 1  128 1 1");
    expect(calls).toContain("cuLaunchKernel lowered_saxpy 2 2 1  16 16 1");
  });

  it("that do not compile are told with the compiler's words", { timeout: 60_000 }, async () => {
    const edit = (text: string) => text.replace("a * x[i]", "a * xx[i]");
    const program = await built(`wrong-${kind}`, edit, "gpu.c", change);
    const { status, err } = await start(program, [], { env });
    expect(status).toBe(1);
    expect(err).toMatch(new RegExp(`error\\[kernel\\]: task: kernel 'saxpy' of saxpy.cu on ${kind}:0`));
    expect(err).toMatch(/saxpy.cu:4:\d+: error: .*xx/);
  });

  it("may be versions of a task, of which those run that can", { timeout: 60_000 }, async () => {
    const program = await built(`versions-${kind}`, asItIs, "versions.c", change);
    const ran = async (more: Readonly<Record<string, string>>) => {
      const { status, out, err } = await start(program, [], { env: { ...env, ...more } });
      const chosen = [...err.matchAll(/task: scale_on_host runs as (\w+)/g)].map((m) => m[1] ?? "");
      expect(`${status} ${out}`).toBe("0 8828820 4095\n");
      expect(chosen).toHaveLength(128);
      return (name: string) => chosen.filter((t) => t === name).length;
    };
    const learned = await ran({ ARC_TASK_POLICY: "versioning", ARC_NUM_THREADS: "3" });
    // Each is tried until it is known; that of arc's own is for another device than this program has.
    for (const name of ["scale_on_host", "scale_opencl", "scale_cuda"])
      expect(learned(name)).toBeGreaterThanOrEqual(3);
    expect(learned("scale_arc")).toBe(0);
    const alone = await ran({ ARC_OPENCL_LIBRARY: "none.so", LD_LIBRARY_PATH: "" });
    expect(alone("scale_on_host")).toBe(128);
    // One thread gives devices what they have room for, first the one whose version comes first, and runs the rest itself.
    const first = await ran({ ARC_NUM_THREADS: "1" });
    for (const name of ["scale_opencl", "scale_cuda", "scale_on_host"])
      expect(first(name)).toBeGreaterThan(0);
  });

  it("alternate with those for OpenCL", { timeout: 60_000 }, async () => {
    const program = await built(`alternating-${kind}`, asItIs, "alternating.c", change);
    const { status, out, err } = await start(program, [], { env });
    // What nbody.c of task-programs prints, whose kernels are of one language.
    expect(`${status} ${out}`).toBe("0 766.85 379.42\n");
    expect(err).toContain(`bytes from ${kind}:0`);
    expect(err).toContain("bytes from opencl:0");
  });

  it("have whole groups, and groups no larger than their work", { timeout: 60_000 }, async () => {
    const program = await built(`geometry-${kind}`, asItIs, "geometry.c", change);
    const { status, err } = await start(program, [], { env });
    expect(status, err).toBe(0);
    const launches = readFileSync(path.join(folder, kind), "utf8").match(/cuLaunchKernel .*/g);
    expect(launches).toEqual([
      "cuLaunchKernel lowered_saxpy 8 1 1  128 1 1",
      "cuLaunchKernel lowered_saxpy 1 1 1  100 1 1",
      "cuLaunchKernel lowered_saxpy 4 4 1  16 16 1",
    ]);
  });

  it("are launched behind those that they wait for, before these have ended", {
    timeout: 60_000,
  }, async () => {
    const program = await built(`chain-${kind}`, asItIs, "chain.c", change);
    const launchedAhead = async (more: Readonly<Record<string, string>>) => {
      const { status, out } = await start(program, [], { env: { ...env, ...more } });
      expect(`${status} ${out}`).toBe("0 1185092468 3834900\n");
      const calls = readFileSync(path.join(folder, kind), "utf8").match(/^(cuLaunch|runs).*/gm) ?? [];
      expect(calls).toHaveLength(800);
      return calls.filter((call, i) => call.startsWith("cuLaunch") && calls[i - 1]?.startsWith("cuLaunch"))
        .length;
    };
    expect(await launchedAhead({})).toBeGreaterThan(0);
    // Small transfers go through pinned memory, of which there may be little or none.
    for (const bytes of ["0", "16384"]) await launchedAhead({ ARC_TASK_STAGING: bytes });
    expect(await launchedAhead({ ARC_TASK_PREFETCH: "0" })).toBe(0);
  });

  it("that fault are named, with others that were under way", { timeout: 60_000 }, async () => {
    const told = async (where: string, more: Readonly<Record<string, string>> = {}) => {
      const { status, err } = await start(path.join(folder, `chain-${kind}`), [where], {
        env: { ...env, ...more },
      });
      expect(status).toBe(1);
      return err;
    };
    const place = `of chain.cu on ${kind}:0 \\(stand-in, [^)]*\\)`;
    const one = new RegExp(
      `c:12: error\\[launch-failed\\]: task: kernel 'fault' ${place}: ${kind.slice(0, 2)}`,
    );
    for (const prefetch of ["0", "1"])
      expect(await told("last", { ARC_TASK_PREFETCH: prefetch })).toMatch(one);
    expect(await told("middle", { ARC_TASK_PREFETCH: "0" })).toMatch(one);
    // A driver that has found a fault says so of all that is under way.
    const some = `'(step|fault)' ${place}(, or one of \\d+ that were under way as well)?: ${kind.slice(0, 2)}`;
    expect(await told("middle")).toMatch(new RegExp(`error\\[launch-failed\\]: task: kernel ${some}`));
  });

  it("make room on a device that is too small for all, and say so if it is for one", {
    timeout: 60_000,
  }, async () => {
    const program = path.join(folder, `gpu-${kind}`);
    const small = await start(program, [], { env: { ...env, STAND_IN_MEMORY: "9500" } });
    expect(`${small.status} ${small.out}`).toBe("0 25 7993\n0 7692 2820\n");
    const tiny = await start(program, [], { env: { ...env, STAND_IN_MEMORY: "5000" } });
    expect(tiny.status).toBe(1);
    expect(tiny.err).toMatch(/error\[out-of-memory\]: task: .* has no room for 4000 bytes that a task uses/);
  });

  it("need the compiler", { timeout: 60_000 }, async () => {
    const { status, err } = await start(path.join(folder, `gpu-${kind}`), [], {
      env: { ...env, ARC_NVRTC_LIBRARY: "none.so", ARC_HIPRTC_LIBRARY: "none.so" },
    });
    expect(status).toBe(1);
    expect(err).toMatch(/RTC compiles kernels from text, and cannot be used: none.so/);
  });
});
