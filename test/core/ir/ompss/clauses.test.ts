/**
 * Every clause on every construct for tasks: it changes what the program means, or it is refused at its place, or it
 * stands in the list below of those that may be left out. Nothing is dropped without a word.
 */
import { expect, it } from "vitest";
import { clauses, refusedClauses } from "../../../../core/ir/ompss/grammar.ts";
import { withKernelFiles } from "../../../../core/ir/ompss/kernel-files.ts";
import { programText } from "../../../../core/ir/text/print.ts";
import { read } from "../reading.ts";

/** One argument for each clause that every construct could take. */
const written: Readonly<Record<string, string>> = {
  if: "n > 3",
  final: "n > 3",
  priority: "n + 2",
  grainsize: "5",
  num_tasks: "3",
  label: "named",
  default: "shared",
  threadset: "omp_pool",
  safelen: "8",
  simdlen: "8",
  reduction: "+: s",
  in_reduction: "+: s",
  task_reduction: "+: s",
  depend: "in: *y",
  device: "smp",
  ndrange: "1, n, 32",
  shmem: "64",
  file: "other.cl",
  name: "other",
  implements: "f",
  onto: "1",
};
const argumentOf = (name: string): string => {
  if (name in refusedClauses) return "s";
  const { argument } = clauses[name] ?? { argument: "none" };
  if (argument === "vars") return "s";
  if (argument === "regions") return "*y";
  return written[name] ?? "";
};
const spelled = (name: string): string =>
  clauses[name]?.argument === "none" ? name : `${name}(${argumentOf(name)})`;

const inMain = (directive: string, behind: string) =>
  `int s, n;\nvoid g(int *y) {\n${directive}\n${behind}\n}\n`;
const declared = "void f(int n, int *x, int *y);";

/** A program with a clause in its place. */
const constructs: Readonly<Record<string, (clause: string) => string>> = {
  "task on a statement": (c) => inMain(`#pragma oss task ${c}`, "{ int i = s + n; *y = i; }"),
  "target beside a statement": (c) =>
    inMain(`#pragma omp target device(smp) ${c}\n#pragma omp task inout(y[1;2])`, "*y = s + n;"),
  "task on a function": (c) => `int s;\n#pragma oss task ${c}\n${declared}\nvoid m(int *p) { f(1, p, p); }\n`,
  "target beside a host function": (c) =>
    `int s;\n#pragma omp target device(smp) ${c}\n#pragma omp task inout(y[1;2])\n${declared}\nvoid m(int *p) { f(1, p, p); }\n`,
  "target beside a kernel": (c) =>
    `int s;\n#pragma omp target device(opencl) ndrange(1, n) file(k.cl) ${c}\n#pragma omp task in(*x) inout(*y)\n${declared}\nvoid m(int *p) { f(1, p, p); }\n`,
  taskwait: (c) => inMain(`#pragma oss taskwait ${c}`, "*y = s + n;"),
  taskgroup: (c) => inMain(`#pragma oss taskgroup ${c}`, "{ *y = s + n; }"),
  taskloop: (c) => inMain(`#pragma oss taskloop ${c}`, "for (int i = 0; i < 9; i++) *y = s + n;"),
  taskyield: (c) => inMain(`#pragma oss taskyield ${c}`, "*y = s + n;"),
};

/** Why a clause may be left out. */
const without: Readonly<Record<string, string>> = {
  tied: "tasks stay on the thread that starts them",
  untied: "tasks stay on the thread that starts them",
  mergeable: "a task's data are its own",
  replayable: "tasks are created each time",
  threadset: "any thread may run a task",
  simd: "the C compiler finds out itself",
  safelen: "the C compiler finds out itself",
  simdlen: "advice",
  wait: "a task is complete when all that it created is",
  copy_deps: "the default",
  device: "smp is the default",
  shared: "globals are shared",
  task_reduction: "tasks that reduce add to the variable itself",
};

const reported = (text: string) => {
  const found = read(
    withKernelFiles(text, (path) => ({
      path,
      text: `__kernel void ${path.replace(".cl", "")}() {}`,
    })),
  );
  const errors = found.diagnostics.filter((d) => d.severity !== "note");
  return { errors, text: errors.length > 0 ? "" : programText(found) };
};

const names = [...Object.keys(clauses), ...Object.keys(refusedClauses)];
it.each(Object.entries(constructs))("%s takes the clauses that OmpSs gives it", (_, program) => {
  const plain = reported(program(""));
  expect(plain.errors).toEqual([]);
  const dropped: string[] = [];
  for (const name of names) {
    const { errors, text } = reported(program(spelled(name)));
    const line = program("\0").split("\0")[0]?.split("\n").length;
    if (errors.length > 0) {
      // At the directive, with a remedy.
      expect([name, errors.some((d) => d.loc.line === line || d.loc.line === (line ?? 0) + 1)]).toEqual([
        name,
        true,
      ]);
      for (const d of errors) expect([name, (d.remedy ?? "").length > 0]).toEqual([name, true]);
    } else if (text === plain.text) dropped.push(name);
  }
  expect(dropped.filter((name) => !(name in without))).toEqual([]);
});
