/**
 * Each kind of call by which arc changes or reads the disk fails once, or from then on. The build may fail: it then
 * names the file, the call, the reason and a remedy. The next one, on a good disk, leaves what a build in an empty world
 * does. `ARC_FAILURES=all` tries each call with each error, `ARC_FAILURES=2/8` the second of every eight of these;
 * otherwise one call of each kind has one of the errors, of every second kind where the native part is missing, and every
 * fourth of these fails from then on.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Rig } from "../rig.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-failing-"));
const library = join(folder, "disk.so");
const compiled = spawnSync("cc", [
  ...["-shared", "-fPIC", "-O1", "-o", library],
  ...[join(import.meta.dirname, "failing-disk.c"), "-ldl"],
]);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const yaml = `arc: 1
project: p
actions:
  upper: { run: [sh, -c, "tr a-z A-Z < a > out/u; echo did"], inputs: [a], outputs: [out/u] }
  big: { run: [sh, -c, "tr a-z A-Z < a > out/big; head -c 180000 /dev/zero >> out/big"], inputs: [a], outputs: [out/big] }
  folder: { run: [sh, -c, "mkdir -p out/d/deep; cat out/u b > out/d/deep/x; ln -s deep out/d/l"], inputs: [out/u, b], outputs: [out/d/] }
`;
const first = { "arc.yaml": yaml, a: "hello\n", b: "earth\n" };
const then = { a: "hello there\n", b: "world\n" };

/** What the errors need of a call: as in failing-disk.c. */
const GROWS = 1;
const CHANGES = 2;
const READS = 4;
const OPENS = 8;
const errors = [
  ["ENOSPC", constants.errno.ENOSPC, GROWS],
  ["EIO", constants.errno.EIO, GROWS | CHANGES | READS],
  ["EDQUOT", constants.errno.EDQUOT, GROWS],
  ["EROFS", constants.errno.EROFS, CHANGES],
  ["EACCES", constants.errno.EACCES, CHANGES],
  ["EMFILE", constants.errno.EMFILE, OPENS],
] as const;
type DiskError = (typeof errors)[number];

