/** Arguments for the kernels of this folder: arrays of the sizes that the clauses name, with random elements. */
import { execFileSync } from "node:child_process";
import type { Given } from "../simulation.ts";

const BYTES: Readonly<Record<string, number>> = {
  char: 1,
  byte: 1,
  short: 2,
  int: 4,
  unsigned: 4,
  word: 4,
  float: 4,
  double: 8,
  long: 8,
};

/** The kernel after the preprocessor. */
export const plain = (text: string): string =>
  execFileSync("gcc", ["-E", "-P", "-"], { input: text, encoding: "utf8" });

export function givenOf(source: string, seed: number): Readonly<Record<string, Given>> {
  const [, parameters = ""] = /^void work\((.*)\) \{$/m.exec(source) ?? [];
  const random = numbers(seed);
  return Object.fromEntries(
    parameters.split(",").map((parameter) => {
      const name = /(\w+)\)?(\[\d+\])*$/.exec(parameter.trim().replace(/\)(\[.*)$/, "$1"))?.[1] ?? "";
      const type =
        /\b(char|byte|short|double|float|long|int|word|unsigned)\b(?! (char|short|long|int)\b)/.exec(
          parameter,
        )?.[1];
      const extents = new RegExp(`[(, ]${name}((\\[0:\\d+\\])+)`).exec(source)?.[1] ?? "";
      const size = [...extents.matchAll(/0:(\d+)/g)].reduce((n, [, by]) => n * Number(by), 1);
      const of = (): bigint => {
        const bits = random();
        if (type === "float") return BigInt(floatBits((Number(bits & 0xffffn) - 32768) / 256));
        return type === "double" ? 0n : bits;
      };
      const bytes = BYTES[type ?? ""] as number;
      return [name, { bytes, values: Array.from({ length: size }, of) }];
    }),
  );
}

function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0] as number;
}

/** 64-bit numbers of an xorshift generator. */
function numbers(seed: number): () => bigint {
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
  return () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return state >> 3n;
  };
}
