/** Completion and hover in directive files: words as in C files, behind the place of an entry. */
import { expect, test } from "vitest";
import { candidatesInEntry, meaningInEntry } from "../../../rules/editor/directive-file-words.ts";

const ACC = "#pragma acc parallel loop\n";
const OMP = "#pragma omp target teams distribute parallel for\n";
const words = (line: string, source = ACC): readonly string[] =>
  candidatesInEntry(line, line.length, source).map(({ word }) => word);

test("a directive is completed as in C", () => {
  expect(words("blur loop 2: #pragma acc ")).toEqual(
    expect.arrayContaining(["parallel loop", "loop", "data"]),
  );
  expect(words("blur loop 2: #pragma acc loop ")).toEqual(expect.arrayContaining(["gang", "vector"]));
  expect(words("clamp: #pragma acc routine ")).toEqual(expect.arrayContaining(["seq", "vector"]));
  expect(words("f region: #pragma omp target ", OMP)).toEqual(expect.arrayContaining(["data", "map"]));
});

test("clauses follow from the place and from the source's language, without directives", () => {
  expect(words("blur region 1: ")).toEqual(expect.arrayContaining(["vector_length", "num_gangs", "copyin"]));
  expect(words("blur region 1: vector_length(64) ")).toContain("num_gangs");
  expect(words("blur region 1: ")).not.toContain("num_teams");
  expect(words("blur loop 1: ")).toEqual(expect.arrayContaining(["gang", "worker", "vector"]));
  expect(words("blur loop 1: ")).not.toContain("num_gangs");
  expect(words("f region 1: ", OMP)).toEqual(expect.arrayContaining(["num_teams", "map"]));
  expect(words("f region 1: ", OMP)).not.toContain("num_gangs");
  expect(words("f region 1: ", "")).toEqual(expect.arrayContaining(["num_teams", "num_gangs"]));
  expect(new Set(words("f region: ", "")).size).toBe(words("f region: ", "").length);
});

test.each(["", "blur", "blur region", "# parallel ", "// blur region: ", "blur region 1: copyin(", "blur: "])(
  "nothing is offered behind %j",
  (line) => expect(words(line)).toEqual([]),
);

test("words are explained", () => {
  const line = "blur region 1: vector_length(64)";
  expect(meaningInEntry(line, 17, ACC)?.title).toBe("vector_length");
  expect(meaningInEntry("blur loop: #pragma acc loop vector", 25, ACC)?.title).toBe("acc loop");
  expect(meaningInEntry(line, 2, ACC)).toBeUndefined();
});
