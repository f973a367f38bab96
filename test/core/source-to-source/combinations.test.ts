/**
 * Clauses of OpenACC's `parallel loop` and `data` in all pairs, and what stands inside them: the translation has the same
 * regions, translating it back gives those of before, and nothing but directives changes. What the languages cannot both
 * say is refused, whatever stands beside it.
 */
import { describe, expect, test } from "vitest";
import type { Program } from "../../../core/ir/model/program.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse } from "../../../core/lang/index.ts";
import { regionsOf } from "./canonical.ts";
import { inFunction, translated } from "./translating.ts";

/** One of each row: clauses of the same row are not combined. */
const rows: readonly (readonly string[])[] = [
  ["", "copy(a)", "copyin(a)", "copyout(a)", "create(a)", "present(a)", "copy(a[0:n])", "copyin(always: a)"],
  ["", "copyin(b)", "copyin(readonly: b)", "deviceptr(x)", "present(b[0:50])"],
  ["", "gang", "gang vector", "gang worker", "gang(static: 8)"],
  ["", "num_gangs(4)", "num_gangs(n)", "vector_length(32)"],
  ["", "private(t)", "firstprivate(t)", "reduction(+: s)", "reduction(max: t)"],
  ["", "if(n > 3)", "self(n < 3)", "if(n) self(s)"],
  ["", "collapse(2)"],
];

const nest = "for (int p = 0; p < 10; p++) for (int r = 0; r < 10; r++) { BODY }";

/** Code that the clauses are right for. */
function bodyOf(clauses: string): string {
  if (clauses.includes("reduction(+: s)")) return "s += 1;";
  if (clauses.includes("reduction(max: t)")) return "t = t > r ? t : r;";
  const first = clauses.includes("private(t)") && !clauses.includes("first") ? "t = r;" : "";
  const from = clauses.includes("deviceptr(x)") ? "x[r]" : "b[r]";
  return `${first} m[p][r] = a[p] + ${from} + t;`;
}

/** All pairs from different rows, each with a third clause that rotates with the pair. */
function combinations(): readonly string[] {
  const found = new Set<string>();
  let turn = 0;
  for (const [r, row] of rows.entries())
    for (const one of row)
      for (const [q, others] of rows.entries())
        for (const other of q > r ? others : []) {
          const rest = rows.filter((_, i) => i !== r && i !== q);
          const third = rest[turn++ % rest.length] ?? [];
          found.add([one, other, third[turn % third.length] ?? ""].filter((c) => c !== "").join(" "));
        }
  return [...found];
}

const read = (text: string): Program => normalise(readDirectives(parse(text, { file: "test.c" }).unit));

/**
 * Advice, and copying out data that is only copied in, are not part of regions; data of an enclosing construct is
 * present, however it is mapped again.
 */
const comparable = (text: string): readonly string[] =>
  regionsOf(read(text)).map((region) =>
    region.replace(/ (readonly|alwaysOut)\b/g, "").replaceAll("allocate", "present"),
  );

