/**
 * Random programs of csmith. ARC_CSMITH_SEEDS says how many (500 in the nightly run); seeds are 1, 2, ...
 * so that a failure can be repeated.
 */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenConstraints, print } from "../../../core/lang/index.ts";
import { withAssertions, withCasts } from "./oracle.ts";
import { parsed } from "./parsing.ts";
import { compile, complaints, inFolder, preprocess, run } from "./toolchain.ts";

const INCLUDE = "/usr/include/csmith";
const COUNT = Number(process.env.ARC_CSMITH_SEEDS ?? 4);
const SEEDS = Array.from({ length: COUNT }, (_, i) => i + 1);
/** Seconds; some programs of csmith do not end. */
const TIME = 2;

/** What the program prints, its checksum among it; undefined when it does not end in time. */
function checksum(text: string, language: "cpp-output" | "c"): string | undefined {
  return inFolder((folder) => {
    const object = join(folder, "program.o");
    const program = join(folder, "program");
    const mode = language === "c" ? ["-undef"] : [];
    writeFileSync(join(folder, "program.c"), text);
    run("gcc", ["-w", "-O1", ...mode, "-c", "-x", language, join(folder, "program.c"), "-o", object]);
    run("gcc", [object, "-o", program]);
    const { stdout, status } = spawnSync(program, { encoding: "utf8", timeout: TIME * 1000 });
    return status === null ? undefined : `${status} ${stdout}`;
  });
}

describe.skipIf(!existsSync(INCLUDE))("a random program", () => {
  test.each(SEEDS)(
    "of seed %i parses, and prints to the same code, checksum, types and conversions, and breaks no constraint",
    (seed) => {
      // csmith leaves a file in its working folder.
      const program = inFolder((folder) => run("csmith", ["--seed", String(seed)], { cwd: folder }));
      const source = preprocess(program, ["-I", INCLUDE]);
      const unit = parsed(source);
      const functions = unit.externals.filter((one) => one.kind === "function");
      expect(functions.flatMap(({ body }) => brokenConstraints(body))).toEqual([]);
      const printed = print(unit);
      expect(compile(printed, "c")).toEqual(compile(source, "cpp-output"));
      const wanted = checksum(source, "cpp-output");
      if (wanted !== undefined) {
        expect(checksum(printed, "c")).toBe(wanted);
        // Casts change what gcc's optimiser makes of it, but never the result.
        expect(checksum(withCasts(unit), "c")).toBe(wanted);
      }
      expect(complaints(withAssertions(unit).text)).toBe("");
    },
  );
});
