/**
 * Random programs of tasks leave what the same programs leave that run one task after the other, and the thread
 * sanitizer sees no two tasks at the same memory. `ARC_PROPERTIES=100:7` tries 10 000 of them, from another seed.
 */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, runtime, Workshop } from "../harness.ts";

const shops = {
  threads: new Workshop("gcc", ["-fsanitize=thread"]),
  addresses: new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
};
afterAll(() => {
  for (const shop of Object.values(shops)) shop.remove();
});

function program(name: string, shop: Workshop): string {
  const out = shop.path(name);
  const source = resolve(import.meta.dirname, `${name}.c`);
  const options = ["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", ...shop.flags];
  const libraries = [shop.archive(), "-ldl", "-lpthread", "-lm"];
  const built = execute(["gcc", ...options, `-I${runtime}/include`, source, ...libraries, "-o", out]);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  return out;
}

const { numRuns, seed } = cases(100);

const MOST = 100;

/** So many programs from one on, a few in each process: processes have a time in which they end. */
function allRight(
  program: string,
  first: number,
  count: number,
  more: readonly string[],
  env: Record<string, string>,
): void {
  for (let done = 0; done < count; done += MOST) {
    const argv = [program, `${first + done}`, `${Math.min(MOST, count - done)}`, ...more];
    expect(execute(argv, { env }), argv.join(" ")).toMatchObject({ stdout: "right\n", stderr: "" });
  }
}
describe("tasks wait for those whose data they use", () => {
  const threads = program("random_graphs", shops.threads);
  const addresses = program("random_graphs", shops.addresses);
  const machines = ["locality", "breadth-first", "priority", "critical-path", "versioning"].flatMap(
    (policy) => ["1", "2", "5"].map((count): [string, string] => [policy, count]),
  );
  const each = Math.ceil(numRuns / machines.length);

  it.each(machines)("policy %s with %s threads", { timeout: 3_600_000 }, (policy, count) => {
    const env = { ARC_TASK_POLICY: policy, ARC_NUM_THREADS: count };
    const first = 1 + 1_000_003 * seed + each * machines.findIndex(([p, c]) => p === policy && c === count);
    for (const sanitized of [threads, addresses]) allRight(sanitized, first, each, [], env);
  });

  it.each([
    ["critical-path", "c1 c2 s1 s2 s3 s4 s5 c3"],
    ["breadth-first", "s1 s2 s3 s4 s5 c1 c2 c3"],
  ])("policy %s has an order of its own", (policy, order) => {
    const env = { ARC_TASK_POLICY: policy, ARC_NUM_THREADS: "1" };
    expect(execute([program("paths", shops.addresses)], { env }).stdout).toBe(`${order} \n`);
  });

  it("a policy that there is not is refused", () => {
    const { code, stderr } = execute([addresses, "1", "1"], { env: { ARC_TASK_POLICY: "random" } });
    expect(code).toBe(1);
    expect(stderr).toContain("error[unknown-policy]: task: ARC_TASK_POLICY is 'random', which is no policy");
  });
});

describe("threads that drive devices share no data without a lock", () => {
  const kernels = program("random_kernels", shops.threads);
  const drivers = shops.threads.path("drivers");
  mkdirSync(drivers);
  shops.threads.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
  shops.threads.library("rtc_stand_in", `${drivers}/libnvrtc.so`, "-DRTC=nvrtc", "-DCODE=CUBIN");

  it.each([
    ["one device", "1", {}],
    ["one device that is too small", "1", { STAND_IN_MEMORY: "6000" }],
    ["two devices that are too small", "2", { STAND_IN_MEMORY: "6000" }],
    ["four devices whose writes go through", "4", { ARC_TASK_CACHE: "write-through" }],
    ["four devices by the critical path", "4", { ARC_TASK_POLICY: "critical-path" }],
    ["three devices by priority", "3", { ARC_TASK_POLICY: "priority" }],
    ["two devices breadth first", "2", { ARC_TASK_POLICY: "breadth-first" }],
    ["four devices by the time of versions", "4", { ARC_TASK_POLICY: "versioning" }],
    ["three devices without prefetching", "3", { ARC_TASK_PREFETCH: "0" }],
    ["two devices with little memory for transfers", "2", { ARC_TASK_STAGING: "8192" }],
  ])("%s", { timeout: 3_600_000 }, (_, devices, more) => {
    const env = { ...more, STAND_IN_DEVICES: devices, LD_LIBRARY_PATH: drivers, ARC_NUM_THREADS: "3" };
    const first = 1 + 1_000_003 * seed;
    allRight(kernels, first, Math.ceil(numRuns / 10), ["100", "cuda", devices], env);
    // Most of these are queued behind others that have not ended.
    allRight(kernels, first, Math.ceil(numRuns / 10), ["100", "cuda", devices, "tiles"], env);
  });

  it("a policy of copies that there is not is refused", () => {
    const env = { ARC_TASK_CACHE: "write", LD_LIBRARY_PATH: drivers };
    const { code, stderr } = execute([kernels, "1", "1", "40", "cuda"], { env });
    expect(code).toBe(1);
    expect(stderr).toContain("error[unknown-policy]: task: ARC_TASK_CACHE is 'write', which is no policy");
  });
});

describe("the host and devices see each other's latest bytes", () => {
  const kernels = program("random_kernels", shops.addresses);

  // PoCL keeps what it allocated, and the runtime gives threads signal stacks that are not the sanitizer's.
  const common = { ARC_OPENCL_PLATFORM: "Portable", ASAN_OPTIONS: "detect_leaks=0:use_sigaltstack=0" };
  it.each([
    ["one device", "1", { POCL_DEVICES: "pthread" }],
    ["one device and three threads", "3", { POCL_DEVICES: "pthread" }],
    ["two devices", "3", { POCL_DEVICES: "pthread pthread" }],
    [
      "three devices and memory for transfers",
      "3",
      { POCL_DEVICES: "pthread pthread pthread", ARC_TASK_STAGING: "16384" },
    ],
  ])("%s", { timeout: 3_600_000 }, (_, count, devices) => {
    const env = { ...common, ...devices, ARC_NUM_THREADS: count };
    const first = 1 + 1_000_003 * seed;
    allRight(kernels, first, Math.ceil(numRuns / 4), [], env);
    allRight(kernels, first, Math.ceil(numRuns / 4), ["100", "opencl", "1", "tiles"], env);
  });
});
