/**
 * Random programs on every kind of target against the same C without directives: `sh test/nightly/programs.sh FAMILY FIRST
 * COUNT [KIND,...]`, or `file PATH 1 [KIND,...]`. Each program is a function of its family and seed, which are printed with what is wrong, the
 * program beside it below `ARC_NIGHTLY_OUT` (default `arc-nightly` among temporary files). None begins
 * after `ARC_NIGHTLY_SECONDS`. Exits with 1 where anything was.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Build, type Kind, Refused, Rejected, type Source } from "../targets/fuzz/build.ts";
import { Workshop } from "../targets/runtime/harness.ts";
import { CSMITH_INCLUDE, csmithProgram } from "./csmith.ts";
import {
  equivalentProgram,
  inOpenMp,
  oneFunction,
  PATIENCE,
  randomProgram,
  simplest,
} from "./random-program.ts";
import { reduced } from "./reduced.ts";

interface Family {
  readonly make: (seed: number) => readonly Source[];
  readonly include: readonly string[];
  /** Whether sanitizers judge the plain program; else it is defined by its construction. */
  readonly checked: boolean;
  /** A simpler program of the seed for which `isWrong` holds. */
  readonly minimised?: (seed: number, isWrong: (sources: readonly Source[]) => boolean) => readonly Source[];
}

const [name = "csmith", first = "1", count = "10", kinds = "shared,host,opencl,cuda"] = process.argv.slice(2);

const families: Readonly<Record<string, Family>> = {
  /** A previously reported program, by its path. */
  file: {
    make: () => [{ file: "a.c", text: readFileSync(first, "utf8") }],
    include: [CSMITH_INCLUDE],
    checked: false,
  },
  csmith: { make: (seed) => [csmithProgram(seed)], include: [CSMITH_INCLUDE], checked: false },
  acc: { make: (seed) => randomProgram(seed), include: [], checked: true, minimised: simplest("acc") },
  /** The first function of those of acc. */
  one: { make: oneFunction, include: [], checked: true },
  /** Those of acc with what must change nothing: only the form is other, so they are not made simpler. */
  emi: { make: equivalentProgram, include: [], checked: true },
  omp: {
    make: (seed) => inOpenMp(randomProgram(seed)),
    include: [],
    checked: true,
    minimised: simplest("omp"),
  },
};

const chosen = families[name];
if (!chosen) throw new Error(`no family "${name}": ${Object.keys(families).join(", ")}`);
const out = process.env.ARC_NIGHTLY_OUT ?? path.join(tmpdir(), "arc-nightly");
/** Programs begin before that. */
const until = Date.now() + Number(process.env.ARC_NIGHTLY_SECONDS ?? Number.POSITIVE_INFINITY) * 1000;
const clang = process.env.ARC_CLANG ?? "clang-15";
const shop = new Workshop("gcc", ["-w"]);
const archive = shop.archive();
const tally = new Map<string, number>();
const note = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);

function printFault(seed: number, what: string, sources: readonly Source[], more: string): void {
  note(what);
  const folder = path.join(out, `${name}-${seed}`);
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of sources) writeFileSync(path.join(folder, file), text);
  writeFileSync(path.join(folder, `${what.replaceAll(/\W+/g, "-")}.txt`), more);
  console.log(`${name} ${seed}: ${what}: ${more.split("\n").slice(0, 3).join(" | ").slice(0, 400)}`);
}

function different(want: string, got: string): string {
  const [a, b] = [want.split("\n"), got.split("\n")];
  const k = a.findIndex((line, i) => line !== b[i]);
  return `expected ${a[k] ?? "the end"}, got ${b[k] ?? "the end"}`;
}

/** What is wrong for a kind, and its symptoms. */
type Verdict = readonly [what: string, more: string];

function verdict(build: Build, kind: Kind, want: string): Verdict | undefined {
  try {
    if (kind === "cuda") {
      build.cuda(clang);
      return undefined;
    }
    const ran = build.runOn(kind);
    if (ran.status === 0 && ran.stdout === want) return undefined;
    const how = `${ran.signal ?? ran.status} ${different(want, ran.stdout)}`;
    return [`wrong on ${kind}`, `${how}\n${ran.stderr.slice(0, 2000)}`];
  } catch (error) {
    return [`${fault(error)} on ${kind}`, String(error)];
  }
}

