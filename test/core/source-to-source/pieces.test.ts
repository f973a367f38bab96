/**
 * The programs of the conformance tests, each about one construct, clause or routine, in the other language: translated,
 * they are valid there and have as many regions, or they are refused at a place of theirs.
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";
import { type Language as Model, type Piece, piecesOf } from "../../conformance/pieces.ts";

const root = path.resolve(import.meta.dirname, "../../..");

const prelude = path.join(root, "test/conformance/prelude.h");

const defines: Readonly<Record<Model, readonly string[]>> = {
  omp: ["-fopenmp", "-U_OPENMP", "-D_OPENMP=201811"],
  acc: ["-D_OPENACC=202211", "-include", "omp.h"],
};

function read(text: string, model: Model) {
  const args = ["-E", "-dD", ...defines[model], "-isystem", "targets/runtime/include", "-x", "c", "-"];
  const made = execFileSync("gcc", args, { cwd: root, encoding: "utf8", input: text, maxBuffer: 2 ** 28 });
  return frontEnd({ file: "piece.c", text: made.replaceAll('"<stdin>"', '"piece.c"') });
}

const others: Readonly<Record<Model, Model>> = { omp: "acc", acc: "omp" };

/** What is wrong with the translation, if anything; `refused`: why there is none. */
function judged(piece: Piece, from: Model): { readonly refused?: string; readonly wrong?: string } {
  const text = `#include "${prelude}"\n${piece.text}`;
  const { parsed, program } = read(text, from);
  if (program.diagnostics.some(({ severity }) => severity === "error")) return {};
  const to = from === "acc" ? "openmp" : "openacc";
  const made = translateSource(
    { file: "piece.c", text, parsed, program },
    { to, openmp: "5.1", map: "default" },
  );
  const [refusal] = made.diagnostics.filter(({ severity }) => severity === "error");
  if (refusal) return { refused: refusal.code };
  const again = read(made.text, others[from]);
  const errors = again.program.diagnostics.filter(({ severity }) => severity === "error");
  const said = errors.map(({ loc, message }) => `${message}\n${made.text.split("\n")[loc.line - 1]}`);
  return said.length > 0 ? { wrong: said.join("\n") } : {};
}

describe.each(["omp", "acc"] as const)("pieces of %s", (model) => {
  it("are refused, or valid in the other language", { timeout: 600_000 }, () => {
    const wrong: string[] = [];
    const refusals: string[] = [];
    for (const piece of piecesOf(model)) {
      if (piece.refused || piece.only) continue;
      const found = judged(piece, model);
      if (found.wrong) wrong.push(`${piece.file}:${piece.line}: ${found.wrong}`);
      if (found.refused) refusals.push(found.refused);
    }
    expect(wrong.join("\n\n")).toBe("");
    expect(refusals.filter((code) => code === "directive-not-read")).toEqual([]);
  });
});
