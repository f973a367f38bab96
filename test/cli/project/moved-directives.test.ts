/**
 * Programs of test/programs/acc whose directives are moved into directive files: on the host they print what they print
 * with all directives in their source, and their translations are the same. `ARC_PROPERTIES=20` takes twenty times as
 * many.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, statementsIn } from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";
import { preprocessed, sources } from "../../core/ir/programs.ts";
import { programsIn } from "../../programs/catalogue.ts";
import { Rig } from "../rig.ts";

const folder = path.resolve(import.meta.dirname, "../../programs/acc");
/** Errors that end a program name the directive's place, which is another one then. */
const alone = programsIn(folder).filter(
  ({ sources: own, aborts }) => own.length === 1 && aborts === undefined,
);
const STEP = Math.max(1, Math.floor(alone.length / cases(4).numRuns));
const chosen = alone.filter((_, i) => i % STEP === Math.min(17, STEP - 1));

const standsAlone = /^(update|wait|enter|exit|init|shutdown|set|cache)$/;

/** The source without directives in front of loops and routines, and the entries that bring them back. */
function moved(source: string): { readonly text: string; readonly file: string } {
  const lines = readFileSync(source, "utf8").split("\n");
  const { unit } = parse(preprocessed(path.relative(folder, source)), { file: source });
  const entries: string[] = [];
  const take = (place: { readonly file: string; readonly line: number }, head: string): void => {
    const line = lines[place.line - 1] ?? "";
    if (place.file !== unit.file || !/^\s*#pragma .*[^\\]$/.test(line)) return;
    entries.push(`${head}: ${line.trim()}`);
    lines[place.line - 1] = "";
  };
  for (const [i, e] of unit.externals.entries()) {
    if (e.kind !== "function") continue;
    const before = unit.externals[i - 1];
    if (before?.kind === "pragma" && before.tokens[1]?.text === "routine" && before.tokens[2]?.text !== "(")
      take(before.span.start, e.sym.name);
    let loops = 0;
    for (const stmt of statementsIn(e.body)) {
      if (stmt.kind !== "for") continue;
      loops++;
      for (const pragma of stmt.pragmas ?? [])
        if (!standsAlone.test(pragma.tokens[1]?.text ?? ""))
          take(pragma.span.start, `${e.sym.name} loop ${loops}`);
    }
  }
  return { text: lines.join("\n"), file: `${entries.join("\n")}\n` };
}

/** Directives without their margins, which a translation chooses. */
const flat = (text: string): string =>
  text
    .replace(/^[ \t]+(?=#\s*pragma)/gm, "")
    .replace(/\n+/g, "\n")
    .trim();

describe("moved into a directive file, the directives do the same", () => {
  it.each(chosen.map(({ name, sources: [source = ""] }) => [name, source] as const))(
    "%s",
    async (_, source) => {
      expect(sources).toContain(path.relative(folder, source));
      const { text, file } = moved(source);
      const name = path.basename(source);
      const whole = new Rig({ [name]: readFileSync(source, "utf8") }, "shared");
      const apart = new Rig({ [name]: text, [`${name}.directives`]: file }, "shared");
      const said = [];
      for (const rig of [whole, apart]) {
        const made = await rig.arc(["cc", "-acc", "-O1", "-w", name, "-o", "a.exe", "-lm"]);
        const ran =
          made.status === 0 ? await rig.run("./a.exe", [], { env: { ACC_DEVICE_TYPE: "host" } }) : made;
        const omp = await rig.arc(["translate", name, "--to", "openmp", "-o", "omp"]);
        said.push({ ran, status: omp.status, omp: omp.status === 0 ? flat(rig.read(`omp/${name}`)) : "" });
      }
      expect(said[1], file).toEqual(said[0]);
    },
  );
});
