import { describe, expect, test } from "vitest";
import * as acc from "../../../core/ir/acc/grammar.ts";
import * as omp from "../../../core/ir/omp/directive/grammar.ts";
import { accClauses, accDirectives, ompClauses, ompDirectives } from "../../../rules/editor/clause-docs.ts";

describe("what an editor shows", () => {
  test("covers every directive and clause that arc reads, and no other", () => {
    expect(Object.keys(accDirectives).sort()).toEqual(Object.keys(acc.directives).sort());
    expect(Object.keys(accClauses).sort()).toEqual(Object.keys(acc.clauses).sort());
    expect(Object.keys(ompClauses).sort()).toEqual(Object.keys(omp.clauses).sort());
    const words = new Set(Object.keys(ompDirectives));
    const unknown = Object.keys(omp.directives).filter(
      (name) => !words.has(name) && !name.split(" ").every((leaf) => words.has(leaf)),
    );
    expect(unknown).toEqual([]);
  });
});
