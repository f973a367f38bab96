/**
 * The programs of the conformance tests, each about one construct, clause or routine, in the other language: translated,
 * they are right there, on the host with memory of its own, or they are refused. With ARC_SLOW_TESTS gcc builds each
 * of them, too.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import type { Diagnostic } from "../../../core/lang/tree/ast.ts";
import type { TranslatedSource } from "../../../core/source-to-source/model/source.ts";
import { translateSource, type Wishes } from "../../../core/source-to-source/translate.ts";
import { arcProgram } from "../../cli/rig.ts";
import { type Language as Model, mainOf, type Piece, piecesOf, sourceOf } from "../../conformance/pieces.ts";
import { start } from "../../programs/process.ts";
import { slow } from "../../sampled.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-translated-pieces-"));
afterAll(() => rmSync(folder, { recursive: true }));

const defines: Readonly<Record<Model, readonly string[]>> = {
  omp: ["-fopenmp", "-U_OPENMP", "-D_OPENMP=201811"],
  acc: ["-D_OPENACC=202211", "-include", "omp.h"],
};

const others: Readonly<Record<Model, Model>> = { omp: "acc", acc: "omp" };
const languages = { omp: "openmp", acc: "openacc" } as const;

function read(text: string, model: Model) {
  const args = ["-E", "-dD", ...defines[model], "-isystem", "targets/runtime/include", "-x", "c", "-"];
  const made = execFileSync("gcc", args, { cwd: root, encoding: "utf8", input: text, maxBuffer: 2 ** 28 });
  return frontEnd({ file: "piece.c", text: made.replaceAll('"<stdin>"', '"piece.c"') });
}

/** Lines are those of the text, whatever file it says they come from. */
const unnumbered = (text: string): string => text.replaceAll(/^#line .*$/gm, "");

/** Nothing, if arc does not take the text itself. */
function translated(
  text: string,
  from: Model,
  { openmp, map }: Pick<Wishes, "openmp" | "map"> = { openmp: "5.1", map: "default" },
): TranslatedSource | undefined {
  const { parsed, program } = read(text, from);
  if (program.diagnostics.some(({ severity }) => severity === "error")) return undefined;
  return translateSource(
    { file: "piece.c", text, parsed, program },
    { to: languages[others[from]], openmp, map },
  );
}

const refusalOf = ({ diagnostics }: TranslatedSource): string | undefined =>
  diagnostics.find(({ severity }) => severity === "error")?.code;

/**
 * Those of some pieces of one file that are translated: pieces with errors are left out until there are none. A few are
 * refused beside others alone, and are tried by themselves with ARC_SLOW_TESTS.
 */
function translatable(pieces: readonly Piece[], model: Model): readonly Piece[] {
  const source = sourceOf(pieces);
  const starts = source.split("\n").flatMap((line, k) => (line.startsWith("#line ") ? [k + 1] : []));
  const { parsed, program } = read(unnumbered(source), model);
  const isError = ({ severity }: Diagnostic) => severity === "error";
  const errors = program.diagnostics.some(isError)
    ? program.diagnostics.filter(isError)
    : translateSource(
        { file: "piece.c", text: unnumbered(source), parsed, program },
        { to: languages[others[model]], openmp: "5.1", map: "default" },
      ).diagnostics.filter(isError);
  if (errors.length === 0) return pieces;
  const refused = new Set(errors.map(({ loc }) => starts.findLastIndex((start) => start < loc.line)));
  expect(errors.map(({ code }) => code)).not.toContain("directive-not-read");
  expect(refused, "errors of the prelude").not.toContain(-1);
  return translatable(
    pieces.filter((_, k) => !refused.has(k)),
    model,
  );
}

const switches: Readonly<Record<Model, readonly string[]>> = {
  omp: ["-fopenmp"],
  acc: ["-fopenmp", "-fopenacc"],
};

/** What is another thing where memory is separate. */
const otherwise: Readonly<Record<string, string>> = {
  implicit_part:
    "stops with a message: OpenACC's implicit `copy` wants all of an array to be there, or nothing",
  declared_begins: "arc's devices begin with what the host has when they are first used, for OpenACC",
};

/** What gcc 12 refuses, or takes for something else, written by hand as well. */
const notByGcc: Readonly<Record<string, string>> = {
  use_device_ptr: "'deviceptr' in 'host_data' of the pointer",
  use_device_addr_array: "'deviceptr' in 'host_data' of the pointer",
  use_device_addr_scalar: "'use_device' of a scalar",
  reduction_section: "reductions of arrays: it ends with an internal error",
  reduction_array: "reductions of arrays",
  reduction_complex: "reductions of arrays",
  private_of_known_size: "private arrays of variable size: the program ends",
  private_of_variable_size: "private arrays of variable size",
  device_type_nohost: "functions without a version for the host, where the host is the device",
  host_for_regions: "OpenACC's regions inside of OpenMP's",
  routines_locks_hints: "the routine",
  for_collapse: "!= of loops",
  reduction_original: "the modifier",
  requires_address: "the clause",
  meta_condition_of_host: "the end of metadirectives",
  present_if_shared: "it holds that everything is present on the host, also NULL",
};

describe.each(["omp", "acc"] as const)("pieces of %s", (model) => {
  const taken: Piece[] = [];

  it("are refused at their places, or translated", { timeout: 600_000 }, () => {
    const pieces = piecesOf(model).filter(({ refused, only }) => !refused && !only);
    const files = [...new Set(pieces.map(({ file }) => file))];
    const together = files.map((file) => pieces.filter((piece) => piece.file === file));
    const some = slow ? pieces.map((piece) => [piece]) : together;
    taken.push(...some.flatMap((of) => translatable(of, model)));
  });

  it("are right in the other language", { timeout: 600_000 }, async () => {
    const sources = [...new Set(taken.map(({ file }) => file))].map((file) => {
      const text = unnumbered(sourceOf(taken.filter((piece) => piece.file === file)));
      const made = translated(text, model);
      expect(made?.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const name = path.join(folder, file.replace("/", "-"));
      writeFileSync(name, made?.text ?? "");
      return name;
    });
    const main = path.join(folder, `${model}-main.c`);
    writeFileSync(main, mainOf(taken));
    const exe = path.join(folder, model);
    const args = [
      "cc",
      ...(model === "omp" ? ["-fopenmp", "-acc"] : ["-fopenmp"]),
      "-target",
      "host",
      "-O0",
      ...sources,
      main,
      "-o",
      exe,
      "-lm",
    ];
    const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
    const built = await start(arcProgram, args, { env, seconds: 500 });
    expect(built.status, built.err).toBe(0);
    const own = {
      ARC_TARGET: "host",
      ARC_HOST_MEMORY: "separate",
      ARC_HOST_DEVICES: "2",
      OMP_NUM_THREADS: "3",
    };
    const run = taken.map(({ name }) => name).filter((name) => !(name in otherwise));
    const ran = await start(exe, run, { env: own, seconds: 110 });
    expect(ran.out.trim().split("\n"), ran.err).toEqual(run);
  });

  it.runIf(process.env.ARC_SLOW_TESTS)("are right by gcc", { timeout: 3_000_000 }, async () => {
    const wrong: string[] = [];
    for (const piece of taken) {
      const made = translated(unnumbered(sourceOf([piece])), model, { openmp: "5.0", map: "gcc" });
      if (!made || refusalOf(made) || piece.name in notByGcc) continue;
      const file = path.join(folder, `${piece.name}.c`);
      writeFileSync(file, `${made.text}\nint main(void) { return ${piece.name}() != 0; }\n`);
      const exe = path.join(folder, piece.name);
      const built = await start("gcc", ["-w", ...switches[others[model]], file, "-o", exe, "-lm"]);
      if (built.status !== 0) {
        wrong.push(`${piece.file}:${piece.line}: ${piece.name}: ${built.err}`);
        continue;
      }
      const ran = await start(exe, [], { env: { OMP_NUM_THREADS: "3" } });
      if (ran.status !== 0)
        wrong.push(`${piece.file}:${piece.line}: ${piece.name}: ${ran.status} ${ran.err}`);
    }
    expect(wrong.join("\n\n")).toBe("");
  });
});
