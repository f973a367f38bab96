/**
 * What each pass makes of a region, as pairs of texts. A file of `pairs/PASS` has the pass and the axes on its first line, what
 * it shows on the second, then the IR before. After it stand the IR that the pass returns and its remarks, or why it
 * refuses. A new pair needs no code here: `vitest run test/core/compiler/passes/pairs.test.ts -u` writes the rest of the
 * file, and turns C with directives into the IR that the pass gets, after those before it.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { passes, runPass } from "../../../../core/compiler/passes/pipeline.ts";
import type { Pass, PassResult } from "../../../../core/compiler/passes/rewrite/pass.ts";
import { noOtherUnits } from "../../../../core/ir/analysis/routines.ts";
import type { DeviceProfile } from "../../../../core/ir/model/device-profile.ts";
import type { Program } from "../../../../core/ir/model/program.ts";
import { normalise } from "../../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { parseProgram } from "../../../../core/ir/text/parse.ts";
import { programText } from "../../../../core/ir/text/print.ts";
import { parse } from "../../../../core/lang/index.ts";
import type { Diagnostic, Loc } from "../../../../core/lang/tree/ast.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { findDevice } from "../../../../targets/devices/devices.ts";
import { mapTasks } from "../../ir/reading.ts";

const folder = path.join(import.meta.dirname, "pairs");

/** The first line of a pair, in YAML's flow form. */
interface Setting {
  readonly pass: string;
  readonly axes?: Assignment;
  /** stratix-v if it is not said. */
  readonly device?: string;
}

interface Pair {
  readonly pass: Pass;
  readonly axes: Assignment;
  readonly device: DeviceProfile;
  /** The first two lines. */
  readonly head: readonly string[];
  readonly before: Program;
}

const errors = (found: readonly Diagnostic[]) =>
  found.filter((d) => d.severity === "error").map((d) => d.message);

function readPair(text: string, file: string): Pair {
  const [first = "", title = ""] = text.split("\n");
  const {
    pass: name,
    axes = {},
    device: deviceName = "stratix-v",
  } = parseYaml(first.replace("// ", "")) as Setting;
  const pass = passes.find((p) => p.name === name);
  const device = findDevice(deviceName);
  if (!pass || !device) throw new Error(`${file}:1: no pass '${name}' or no device '${deviceName}'`);
  const source = text.slice(0, text.search(/^\/\/ after/m) >>> 0);
  const before = source.includes("#pragma upir")
    ? parseProgram(source, file)
    : passedBefore(source, { pass, axes, device });
  expect(errors(before.diagnostics)).toEqual([]);
  return { pass, axes, device, head: [first, title], before };
}

type Run = Pick<Pair, "pass" | "axes" | "device">;

/** C with directives, normalised, after the passes before the one in question. */
function passedBefore(source: string, { pass, axes, device }: Run): Program {
  const { unit, diagnostics } = parse(source, { file: "pair.c" });
  expect(errors(diagnostics)).toEqual([]);
  const program = normalise(readOpenarc(readDirectives(unit)), { kind: "whole", others: noOtherUnits });
  return passes
    .slice(0, passes.indexOf(pass))
    .reduce((at, earlier) => rewritten(at, { pass: earlier, axes, device }).program, program);
}

/** The program with the pass's result in place of every region. */
function rewritten(
  program: Program,
  { pass, axes, device }: Run,
): { program: Program; results: readonly PassResult[] } {
  const results: PassResult[] = [];
  const made = mapTasks(program, (task) => {
    const result = runPass(pass, { task, choice: axes, device });
    results.push(result);
    if ("task" in result) for (const remark of result.remarks) expect(remark.pass).toBe(pass.name);
    return "task" in result ? result.task : task;
  });
  return { program: made, results };
}

function told(result: PassResult): readonly string[] {
  const at = ({ line, col }: Loc) => `${line}:${col}`;
  if ("task" in result)
    return result.remarks.map((r) => `// ${r.applied ? "done" : "left"} at ${at(r.loc)}: ${r.message}`);
  return result.diagnostics.flatMap((d) => [
    `// refused at ${at(d.loc)}: ${d.message} [${d.code}]`,
    ...(d.why === undefined ? [] : [`//   because ${d.why}`]),
    ...(d.remedy === undefined ? [] : [`//   remedy: ${d.remedy}`]),
  ]);
}

/** A pair as its file has to be. */
function written({ head, before, ...run }: Pair, file: string): string {
  const earlier = [...head, programText(before).trimEnd()].join("\n");
  // Places are those of the file as it is written.
  const again = parseProgram(earlier, file);
  const { program, results } = rewritten(again, run);
  const after = programText(program);
  const unchanged = after === programText(again);
  if (!unchanged) expect(errors(parseProgram(after, file).diagnostics)).toEqual([]);
  return [
    earlier,
    "",
    unchanged ? "// after: the same" : `// after\n${after.trimEnd()}`,
    "",
    ...results.flatMap(told),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

const pairs = passes.flatMap(({ name }) =>
  readdirSync(path.join(folder, name)).map((file) => {
    const place = path.join(folder, name, file);
    return { name: `${name}/${file}`, pass: name, place, text: readFileSync(place, "utf8") };
  }),
);
const isSame = (text: string) => text.includes("\n// after: the same\n");

describe("passes", () => {
  it.each(pairs)("$name", async ({ name, place, text }) => {
    await expect(written(readPair(text, name), name)).toMatchFileSnapshot(place);
  });

  it.each(passes)("$name has a pair in which it does something and one in which it does not", ({ name }) => {
    const own = pairs.filter(({ pass }) => pass === name).map(({ text }) => isSame(text));
    expect(own).toContain(false);
    expect(own).toContain(true);
  });

  it("say why they leave a region alone, unless nothing asks for them", () => {
    const silent = pairs.filter(({ text }) => isSame(text) && !/^\/\/ (left|refused|done) at/m.test(text));
    for (const { text } of silent) expect(text.split("\n")[1]).toMatch(/^\/\/ Nothing asks/);
  });
});