function fault(error: unknown): string {
  if (error instanceof Refused) return `refused (${error.diagnostic.code})`;
  return error instanceof Rejected ? "not compiled" : "broke";
}

/** The result for a program: faults of kinds, or that the program is invalid. */
function verdicts(sources: readonly Source[], on: readonly Kind[]): Verdict[] | "endless" | "not defined" {
  const { include, checked } = chosen as Family;
  const build = new Build(sources, include);
  try {
    const serial = build.serial(checked, checked ? 60 : 3);
    // Some programs of Csmith do not end.
    if (serial.status === null) return "endless";
    if (serial.status !== 0 || (checked && serial.stderr))
      return checked ? [["wrong generator", serial.stderr]] : "not defined";
    build.host(archive);
    return on.flatMap((kind) => {
      const found = verdict(build, kind, serial.stdout);
      return found ? [found] : [];
    });
  } catch (error) {
    return [[`${fault(error)} on the host`, String(error)]];
  } finally {
    build.remove();
  }
}

function judge(seed: number): void {
  const family = chosen as Family;
  const sources = family.make(seed);
  const found = verdicts(sources, kinds.split(",") as Kind[]);
  if (typeof found === "string") return note(found);
  note("judged");
  for (const [what, more] of found) printFault(seed, what, sources, more);
  const worst = found.find(([what]) => !what.startsWith("refused"));
  if (!worst) return;
  const kind = worst[0].split(" ").at(-1) as Kind;
  const on = kinds.split(",").includes(kind) ? [kind] : [];
  const stays = (made: readonly Source[]): boolean => {
    // A value that nothing sets any more differs everywhere.
    const again = verdicts(made, kind === "shared" ? on : ["shared", ...on]);
    if (typeof again === "string" || (kind !== "shared" && again.some(([what]) => / on shared$/.test(what))))
      return false;
    return again.some((verdict) => same(verdict, worst));
  };
  const chosenLess = family.minimised?.(seed, stays) ?? sources;
  const until = Date.now() + PATIENCE;
  for (const [k, { file, text }] of chosenLess.entries()) {
    const holds = (less: string) => isInitialised(less) && stays(chosenLess.with(k, { file, text: less }));
    writeFileSync(path.join(out, `${name}-${seed}`, `small-${file}`), reduced(text, holds, until));
  }
}

/** The same fault of the same kind: its message without numbers and file names. */
const same = (a: Verdict, b: Verdict): boolean => a[0] === b[0] && signature(a[1]) === signature(b[1]);

const signature = (more: string): string =>
  /^\d+ expected|^SIG/.test(more)
    ? `${more.split(" ")[0]} ${/error\[[\w-]+\]/.exec(more)?.[0] ?? ""}`
    : (more.split("\n")[0] as string).replaceAll(/\/tmp\S*|\d+/g, "");

/** What leaving lines out may bring, and sanitizers do not see. */
function isInitialised(text: string): boolean {
  const faults = ["uninitialized", "maybe-uninitialized", "return-type", "implicit-function-declaration"];
  const flags = ["-O1", "-w", ...faults.map((fault) => `-Werror=${fault}`)];
  const include = (chosen as Family).include.map((folder) => `-I${folder}`);
  const { status } = spawnSync("gcc", [...flags, ...include, "-c", "-x", "c", "-o", "/dev/null", "-"], {
    input: text,
  });
  return status === 0;
}

if (name === "file") judge(0);
else
  for (let k = 0; k < Number(count); k++) {
    if (Date.now() > until) break;
    judge(Number(first) + k);
    if ((k + 1) % 25 === 0) console.error(`${name}: ${k + 1} of ${count}`);
  }
shop.remove();
for (const [what, times] of [...tally].sort()) console.log(`${String(times).padStart(7)} ${what}`);
process.exitCode = [...tally.keys()].some((what) => /^(wrong|not compiled|broke)/.test(what)) ? 1 : 0;
