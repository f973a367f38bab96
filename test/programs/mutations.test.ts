/**
 * The programs of acc/ notice wrong code: one operator, bound or transfer of the emitted text is changed, and the program
 * must fail or print something else. Device memory is separate from the program's, as on a GPU. Every twentieth program by
 * default; ARC_MUTATIONS=all takes all.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { translateHost, translateKernels } from "../../core/compiler/driver/translate.ts";
import { hostEmitter } from "../../targets/host/emit.ts";
import { image } from "../../targets/shared/kind/launch.ts";
import { runtime, Workshop } from "../targets/runtime/harness.ts";
import { type Program, programsIn } from "./catalogue.ts";
import { start } from "./process.ts";

const programs = programsIn(path.join(import.meta.dirname, "acc"));

const folder = mkdtempSync(path.join(tmpdir(), "arc-mutations-"));
const shop = new Workshop();
let library = "";
beforeAll(() => {
  library = shop.archive();
}, 120_000);
afterAll(() => {
  shop.remove();
  rmSync(folder, { recursive: true });
});

/** A change of text: what it is called, and the changed text. */
type Mutation = readonly [name: string, text: string];

function mutations(text: string, rules: readonly (readonly [string, RegExp, string])[]): Mutation[] {
  return rules.flatMap(([name, from, to]) => {
    const changed = text.replace(from, to);
    return changed === text ? [] : [[name, changed] as const];
  });
}

/** In the kernel's own statements, which are indented deeper than its set-up. */
const kernelMutations = (text: string) =>
  mutations(text, [
    ["+= for -=", / \+= (?!1;)/, " -= "],
    ["- for +", /(?<=\n {4,}[^\n]*=[^\n]*[\w\])]) \+ /, " - "],
    ["+ for *", /(?<=\n {4,}[^\n]*=[^\n]*[\w\])]) \* /, " + "],
    ["another value stored", /(?<=\n {6,}[\w[\]() *+-]+ = )([^;\n]+);/, "$1 + 1;"],
    ["the last iteration left out", /< arc_last;/, "< arc_last - 1;"],
    ["a bound of an inner loop", /(for \(int \w+ = [^;]+; \w+ < )([^;]+);/, "$1$2 - 1;"],
  ]);

const hostMutations = (text: string) =>
  mutations(text, [
    ["copyout becomes create", /ARC_COPYOUT/, "ARC_CREATE"],
    ["copy becomes copyin", /ARC_COPY,/, "ARC_COPYIN,"],
    ["copy becomes copyout", /ARC_COPY,/, "ARC_COPYOUT,"],
    ["copyin becomes create", /ARC_COPYIN/, "ARC_CREATE"],
    ["an update goes the other way", /ARC_UPDATE_SELF/, "ARC_UPDATE_DEVICE"],
  ]);

interface Emitted {
  readonly host: string;
  readonly kernels: readonly { readonly region: string; readonly text: string; readonly manifest: string }[];
}

function emit(source: string): Emitted {
  const include = [`-I${runtime}/include`, `-I${path.dirname(source)}`];
  const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", ...include, source], {
    maxBuffer: 1 << 28,
  }).toString();
  const unit = { file: source, text };
  return {
    host: translateHost(unit, readFileSync(source, "utf8")).text,
    kernels: translateKernels(unit, hostEmitter).kernels,
  };
}

/** What a program ends with and prints; undefined when the text does not compile. */
async function run(emitted: Emitted, program: Program, at: string): Promise<Outcome | undefined> {
  const images = path.join(at, "images");
  mkdirSync(images, { recursive: true });
  for (const k of emitted.kernels) {
    const [c, so] = [path.join(at, `${k.region}.c`), path.join(at, `${k.region}.so`)];
    writeFileSync(c, k.text);
    const built = await start("gcc", [
      "-O1",
      "-w",
      "-fopenmp",
      "-fPIC",
      "-shared",
      `-I${runtime}/include`,
      c,
      "-o",
      so,
      "-lm",
    ]);
    if (built.status !== 0) return undefined;
    const head = { backend: "host", target: "host", variant: "default" } as const;
    writeFileSync(
      path.join(images, `${k.region}.arci`),
      image(head, [k.manifest], [{ kind: "so", bytes: readFileSync(so) }]),
    );
  }
  const [c, exe] = [path.join(at, "host.c"), path.join(at, "exe")];
  writeFileSync(c, emitted.host);
  const folder = path.dirname(program.sources[0] as string);
  const built = await start("gcc", [
    "-O1",
    "-w",
    "-D_OPENACC=202211",
    `-I${runtime}/include`,
    `-I${folder}`,
    c,
    "-o",
    exe,
    library,
    "-lm",
    "-ldl",
    "-lpthread",
  ]);
  if (built.status !== 0) return undefined;
  const env = { ARC_IMAGES: images, ARC_HOST_MEMORY: "separate", OMP_NUM_THREADS: "2" };
  const { status, out } = await start(exe, program.args, { env, seconds: 20 });
  return { status, out };
}

interface Outcome {
  readonly status: number;
  readonly out: string;
}

const eligible = programs.filter((p) => p.sources.length === 1 && !p.noRegion && p.aborts === undefined);
const chosen = process.env.ARC_MUTATIONS === "all" ? eligible : eligible.filter((_, i) => i % 20 === 0);

describe("a wrong emission", () => {
  for (const program of chosen)
    it(`makes ${program.name} fail`, { timeout: 180_000 }, async () => {
      const emitted = emit(program.sources[0] as string);
      const at = path.join(folder, program.name);
      const right = await run(emitted, program, path.join(at, "right"));
      expect(right?.status, "as emitted").toBe(0);
      const changed = [
        ...emitted.kernels.flatMap((k, i) =>
          kernelMutations(k.text).map(([name, text]) => ({
            name,
            emitted: { ...emitted, kernels: emitted.kernels.with(i, { ...k, text }) },
          })),
        ),
        ...hostMutations(emitted.host).map(([name, host]) => ({ name, emitted: { ...emitted, host } })),
      ];
      const survived: string[] = [];
      for (const [i, m] of changed.entries()) {
        const made = await run(m.emitted, program, path.join(at, `${i}`));
        if (made && (made.status !== 0 || made.out !== right?.out)) return;
        survived.push(`${m.name}: ${made === undefined ? "does not compile" : "not noticed"}`);
      }
      expect.fail(`no change was noticed: ${survived.join("; ")}`);
    });
});
