import { expect, it } from "vitest";
import { distinct } from "../../../../../core/compiler/passes/rewrite/aliasing.ts";
import { parse } from "../../../../../core/lang/index.ts";

it("separates arrays and restrict pointers, also by names of types, and nothing from plain pointers or itself", () => {
  const { unit } = parse(
    `typedef float *plain; typedef float *restrict own; typedef float row[4];
row array, other; float *pointer; float *restrict first; own second; plain restrict third; plain fourth;`,
    { file: "a.c" },
  );
  const found = unit.externals.flatMap((e) => (e.kind === "decl" ? e.decls.map((d) => d.sym) : []));
  const variables = found.filter((sym) => sym.kind === "var");
  const alone = variables.filter((sym) => !variables.some((other) => distinct(sym, other)));
  expect(alone.map((sym) => sym.name)).toEqual(["pointer", "fourth"]);
  for (const sym of variables) expect(distinct(sym, sym)).toBe(false);
  const [array, other, , ...pointers] = variables;
  if (!array || !other) throw new Error("no arrays");
  for (const sym of [other, ...pointers.slice(0, 3)]) expect(distinct(array, sym)).toBe(true);
  for (const sym of alone) expect([distinct(array, sym), distinct(sym, array)]).toEqual([false, false]);
});
