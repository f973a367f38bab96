/** The native launcher against the code that it replaces: the same answers, and the same changes passed to Node. */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { contextOf } from "../../../cli/start/no-op.ts";
import { haveValues, variablesText } from "../../../core/build/files/graph-variables.ts";
import {
  ANY_TIME,
  checkUpToDate,
  HEADER_DOUBLES,
  ROW_DOUBLES,
  readStampRows,
  stampFileOf,
} from "../../../core/build/files/up-to-date.ts";
import { type Depend, takeStamp } from "../../../core/build/model/stat-signature.ts";
import { compileProgram, launcherSources } from "../../../core/build/native/compile.mjs";
import { patchStampFile, writeStampFile } from "../../../core/build/state/stamp-file.ts";
import { StampMemory } from "../../../core/build/state/stamp-memory.ts";
import { cases } from "../../cases.ts";

const home = realpathSync(mkdtempSync(path.join(tmpdir(), "arc-launcher-")));
afterAll(() => rmSync(home, { recursive: true }));

const launcher = path.join(home, "launcher");
const sources = launcherSources(path.resolve(import.meta.dirname, "../../../cli/native"));
const missing = compileProgram(launcher, sources, [
  "-Wall",
  "-Werror",
  '-DARC_BUILD="unbundled"',
  '-DSNAPSHOT_FLAGS=""',
  '-DCOMPILER_FLAGS=""',
]);

/** Replaces Node behind the launcher: prints the numbers that it received. */
const script = path.join(home, "script.cjs");
writeFileSync(
  script,
  `const { readFileSync } = require("node:fs");
   const [found] = (process.env.ARC_CHECKED ?? "").split(",");
   const bytes = found === "" ? Buffer.alloc(0) : readFileSync(Number(found));
   const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
   console.log(JSON.stringify({ args: process.argv.slice(2), numbers: [...numbers].map(String) }));`,
);

interface Started {
  readonly args: readonly string[];
  /** Time, rows with their stamps, -1; as text, since JSON has no NaN. */
  readonly numbers: readonly string[];
}

function launch(cwd: string, args: readonly string[], env = process.env) {
  const { status, stdout, stderr } = spawnSync(launcher, [script, ...args], { cwd, env, encoding: "utf8" });
  const started: Started | undefined = stdout === "" ? undefined : JSON.parse(stdout);
  return { status, stderr, started };
}

type Kind = "file" | "longer file" | "folder" | "absent" | "loop" | "link to nothing";

/** Puts something at a path, replacing what is there. */
function put(file: string, kind: Kind): void {
  rmSync(file, { recursive: true, force: true });
  if (kind === "folder") mkdirSync(file);
  else if (kind === "loop") symlinkSync(path.basename(file), file);
  else if (kind === "link to nothing") symlinkSync("nothing", file);
  else if (kind !== "absent") writeFileSync(file, kind);
}

function stampOf(file: string): Depend {
  try {
    return takeStamp(file);
  } catch {
    return null;
  }
}

const often = <T>(...arms: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> =>
  fc.oneof(...arms.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
const kind = often<Kind>(
  [4, "file"],
  [2, "longer file"],
  [2, "folder"],
  [2, "absent"],
  [1, "loop"],
  [1, "link to nothing"],
);
/** How a path is looked at: as what the graph depends on, as a file of an action, as one of the store. */
const role = often([4, "depend"], [4, "exists"], [4, "entry"], [4, "stored"], [1, "racy"]);
const after = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: kind });
const names = ["a", "b c\n", "ä", "f'\"g", "arc.yaml"] as const;
/** `between`: it changed and was built again, which was added to the stamps. */
const rows = fc.tuple(...names.map(() => fc.record({ role, before: kind, between: after, after })));

let projects = 0;

function newProject(name = "project"): string {
  projects += 1;
  const root = path.join(home, `${name}-${projects}`);
  mkdirSync(path.join(root, "inner"), { recursive: true });
  writeFileSync(path.join(root, "arc.yaml"), "");
  return root;
}

