/**
 * Small programs of their own, written after the patterns of the public benchmarks of races and of mapping errors, each
 * with what `arc check` has to say of it: a proved finding, a doubt, or nothing.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "../../../core/lang/index.ts";
import { lintParsed } from "../../../core/lint/lint.ts";
import { headers, plain, prelude } from "./pairs/program.ts";

const folder = path.join(import.meta.dirname, "verdicts");
const verdicts = ["proved", "maybe", "nothing"] as const;
type Verdict = (typeof verdicts)[number];

interface Program {
  readonly name: string;
  readonly wanted: Verdict;
  readonly text: string;
}

const programsOf = (file: string): readonly Program[] =>
  readFileSync(path.join(folder, file), "utf8")
    .split(/^\/\/: /m)
    .slice(1)
    .map((part) => {
      const [head = "", ...lines] = part.split("\n");
      const [name = "", wanted = ""] = head.split(" ");
      return { name, wanted: wanted as Verdict, text: lines.join("\n") };
    });

const functions = "void work(int); int read_input(void);\n";

function saidOf({ text }: Program, doubts: boolean): Verdict {
  const parsed = parse(plain(prelude) + functions + text, { file: "program.c" });
  const { findings, errors } = lintParsed(parsed, { advice: false, doubts });
  expect(errors, text).toEqual([]);
  if (findings.some((f) => f.certainty === "proved")) return "proved";
  return findings.length > 0 && doubts ? "maybe" : "nothing";
}

const files = readdirSync(folder);
const count = (list: readonly Program[]) => verdicts.map((v) => list.filter((p) => p.wanted === v).length);

describe.each(files)("%s", (file) => {
  const programs = programsOf(file);

  it.each([
    ["with --maybe", true],
    ["without", false],
  ])("has what is wanted said of each program, %s", (_, doubts) => {
    const wrong = programs.flatMap((program) => {
      const wanted = program.wanted === "maybe" && !doubts ? "nothing" : program.wanted;
      const said = saidOf(program, doubts);
      return said === wanted ? [] : [`${program.name}: ${said} instead of ${wanted}`];
    });
    expect(wrong).toEqual([]);
  });

  it("holds programs with names of their own, which gcc compiles", () => {
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length);
    for (const { text, name } of programs.filter((_, k) => process.env.ARC_TEST_ALL || k % 9 === 4)) {
      const args = [
        "-w",
        "-fsyntax-only",
        /pragma acc/.test(text) ? "-fopenacc" : "-fopenmp",
        "-x",
        "c",
        "-",
      ];
      execFileSync("gcc", args, { input: headers + functions + text, stdio: ["pipe", "pipe", "pipe"] });
      expect(name).not.toBe("");
    }
  });
});

it("are as many as the manual says", () => {
  const manual = readFileSync(path.resolve(import.meta.dirname, "../../../docs/check.md"), "utf8");
  const [proved, maybe, nothing] = count(files.flatMap(programsOf));
  const [of] = count(programsOf("mapping.c"));
  expect(manual.replaceAll("\n", " ")).toContain(
    `of ${proved} with a fault, ${maybe} that nobody can judge before they run, and ${nothing} without`,
  );
  expect(of).toBeGreaterThan(30);
});
