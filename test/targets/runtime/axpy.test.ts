import { afterAll, describe, expect, it } from "vitest";
import { hostImage, hostKernel, openclImage } from "./axpy.ts";
import { execute, readTrace, Workshop } from "./harness.ts";

const shop = new Workshop();
afterAll(() => shop.remove());

const program = shop.program("axpy");
const host = shop.image("host", hostImage(shop.kernels(hostKernel, "-fopenmp")));
const opencl = shop.image("opencl", openclImage());

const machines: [string, Record<string, string>][] = [
  ["the host's own memory", { ARC_IMAGES: host }],
  ["separate host memory", { ARC_IMAGES: host, ARC_HOST_MEMORY: "separate" }],
  ["PoCL", { ARC_IMAGES: opencl, ARC_OPENCL_PLATFORM: "Portable" }],
];

describe.each(machines)("axpy on %s", (_name, env) => {
  it.each([0, 1, 127, 1000, 65537])("computes %i elements", (n) => {
    expect(execute([program, `${n}`], { env })).toMatchObject({
      code: 0,
      stdout: `${n} right\n`,
      stderr: "",
    });
  });

  it("leaves a trace of each transfer and launch", () => {
    const trace = shop.path("trace.json");
    execute([program, "1000"], { env: { ...env, ARC_TRACE: trace } });
    const events = readTrace(trace);
    const launch = events.find((event) => event.cat === "launch");
    expect(launch?.args).toMatchObject({
      region: "axpy",
      kernel: "axpy",
      grid: [8, 1, 1],
      group: [128, 1, 1],
      file: "axpy.c",
      line: 12,
    });
    const transfers = events
      .filter((event) => event.cat === "transfer")
      .map((event) => [event.name, event.args.bytes]);
    const expected = [
      ["copyin x[0:n]", 4000],
      ["copy y[0:n]", 4000],
      ["copy y[0:n]", 4000],
    ];
    expect(transfers).toEqual(_name === "the host's own memory" ? [] : expected);
  });
});
