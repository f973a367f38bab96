/**
 * Random programs on every kind of target against the same C without directives: `sh test/nightly/programs.sh FAMILY FIRST
 * COUNT [KIND,...]`. Each program is a function of its family and seed, which are printed with what is wrong, the
 * program beside it below `ARC_NIGHTLY_OUT` (default `arc-nightly` among temporary files). Exits with 1 where anything was.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Build, type Kind, Refused, Rejected, type Source } from "../targets/fuzz/build.ts";
import { Workshop } from "../targets/runtime/harness.ts";
import { CSMITH_INCLUDE, csmithProgram } from "./csmith.ts";

interface Family {
  readonly make: (seed: number) => readonly Source[];
  readonly include: readonly string[];
  /** Whether sanitizers judge the plain program; else it is defined by its construction. */
  readonly checked: boolean;
}

const families: Readonly<Record<string, Family>> = {
  csmith: { make: (seed) => [csmithProgram(seed)], include: [CSMITH_INCLUDE], checked: false },
};

const [family = "csmith", first = "1", count = "10", kinds = "shared,host,opencl,cuda"] =
  process.argv.slice(2);
const chosen = families[family];
if (!chosen) throw new Error(`no family "${family}": ${Object.keys(families).join(", ")}`);
const out = process.env.ARC_NIGHTLY_OUT ?? path.join(tmpdir(), "arc-nightly");
const clang = process.env.ARC_CLANG ?? "clang-15";
const shop = new Workshop("gcc", ["-w"]);
const archive = shop.archive();
const tally = new Map<string, number>();
const note = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);

function tell(seed: number, what: string, sources: readonly Source[], more: string): void {
  note(what);
  const folder = path.join(out, `${family}-${seed}`);
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of sources) writeFileSync(path.join(folder, file), text);
  writeFileSync(path.join(folder, `${what.replaceAll(/\W+/g, "-")}.txt`), more);
  console.log(`${family} ${seed}: ${what}: ${more.split("\n").slice(0, 3).join(" | ").slice(0, 400)}`);
}

function different(want: string, got: string): string {
  const [a, b] = [want.split("\n"), got.split("\n")];
  const k = a.findIndex((line, i) => line !== b[i]);
  return `expected ${a[k] ?? "the end"}, got ${b[k] ?? "the end"}`;
}

function judge(seed: number): void {
  const family = chosen as Family;
  const sources = family.make(seed);
  const build = new Build(sources, family.include);
  try {
    const serial = build.serial(family.checked, 3);
    // Some programs of Csmith do not end.
    if (serial.status === null) return note("endless");
    if (serial.status !== 0 || (family.checked && serial.stderr)) {
      if (family.checked) tell(seed, "generator", sources, serial.stderr);
      return note("not defined");
    }
    build.host(archive);
    for (const kind of kinds.split(",") as Kind[]) {
      try {
        if (kind === "cuda") {
          build.cuda(clang);
          continue;
        }
        const ran = build.runOn(kind);
        if (ran.status !== 0 || ran.stdout !== serial.stdout)
          tell(
            seed,
            `wrong on ${kind}`,
            sources,
            `${ran.signal ?? ran.status} ${different(serial.stdout, ran.stdout)}\n${ran.stderr.slice(0, 2000)}`,
          );
      } catch (error) {
        if (error instanceof Refused) note(`refused on ${kind}: ${error.diagnostic.code}`);
        else
          tell(
            seed,
            `${error instanceof Rejected ? "not compiled" : "broke"} on ${kind}`,
            sources,
            String(error),
          );
      }
    }
    note("judged");
  } catch (error) {
    if (error instanceof Refused) {
      note(`refused: ${error.diagnostic.code}`);
      if (process.env.ARC_NIGHTLY_REFUSALS) console.log(`${seed}: ${error.message}`);
    } else
      tell(
        seed,
        error instanceof Rejected ? "host not compiled" : "broke",
        sources,
        String((error as Error).stack),
      );
  } finally {
    build.remove();
  }
}

for (let k = 0; k < Number(count); k++) judge(Number(first) + k);
shop.remove();
for (const [what, times] of [...tally].sort()) console.log(`${String(times).padStart(7)} ${what}`);
process.exitCode = [...tally.keys()].some((what) => /^(wrong|not compiled|broke|host|generator)/.test(what))
  ? 1
  : 0;
