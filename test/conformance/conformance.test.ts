/**
 * Small programs for the constructs, clauses and routines of OpenMP 5.2 and OpenACC 3.3, named by section: each is right
 * on the host, with memory that it shares with the program and with memory of its own, and with OpenCL on a simulator,
 * or is refused by name. docs/conformance.md is the table of them, docs/openacc.md counts them by section:
 * `npx vitest run test/conformance -u` writes both anew.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateHost, translateKernels } from "../../core/compiler/driver/translate.ts";
import { hostThreadsMark } from "../../core/ir/model/host-threads.ts";
import type { Diagnostic } from "../../core/lang/tree/ast.ts";
import { openclEmitter } from "../../targets/opencl/emit.ts";
import { arcProgram } from "../cli/rig.ts";
import { hasOpenCl } from "../programs/devices.ts";
import { start } from "../programs/process.ts";
import { type Language, languages, mainOf, type Piece, piecesOf, sourceOf } from "./pieces.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-conformance-"));
afterAll(() => rmSync(folder, { recursive: true }));

const titles: Readonly<Record<Language, string>> = { omp: "OpenMP 5.2", acc: "OpenACC 3.3" };
const simulator = "/usr/lib/oclgrind/liboclgrind-rt.so";
const hasSimulator = hasOpenCl && existsSync(simulator);

const ways = [
  { way: "the host", skip: false, env: { ARC_TARGET: "host" } },
  {
    way: "the host with separate memory",
    skip: false,
    env: { ARC_TARGET: "host", ARC_HOST_MEMORY: "separate", ARC_HOST_DEVICES: "2" },
  },
  { way: "OpenCL", skip: !hasSimulator, env: { ARC_TARGET: "opencl", ARC_OPENCL_LIBRARY: simulator } },
];

/** What the simulator says of accesses that a device might take, and of subscripts that compilers of kernels need not. */
const findings = /^(Index \(|Invalid |Unaligned |Work-item diverged|.*barrier divergence)/m;

// ---------------------------------------------------------------- what is refused

const defined: Readonly<Record<Language, readonly string[]>> = {
  omp: ["-fopenmp", "-U_OPENMP", "-D_OPENMP=201811", `-D${hostThreadsMark}`],
  acc: ["-D_OPENACC=202211"],
};

const errors = new Map<string, Diagnostic | undefined>();

/** The first error of a program alone. */
function errorOf(language: Language, piece: Piece): Diagnostic | undefined {
  const name = `${language} ${piece.name}`;
  if (!errors.has(name)) errors.set(name, errorAlone(language, piece));
  return errors.get(name);
}

function errorAlone(language: Language, piece: Piece): Diagnostic | undefined {
  const file = path.join(folder, "piece.c");
  const source = sourceOf([piece]);
  writeFileSync(file, source);
  const args = ["-E", "-dD", ...defined[language], "-Itargets/runtime/include", file];
  const text = execFileSync("gcc", args, { cwd: root, maxBuffer: 1 << 28 }).toString();
  const read = { file: "piece.c", text };
  const found = [translateHost(read, source), translateKernels(read, openclEmitter)];
  return found.flatMap(({ diagnostics }) => diagnostics).find((d) => d.severity === "error");
}

// ---------------------------------------------------------------- the table

const isTaken = (piece: Piece) => !piece.refused && !piece.only;

const cell = (text: string) => text.replaceAll("|", "\\|");

function table(language: Language): string[] {
  const pieces = piecesOf(language);
  const order = (section: string) =>
    section
      .split(".")
      .map((n) => n.padStart(3, "0"))
      .join(".");
  const sorted = [...pieces].sort((a, b) => (order(a.section) < order(b.section) ? -1 : 1));
  const rows = sorted.map((piece) => {
    const error = piece.refused ? errorOf(language, piece) : undefined;
    const state = piece.refused
      ? `refused: ${cell(error?.message ?? "")}${error?.remedy ? `. Instead: ${cell(error.remedy)}` : ""}`
      : piece.only
        ? `only ${cell(piece.only)}`
        : "yes";
    return `| ${piece.section} | ${cell(piece.shows)} | ${state} |`;
  });
  return [
    `## ${titles[language]}`,
    "",
    `${pieces.filter(isTaken).length} of ${pieces.length} are taken.`,
    "",
    "| section | program | |",
    "|---|---|---|",
    ...rows,
    "",
  ];
}

/** The sections of OpenACC 3.3 that have programs. */
const sections: Readonly<Record<string, string>> = {
  "2.4": "clauses for types of devices",
  "2.5": "compute constructs",
  "2.6": "data environment, data regions",
  "2.7": "data clauses",
  "2.8": "`host_data`",
  "2.9": "`loop`",
  "2.10": "`cache`",
  "2.11": "combined constructs",
  "2.12": "`atomic`",
  "2.13": "`declare`",
  "2.14": "`init`, `shutdown`, `set`, `update`",
  "2.15": "calls in regions",
  "2.16": "queues",
  "3.2": "routines",
  "5.1": "profiling: events",
  "5.3": "profiling: registering",
};

/** How many of the programs of each section of OpenACC are taken. */
function counts(): string {
  const pieces = piecesOf("acc");
  const sectionOf = (piece: Piece) => piece.section.split(".").slice(0, 2).join(".");
  expect(pieces.map(sectionOf).filter((section) => !(section in sections))).toEqual([]);
  const rows = Object.entries(sections).map(([section, title]) => {
    const own = pieces.filter((piece) => sectionOf(piece) === section);
    return `| ${section} | ${title} | ${own.filter(isTaken).length} of ${own.length} |`;
  });
  return ["| section | | programs that are right on every kind |", "|---|---|---|", ...rows].join("\n");
}

/** With ARC_KEEP_PROGRAMS=FOLDER the programs are written there, for test/gpu/conformance.sh. */
const kept = process.env.ARC_KEEP_PROGRAMS;

/** A source for each file of pieces, and the main program. */
function writtenTo(place: string, language: Language, some: readonly Piece[]): readonly string[] {
  const texts = [...new Set(some.map(({ file }) => file))].map(
    (file) => [file.replace("/", "-"), sourceOf(some.filter((piece) => piece.file === file))] as const,
  );
  cpSync(path.join(import.meta.dirname, "prelude.h"), path.join(place, "prelude.h"));
  return [...texts, [`${language}-main.c`, mainOf(some)] as const].map(([name, text]) => {
    writeFileSync(path.join(place, name), text.replace(/#include ".*prelude.h"/, '#include "prelude.h"'));
    return path.join(place, name);
  });
}

const intro = `# What arc takes of the standards

Each row is a small program in \`test/conformance\` that checks its own result, for a construct, clause or routine of the
standard's section. Those with "yes" are right on the host, with memory that it shares with the program and with memory of
its own, and with OpenCL; the others are refused with a message at their place.
`;

describe.each(languages)("%s", (language) => {
  const pieces = piecesOf(language);
  const supported = pieces.filter(isTaken);
  const exe = path.join(folder, language);

  let made: Promise<void> | undefined;
  async function build(): Promise<void> {
    const sources = writtenTo(folder, language, supported);
    const targets = ["host", ...(hasSimulator ? ["opencl"] : [])].flatMap((target) => ["-target", target]);
    const switches = language === "omp" ? "-fopenmp" : "-acc";
    // One version of each kernel, and quickly made.
    const quick = process.arch === "x64" ? ["-O0", "-mavx"] : ["-O0"];
    const args = ["cc", switches, ...targets, ...quick, ...sources, "-o", exe, "-lm"];
    // The simulator takes sources: no driver here makes binaries of them.
    const env = {
      ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store"),
      OCL_ICD_VENDORS: path.join(folder, "no-drivers"),
    };
    const built = await start(arcProgram, args, { env, seconds: 900 });
    expect(built.status, built.err).toBe(0);
  }

  it.runIf(kept !== undefined)("is kept for a machine with a GPU", () => {
    writtenTo(kept ?? folder, language, supported);
    writeFileSync(
      path.join(kept ?? folder, `${language}.names`),
      supported.map(({ name }) => `${name}\n`).join(""),
    );
  });

  it.each(ways.filter(({ skip }) => !skip && !kept))(
    "is right on $way",
    { timeout: 1_000_000 },
    async ({ env }) => {
      made ??= build();
      await made;
      const run = supported
        .filter(({ simulated }) => simulated || env.ARC_TARGET === "host")
        .map(({ name }) => name);
      const ran = await start(exe, run, { env: { ...env, OMP_NUM_THREADS: "3" }, seconds: 110 });
      expect(ran.out.trim().split("\n"), ran.err).toEqual(run);
      expect(ran.err).not.toMatch(findings);
    },
  );

  it("refuses the others by name", { timeout: 60_000 }, () => {
    for (const piece of pieces.filter(({ refused }) => refused)) {
      const error = errorOf(language, piece);
      expect(error?.code, piece.name).toBe(piece.refused);
      expect(error?.loc.file).toBe(piece.file);
    }
  });
});

it("the table in the docs is that of these programs", async () => {
  const text = [intro, ...languages.flatMap(table)].join("\n");
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(path.join(root, "docs/conformance.md"));
});

it("the page about OpenACC counts them", async () => {
  const page = path.join(root, "docs/openacc.md");
  const between = /(<!-- conformance: begin -->\n).*(<!-- conformance: end -->)/s;
  const text = readFileSync(page, "utf8").replace(between, `$1\n${counts()}\n\n$2`);
  await expect(text).toMatchFileSnapshot(page);
});