const withoutDirectives = (text: string): string => text.replace(/^#pragma (acc|omp)[^\n]*\n/gm, "");

/** In every run one in four, alone or in a data region in turn; with ARC_SLOW_TESTS all, each both ways. */
const all = process.env.ARC_SLOW_TESTS !== undefined;

const sources = combinations().flatMap((clauses, i) => {
  const loop = (body: string) => `#pragma acc parallel loop ${clauses}\n${nest.replace("BODY", body)}`;
  // What the data region around has is one for all iterations, also where they only set it.
  const around = loop(`${bodyOf(clauses)} if (a[p] > 3) k = r;`);
  const forms = [loop(bodyOf(clauses)), `#pragma acc data copy(t, k) create(m)\n{\n${around}\n}`];
  return forms.flatMap((form, k) => (all || i % 8 === 4 * k ? [{ clauses, text: inFunction(form) }] : []));
});

describe("clauses beside each other", () => {
  const right = sources.filter(({ text }) => read(text).diagnostics.every((d) => d.severity !== "error"));

  test("are many", () => expect(right.length).toBeGreaterThan(50));

  test("mean the same there and back again", () => {
    const wrong: string[] = [];
    for (const { clauses, text } of right) {
      const there = translated(text, "openmp", "5.1");
      if (there.diagnostics.length > 0) {
        wrong.push(`${clauses}: ${there.diagnostics[0]?.message}`);
        continue;
      }
      const back = translated(there.text, "openacc");
      const [before, between, after] = [text, there.text, back.text].map((one) => comparable(one).join("\n"));
      if (between !== before)
        wrong.push(`${clauses}: other regions\n${before}\n---\n${between}\n${there.text}`);
      else if (back.diagnostics.length > 0) wrong.push(`${clauses}: ${back.diagnostics[0]?.message}`);
      else if (after !== before)
        wrong.push(`${clauses}: other regions behind\n${before}\n---\n${after}\n${back.text}`);
      if (withoutDirectives(there.text) !== withoutDirectives(text)) wrong.push(`${clauses}: other code`);
      if (/#pragma acc/.test(there.text) || /#pragma omp/.test(back.text))
        wrong.push(`${clauses}: a directive stays`);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  /** Scalars, addresses and sizes that clauses of the construct name, and each kind of part that uses them. */
  const named = [
    "",
    "copy(s)",
    "copyin(s)",
    "create(s)",
    "copyout(s)",
    "present(s)",
    "copy(s, n)",
    "copyin(n)",
  ];
  const others = ["", "deviceptr(x)", "if(k)", "copy(t)", "copyin(t)", "async(2)", "copy(a) copyin(j)"];
  const parts = [
    ["s = 1;", "n += j;", "for (i = 1; i < n; i++) b[i] = b[i - 1] + s;"],
    ["#pragma acc loop independent\nfor (i = 0; i < n; i++) a[i] = s + x[i];"],
    [
      "#pragma acc loop reduction(+: s)\nfor (i = 0; i < 10; i++) s += a[i];",
      "for (i = 0; i < 9; i++) a[i] = t;",
    ],
    ["#pragma acc loop independent private(t)\nfor (i = 0; i < 9; i++) { t = i; a[i] = t + s; }", "t = s;"],
  ] as const;

  /** Which variables of each region are the data environment's, which are copies, and which are addresses. */
  const sharings = (text: string): readonly string[] =>
    tasksOf(read(text)).map(({ task }) =>
      task.items
        .filter(({ access, sharing }) => access !== "none" && sharing.is !== "private")
        .map(({ sym, mapping, sharing }) =>
          [sym.name, sharing.is, ...(mapping.is === "deviceptr" ? ["address"] : [])].join(" "),
        )
        .sort()
        .join(", "),
    );

  const constructs = named
    .flatMap((one) => others.map((other) => `${one} ${other}`))
    .flatMap((clauses, k) =>
      parts.flatMap((first, i) => {
        const body = [...first, ...(parts[(i + 1) % parts.length] ?? [])].join("\n");
        const kernels = `#pragma acc kernels ${clauses}\n{\n${body}\n}`;
        const text = inFunction(`#pragma acc data copy(t)\n{\n${kernels}\n}\ny[0] = a[3] + b[2] + s + t;`);
        return all || (k * parts.length + i) % 9 === 0 ? [{ clauses, text }] : [];
      }),
    );

  test.each(constructs)("of kernels name what each part finds: $clauses", ({ text }) => {
    const { text: made, diagnostics } = translated(text, "openmp", "5.1");
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    expect(sharings(made), made).toEqual(sharings(text));
  });

  test("do not hide constructs that cannot be expressed", () => {
    for (const { clauses, text } of right.slice(0, 20)) {
      const bad = text.replace("parallel loop ", "parallel loop no_create(y) ");
      expect(
        translated(bad, "openmp").diagnostics.map((d) => d.code),
        clauses,
      ).toContain("not-translatable");
    }
  });
});
