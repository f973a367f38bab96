/** Clean programs with a synchronisation removed, and loops whose conflicts are enumerated. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../core/lint/lint.ts";
import { lintText, preprocessed } from "./preprocessed.ts";

const folder = path.join(import.meta.dirname, "programs");

/** The removed text, and its replacement. */
const mutations: readonly (readonly [name: string, what: RegExp, by: string])[] = [
  ["a reduction", / reduction\([^)]*\)/, ""],
  ["a private clause", /(?<=#pragma omp .*) (last|first)?private\((?!a, b)[^)]*\)/, ""],
  ["linear", / linear\([^)]*\)/, ""],
  ["collapse", / collapse\(2\)/, ""],
  ["an atomic", /#pragma (omp|acc) atomic.*\n/, ""],
  ["a critical section", /#pragma omp critical.*\n/, ""],
  ["ordered", /#pragma omp ordered\n/, ""],
  ["a barrier", /#pragma omp barrier\n/, ""],
  ["the barrier of a loop", /#pragma omp for\n/, "#pragma omp for nowait\n"],
  ["a taskwait", /#pragma omp taskwait\n/, ""],
  ["dependences", / depend\([^)]*\)/g, ""],
  ["copying back", /\bcopy\(a/, "copyin(a"],
  ["copying in", /\bcopyin\(a/, "create(a"],
  ["map(tofrom)", /\(tofrom :/, "(to :"],
  ["an update", /#pragma (acc|omp target) update.*\n/, ""],
  ["the same queue", /async\(1\)(?=[^#]*#pragma acc wait\n)/, "async(3)"],
];

/** Mutations of data clauses show where the host or another region reads the data, as in this file. */
const ofData = new Set(["copying back", "copying in", "map(tofrom)", "an update", "the same queue"]);
const dataPrograms = "transfers.c";

/** Mutants that are as right as the functions were, or not provably wrong. */
const immune = new Set([
  // The inner counter is declared in the loop.
  "collapsed_good: collapse",
  // A taskwait without dependences waits for all; one at the end of a function is not needed.
  "waits_for_some_good: dependences",
  "undeferred_wait_good: a taskwait",
  // Who calls it with how many threads is not known.
  "orphan_good: a critical section",
  "orphan_good: the barrier of a loop",
  // A single has a barrier at its end.
  "two_singles_good: a barrier",
  // The rest synchronises in ways that are not modelled, or is invalid OpenMP.
  "copyprivate_good: a private clause",
  "waits_good: an atomic",
  "doacross_good: dependences",
  // Data that is no longer copied is not read, or only under a condition.
  "overwritten_good: copying in",
  "other_half_good: copying in",
  "host_read_good: copying back",
  "host_read_update_good: map(tofrom)",
  "guarded_section_good: copying in",
  "lower_good: copying back",
  "two_sizes_good: copying back",
  "present_good: copying in",
  "queues_good: copying back",
  "waiting_queues_good: copying back",
  "not_waiting_good: map(tofrom)",
]);

const functions = (text: string): readonly string[] =>
  [...text.matchAll(/^\w[^;{}\n]*\b\w+_good\([^;]*?\{\n.*?^\}\n/gms)].map(([body]) => body);
const nameOf = (body: string): string => /(\w+_good)\(/.exec(body)?.[1] ?? "";

describe("a directive removed from a clean function is detected", () => {
  it.each(readdirSync(folder))("%s", (file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const mutants = functions(text).flatMap((body) =>
      mutations.flatMap(([name, what, by]) => {
        const mutant = body.replace(what, by);
        const label = `${nameOf(body)}: ${name}`;
        const apart = ofData.has(name) && file !== dataPrograms;
        return mutant === body || apart || immune.has(label) ? [] : [{ label, body, mutant }];
      }),
    );
    let whole = text;
    for (const body of new Set(mutants.map((m) => m.body))) {
      const own = mutants.filter((m) => m.body === body);
      const variants = own.map(({ mutant }, k) => mutant.replaceAll(/\b(\w+)_good\b/g, `$1_mutant${k}`));
      whole = whole.replace(body, () => [body, ...variants].join("\n"));
    }
    const { findings, errors } = lint(preprocessed(path.join(folder, file), whole), "-");
    expect(errors).toEqual([]);
    const lines = whole.split("\n");
    const functionAt = (line: number): string =>
      lines.slice(0, line).findLast((l) => /^\w[^;]*\(.*\{/.test(l)) ?? "";
    const found = new Set(
      findings.filter((f) => f.certainty === "proved").map((f) => functionAt(f.loc.line)),
    );
    const missed = mutants.filter(({ body, label }) => {
      const k = mutants.filter((m) => m.body === body).findIndex((m) => m.label === label);
      const name = nameOf(body).replace("_good", `_mutant${k}`);
      return ![...found].some((head) => head.includes(`${name}(`));
    });
    expect(missed.map((m) => m.label)).toEqual([]);
  });
});

describe("loops over constants", () => {
  const strides = [0, 1, 2, 3];
  const offsets = [0, 1, 4];
  const guards = ["1", "i % 2 == 0", "i > 5", "i != 3 && i < 8"];
  const holds: readonly ((i: number) => boolean)[] = [
    () => true,
    (i) => i % 2 === 0,
    (i) => i > 5,
    (i) => i !== 3 && i < 8,
  ];
  const cases = guards.flatMap((guard, g) =>
    strides.flatMap((s) =>
      strides.flatMap((t) => offsets.flatMap((from) => offsets.map((to) => ({ guard, g, s, t, from, to })))),
    ),
  );

  it("are found to race where two of their iterations meet, and nowhere else", () => {
    const text = cases
      .map(
        ({ guard, s, t, from, to }, k) => `void f${k}(int *a) {
#pragma omp parallel for
  for (int i = 0; i < 12; i++)
    if (${guard}) a[${s} * i + ${to}] = a[${t} * i + ${from}] + 1;
}
`,
      )
      .join("");
    const racing = new Set(
      lintText(text)
        .filter((f) => f.certainty === "proved")
        .map((f) => Math.floor((f.loc.line - 1) / 5)),
    );
    const wrong = cases.filter((c, k) => racing.has(k) !== meets(c));
    expect(wrong).toEqual([]);
  });

  function meets({ g, s, t, from, to }: (typeof cases)[number]): boolean {
    const runs = [...Array(12).keys()].filter((i) => holds[g]?.(i));
    return runs.some((i) =>
      runs.some((j) => i !== j && (s * i + to === s * j + to || s * i + to === t * j + from)),
    );
  }
});
