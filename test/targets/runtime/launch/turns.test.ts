/** Launches that make steps of time, which libarcrt puts off and makes several at a time. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, readTrace, Workshop } from "../harness.ts";
import type { ImageText } from "../image.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());
const program = shop.program("launch/turns");

const native = shop.kernels(`
#include "arc_host_kernel.h"
#include <stdlib.h>
void step(const struct arc_host_grid *g, void *const *args) {
  unsigned *to = args[0], value = *(const unsigned *)args[1];
  const unsigned *from = args[2];
  long steps = *(const long *)args[3];
  if (steps < 1 || steps > 3) abort();
  for (int k = 0; k < 4; k++) {
    unsigned x = from[k];
    for (long s = 0; s < steps; s++) x = 3 * x + value;
    to[k] = x;
  }
}
void bump(const struct arc_host_grid *g, void *const *args) {
  for (int k = 0; k < 4; k++) ++((unsigned *)args[0])[k];
}`);

const one = (name: string, params: readonly string[]) => ({ name, grid: ["1"], group: ["1"], params });
const imageWith = (steps: string): ImageText => ({
  backend: "host",
  target: "t",
  regions: [
    { name: `step${steps}`, args: 3, kernels: [one("step", ["a0", "a1", "a2", "i 1"])] },
    { name: "bump", args: 1, kernels: [one("bump", ["a0"])] },
  ],
  payloads: [{ kind: "so", bytes: native }],
});
const images = shop.image("steps", imageWith("\nsteps 3 2 0 3"));

function run(script: string, env: Readonly<Record<string, string>> = {}): string {
  const { code, stdout, stderr } = execute([program, script], {
    env: { ARC_IMAGES: images, ARC_HOST_MEMORY: "separate", ASAN_OPTIONS: "detect_leaks=0", ...env },
  });
  expect(code, `${script}\n${stderr}`).toBe(0);
  return stdout;
}

/** What the program prints where every launch makes its step at once. */
function serial(script: string): string {
  const arrays = [0, 100].map((from) => Uint32Array.from({ length: 4 }, (_, k) => from + k));
  let [current, value, printed] = [0, 1, ""];
  const print = () => {
    const [a, b] = arrays as [Uint32Array, Uint32Array];
    printed += `${[...a].map((x, k) => `${x} ${b[k]} `).join("")}\n`;
  };
  for (const letter of script) {
    const [from, to] = [arrays[current] as Uint32Array, arrays[1 - current] as Uint32Array];
    if ("sqr".includes(letter)) to.set(from.map((x) => Math.imul(3, x) + value));
    if ("sq".includes(letter)) current = 1 - current;
    if (letter === "v") value += 2;
    if (letter === "b") from.set(from.map((x) => x + 1));
    if (letter === "u") print();
  }
  print();
  return printed;
}

function launches(script: string, env: Readonly<Record<string, string>> = {}): number {
  const file = shop.path("trace.json");
  run(script, { ARC_TRACE: file, ...env });
  return readTrace(file).filter((e) => e.cat === "launch").length;
}

describe("steps of time", () => {
  it("leave what they would leave one by one, whatever happens between them", () => {
    const letters = fc.constantFrom(..."ssssssssssrvubdwq");
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), (script) => {
        expect(run(script.join(""))).toBe(serial(script.join("")));
      }),
      cases(25),
    );
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 2],
    [7, 3],
    [10, 4],
    [100, 34],
    [300, 102],
  ])("are made by few launches: %i by %i", (steps, made) => {
    expect(launches("s".repeat(steps))).toBe(made);
    expect(run("s".repeat(steps))).toBe(serial("s".repeat(steps)));
  });

  it("are made one by one where the program could see them happen", () => {
    expect(launches("ssssss", { ARC_HOST_MEMORY: "shared" })).toBe(6);
    expect(launches("qqqq")).toBe(4);
    expect(launches("sssuss")).toBe(5);
  });

  it.each([
    ["steps 3 2", "the most steps of a launch and three places"],
    ["steps 3 2 0 9", "has one kernel with their parameters"],
  ])("are refused in images that say %j", (line, message) => {
    const { code, stderr } = execute([program, "s"], {
      env: { ARC_IMAGES: shop.image(`bad-${line.length}`, imageWith(`\n${line}`)) },
    });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});
