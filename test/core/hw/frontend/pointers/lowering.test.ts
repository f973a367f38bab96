/** Pointers to variables as numbers: what comes out is C again, and computes the same. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { withFullInitialisers } from "../../../../../core/hw/frontend/full-initialisers.ts";
import { withoutLocalPointers } from "../../../../../core/hw/frontend/pointers/lowering.ts";
import { declaredSymbols, isPointer, parse, printStmt, walkStmt } from "../../../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../../../core/lang/tree/ast.ts";
import { compound } from "../../../../../core/lang/tree/build.ts";
import { cases } from "../../../../cases.ts";
import { randomPointers } from "./random-pointers.ts";

/** The statements of the source's only function, without pointers to its variables. */
function lowered(source: string): Stmt {
  const { unit, diagnostics } = parse(source, { file: "case.c" });
  expect(diagnostics).toEqual([]);
  const [found] = unit.externals.filter((e) => e.kind === "function");
  if (found?.kind !== "function") throw new Error("no function");
  const parameters = new Set(found.params);
  const isObject = (sym: Symbol) => sym.scope === "block" && !parameters.has(sym);
  return compound(withoutLocalPointers(withFullInitialisers(found.body.body), isObject));
}

/** New variables have names of their own, so that the text can be compiled. */
function text(body: Stmt): string {
  let count = 0;
  for (const sym of declaredSymbols(body)) (sym as { name: string }).name = `${sym.name}_${count++}`;
  return printStmt(body);
}

const usesPointers = (body: Stmt): boolean => {
  let found = false;
  walkStmt(body, {
    expr(e) {
      found ||= e.kind === "ident" && isPointer(e.type);
    },
  });
  return found;
};

describe("pointers to local variables as numbers", () => {
  it("compute what the pointers do", () => {
    const { numRuns, seed } = cases(60);
    const functions = Array.from({ length: numRuns }, (_, k) => randomPointers(seed + k));
    const made = functions.map((body) => lowered(`int f(int i) {\n${body}}`));
    made.forEach((body, k) => {
      expect(usesPointers(body), functions[k]).toBe(false);
    });
    const folder = mkdtempSync(path.join(tmpdir(), "arc-pointers-"));
    try {
      const program = functions.map(
        (body, k) => `int f${k}(int i) {\n${body}}\nint g${k}(int i) ${text(made[k] as Stmt)}\n`,
      );
      const checks = functions.map(
        (_, k) => `  for (int i = 0; i < 4; i++) if (f${k}(i) != g${k}(i)) printf("${seed + k} ");\n`,
      );
      const main = `int main(void) {\n${checks.join("")}  return 0;\n}\n`;
      writeFileSync(path.join(folder, "p.c"), `int printf(const char *, ...);\n${program.join("")}${main}`);
      execFileSync("gcc", ["-w", "-fwrapv", "-O0", "p.c", "-o", "p"], { cwd: folder, stdio: "pipe" });
      const failed = execFileSync(path.join(folder, "p"), { encoding: "utf8" });
      expect(failed, "seeds").toBe("");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
