/**
 * Programs of test/programs/acc and the examples in OpenMP's words: gcc compiles them and they are right, arc makes the
 * same regions of them, and translated back they are those of before. In every run a few; with ARC_SLOW_TESTS all.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { type FrontEnd, frontEnd } from "../../../core/compiler/driver/front-end.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { regionText } from "../../../core/ir/text/print.ts";
import { outdated } from "../../../core/source-to-source/kept.ts";
import { type MappingName, mappings } from "../../../core/source-to-source/mapping/profiles.ts";
import type { Language, OpenMpVersion } from "../../../core/source-to-source/model/source.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";
import { arcProgram } from "../../cli/rig.ts";
import { programsIn } from "../../programs/catalogue.ts";
import { start } from "../../programs/process.ts";
import { regionsOf } from "./canonical.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const home = path.join(root, "test/programs/acc");
const folder = mkdtempSync(path.join(tmpdir(), "arc-translated-"));
const environment = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
afterAll(() => rmSync(folder, { recursive: true }));

/** What OpenMP cannot say, as docs/translate.md has it. */
const refused = new Set(
  `firstprivate-section-of-pointer function-pointers implicit-routine api-async-test api-async-test-after-another-queue api-attach-detach api-copyin-copyout api-default-async
  api-deviceptr-hostptr api-devices api-init-shutdown api-present-or api-property attach-detach
  collapse-force copyout-zero create-zero data-capture data-clauses-merged
  delete-pointer device-type-clause gang-dimensions gang-redundant-code
  host-data-if-present init-shutdown-directives loop-seq-not-counted loop-variable-used-outside no-create
  pragma-operator pragma-operator-reductions private-section-of-computed-size
  private-sections reduction-of-loop-kept reduction-struct reduction-variables-read-before routine-bind
  set-directive wait-modifiers`.split(/\s+/),
);

/**
 * In between they are others, too, where a comment keeps advice, where a clause says what OpenACC implies, where `kernels`
 * and `auto` leave loops open, as OpenMP leaves none, where a loop in order leaves its copies to the loop around, and where
 * only OpenACC has a word. Where a region is split or has its data by two directives, its parts find what is there
 * (data-async, declare-in-function, private-used-outside); a loop's private pointers get a clause (pointers-set-first).
 */
const between = new Set(
  `api-on-device cache-directive cache-readonly copyin-readonly firstprivate-array members-in-data-region routine-gang
  kernels-aliased-pointers kernels-async-static-reduced kernels-dependences kernels-local-values
  kernels-loops-in-sequence kernels-mixed-code kernels-recurrence kernels-sums-of-nests data-async
  declare-in-function pointers-set-first private-used-outside levels-with-arguments loop-auto
  loop-seq-variable-declared-outside loop-serial reduction-of-argument-in-vector-loop reduction-unused-in-loop
  private-loop-variables array-parameters-whole extents-of-pointers tile-one-and-three tile-remainders tile-star tile-stencil tile-two`.split(
    /\s+/,
  ),
);

/**
 * Whose IR as plain text is another one after the way there and back, of no other meaning: clauses that say what was implied
 * (declare-parameters, null-pointers, reduction-on-construct-alone, routine-global-read), levels that a chunk names, and
 * a region of one thread that has become `serial`.
 */
const otherText = new Set(
  `declare-parameters gang-static-chunks null-pointers reduction-array-used-inside reduction-on-construct-alone
  routine-global-read`.split(/\s+/),
);

const often =
  `private-loop-variables loop-seq-not-counted functions-change-file-scope-variables api-malloc-memcpy cache-readonly copyin-readonly data-present-or-copy-nested declare-copyin-table
  data-async declare-in-function enter-exit-data file-scope-scalars-changed host-data kernels-mixed-code kernels-nested-loops macros-in-clauses reduction-three-levels-nested red-black-relaxation routine-named sieve tile-two vector-private-scalar wait-clause`.split(
    /\s+/,
  );

/**
 * What gcc 12 makes something else of in OpenMP, too: `!=` with steps, counters wider than int, addresses of register
 * variables; and && of several truth values, which OpenMP makes 0 or 1 where no iteration runs.
 */
const otherByGcc = new Set(
  "loop-compared-as-unsigned loop-span-wider-than-int register-variables reduction-array-operators".split(
    " ",
  ),
);

const programs = programsIn(home)
  .filter(({ sources }) => sources.length === 1)
  .filter(({ name }) => process.env.ARC_SLOW_TESTS !== undefined || often.includes(name));

const defines: Readonly<Record<Language, string>> = {
  openacc: "-D_OPENACC=202211",
  openmp: "-D_OPENMP=201811",
};

function read(file: string, text: string, language: Language): FrontEnd {
  const headers = path.join(root, "targets/runtime/include");
  const args = [
    "-E",
    "-dD",
    "-iquote",
    path.dirname(file),
    defines[language],
    "-isystem",
    headers,
    "-x",
    "c",
    "-",
  ];
  const made = execFileSync("gcc", args, { encoding: "utf8", input: text, maxBuffer: 2 ** 28 });
  return frontEnd({ file, text: made.replaceAll('"<stdin>"', JSON.stringify(file)) });
}

