/** Pairs of programs, one with a fault and its twin without, made from patterns in many forms. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lint } from "../../../core/lint/lint.ts";
import type { Finding } from "../../../core/lint/model/finding.ts";
import type { Pattern } from "./pairs/pattern.ts";
import { choice, headers, plain, prelude, programOf } from "./pairs/program.ts";
import { races } from "./pairs/races/all.ts";

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

/**
 * What is missed: races that need more iterations than a constant of the program, where nobody knows how many there
 * are, and loops that count down from different ends, whose iterations with equal numbers count as one thread's.
 */
const missed = new Set(["remainder", "masked-bits", "simd-safelen", "for-simd-safelen", "nowait"]);

function provedIn(program: string): readonly Finding[] {
  const { findings, errors } = lint(plain(program), "program.c");
  expect(errors, program).toEqual([]);
  return findings.filter((f) => f.certainty === "proved" && !f.advice);
}

describe("races", () => {
  const judged = () =>
    races.flatMap((pattern, p) =>
      Array.from({ length: forms }, (_, k) => {
        const chosen = choice(p, k);
        const [racy, clean] = [true, false].map((fault) => provedIn(programOf(pattern, chosen, fault)));
        return {
          name: `${pattern.name} ${k}`,
          pattern,
          found: (racy as readonly Finding[]).some((f) => ofRaces.has(f.code)),
          alarms: (clean as readonly Finding[]).map((f) => f.code),
        };
      }),
    );

  it("are found in at least 98 of 100 programs and in no twin", () => {
    const all = judged();
    expect(all.filter((one) => one.alarms.length > 0)).toEqual([]);
    expect(
      all.filter(({ found, pattern }) => !found && !missed.has(pattern.name)).map(({ name }) => name),
    ).toEqual([]);
    const right = all.length + all.filter(({ found }) => found).length;
    expect(right / (2 * all.length)).toBeGreaterThan(0.98);
  });

  it("patterns have names of their own", () => {
    expect(new Set(races.map(({ name }) => name)).size).toBe(races.length);
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
