/**
 * Short programs after the patterns of DataRaceBench and DRACC, each with the label that such a benchmark gives it:
 * `yes`, it has a fault, or `no`. What is missed is named here, and docs/check.md says how often arc is right.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "../../../core/lang/index.ts";
import { lintParsed } from "../../../core/lint/lint.ts";
import { headers, plain, prelude } from "./pairs/program.ts";

const folder = path.join(import.meta.dirname, "catalogue");

interface Program {
  readonly file: string;
  readonly name: string;
  readonly label: string;
  readonly lines: readonly string[];
}

const programs = readdirSync(folder).flatMap((file) =>
  readFileSync(path.join(folder, file), "utf8")
    .split(/^\/\/: /m)
    .slice(1)
    .map((part): Program => {
      const [head = "", ...lines] = part.split("\n");
      const [name = "", label = ""] = head.split(" ");
      return { file, name, label, lines };
    }),
);

/** Missed faults: `maybe` is told with `--maybe`. */
const missed: Readonly<Record<string, "maybe" | "nothing">> = {
  // The outer loop doubles its counter, so which elements lie how far apart is not followed.
  "kernels.c: prefix-sum-by-doubling-in-place": "maybe",
  // Locks in an array, and tasks that end when an event is fulfilled.
  "threads.c: lock-per-element-of-a-neighbour": "maybe",
  "tasks.c: detached-and-nobody-waits": "maybe",
  // A loop with two conditions, whose end is not known.
  "threads.c: blocks-of-work-that-include-the-end": "nothing",
  // Some compilers find such a sum themselves.
  "devices.c: acc-worker-sum-without-reduction": "nothing",
  // A whole array is copied while another thread sets an element in its midst.
  "threads.c: memory-copied-while-written": "nothing",
  // A pointer to the first thread's copy of a threadprivate variable.
  "threads.c: threadprivate-read-from-the-first-thread": "nothing",
  // A task outlives the variable that it shares.
  "tasks.c: local-of-the-creator-gone": "nothing",
  // A merged task changes the result, but nothing runs beside it.
  "tasks.c: merged": "nothing",
  // A region of the device that is a task, beside a task of the host.
  "devices.c: target-tasks-missing-dependence": "nothing",
};

/** Words that gcc 12 lacks, and one fault that it refuses. */
const newer: ReadonlySet<string> = new Set([
  "functions-with-a-parameter-move-data",
  "inoutset-that-writes-one",
  "inoutset-then-a-reader",
  "detached",
  "detached-and-nobody-waits",
  "threadprivate-missing",
]);

/** `#define N 100`, without a preprocessor. */
function defined(lines: readonly string[]): readonly string[] {
  const macros = lines.flatMap((line) => {
    const [, name, value] = /^#define (\w+) (\d+)$/.exec(line) ?? [];
    return name && value ? [{ name: new RegExp(`\\b${name}\\b`, "g"), value }] : [];
  });
  return lines.map((line) =>
    line.startsWith("#define")
      ? ""
      : macros.reduce((text, { name, value }) => text.replace(name, value), line),
  );
}

const judged = programs.map(({ file, name, label, lines }) => {
  const parsed = parse(plain(prelude) + defined(lines).join("\n"), { file });
  const { findings, errors } = lintParsed(parsed, { advice: false, doubts: true });
  expect(errors, name).toEqual([]);
  const said = findings.some((f) => f.certainty === "proved")
    ? "proved"
    : findings.length > 0
      ? "maybe"
      : "nothing";
  return { name: `${file}: ${name}`, label, said };
});

it("has no false alarm", () => {
  expect(judged.filter((p) => p.label === "no" && p.said === "proved")).toEqual([]);
});

it("finds all faults but those that are known to be missed", () => {
  const left = judged.filter((p) => p.label === "yes" && p.said !== "proved");
  expect(Object.fromEntries(left.map(({ name, said }) => [name, said]))).toEqual(missed);
});

it("is right as often as the manual says", () => {
  const manual = readFileSync(path.resolve(import.meta.dirname, "../../../docs/check.md"), "utf8");
  const row = (title: string, list: typeof judged): string => {
    const [faults, none] = ["yes", "no"].map((label) => list.filter((p) => p.label === label));
    const right = list.filter((p) => (p.label === "yes") === (p.said === "proved")).length;
    const told = right + list.filter((p) => p.label === "yes" && p.said === "maybe").length;
    const percent = ((100 * right) / list.length).toFixed(1);
    return `| ${title} | ${faults?.length} | ${none?.length} | ${right} (${percent} %) | ${told} |`;
  };
  const isMapping = ({ name }: { readonly name: string }) => name.startsWith("mapping.c");
  expect(manual).toContain(
    row(
      "races",
      judged.filter((p) => !isMapping(p)),
    ),
  );
  expect(manual).toContain(row("mapping", judged.filter(isMapping)));
});

it("holds programs with names of their own, which gcc compiles", () => {
  expect(new Set(judged.map(({ name }) => name)).size).toBe(judged.length);
  for (const { lines, name } of programs.filter((_, k) => process.env.ARC_TEST_ALL || k % 25 === 7)) {
    if (newer.has(name)) continue;
    const text = lines.join("\n");
    const model = /pragma acc/.test(text) ? "-fopenacc" : "-fopenmp";
    const args = ["-w", "-fsyntax-only", model, "-foffload=disable", "-x", "c", "-"];
    execFileSync("gcc", args, { input: headers + text, stdio: ["pipe", "pipe", "pipe"] });
    expect(name).not.toBe("");
  }
});
