/** Whether the programs themselves are right: gcc is the judge, as plain C and as OpenACC on the host. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { sampled } from "../sampled.ts";
import { type Program, programsIn } from "./catalogue.ts";
import { start } from "./process.ts";

const programs = programsIn(path.join(import.meta.dirname, "acc"));

const folder = mkdtempSync(path.join(tmpdir(), "arc-serial-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What went wrong with a program built with these flags; undefined when it returned 0. */
async function trouble(
  program: Program,
  label: string,
  flags: readonly string[],
): Promise<string | undefined> {
  const exe = path.join(folder, `${program.name}.${label}`);
  const common = ["-std=gnu11", "-Wall", "-Wno-unknown-pragmas", "-Wno-unused"];
  const strict = program.warns ? [] : ["-Werror"];
  const options = [...common, ...strict, ...flags];
  const built = await start("gcc", [...options, ...program.sources, "-o", exe, "-lm", "-lgomp"]);
  if (built.status !== 0) return `${program.name} does not compile:\n${built.err}`;
  const ran = await start(exe, program.args, { seconds: 10 });
  return ran.status === 0 ? undefined : `${program.name} returns ${ran.status}:\n${ran.err}`;
}

async function troubles(
  chosen: readonly Program[],
  label: string,
  flags: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(chosen.map((program) => trouble(program, label, flags)));
  return found.filter((text) => text !== undefined);
}

it("every program is right as plain C", { timeout: 300_000 }, async () => {
  const chosen = programs.filter((p) => !p.directivesNeeded);
  // Warnings about values that are not set need optimisation.
  expect(await troubles(chosen, "plain", ["-O1"])).toEqual([]);
});

it("programs are right as gcc's OpenACC on the host", { timeout: 300_000 }, async () => {
  const chosen = sampled(programs, 4).filter((p) => !p.gccCannot && p.aborts === undefined);
  expect(await troubles(chosen, "acc", ["-O0", "-fopenacc", "-foffload=disable"])).toEqual([]);
});
