/** ARC_PROFILE: what every kernel and transfer took, as a table and as JSON. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { hostImage, hostKernel, openclImage } from "../axpy.ts";
import { execute, Workshop } from "../harness.ts";
import { gpuRegions, standInKernels } from "../regions.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

interface Row {
  readonly kind: "launch" | "transfer";
  readonly device: string;
  readonly count: number;
  readonly seconds: number;
  readonly least: number;
  readonly most: number;
  readonly [field: string]: unknown;
}

interface Profile {
  readonly type: string;
  readonly failed: boolean;
  readonly seconds: number;
  readonly rows: readonly Row[];
}

function profileOf(argv: readonly string[], env: Record<string, string>): Profile {
  const file = shop.path("profile.json");
  execute(argv, { env: { ...env, ARC_PROFILE: file } });
  return JSON.parse(readFileSync(file, "utf8")) as Profile;
}

const drivers = shop.path("drivers");
mkdirSync(drivers);
shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
shop.library("hip_stand_in", `${drivers}/libamdhip64.so.6`);
const so = shop.kernels(standInKernels);
const size = Buffer.alloc(8);
size.writeBigUInt64LE(BigInt(so.length));
const code = Buffer.concat([size, so]);
const gpu = (backend: string, payload: string) => ({
  ARC_IMAGES: shop.image(backend, gpuRegions(backend, payload, code)),
  LD_LIBRARY_PATH: drivers,
});

const axpy = shop.program("axpy");
const host = { ARC_IMAGES: shop.image("host", hostImage(shop.kernels(hostKernel, "-fopenmp"))) };
const machines: [string, Record<string, string>][] = [
  ["host", { ...host, ARC_HOST_MEMORY: "separate" }],
  ["opencl", { ARC_IMAGES: shop.image("opencl", openclImage()), ARC_OPENCL_PLATFORM: "Portable" }],
];

describe.each(machines)("axpy on %s", (backend, env) => {
  // PoCL's own memory is none of this test's business.
  const quiet = { ...env, ASAN_OPTIONS: "detect_leaks=0" };

  it("has each kernel with its function, and each transfer with its bytes", () => {
    const { type, failed, seconds, rows } = profileOf([axpy, "1000"], quiet);
    expect({ type, failed }).toEqual({ type: "profile", failed: false });
    const launches = rows.filter(({ kind }) => kind === "launch");
    expect(launches).toMatchObject([
      { kernel: "axpy", region: "axpy", function: "axpy", file: "axpy.c", line: 12, count: 1, bytes: 8000 },
    ]);
    expect(launches[0]?.device).toContain(backend);
    const transfers = rows
      .filter(({ kind, variable }) => kind === "transfer" && /[xy]/.test(String(variable)))
      .map(({ action, variable, direction, bytes, count }) => [action, variable, direction, bytes, count]);
    expect(transfers.sort()).toEqual([
      ["copy", "y[0:n]", "device to host", 4000, 1],
      ["copy", "y[0:n]", "host to device", 4000, 1],
      ["copyin", "x[0:n]", "host to device", 4000, 1],
    ]);
    for (const row of rows) {
      expect(row.least).toBeLessThanOrEqual(row.most);
      expect(row.seconds).toBeLessThanOrEqual(seconds);
    }
  });
});

describe.each([
  ["cuda", "cubin"],
  ["hip", "hsaco"],
])("%s", (backend, payload) => {
  it("counts launches of many queues and threads by their place", () => {
    const env = gpu(backend, payload);
    const { rows } = profileOf([shop.program("async")], env);
    const counted = rows.reduce((sum, { kind, count }) => (kind === "launch" ? sum + count : sum), 0);
    const file = shop.path("trace.json");
    execute([shop.program("async")], { env: { ...env, ARC_TRACE: file } });
    const traced = JSON.parse(readFileSync(file, "utf8")) as { cat?: string }[];
    expect(counted).toBe(traced.filter(({ cat }) => cat === "launch").length);
    expect(counted).toBeGreaterThan(300);
    expect(rows.length).toBeLessThan(40);
    expect(profileOf([shop.program("threads")], env).rows.length).toBeGreaterThan(0);
  });

  it("prints a table on standard error, and leaves the program's output alone", () => {
    const { stdout, stderr } = execute([shop.program("async")], {
      env: { ...gpu(backend, payload), ARC_PROFILE: "1" },
    });
    expect(stdout).toBe("right\n");
    expect(stderr).toMatch(new RegExp(`^arc: profile of ${backend}:0 .* in launches and .* in transfers, `));
    expect(stderr).toMatch(/ %\s+\d+ .* kernel add, .*:\d+ \(.*\) in add$/m);
    expect(stderr).toContain("bytes of a kernel are those of the arrays that it was passed");
    expect(stderr).toMatch(/ GB\/s {31}\w+ .*, host to device, .*:\d+/);
  });
});

it("says which share of the peak of the device's memory kernels reach, where it is known", () => {
  const peaks = (backend: string, payload: string) => {
    const { rows } = profileOf([shop.program("async")], gpu(backend, payload));
    return new Set(rows.flatMap(({ kind, peak }) => (kind === "launch" ? [peak] : [])));
  };
  // The stand-in's memory: 1 GHz, twice a clock, 512 bits.
  expect(peaks("cuda", "cubin")).toEqual(new Set([128e9]));
  expect(peaks("hip", "hsaco")).toEqual(new Set([undefined]));
  const { stderr } = execute([shop.program("async")], { env: { ...gpu("cuda", "cubin"), ARC_PROFILE: "1" } });
  expect(stderr).toMatch(/[\d.]+ GB\/s +[\d.]+ % .*kernel add/);
});

it("reports how many operations kernels execute, and their share of the device's peak", () => {
  const { rows } = profileOf([shop.program("async")], gpu("cuda", "cubin"));
  const added = rows.filter(({ kernel }) => kernel === "add");
  expect(added.length).toBeGreaterThan(0);
  for (const { operations, compute } of added) {
    expect(Number(operations) % 7).toBe(0);
    // The stand-in's 4 multiprocessors of sm_90: 1 GHz, 128 lanes for 32 bits and 64 for 64 bits, a product and a sum each.
    expect(compute).toBeCloseTo(7 / (6 / 1024e9 + 1 / 512e9), -3);
  }
  expect(rows.filter(({ kernel }) => kernel === "scale").every((row) => !("operations" in row))).toBe(true);
  const { stderr } = execute([shop.program("async")], { env: { ...gpu("cuda", "cubin"), ARC_PROFILE: "1" } });
  expect(stderr).toMatch(/FLOP\/s +of peak {2}what$/m);
  expect(stderr).toMatch(/[\d.]+ [MGT]F\/s +[\d.]+ % {2}kernel add/);
});

it("reports the finished work of a program that fails, and that it failed", () => {
  const env = gpu("cuda", "cubin");
  expect(profileOf([shop.program("bad"), "absent"], env).failed).toBe(true);
  const { stderr, code: status } = execute([shop.program("bad"), "absent"], {
    env: { ...env, ARC_PROFILE: "1" },
  });
  expect(status).toBe(1);
  expect(stderr).toContain("arc: the program failed: what was under way then is not in the profile\n");
});

it("is off without a value or with 0, and works beside a trace", () => {
  for (const value of ["", "0"])
    expect(execute([axpy, "10"], { env: { ...host, ARC_PROFILE: value } }).stderr).toBe("");
  const trace = shop.path("both.json");
  const { rows } = profileOf([axpy, "10"], { ...host, ARC_TRACE: trace });
  expect(rows.map(({ kind }) => kind)).toEqual(["launch"]);
  expect(readFileSync(trace, "utf8")).toContain('"cat":"launch"');
});

it("refuses a value that is neither 1 nor a JSON file, and a file that cannot be written", () => {
  const odd = execute([axpy, "10"], { env: { ...host, ARC_PROFILE: "yes" } });
  expect(odd.code).toBe(1);
  expect(odd.stderr).toContain("error[profile]: ARC_PROFILE=yes is neither 1 nor a file for JSON");
  expect(odd.stderr).toContain("help: write ARC_PROFILE=1 for a table");
  writeFileSync(shop.path("plain"), "");
  const file = shop.path("plain", "in.json");
  const unwritable = execute([axpy, "10"], { env: { ...host, ARC_PROFILE: file } });
  expect(unwritable.stderr).toContain(
    `error[profile]: ARC_PROFILE=${file} cannot be written: Not a directory`,
  );
});
