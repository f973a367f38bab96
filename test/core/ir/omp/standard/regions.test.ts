/**
 * Every directive of OpenMP 5.2 and 6.0 in a region, with every clause: what a clause says is in the IR, or the clause is
 * refused by name at its place, or it stands in the list below of those without an effect that a program can see. Clauses
 * that may not stand there are refused at their place. Nothing is dropped without a word.
 */
import { describe, expect, test } from "vitest";
import { normalise } from "../../../../../core/ir/normalise/normalise.ts";
import { directives } from "../../../../../core/ir/omp/directive/grammar.ts";
import { parseDirective } from "../../../../../core/ir/omp/directive/parse.ts";
import { readDirectives } from "../../../../../core/ir/read/read.ts";
import { programText } from "../../../../../core/ir/text/print.ts";
import { type Diagnostic, parse } from "../../../../../core/lang/index.ts";
import { sampled } from "../../../../sampled.ts";
import { pragmas } from "../../../lang/parsing.ts";
import { directiveText, prelude, programOf, spelled } from "./programs.ts";
import { allClauses, clausesOf } from "./standard.ts";

/** Why a clause of a region need not be in the IR, and on which directives, if not on all. */
const without: Readonly<Record<string, readonly [why: string, on?: RegExp]>> = {
  absent: ["a promise"],
  acq_rel: ["every flush is a full one", /^flush$/],
  acquire: ["every flush is a full one", /^flush$/],
  affinity: ["advice"],
  align: ["a note says that 'allocate' has no effect"],
  aligned: ["a promise"],
  allocate: ["what is written names no copies", /^taskgroup$/],
  allocator: ["a note says that 'allocate' has no effect"],
  at: ["what is written is needed without the clause, too", /^error$/],
  bind: ["the construct's place says the same", /loop$/],
  collapse: ["one thread runs all iterations in order", /taskloop/],
  contains: ["a promise"],
  counts: ["the parts follow each other as the iterations do", /^split$/],
  depend: ["constructs run one after the other"],
  depth: ["what is written is the default", /^fuse$/],
  dist_schedule: ["a note says so; where a program can see it, a warning"],
  exclusive: ["the statements' order says it", /^scan$/],
  final: ["tasks run where they stand; what omp_in_final answers is tested below"],
  grainsize: ["tasks run where they stand"],
  graph_id: ["tasks are created each time"],
  graph_reset: ["tasks are created each time"],
  hint: ["advice"],
  holds: ["a promise"],
  if: ["one thread computes the same as all of them", /^(?!target)(?!teams$)/],
  inclusive: ["what is written is needed without the clause, too", /^scan$/],
  interop: ["no variant takes an object", /^dispatch$/],
  is_device_ptr: ["in a region, pointers lead to the device anyway", /^dispatch$/],
  lastprivate: ["one thread runs all iterations in order, with the variable itself", /taskloop/],
  linear: ["what the loop's statements do to the variable says it", /simd$/],
  looprange: ["what is written is the default", /^fuse$/],
  memscope: ["atomics and flushes are the device's"],
  mergeable: ["a permission"],
  no_openmp: ["a promise"],
  no_openmp_constructs: ["a promise"],
  no_openmp_routines: ["a promise"],
  no_parallelism: ["a promise"],
  nogroup: ["tasks run where they stand"],
  nontemporal: ["advice"],
  nowait: ["a note says that the program goes on when the construct is done"],
  num_tasks: ["tasks run where they stand"],
  order: ["a permission"],
  permutation: ["what is written is the default", /^interchange$/],
  priority: ["advice"],
  proc_bind: ["threads of a device have no places"],
  reduction: ["one thread runs all iterations in order, with the variable itself", /taskloop/],
  relaxed: ["the default", /^atomic$/],
  release: ["every flush is a full one", /^flush$/],
  replayable: ["tasks are created each time"],
  safelen: ["iterations run side by side only where none needs another one"],
  schedule: ["a note says so; where a program can see it, a warning", /simd$/],
  seq_cst: ["every flush is a full one", /^flush$/],
  severity: ["what is written is needed without the clause, too", /^error$/],
  shared: ["the default"],
  simdlen: ["advice"],
  task_reduction: ["tasks run where they stand, with the variable itself"],
  threads: ["the default", /^ordered$/],
  threadset: ["a permission"],
  transparent: ["tasks run where they stand, one after the other"],
  untied: ["a permission"],
  update: ["the default", /^atomic$/],
  uses_allocators: ["variables stand where they are declared"],
};
/** Directives that no region may hold: refused as a whole. */
const refusedWhole = /^(depobj|interop)$/;

