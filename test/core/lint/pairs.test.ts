/** Pairs of programs, one with a fault and its twin without, made from patterns in many forms. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "../../../core/lang/index.ts";
import { lintParsed } from "../../../core/lint/lint.ts";
import type { Finding } from "../../../core/lint/model/finding.ts";
import type { Pattern } from "./pairs/pattern.ts";
import { choice, headers, plain, prelude, programOf } from "./pairs/program.ts";
import { races } from "./pairs/races/all.ts";
import { transfers } from "./pairs/transfers/all.ts";

/** Forms of each pattern; all combinations are more than anybody waits for. */
const forms = process.env.ARC_TEST_ALL ? 24 : 2;

const ofRaces = new Set([
  "missing-reduction",
  "missing-private",
  "loop-carried-dependence",
  "simd-dependence",
  "data-race",
  "task-race",
]);

const ofTransfers = new Set([
  "read-before-copy",
  "lost-result",
  "stale-host-read",
  "stale-device-read",
  "section-too-short",
  "missing-map",
  "never-present",
  "freed-while-mapped",
  "device-pointer-on-host",
  "queue-race",
]);

/**
 * What is missed: races that need more iterations than a constant of the program, where nobody knows how many there
 * are.
 */
const missed = new Set(["remainder", "masked-bits", "simd-safelen", "for-simd-safelen"]);

function provedIn(program: string): readonly Finding[] {
  const parsed = parse(plain(program), { file: "program.c" });
  const { findings, errors } = lintParsed(parsed, { advice: false, doubts: false });
  expect(errors, program).toEqual([]);
  return findings.filter((f) => f.certainty === "proved");
}

interface Judged {
  readonly name: string;
  readonly pattern: Pattern;
  readonly found: boolean;
  readonly alarms: readonly string[];
}

/** `counts`: the rules that a finding in a program with the fault may come from. */
const judged = (patterns: readonly Pattern[], counts: ReadonlySet<string>): readonly Judged[] =>
  patterns.flatMap((pattern, p) =>
    Array.from({ length: forms }, (_, k) => {
      const chosen = choice(p, k);
      const faulty = provedIn(programOf(pattern, chosen, true));
      const clean = provedIn(programOf(pattern, chosen, false));
      return {
        name: `${pattern.name} ${k}`,
        pattern,
        found: faulty.some((f) => counts.has(f.code)),
        alarms: clean.map((f) => f.code),
      };
    }),
  );

describe.each([
  ["races", races, ofRaces],
  ["data that is not where it is used", transfers, ofTransfers],
] as const)("%s", (_, patterns, counts) => {
  it("are found in at least 98 of 100 programs and in no twin", () => {
    const all = judged(patterns, counts);
    expect(all.filter((one) => one.alarms.length > 0)).toEqual([]);
    const overlooked = all.filter(({ found, pattern }) => !found && !missed.has(pattern.name));
    expect(overlooked.map(({ name }) => name)).toEqual([]);
    const right = all.length + all.filter(({ found }) => found).length;
    expect(right / (2 * all.length)).toBeGreaterThan(0.98);
  });

  it("have patterns with names of their own", () => {
    expect(new Set(patterns.map(({ name }) => name)).size).toBe(patterns.length);
  });
});

describe("what the patterns call a race, ThreadSanitizer sees", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "pairs-"));
  const order = path.join(folder, "order.o");
  beforeAll(() => {
    execFileSync("gcc", ["-c", "-O1", path.join(import.meta.dirname, "pairs/order.c"), "-o", order]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Exit status of a program that has reported a race. */
  const reported = 66;

  function seen(pattern: Pattern, fault: boolean): boolean {
    const source = path.join(folder, `${pattern.name}.c`);
    const program = path.join(folder, pattern.name);
    // gcc's atomic updates of floating-point numbers begin with a plain load.
    const chosen = { ...choice(races.indexOf(pattern), 1), type: "int" } as const;
    writeFileSync(source, programOf(pattern, chosen, fault).replace(prelude, headers));
    execFileSync("gcc", [
      ...["-w", "-fopenmp", "-foffload=disable", "-fsanitize=thread", source, order],
      ...["-o", program, "-lm", "-ldl"],
    ]);
    const env = {
      ...process.env,
      OMP_NUM_THREADS: "3",
      OMP_MAX_ACTIVE_LEVELS: "2",
      TSAN_OPTIONS: `exitcode=${reported}`,
    };
    // Threads may happen not to meet.
    for (let tries = fault ? 5 : 1; tries > 0; tries--)
      if (spawnSync(program, { env }).status === reported) return true;
    return false;
  }

  /** Every 60th here, all of them with ARC_TEST_ALL. */
  const sample = races.filter((p, k) => !p.unseen && (process.env.ARC_TEST_ALL || k % 60 === 7));

  it.each(sample.map((p) => [p.name, p] as const))(
    "%s",
    (_, pattern) => {
      expect({ with: seen(pattern, true), without: seen(pattern, false) }).toEqual({
        with: true,
        without: false,
      });
    },
    60_000,
  );
});
