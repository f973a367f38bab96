import { afterAll, expect, it } from "vitest";
import { execute, readTrace, Workshop } from "./harness.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

it.each([
  ["the host", { ARC_DEVICE: "host", ARC_HOST_MEMORY: "separate" }],
  [
    "an OpenCL device",
    { ARC_DEVICE: "opencl", ARC_OPENCL_PLATFORM: "Portable", ASAN_OPTIONS: "detect_leaks=0" },
  ],
])(
  "moves every partial array right on %s, through aligned memory exactly when an end is misaligned",
  (name, own) => {
    const trace = shop.path(`${name}.json`);
    const ran = execute([shop.program("align")], { env: { ...own, ARC_ALIGN: "64", ARC_TRACE: trace } });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const misaligned = ran.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number) as [number, number])
      .map(([host, device]) => (host + device) % 64 !== 0 || device % 64 !== 0);
    expect(misaligned.filter((one) => !one).length).toBe(1);
    expect(misaligned.length).toBeGreaterThan(500);
    const bounced = (routine: string) =>
      readTrace(trace)
        .filter((event) => event.args.directive === routine)
        .filter((event) => event.cat === "transfer")
        .map((event) => event.args.bounced);
    expect(bounced("acc_update_device")).toEqual(misaligned);
    expect(bounced("acc_update_self")).toEqual(misaligned);
  },
);

it("moves everything directly on a device that needs no alignment", () => {
  const trace = shop.path("direct.json");
  execute([shop.program("align")], {
    env: { ARC_DEVICE: "host", ARC_HOST_MEMORY: "separate", ARC_TRACE: trace },
  });
  const transfers = readTrace(trace).filter((event) => event.cat === "transfer");
  expect(transfers.length).toBeGreaterThan(1000);
  expect(transfers.some((event) => event.args.bounced)).toBe(false);
});