interface Answer {
  readonly clause: string;
  readonly said: readonly Diagnostic[];
  readonly ir: string;
}

/** Each clause in a function of one program. */
function answers(directive: string, clauses: readonly string[]): readonly Answer[] {
  const { text, lines } = programOf(directive, clauses, "region");
  const { unit, diagnostics } = parse(text, { file: "test.c" });
  expect(diagnostics).toEqual([]);
  const program = normalise(readDirectives(unit));
  const texts = programText(program)
    .split(/^(?=void f\d+\()/m)
    .slice(1);
  return clauses.map((clause, k) => ({
    clause,
    said: program.diagnostics.filter(({ loc }) => loc.line === lines[k]),
    ir: (texts[k] ?? "").replaceAll(/\bf\d+/g, "f"),
  }));
}

const isAbout = ({ message }: Diagnostic, name: string): boolean => message.includes(`'${name}`);

describe("a clause that the standard allows in a region is carried out, refused by name, or has no effect", () => {
  const inRegions = Object.entries(clausesOf).filter(([, clauses]) => clauses.length > 0);
  test.each(sampled(inRegions, 3))("%s", (directive, clauses) => {
    const [plain, ...rest] = answers(directive, ["", ...clauses]);
    const dropped = rest.filter(({ clause, said, ir }) => {
      const errors = said.filter(({ severity }) => severity === "error");
      const names = refusedWhole.test(directive) ? [directive] : [clause];
      if (errors.length > 0) return !errors.every((d) => names.some((name) => isAbout(d, name)));
      if (said.some((d) => d.severity === "warning" && isAbout(d, clause))) return false;
      const [why, on] = without[clause] ?? [];
      return ir === plain?.ir && !(why !== undefined && (on?.test(directive) ?? true));
    });
    expect(dropped.map(({ clause, said }) => [clause, said])).toEqual([]);
  });
});

describe("a clause that the standard does not allow is refused at its place", () => {
  /** Taken beyond the standard: iterations in order (OpenMP 5.2, section 11.6.1 leaves them out of combined loops). */
  const taken = /^(target )?(teams )?distribute parallel for( simd)? (linear|ordered)$/;
  const read = Object.keys(directives).filter((name) => name in clausesOf && !refusedWhole.test(name));
  test.each(read)("%s", (directive) => {
    const isOther = (clause: string): boolean => `${directive} ${clause}` in directives;
    const wrong = allClauses.filter(
      (clause) =>
        !clausesOf[directive]?.includes(clause) &&
        !isOther(clause) &&
        !taken.test(`${directive} ${clause}`) &&
        `${directive} ${clause}` !== "ordered depend",
    );
    const lines = wrong.map((clause) => directiveText(directive, clause));
    const body = lines.map((line) => `${line}\n;\n`).join("");
    const text = `${prelude}void f(int n, double *x, double *a, double *b, double t, int s, int k, int own) { double h[8]; omp_depend_t later; omp_event_handle_t event; omp_interop_t object;\n${body}}\n`;
    const { unit } = parse(text, { file: "test.c" });
    const found = pragmas(unit).filter(
      ({ tokens }) => tokens[1]?.text !== "threadprivate" && tokens[2]?.text !== "variant",
    );
    const silent = wrong.filter((clause, k) => {
      const pragma = found[k];
      if (!pragma) return true;
      const column = (lines[k] ?? "").lastIndexOf(` ${spelled(directive, clause)}`) + 2;
      return !parseDirective(pragma).diagnostics.some(
        (d) => d.severity === "error" && d.loc.col === column && isAbout(d, clause),
      );
    });
    expect(silent).toEqual([]);
  });
});