function writeStamps(
  root: string,
  context: string,
  roles: ReadonlyMap<string, string>,
  variables = "",
): void {
  const depends = new Map<string, Depend>();
  const entries = new Map();
  for (const [name, as] of roles) {
    const stamp = stampOf(path.join(root, name));
    if (as === "depend") depends.set(name, stamp);
    else if (as === "exists") depends.set(name, "exists");
    else {
      const racy = as === "racy" || stamp === null;
      const seen =
        as === "stored" && stamp ? { ...(stamp as object), mtimeMs: ANY_TIME, ctimeMs: ANY_TIME } : stamp;
      entries.set(name, seen ? { stamp: seen, executable: false, racy } : undefined);
    }
  }
  const texts = { context, summary: "nothing to do\n", carry: "carried", variables };
  const content = { ...texts, graph: 1, depends, entries };
  writeStampFile(stampFileOf(path.join(root, ".arc"), context), {
    ...content,
    sums: Float64Array.of(1, 2, 3),
    wanted: new Uint8Array(),
  });
}

/** As after a build that read or wrote some of the files. */
function addStamps(root: string, context: string, built: readonly string[]): void {
  const file = stampFileOf(path.join(root, ".arc"), context);
  const read = readStampRows(file, context, undefined);
  const memory = read && StampMemory.of(read);
  if (read === undefined || memory === undefined) throw new Error("no stamps");
  const entries = built.map((name) => {
    const stamp = stampOf(path.join(root, name));
    const isThere = stamp !== undefined && stamp !== null && stamp !== "exists";
    return [name, isThere ? { stamp, executable: false, racy: false } : undefined] as const;
  });
  expect(patchStampFile(memory, new Map(entries), new Map([[1, 4]]), read)).toBe(true);
}