function translate(
  file: string,
  text: string,
  from: Language,
  openmp: OpenMpVersion = "5.0",
  map: MappingName = "default",
) {
  const { parsed, program } = read(file, text, from);
  const to = from === "openacc" ? "openmp" : "openacc";
  return { ...translateSource({ file, text, parsed, program }, { to, openmp, map }), parsed, program };
}

/** The regions as `--to ir` prints them, without their names. */
const textOf = (program: Program): readonly string[] =>
  tasksOf(program).map(({ task }) => regionText(task, []));

it("counts its programs in the docs", () => {
  const all = programsIn(home).filter(({ sources }) => sources.length === 1);
  const names = new Set(all.map(({ name }) => name));
  for (const name of [...refused, ...between, ...otherText]) expect(names).toContain(name);
  const text = readFileSync(path.join(root, "docs/translate.md"), "utf8");
  expect(text).toContain(`Of ${all.length} programs, ${refused.size} are refused`);
});

describe.each(programs)("$name", (program) => {
  const [file = ""] = program.sources;
  const text = readFileSync(file, "utf8");

  it("is refused, or translated", () => {
    const { diagnostics } = translate(file, text, "openacc");
    expect(diagnostics.length > 0).toBe(refused.has(program.name));
  });

  it.skipIf(refused.has(program.name) || otherByGcc.has(program.name) || program.aborts !== undefined)(
    "is right by gcc",
    async () => {
      const seen = new Set<string>();
      for (const map of process.env.ARC_SLOW_TESTS ? mappings : (["default", "cpu", "gpu", "gcc"] as const)) {
        const { text: source } = translate(file, text, "openacc", "5.0", map);
        if (seen.has(source)) continue;
        seen.add(source);
        const made = path.join(folder, `${program.name}.${map}.c`);
        writeFileSync(made, source);
        const exe = path.join(folder, `${program.name}.${map}`);
        const built = await start("gcc", ["-O1", "-w", "-fopenmp", "-I", home, made, "-o", exe, "-lm"]);
        expect(built.status, built.err).toBe(0);
        const ran = await start(exe, program.args, { env: { OMP_NUM_THREADS: "3" } });
        expect(ran.status, `${map}: ${ran.out}${ran.err}`).toBe(0);
      }
    },
  );

  it.skipIf(refused.has(program.name))("has the same regions, there and back again", () => {
    const there = translate(file, text, "openacc", "5.1");
    const back = translate(file, there.text, "openmp");
    expect(back.diagnostics).toEqual([]);
    const again = read(file, back.text, "openacc");
    expect(again.program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(regionsOf(again.program, true)).toEqual(regionsOf(there.program, true));
    expect(outdated({ ...back, file, text: there.text }, { ...again, file, text: back.text })).toBe(
      undefined,
    );
    expect(isDeepStrictEqual(textOf(again.program), textOf(there.program))).toBe(
      !otherText.has(program.name),
    );
    // In 5.0, comments alone say what must be present.
    if (process.env.ARC_SLOW_TESTS) {
      const old = translate(file, translate(file, text, "openacc").text, "openmp");
      const same = isDeepStrictEqual(textOf(read(file, old.text, "openacc").program), textOf(there.program));
      expect(same).toBe(!otherText.has(program.name));
    }
    const isSame = isDeepStrictEqual(regionsOf(back.program), regionsOf(there.program));
    expect(isSame).toBe(!between.has(program.name));
  });
});

it("leaves comments of several lines inside of directives", () => {
  const source = (pragma: string, clause: string): string =>
    `void f(int *a) {\n#pragma ${pragma} /* two\n lines */ ${clause}(a[0:9]) // end\n  for (int i = 0; i < 9; i++) a[i] = i;\n}\n`;
  const { text, diagnostics } = translate("comments.c", source("acc parallel loop", "copy"), "openacc");
  expect(diagnostics).toEqual([]);
  expect(text).toBe(
    source("omp target teams distribute parallel for", "map").replace("map(", "map(tofrom: "),
  );
});

const openMpHome = path.join(root, "test/programs/omp");
const openMpPrograms = [
  ...readFileSync(path.join(openMpHome, "programs.def"), "utf8").matchAll(/PROGRAM\((\w+)\)/g),
].map(([, name = ""]) => ({ name, file: path.join(openMpHome, `${name}.c`) }));

/** What OpenACC cannot say: where each is refused first. */
const refusedOpenMp: Readonly<Record<string, string>> = {
  declare_target: "26:24 'lookup' has no definition that device code could call",
  device_routines: "23:41 OpenACC has no counterpart of 'omp_get_thread_num' in code that regions run",
  one_count:
    "14:40 'counted' is mapped by the 'target data' of line 9, and by no 'enter data': OpenMP ends that region's copy here, and OpenACC does not",
  parts_of_structure:
    "18:40 'o.x' is a pointer, which this clause maps itself: OpenACC would take what it leads to",
  scalars: "34:77 each thread changes its copy of 'w', and OpenACC's firstprivate gives one to each gang",
  shuffle: "28:68 'shuffle' has no counterpart in OpenACC",
  thread_blocks: "26:13 OpenACC has no construct for code that every thread of a team runs",
};

describe("OpenMP's programs in OpenACC's words", () => {
  const inOpenAcc = (file: string) => translate(file, readFileSync(file, "utf8"), "openmp", "5.1");

  it.each(openMpPrograms)(
    "$name is refused at its place, or has the same regions there and back again",
    ({ name, file }) => {
      const there = inOpenAcc(file);
      const [first] = there.diagnostics;
      expect(first && `${first.loc.line}:${first.loc.col} ${first.message}`).toEqual(refusedOpenMp[name]);
      if (first) return;
      expect(regionsOf(read(file, there.text, "openacc").program)).toEqual(regionsOf(there.program));
      const back = translate(file, there.text, "openacc", "5.1");
      expect(back.diagnostics).toEqual([]);
      expect(regionsOf(read(file, back.text, "openmp").program)).toEqual(regionsOf(there.program));
    },
  );

  /** Arguments that build all that OpenACC can say, without those that a compiler cannot compile. */
  const programOf = (exe: string, cannot: readonly string[]): readonly string[] => {
    const without = [...Object.keys(refusedOpenMp), ...cannot];
    const sources = openMpPrograms.flatMap(({ name, file }) => {
      if (without.includes(name)) return [];
      const made = path.join(folder, `openacc.${name}.c`);
      writeFileSync(made, inOpenAcc(file).text);
      return [made];
    });
    const main = path.join(openMpHome, "main.c");
    const left = without.map((name) => `-DNO_${name}`);
    return ["-O1", "-w", "-iquote", openMpHome, ...left, ...sources, main, "-o", exe, "-lm"];
  };

  it("are right by gcc", async () => {
    const exe = path.join(folder, "openacc");
    // gcc 12 does not know `always`, and crashes on reductions of sections.
    const built = await start("gcc", ["-fopenacc", ...programOf(exe, ["data_mapping", "reductions"])]);
    expect(built.status, built.err).toBe(0);
    const ran = await start(exe, []);
    expect(ran.status, ran.out + ran.err).toBe(0);
  });

  it.runIf(process.env.ARC_SLOW_TESTS)(
    "are right by arc on the host with memory of its own",
    async () => {
      const exe = path.join(folder, "openacc-arc");
      const args = ["cc", "-acc", "-target", "host", ...programOf(exe, [])];
      const built = await start(arcProgram, args, { env: environment, seconds: 120 });
      expect(built.status, built.err).toBe(0);
      const ran = await start(exe, [], { env: { ...environment, ARC_HOST_MEMORY: "separate" } });
      expect(ran.status, ran.out + ran.err).toBe(0);
    },
    120_000,
  );
});

const examples = readdirSync(path.join(root, "examples"))
  .map((name) => path.join(root, "examples", name, "src"))
  .flatMap((source) =>
    readdirSync(source).flatMap((name) => (name.endsWith(".c") ? [path.join(source, name)] : [])),
  );

describe.each(examples.map((file) => ({ file, name: path.basename(file) })))(
  "example $name",
  ({ file, name }) => {
    it("is translated, and has the same regions", () => {
      const text = readFileSync(file, "utf8");
      const there = translate(file, text, "openacc", "5.1");
      const left = name === "cholesky.c" ? ["ompss-left", "ompss-left", "ompss-left"] : [];
      expect(there.diagnostics.map(({ code }) => code)).toEqual(left);
      expect(regionsOf(read(file, there.text, "openmp").program)).toEqual(regionsOf(there.program));
    });
  },
);

describe("by arc on the host with separate memory", () => {
  const chosen = process.env.ARC_SLOW_TESTS
    ? programs.filter((p) => !refused.has(p.name) && p.aborts === undefined && !p.noRegion)
    : programs.filter((p) => ["enter-exit-data", "kernels-mixed-code"].includes(p.name));

  it.each(chosen)("$name", { timeout: 60_000 }, async (program) => {
    const [file = ""] = program.sources;
    const made = path.join(folder, `arc-${program.name}.c`);
    writeFileSync(made, translate(file, readFileSync(file, "utf8"), "openacc").text);
    const exe = path.join(folder, `arc-${program.name}`);
    const args = ["cc", "-omp", "-target", "host", "-O1", "-w", "-I", home, made, "-o", exe, "-lm"];
    const built = await start(arcProgram, args, { env: environment, seconds: 60 });
    expect(built.status, built.err).toBe(0);
    const ran = await start(exe, program.args, { env: { ...environment, ARC_HOST_MEMORY: "separate" } });
    expect(ran.status, ran.out + ran.err).toBe(0);
  });
});
