/** Kernels as users of HLS write them, against the serial program. ARC_SLOW_TESTS takes them all, else a third. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designed, simulate } from "../simulation.ts";
import { givenOf, plain } from "./given.ts";

const SEED = 1;
const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".c"))
  .sort();
/** Those that a mistake was found by. */
const always = [
  "numbers/mandelbrot.c",
  "numbers/product_of_signs.c",
  "codes/packet.c",
  "numbers/unions.c",
  "sorting/systolic.c",
];
const chosen =
  process.env.ARC_SLOW_TESTS !== undefined
    ? files
    : files.filter((name, k) => k % 9 === 2 || always.includes(name));

describe("kernels of signals, sorting, codes, search and numbers give the serial result", () => {
  const cases = chosen.map((name) => {
    const source = plain(readFileSync(path.join(folder, name), "utf8"));
    return { name, source, given: givenOf(source, SEED) };
  });
  const want = serialArrays(cases);
  it.each(cases.map((one, k) => [one.name, k] as const))("%s", { timeout: 120_000 }, (_, k) => {
    const { source, given } = cases[k] as (typeof cases)[number];
    const memory = { latency: 2 + (k % 3), stalls: k % 2 ? 2 : 0, seed: k + 1 };
    expect(simulate(designed(source), given, memory).arrays).toEqual(want[k]);
  });
});