describe.skipIf(missing !== undefined)("the native launcher", () => {
  it("finds what the portable check finds, and says the same when that is nothing", () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (states, inside) => {
        const root = newProject();
        const cwd = inside ? path.join(root, "inner") : root;
        const files = names.map((name) => path.join(root, name));
        for (const [at, { before }] of states.entries())
          put(files[at] as string, names[at] === "arc.yaml" ? "file" : before);
        const context = contextOf(["build", "-j2"], cwd, process.env);
        writeStamps(
          root,
          context,
          new Map(names.map((name, at) => [name, (states[at] as { role: string }).role])),
        );
        const built = states.flatMap(({ role, between }, at) => {
          if (between === null || names[at] === "arc.yaml" || role === "depend" || role === "exists")
            return [];
          put(files[at] as string, between);
          return [names[at] as string];
        });
        addStamps(root, context, built);
        for (const [at, { after }] of states.entries()) if (after !== null) put(files[at] as string, after);
        // Without it there is no project.
        if (states[4]?.after !== null) put(files[4] as string, "longer file");
        const expected = checkUpToDate(path.join(root, ".arc"), context, undefined, root);
        const { status, stderr, started } = launch(cwd, ["build", "-j2"]);
        expect(status).toBe(0);
        if (expected.upToDate) {
          expect({ stderr, started }).toEqual({ stderr: "nothing to do\n", started: undefined });
          return;
        }
        if (expected.rows === undefined) throw new Error("no stamps");
        const passed = [...expected.changed].flatMap(([row, now]) => [row, ...now]);
        expect(started?.args).toEqual(["build", "-j2"]);
        expect(started?.numbers.slice(1)).toEqual([...passed, -1].map(String));
        expect(Math.abs(Number(started?.numbers[0]) - expected.time)).toBeLessThan(60_000);
      }),
      cases(40),
    );
  });

  it.each([
    ["another command", ["translate"], {}],
    ["other arguments", ["build", "x"], {}],
    ["another environment", ["build"], { CC: "other" }],
    ["events", ["build", "--json"], {}],
    ["a dry run", ["build", "-n"], {}],
    ["force", ["build", "--force"], {}],
    ["a trace", ["build", "--trace=x"], {}],
    ["another folder", ["build", "-C", "."], {}],
  ])("leaves to Node what was asked otherwise: %s", (_, args, env) => {
    const root = newProject();
    const all = { ...process.env, ...env };
    writeStamps(root, contextOf(["build"], root, process.env), new Map());
    // Stamps of the very call do not count where it must not be answered from memory.
    if (args.length > 1 && args[1] !== "x") writeStamps(root, contextOf(args, root, all), new Map());
    expect(launch(root, args, all)).toMatchObject({ status: 0, started: { args, numbers: [] } });
  });

  it("answers where folders, arguments and the environment have other letters than those of ASCII", () => {
    const root = newProject("größe 日本😀");
    const args = ["build", "prüfen"];
    const env = { ...process.env, HOME: "/home/jürgen", PATH: `${process.env.PATH}:/opt/ö` };
    writeStamps(root, contextOf(args, root, env), new Map([["arc.yaml", "depend"]]));
    expect(launch(root, args, env)).toEqual({ status: 0, stderr: "nothing to do\n", started: undefined });
    const other = { ...env, HOME: "/home/jurgen" };
    expect(launch(root, args, other)).toMatchObject({ started: { args, numbers: [] } });
  });

  it.each([
    ["the same", { A_SET: "x=y", AN_EMPTY: "" }, true],
    ["another value", { A_SET: "x=z", AN_EMPTY: "" }, false],
    ["a longer value", { A_SET: "x=yy", AN_EMPTY: "" }, false],
    ["the start of the value", { A_SET: "x=", AN_EMPTY: "" }, false],
    ["one that is not set any more", { AN_EMPTY: "" }, false],
    ["an empty one that is not set any more", { A_SET: "x=y" }, false],
    ["one that is set now", { A_SET: "x=y", AN_EMPTY: "", AN_UNSET: "" }, false],
    ["one that the graph does not ask for", { A_SET: "x=y", AN_EMPTY: "", A_SETTER: "1" }, true],
  ])("looks at the variables that decide the graph: %s", (_, given, isSame) => {
    const before = new Map([
      ["A_SET", "x=y"],
      ["AN_UNSET", undefined],
      ["AN_EMPTY", ""],
    ] as const);
    const text = variablesText(before);
    expect(haveValues(text, given)).toBe(isSame);
    const root = newProject();
    const env = { ...process.env, ...given };
    writeStamps(root, contextOf(["build"], root, env), new Map([["arc.yaml", "depend"]]), text);
    const { status, stderr, started } = launch(root, ["build"], env);
    expect({ status, stderr, left: started !== undefined }).toEqual(
      isSame ? { status: 0, stderr: "nothing to do\n", left: false } : { status: 0, stderr: "", left: true },
    );
  });

  it("never takes a value of several lines for the one of before", () => {
    const text = variablesText(new Map([["A", "x\nB=y"]]));
    for (const env of [{ A: "x\nB=y" }, { A: "x", B: "y" }, { A: "" }, {}]) {
      expect(haveValues(text, env)).toBe(false);
      const root = newProject();
      const all = { ...process.env, ...env };
      writeStamps(root, contextOf(["build"], root, all), new Map([["arc.yaml", "depend"]]), text);
      expect(launch(root, ["build"], all).started).toBeDefined();
    }
  });

  it("leaves bytes to Node that are no letters, whatever Node takes them for", () => {
    const root = newProject();
    writeStamps(root, contextOf(["build"], root, { ...process.env, HOME: "\ufffd" }), new Map());
    const withByte = ["-c", 'HOME=$(printf "\\377") exec "$0" "$@"', launcher, script, "build"];
    const { stdout } = spawnSync("sh", withByte, { cwd: root, encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual({ args: ["build"], numbers: [] });
  });

  it("leaves damaged stamps to Node", () => {
    const root = newProject();
    const context = contextOf(["build"], root, process.env);
    const file = stampFileOf(path.join(root, ".arc"), context);
    writeStamps(root, context, new Map([["arc.yaml", "depend"]]));
    expect(launch(root, ["build"]).stderr).toBe("nothing to do\n");
    const whole = readFileSync(file);
    const cut = whole.subarray(0, -8);
    // Wherever one bit of header, stamps or paths is another.
    const hot =
      HEADER_DOUBLES * 8 +
      ROW_DOUBLES * 8 +
      context.length +
      "\0nothing to do\n\0carried\0\0arc.yaml\0".length;
    const flipped = Array.from({ length: hot }, (_, at) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      return bytes;
    }).filter((_, at) => at % 37 === 0);
    for (const damaged of ["", "short", Buffer.alloc(1000), Buffer.alloc(1000, 0xff), cut, ...flipped]) {
      writeFileSync(file, damaged);
      expect(launch(root, ["build"])).toMatchObject({ status: 0, started: { numbers: [] } });
    }
  });
});