/** Every file with its mode and its bytes, except arc's own. */
function tree(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".arc"))
    .map((name) => {
      const path = join(root, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) return `${name}/`;
      if (stat.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${(stat.mode & 0o777).toString(8)} ${readFileSync(path, "latin1").replaceAll("\0", "")}`;
    })
    .sort();
}

interface Failing {
  readonly error: DiskError;
  readonly at: number;
  readonly lasts: boolean;
}

const calls = join(folder, "calls");
const log = join(folder, "log");

function disk(root: string, { error, at, lasts }: Failing): Record<string, string> {
  writeFileSync(calls, Buffer.alloc(4096));
  writeFileSync(log, "");
  return {
    LD_PRELOAD: library,
    DISK_CALLS: calls,
    DISK_LOG: log,
    DISK_FOLDER: root,
    DISK_ERROR: `${error[1]}`,
    DISK_FAILS_AT: `${at}`,
    ...(lasts ? { DISK_LASTING: "1" } : {}),
  };
}

/** Names of processes, keys and digests differ from run to run. */
const kindOf = (call: string, root: string): string =>
  call
    .replace(root, "")
    .replace(/(\/tmp\/|\/cas\/|\/actions\/|\.\d+-|\/sandbox)\S*/, "$1")
    .replace(/[0-9a-f]{8}/g, "#");

const build = ["build", "-j1"];

/** Which part of all failures is tried; undefined: a choice of them. */
function partOfAll(): readonly [part: number, of: number] | undefined {
  const wanted = process.env.ARC_FAILURES;
  if (wanted === undefined) return undefined;
  const [part = 1, of = 1] = wanted === "all" ? [] : wanted.split("/").map(Number);
  return [part, of];
}

/** `EIO: i/o error, read '/a/journal'; look …`, or with the remedy in the next line. */
const isComplete = (line: string, next = ""): boolean =>
  // A finding names the file in front, and its remedy after the line that it shows.
  /^arc\.yaml:1:1: error\[unreadable-file\]: cannot be read: E[A-Z]+: [^,]+, [a-z]+/.test(line) ||
  (/\bE[A-Z]+: [^,]+, [a-z0-9_]+ '[^']+'/.test(line) && (/; \S+ \S+/.test(line) || /^ +try: /.test(next)));

/** Lines that speak of an error of a call, but not of the file, the call, or what to do. */
function incomplete(said: string): readonly string[] {
  const lines = said.split("\n");
  return lines.filter(
    (line, at) => /\bE[A-Z]{2,}: |[Uu]nknown/.test(line) && !isComplete(line, lines[at + 1]),
  );
}

/** What is in the project and the store when the disk fails. */
const scenes = {
  "an edit": (): void => {},
  "results in the store alone": ({ folder }: Rig): void => {
    for (const name of [".arc", "out"]) rmSync(join(folder, name), { recursive: true });
  },
} as const;

describe.skipIf(compiled.status !== 0)("after a disk that fails", () => {
  /** Of a choice, kinds of calls that an earlier scene had. */
  const tried = new Map<string, Set<string>>();

  describe.each([
    ["with its native part", "an edit", {}],
    ["without it", "an edit", { ARC_NATIVE: "0" }],
    ["with its native part", "results in the store alone", {}],
    ["without it", "results in the store alone", { ARC_NATIVE: "0" }],
  ] as const)("under an arc %s, after %s", (way, scene, env) => {
    let before: Rig;
    let wanted: readonly string[];
    beforeAll(async () => {
      const clean = new Rig({ ...first, ...then });
      expect(await clean.arc(build, { env })).toMatchObject({ status: 0 });
      wanted = tree(clean.folder);
      before = new Rig(scene === "an edit" ? first : { ...first, ...then });
      expect(await before.arc(build, { env })).toMatchObject({ status: 0 });
      for (const rig of [clean]) rmSync(rig.root, { recursive: true });
    });
    afterAll(() => rmSync(before.root, { recursive: true }));

    async function attempt(
      failing: Failing,
    ): Promise<{ readonly wrong: string[]; readonly calls: string[] }> {
      const rig = new Rig();
      rmSync(rig.root, { recursive: true });
      cpSync(before.root, rig.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      for (const [name, text] of Object.entries(then)) rig.write(name, text);
      scenes[scene](rig);
      const built = await rig.arc(build, { env: { ...env, ...disk(rig.root, failing) } });
      const listed = readFileSync(log, "utf8").trim().split("\n");
      const wrong: string[] = [];
      const said = built.out + built.err;
      if (/\n\s+at |mistake in arc|EBADF/.test(said)) wrong.push(`not an answer: ${said}`);
      if (![0, 1, 2].includes(built.status ?? -1)) wrong.push(`exit status ${built.status}: ${said}`);
      if (built.status !== 0 && !built.err.includes(failing.error[0])) wrong.push(`hides it: ${said}`);
      wrong.push(...incomplete(said).map((line) => `names no file, call or remedy: ${line}`));
      if (built.status === 0 && tree(rig.folder).join("\n") !== wanted.join("\n"))
        wrong.push(`calls this good: ${tree(rig.folder)}`);
      const next = await rig.arc(build, { env });
      if (next.status !== 0) wrong.push(`the next build fails: ${next.err}`);
      else if (tree(rig.folder).join("\n") !== wanted.join("\n"))
        wrong.push(`the next build leaves ${tree(rig.folder)}`);
      const root = rig.root;
      rmSync(root, { recursive: true });
      return { wrong, calls: listed.map((row) => row.replace(root, "")) };
    }

    test("the next build leaves what one in an empty world does, and no build takes wrong for good", async () => {
      const good = await attempt({ error: errors[0], at: 0, lasts: false });
      expect(good.wrong).toEqual([]);
      const kinds = tried.get(way) ?? new Set<string>();
      tried.set(way, kinds);
      const known = kinds.size;
      const part = partOfAll();
      let number = 0;
      const wrong: string[] = [];
      for (const row of good.calls) {
        const [at = "", needs = "", ...words] = row.split(" ");
        const kind = kindOf(words.join(" "), "");
        const fitting = errors.filter(([, , classes]) => (classes & Number(needs)) !== 0);
        if (fitting.length === 0 || (part === undefined && kinds.has(kind))) continue;
        kinds.add(kind);
        if (part === undefined && way === "without it" && kinds.size % 2 === 1) continue;
        const chosen = fitting[kinds.size % fitting.length] as DiskError;
        for (const error of part === undefined ? [chosen] : fitting)
          for (const lasts of part === undefined ? [kinds.size % 4 === 3] : [false, true]) {
            number += 1;
            if (part !== undefined && number % part[1] !== part[0] % part[1]) continue;
            const tried = await attempt({ error, at: Number(at), lasts });
            wrong.push(...tried.wrong.map((text) => `${error[0]}${lasts ? " from" : " at"} ${row}: ${text}`));
          }
      }
      expect(kinds.size).toBeGreaterThan(known === 0 ? 20 : known + 2);
      expect(wrong).toEqual([]);
    }, 3_600_000);
  });
});
