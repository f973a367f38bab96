/**
 * Every directive of OpenMP 5.2 and 6.0 for the host's threads, with every clause that the standard allows. Under
 * -fopenmp, the C compiler reads the clause, or arc names it, or it stands in the list below. Without, it is named, or one
 * thread does the same.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { translateHost } from "../../../../../core/compiler/driver/translate.ts";
import type { Diagnostic } from "../../../../../core/lang/index.ts";
import { functionOf, prelude, programOf } from "./programs.ts";
import { clausesOf } from "./standard.ts";

const include = path.join(import.meta.dirname, "../../../../../targets/runtime/include");
const mark = "\n#define ARC_HOST_OPENMP 1\n";

/** Clauses that the C compiler need not see. */
const without: Readonly<Record<string, string>> = {
  absent: "a promise",
  allocator: "variables stand where they are declared",
  align: "the declaration says it",
  contains: "a promise",
  counts: "the parts follow each other as the iterations do",
  depth: "the loops are written out",
  full: "the loop computes the same",
  graph_id: "tasks are created each time",
  graph_reset: "tasks are created each time",
  holds: "a promise",
  if: "tasks are created each time",
  interop: "the call is written out",
  is_device_ptr: "the call is written out",
  looprange: "the loops are written out",
  memscope: "the host's atomics are for all of its threads",
  no_openmp: "a promise",
  no_openmp_constructs: "a promise",
  no_openmp_routines: "a promise",
  no_parallelism: "a promise",
  nocontext: "the call is written out",
  nogroup: "no group is written",
  novariants: "the call is written out",
  nowait: "the call is complete",
  partial: "the loop computes the same",
  permutation: "the loops are written out",
  replayable: "tasks are created each time",
  sizes: "the loops are written out",
  threadset: "a permission",
};
/** Directives of which C compilers know nothing, or not all of them do. */
const arcs =
  /^(allocate|assume|dispatch|fuse|interchange|nothing|reverse|split|stripe|taskgraph|tile|unroll)$/;
const anywhere = /^(memscope|replayable|threadset)$/;

/** What the C compiler sees of clauses that older ones do not know. */
const respelled: Readonly<Record<string, RegExp>> = {
  "depobj init": /depobj\( ?later\) depend\(inout: ?a\[0\]\)/,
  "scope firstprivate": /double t_own = t;/,
};

interface Kept {
  readonly pair: string;
  readonly clause: string;
  readonly text: string;
}

const isOfHost = (directive: string): boolean => !/^(target|interop)/.test(directive);
const ofHost = Object.entries(clausesOf).filter(([directive]) => isOfHost(directive));

function said(directive: string, clauses: readonly string[], before: string): readonly Diagnostic[][] {
  const { text, lines } = programOf(directive, clauses, "host", before);
  const { diagnostics } = translateHost({ file: "test.c", text }, text);
  return lines.map((line) => diagnostics.filter((d) => d.loc.line === line || d.code === "host-threads"));
}

const isAbout = ({ message }: Diagnostic, name: string): boolean => message.includes(`'${name}`);

describe("under -fopenmp", () => {
  const kept: Kept[] = [];

  test("a clause that arc refuses is named", () => {
    const unnamed = ofHost.flatMap(([directive, listed]) => {
      const clauses = ["", ...listed];
      const found = said(directive, clauses, mark + prelude);
      return clauses.filter((clause, k) => {
        const errors = (found[k] ?? []).filter(({ severity }) => severity === "error");
        const names = found[k]?.some((d) => d.severity !== "note" && isAbout(d, clause));
        if (errors.length === 0 && !names) {
          const { text } = functionOf(directive, clause, "host", `f${kept.length}`);
          kept.push({ pair: `${directive} ${clause}`, clause, text });
        }
        return errors.length > 0 && !errors.every((d) => isAbout(d, clause));
      });
    });
    expect(unnamed).toEqual([]);
  });

  test("the C compiler reads all others, or they are listed", () => {
    const program = `${mark}${prelude}${kept.map(({ text }) => text).join("")}`;
    const { text } = translateHost({ file: "test.c", text: program }, program);
    const parts = text.split(/^(?=void f\d+\()/m).slice(1);
    expect(parts.length).toBe(kept.length);
    const unseen = kept.filter(({ pair, clause }, k) => {
      const isLeft = clause in without && (arcs.test(pair.split(" ")[0] ?? "") || anywhere.test(clause));
      const seen = respelled[pair] ?? new RegExp(`#pragma omp [^\n]*\\b${clause}\\b`);
      const isDefaultAllocator = clause === "allocate" && /^(scope|.*(simd|loop)) allocate$/.test(pair);
      return !(isLeft || isDefaultAllocator || clause === "" || seen.test(parts[k] ?? ""));
    });
    expect(unseen.map(({ pair }) => pair)).toEqual([]);
    const options = ["-fopenmp", "-fsyntax-only", "-w", "-I", include, "-x", "c", "-"];
    const { stderr } = spawnSync("gcc", options, { input: text, encoding: "utf8" });
    const lines = text.split("\n");
    const refused = [...stderr.matchAll(/^<stdin>:(\d+):\d+: error: (.*)$/gm)].map(([, line, message]) => {
      const before = lines.slice(0, Number(line)).join("\n");
      return [kept[before.split(/^void f\d+\(/m).length - 2]?.pair, message];
    });
    expect(refused).toEqual([]);
  });
});

describe("without -fopenmp", () => {
  /** What one thread does just as well, or arc does itself. */
  const alike: Readonly<Record<string, RegExp>> = {
    allocate: /^(align|allocator)$/,
    assume: /./,
    "declare simd": /./,
    depobj: /./,
    dispatch: /^(interop|is_device_ptr|nocontext|novariants|nowait)$/,
    error: /^(at|message|severity)$/,
    flush: /./,
    fuse: /^(depth|looprange)$/,
    interchange: /^permutation$/,
    nothing: /^$/,
    simd: /./,
    split: /^counts$/,
    stripe: /^sizes$/,
    task: /^(default|depend|final|firstprivate|if|in_reduction|mergeable|priority|private|replayable|shared|threadset|untied)$/,
    taskloop:
      /^(default|final|firstprivate|grainsize|if|in_reduction|mergeable|nogroup|num_tasks|priority|private|reduction|replayable|shared|threadset|untied)$/,
    "taskloop simd":
      /^(default|final|firstprivate|grainsize|if|in_reduction|mergeable|nogroup|num_tasks|priority|private|reduction|replayable|safelen|shared|simdlen|threadset|untied)$/,
    taskwait: /^(depend|nowait|replayable)$/,
    tile: /^sizes$/,
  };

  test("a directive is named, or one thread does the same", () => {
    const before = prelude.replace(/^#pragma omp threadprivate.*$/m, "");
    const unnamed = ofHost.flatMap(([directive, clauses]) => {
      const first = said(directive, clauses, before);
      const isRefused = (d: Diagnostic, clause: string): boolean =>
        d.severity === "error" && isAbout(d, clause);
      const taken = clauses.filter((clause, k) => !first[k]?.some((d) => isRefused(d, clause)));
      const found = said(directive, taken, before);
      return taken.flatMap((clause, k) => {
        const names = found[k]?.some(
          (d) => d.severity !== "note" && (isAbout(d, clause) || d.code === "host-threads"),
        );
        return names || alike[directive]?.test(clause) ? [] : [`${directive} ${clause}`];
      });
    });
    expect(unnamed).toEqual([]);
  });
});
