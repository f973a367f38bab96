/** Every example builds, and agrees with its serial program on every target that can run here. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { arcProgram } from "./cli/rig.ts";
import { hasOpenCl } from "./programs/devices.ts";
import { start } from "./programs/process.ts";
import { sampled } from "./sampled.ts";

const examples = path.resolve(import.meta.dirname, "../examples");
const folder = mkdtempSync(path.join(tmpdir(), "arc-examples-"));
const env = {
  ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store"),
  POCL_CACHE_DIR: path.join(folder, "pocl"),
};
afterAll(() => rmSync(folder, { recursive: true }));

/** The examples' targets that can run here. */
const targets = hasOpenCl ? ["cpu", "pocl"] : ["cpu"];

interface ProjectFile {
  readonly sources: readonly string[];
  readonly cflags: readonly string[];
  readonly targets: Readonly<Record<string, { readonly kind: string; readonly variants?: object }>>;
  readonly runs: Readonly<Record<string, { readonly args: readonly string[] }>>;
}

/** A copy of the example, as a user would take one, without what builds left in it. */
function copyOf(name: string): string {
  const copy = path.join(folder, name);
  cpSync(path.join(examples, name), copy, {
    recursive: true,
    filter: (file) => !["out", ".arc"].includes(path.basename(file)),
  });
  return copy;
}

const arc = (project: string, ...args: string[]) =>
  start(arcProgram, [...args, "-C", project], { env, seconds: 300 });

/** Numbers as numbers, so that the last digit may differ; times left out. */
function tokens(text: string): (string | number)[] {
  const kept = text.split("\n").filter((line) => !line.startsWith("time:"));
  return kept
    .flatMap((line) => line.split(/[\s,]+/))
    .map((t) => (t === "" || Number.isNaN(Number(t)) ? t : Number(t)));
}

function expectSame(got: string, want: string): void {
  const [found, wanted] = [tokens(got), tokens(want)];
  expect(found.length, got).toBe(wanted.length);
  for (const [i, token] of found.entries()) {
    const other = wanted[i];
    if (typeof token === "number" && typeof other === "number")
      expect(Math.abs(token - other), `${token} against ${other}`).toBeLessThanOrEqual(
        1e-5 * Math.abs(other),
      );
    else expect(token).toBe(other);
  }
}

const names = readdirSync(examples).filter((name) => existsSync(path.join(examples, name, "arc.yaml")));

/** Explorations of every run: of three neighbours one, on one target or the other. */
const explored = sampled(
  names.flatMap((name) => targets.map((target) => `${name} ${target}`)),
  3,
);

describe.each(names)("%s", (name) => {
  const project = copyOf(name);
  const {
    sources,
    cflags,
    runs,
    targets: all,
  } = parse(readFileSync(path.join(project, "arc.yaml"), "utf8")) as ProjectFile;
  const edges = Object.entries(runs).filter(([run]) => ["tiny", "zero"].includes(run));

  it("agrees with the serial program", { timeout: 300_000 }, async () => {
    const { status, out, err } = await arc(project, "verify");
    expect(status, out + err).toBe(0);
    const simulated = Object.keys(all).filter((target) => all[target]?.kind === "rtl");
    for (const target of [...targets, ...simulated])
      expect(out + err).toContain(`compare small on ${target}:default`);
  });

  const varied = targets.filter(
    (target) => all[target]?.variants !== undefined && explored.includes(`${name} ${target}`),
  );
  it.each(varied)("has variants of %s that can be explored", { timeout: 300_000 }, async (target) => {
    const words = ["explore", target, "small", "-n", "1", "--warm-up", "0", "--budget", "2", "--json"];
    const { status, out, err } = await arc(project, ...words);
    expect(status, out + err).toBe(0);
    const { best, outcomes } = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as {
      best: readonly string[];
      outcomes: readonly { readonly id: string; readonly failed?: true }[];
    };
    expect(best).toHaveLength(1);
    expect(outcomes.map(({ id, failed }) => [id.replace(/:.*/, ""), failed])).toEqual([
      [target, undefined],
      [target, undefined],
    ]);
  });

  const serial = path.join(folder, `${name}.serial`);
  const built = () => {
    const files = sources.map((source) => path.join(project, source));
    return start("gcc", [...cflags, "-w", ...files, "-o", serial, "-lm"]);
  };
  let once: ReturnType<typeof built> | undefined;

  it.each(edges)(
    "agrees with the serial program at its smallest sizes: %s",
    { timeout: 300_000 },
    async (run, { args }) => {
      once ??= built();
      const { status, err } = await once;
      expect(status, err).toBe(0);
      const want = await start(serial, args);
      expect(want.status, want.err).toBe(0);
      for (const target of targets) {
        const got = await arc(project, "run", target, run);
        expect(got.status, got.err).toBe(0);
        expectSame(got.out, want.out);
      }
    },
  );
});
