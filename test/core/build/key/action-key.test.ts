/**
 * What decides whether an action runs: every field of an action, its command, its step and its inputs, changed by itself.
 * Either it is in the key, and the action runs for exactly that reason, or it is not, and nothing runs. The tables are
 * keyed by the types' own fields, so that a new field does not compile until it is said here which of the two it is.
 */
import { renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EngineOptions } from "../../../../core/build/engine-interface.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import {
  baseKey,
  firstDifference,
  type KeyedInput,
  partsOf,
  resultKey,
} from "../../../../core/build/key/key.ts";
import type {
  Action,
  ActionInput,
  ActionOutput,
  Command,
  Registry,
  Resources,
  Step,
  ToolIdentity,
} from "../../../../core/build/model/action.ts";
import type { Reason } from "../../../../core/build/model/event.ts";
import { cases } from "../../../cases.ts";
import { shell, Workshop } from "../workshop.ts";

/** All that one build is made of. */
interface World {
  readonly action: Action;
  /** Makes the input `made`. */
  readonly maker: Action;
  readonly steps: readonly Step[];
  readonly expansions: Registry["expansions"];
  /** By path in the project. */
  readonly sources: Readonly<Record<string, string>>;
  readonly modes: Readonly<Record<string, number>>;
  readonly engine: Partial<EngineOptions>;
}

const cc: ToolIdentity = { name: "cc", version: "cc 1", digest: digestBytes("cc 1") };
const ld: ToolIdentity = { name: "ld", version: "ld 1", digest: digestBytes("ld 1") };

const command: Command = {
  argv: ["sh", "-c", "echo made | tee o; echo made > p; mkdir d; echo made > d/x"],
  env: { ONE: "1", TWO: "2" },
};

const action: Action = {
  address: "work",
  step: "command",
  command,
  options: { x: 1, y: [2, 3] },
  tools: [cc, ld],
  inputs: [
    { name: "a", from: { file: "a" } },
    { name: "made", from: { action: "maker", output: "m" } },
    { name: "text", from: { text: "text" } },
  ],
  outputs: [
    { name: "o", kind: "file", place: "out/o" },
    { name: "p", kind: "file" },
    { name: "left-out", kind: "file", optional: true },
  ],
};

const WORLD: World = {
  action,
  maker: shell("maker", "cat m.in > m", { "m.in": "m.in" }, ["m"], {
    outputs: [{ name: "m", kind: "file", place: "out/m", optional: true }],
  }),
  steps: ["command", "other"].map((name) => ({ name, digest: digestBytes("code") })),
  expansions: new Map(),
  sources: { a: "a", b: "a", "m.in": "made" },
  modes: {},
  engine: { jobs: 1, given: {} },
};

interface Row {
  readonly what: string;
  readonly change: (world: World) => World;
  /** Why it runs after the change; absent: it does not run. */
  readonly reason?: Reason;
  /** Why it is not up to date when the change is undone; absent: for the same reason. */
  readonly undone?: Reason;
}

const change =
  (fields: (world: World) => Partial<Action>) =>
  (world: World): World => ({ ...world, action: { ...world.action, ...fields(world) } });
const withAction = (fields: Partial<Action>) => change(() => fields);
const withCommand = (fields: Partial<Command>) =>
  change(({ action }) => ({ command: { ...(action.command as Command), ...fields } }));
const withOutput = (fields: Partial<ActionOutput>) =>
  change(({ action: { outputs } }) => ({
    outputs: [{ ...outputs[0], ...fields } as ActionOutput, ...outputs.slice(1)],
  }));
const withTool = (fields: Partial<ToolIdentity>) =>
  change(({ action: { tools = [] } }) => ({
    tools: [{ ...tools[0], ...fields } as ToolIdentity, ...tools.slice(1)],
  }));
const withInput = (fields: Partial<ActionInput>) =>
  change(({ action: { inputs } }) => ({
    inputs: [{ ...inputs[0], ...fields } as ActionInput, ...inputs.slice(1)],
  }));
const withStep =
  (fields: Partial<Step>) =>
  (world: World): World => ({
    ...world,
    steps: world.steps.map((step) => ({ ...step, ...fields, name: step.name })),
  });
const withSources =
  (sources: World["sources"]) =>
  (world: World): World => ({
    ...world,
    sources: { ...world.sources, ...sources },
  });
const withEngine =
  (engine: World["engine"]) =>
  (world: World): World => ({
    ...world,
    engine: { ...world.engine, ...engine },
  });
const withMaker =
  (fields: Partial<Action>) =>
  (world: World): World => ({
    ...world,
    maker: { ...world.maker, ...fields },
  });

const options: Reason = { kind: "options-changed" };
const environment: Reason = { kind: "environment-changed" };
const changed = (input: string, before: string, after: string): Reason => ({
  kind: "input-changed",
  input,
  before: digestBytes(before),
  after: digestBytes(after),
});
const by = (reason: Reason, by: string): Reason => ({ ...reason, by }) as Reason;

type Rows<T> = Readonly<Record<keyof Required<T>, readonly Row[]>>;

const RESOURCES: Required<Resources> = { cpu: 1, memory: 1 << 20, tokens: { licence: 1 } };

const TABLE: {
  readonly action: Rows<Action>;
  readonly command: Rows<Command>;
  readonly output: Rows<ActionOutput>;
  readonly tool: Rows<ToolIdentity>;
  readonly input: Rows<ActionInput>;
  readonly step: Rows<Step>;
  readonly surroundings: Readonly<Record<string, readonly Row[]>>;
} = {
  action: {
    address: [{ what: "another name", change: withAction({ address: "task" }) }],
    step: [
      {
        what: "another step of the same code",
        change: withAction({ step: "other" }),
        reason: { kind: "step-changed", detail: "other" },
        undone: { kind: "step-changed", detail: "command" },
      },
    ],
    options: [
      { what: "a value", change: withAction({ options: { x: 2, y: [2, 3] } }), reason: options },
      { what: "an order", change: withAction({ options: { x: 1, y: [3, 2] } }), reason: options },
      { what: "one less", change: withAction({ options: { x: 1 } }), reason: options },
      { what: "the order of names", change: withAction({ options: { y: [2, 3], x: 1 } }) },
    ],
    command: [
      {
        what: "none, but the step's function",
        change: (world) =>
          withStep({
            run: async (context) => {
              for (const name of ["o", "p"]) await context.writeOutput(name, "made\n");
              return { ok: true };
            },
          })({ ...world, action: { ...world.action, command: undefined } as unknown as Action }),
        reason: options,
      },
    ],
    tools: [
      {
        what: "one less",
        change: withAction({ tools: [cc] }),
        reason: { kind: "tool-changed", tool: "ld", before: "ld 1" },
        undone: { kind: "tool-changed", tool: "ld", after: "ld 1" },
      },
      { what: "their order", change: withAction({ tools: [ld, cc] }) },
    ],
    inputs: [
      {
        what: "one less",
        change: change(({ action }) => ({ inputs: action.inputs.slice(0, 2) })),
        reason: { kind: "input-removed", input: "text" },
        undone: { kind: "input-added", input: "text" },
      },
      { what: "their order", change: change(({ action }) => ({ inputs: [...action.inputs].reverse() })) },
    ],
    outputs: [
      {
        what: "one more",
        change: change(({ action }) => ({ outputs: [...action.outputs, { name: "d", kind: "folder" }] })),
        reason: options,
      },
      {
        what: "one less",
        change: change(({ action }) => ({ outputs: action.outputs.slice(0, 1) })),
        reason: options,
      },
      { what: "their order", change: change(({ action }) => ({ outputs: [...action.outputs].reverse() })) },
    ],
    resources: [{ what: "more", change: withAction({ resources: RESOURCES }) }],
    executor: [{ what: "named", change: withAction({ executor: "local" }) }],
    finish: [{ what: "set", change: withAction({ finish: true }) }],
    deterministic: [{ what: "false: only its consumers care", change: withAction({ deterministic: false }) }],
    cache: [
      {
        what: "false",
        change: withAction({ cache: false }),
        reason: { kind: "not-cacheable" },
        undone: { kind: "never-built" },
      },
    ],
    expand: [
      {
        what: "set: what it adds is asked for, what it made stays",
        change: (world) => ({
          ...world,
          expansions: new Map([
            ["more", { rule: "more", digest: digestBytes("more"), expand: async () => [] }],
          ]),
          action: { ...world.action, expand: { rule: "more", promises: [] } },
        }),
      },
    ],
    skip: [{ what: "set", change: withAction({ skip: "no cc here" }) }],
    site: [{ what: "another line", change: withAction({ site: { file: "arc.yaml", line: 3 } }) }],
    title: [{ what: "set", change: withAction({ title: "works" }) }],
  },
  command: {
    argv: [
      { what: "an argument more", change: withCommand({ argv: [...command.argv, "x"] }), reason: options },
      {
        what: "another program",
        change: withCommand({ argv: ["bash", ...command.argv.slice(1)] }),
        reason: options,
      },
      {
        what: "two in one",
        change: withCommand({ argv: ["sh", "-c", command.argv[2] ?? "", "a b"] }),
        reason: options,
      },
    ],
    env: [
      { what: "a value", change: withCommand({ env: { ONE: "1", TWO: "3" } }), reason: environment },
      {
        what: "one more",
        change: withCommand({ env: { ONE: "1", TWO: "2", SIX: "" } }),
        reason: environment,
      },
      { what: "one less", change: withCommand({ env: { ONE: "1" } }), reason: environment },
      { what: "the order of names", change: withCommand({ env: { TWO: "2", ONE: "1" } }) },
    ],
    passEnv: [{ what: "one more", change: withCommand({ passEnv: ["LICENCE"] }) }],
    stdout: [{ what: "to an output", change: withCommand({ stdout: "p" }), reason: options }],
    ok: [
      { what: "one more", change: withCommand({ ok: [0, 1] }), reason: options },
      { what: "what holds anyway", change: withCommand({ ok: [0] }) },
    ],
    timeoutSeconds: [{ what: "set", change: withCommand({ timeoutSeconds: 60 }) }],
    memoryLimitBytes: [{ what: "set", change: withCommand({ memoryLimitBytes: 2 ** 33 }) }],
    inProject: [
      {
        what: "true",
        change: (world) => withCommand({ inProject: true })(withAction({ outputs: [] })(world)),
        reason: options,
      },
    ],
  },
  output: {
    name: [{ what: "another", change: withOutput({ name: "d/x" }), reason: options }],
    kind: [
      {
        what: "folder, of one that is left out",
        change: change(({ action: { outputs } }) => ({
          outputs: outputs.map((output) => (output.optional ? { ...output, kind: "folder" } : output)),
        })),
        reason: options,
      },
      { what: "folder", change: withOutput({ name: "d", kind: "folder" }), reason: options },
    ],
    place: [{ what: "elsewhere", change: withOutput({ place: "out/elsewhere" }) }],
    executable: [
      { what: "true", change: withOutput({ executable: true }), reason: options },
      { what: "as written", change: withOutput({ executable: "as-written" }), reason: options },
    ],
    optional: [{ what: "true", change: withOutput({ optional: true }), reason: options }],
  },
  tool: {
    name: [
      {
        what: "another",
        change: withTool({ name: "gcc" }),
        reason: { kind: "tool-changed", tool: "gcc", after: "cc 1" },
        undone: { kind: "tool-changed", tool: "cc", after: "cc 1" },
      },
    ],
    digest: [
      {
        what: "another",
        change: withTool({ digest: digestBytes("cc 2") }),
        reason: { kind: "tool-changed", tool: "cc", before: "cc 1", after: "cc 1" },
      },
      {
        what: "another, with its version",
        change: withTool({ digest: digestBytes("cc 2"), version: "cc 2" }),
        reason: { kind: "tool-changed", tool: "cc", before: "cc 1", after: "cc 2" },
        undone: { kind: "tool-changed", tool: "cc", before: "cc 2", after: "cc 1" },
      },
    ],
    version: [{ what: "another text for the same program", change: withTool({ version: "CC 1.0" }) }],
  },
  input: {
    name: [
      {
        what: "another",
        change: withInput({ name: "z" }),
        reason: { kind: "input-added", input: "z" },
        undone: { kind: "input-added", input: "a" },
      },
    ],
    from: [
      { what: "another file of the same bytes", change: withInput({ from: { file: "b" } }) },
      { what: "the same bytes as text", change: withInput({ from: { text: "a" } }) },
      {
        what: "bytes of a source",
        change: withSources({ a: "A" }),
        reason: changed("a", "a", "A"),
        undone: changed("a", "A", "a"),
      },
      {
        what: "a source that may be executed",
        change: (world) => ({ ...world, modes: { a: 0o755 } }),
        reason: changed("a", "a", "a"),
      },
      {
        what: "other text",
        change: change(({ action }) => ({
          inputs: [...action.inputs.slice(0, 2), { name: "text", from: { text: "TEXT" } }],
        })),
        reason: changed("text", "text", "TEXT"),
        undone: changed("text", "TEXT", "text"),
      },
      {
        what: "bytes of another action's output",
        change: withSources({ "m.in": "MADE" }),
        reason: by(changed("made", "made", "MADE"), "maker"),
        undone: by(changed("made", "MADE", "made"), "maker"),
      },
      {
        what: "an output that is left out",
        change: withMaker({ command: { argv: ["true"] } }),
        reason: { kind: "input-changed", input: "made", before: digestBytes("made"), by: "maker" },
        undone: { kind: "input-changed", input: "made", after: digestBytes("made"), by: "maker" },
      },
      {
        what: "the same bytes by another command",
        change: withMaker({ command: { argv: ["cp", "m.in", "m"] } }),
      },
    ],
  },
  step: {
    name: [],
    digest: [
      {
        what: "other code",
        change: withStep({ digest: digestBytes("new code") }),
        reason: { kind: "step-changed", detail: "command" },
      },
    ],
    typicalSeconds: [{ what: "another guess", change: withStep({ typicalSeconds: 9 }) }],
    finish: [{ what: "set", change: withStep({ finish: true }) }],
    missingOutputRemedy: [{ what: "set", change: withStep({ missingOutputRemedy: "write it" }) }],
    opensWhatItResolves: [{ what: "set", change: withStep({ opensWhatItResolves: true }) }],
    run: [
      { what: "another function of the same digest", change: withStep({ run: async () => ({ ok: true }) }) },
    ],
  },
  surroundings: {
    jobs: [{ what: "more", change: withEngine({ jobs: 8 }) }],
    memory: [{ what: "less", change: withEngine({ memory: 1 << 28 }) }],
    tokens: [{ what: "more", change: withEngine({ tokens: { licence: 4 } }) }],
    environment: [
      {
        what: "of the process: time zone, language, a variable that is passed on",
        change: (world) =>
          withEngine({
            environment: { ...process.env, TZ: "Asia/Tokyo", LANG: "de_DE.UTF-8", LICENCE: "x" },
          })(world),
      },
    ],
    given: [
      {
        what: "of all keys",
        change: withEngine({ environment: { ...process.env, GIVEN: "x" }, given: { keyed: ["GIVEN"] } }),
        reason: { kind: "environment-changed" },
      },
      {
        what: "of all keys, and not set",
        change: withEngine({ given: { keyed: ["GIVEN"] } }),
      },
      {
        what: "of no key",
        change: withEngine({ environment: { ...process.env, GIVEN: "x" }, given: { passed: ["GIVEN"] } }),
      },
    ],
    outputFolder: [{ what: "another", change: withEngine({ outputFolder: "build" }) }],
    state: [{ what: "elsewhere", change: withEngine({ state: "memory" }) }],
  },
};

const rows = Object.entries(TABLE).flatMap(([part, fields]) =>
  Object.entries(fields as Readonly<Record<string, readonly Row[]>>).flatMap(([field, list]) =>
    list.map((row) => [`${part}.${field}: ${row.what}`, row] as const),
  ),
);

/** In a separate process. The sources are written anew each time, so that their times change, too. */
async function build(shop: Workshop, world: World) {
  for (const [path, text] of Object.entries(world.sources))
    shop.write(path, text, world.modes[path] ?? 0o644);
  shop.steps.clear();
  for (const step of world.steps) shop.step(step);
  shop.expansions.clear();
  for (const expansion of world.expansions.values()) shop.expansion(expansion);
  await shop.restart(world.engine);
  return shop.build([world.maker, world.action]);
}

describe("one change to a built action reruns it with that reason, and undoing it restores the result:", () => {
  test.each(rows)("%s", async (_, row) => {
    const shop = new Workshop();
    await build(shop, WORLD);
    const key = shop.engine.explain("work").key;
    const world = row.change(WORLD);
    const { address } = world.action;
    const after = await build(shop, world);
    expect(after.ok).toBe(true);
    const ran = after.ran.filter((name) => name !== world.maker.address);
    if (row.reason === undefined) {
      expect(ran).toEqual([]);
      if (world.action.skip === undefined) expect(shop.engine.explain(address).key).toBe(key);
    } else {
      expect(ran).toEqual([address]);
      expect(after.outcomes.get(address)?.reason).toEqual(row.reason);
      if (row.reason.kind !== "not-cacheable") expect(shop.engine.explain(address).key).not.toBe(key);
    }
    const back = await build(shop, WORLD);
    expect(back.ran).toEqual([]);
    expect(shop.engine.explain("work").key).toBe(key);
    if (row.reason !== undefined && row.reason.kind !== "not-cacheable") {
      expect(back.outcomes.get("work")?.reason).toEqual(row.undone ?? row.reason);
    }
  });
});

test("the folders of project and store are in no key, nor are the times of files", async () => {
  const shop = new Workshop();
  await build(shop, WORLD);
  const { key } = shop.engine.explain("work");
  utimesSync(shop.path("a"), 1, 1);
  await shop.restart();
  expect((await shop.build([WORLD.maker, WORLD.action])).counts).toMatchObject({ upToDate: 2 });

  const moved = new Workshop({ root: join(shop.directory, "another place", "project"), store: shop.store });
  expect((await build(moved, WORLD)).counts).toMatchObject({ ran: 0, cached: 2 });
  expect(moved.engine.explain("work").key).toBe(key);

  const alone = new Workshop();
  expect((await build(alone, WORLD)).counts).toMatchObject({ ran: 2 });
  expect(alone.engine.explain("work").key).toBe(key);

  await shop.restart();
  renameSync(shop.store, join(shop.directory, "elsewhere"));
  const kept = new Workshop({ store: join(shop.directory, "elsewhere") });
  expect((await build(kept, WORLD)).counts).toMatchObject({ ran: 0, cached: 2 });
});

describe("a change to an input that an action discovered is the reason of its next run:", () => {
  const found = (shop: Workshop): Action => {
    shop.step({
      name: "look",
      digest: digestBytes("look"),
      run: async (context) => {
        for (const file of ["h", "g"]) {
          if (shop.exists(file)) context.discover(file);
          else context.discoverMissing(file);
        }
        await context.writeOutput(
          "o",
          ["h", "g"].map((file) => (shop.exists(file) ? shop.read(file) : "-")).join(),
        );
        return { ok: true };
      },
    });
    return {
      address: "look",
      step: "look",
      inputs: [],
      outputs: [{ name: "o", kind: "file", place: "out/o" }],
    };
  };

  test.each<[string, (shop: Workshop) => void, Reason, Reason]>([
    ["its bytes", (shop) => shop.write("h", "H"), changed("h", "h", "H"), changed("h", "H", "h")],
    [
      "that it is gone",
      (shop) => rmSync(shop.path("h")),
      { kind: "input-removed", input: "h" },
      { kind: "input-added", input: "h" },
    ],
    [
      "what it had looked for and not found",
      (shop) => shop.write("g", "g"),
      { kind: "input-added", input: "g" },
      { kind: "input-removed", input: "g" },
    ],
  ])("%s", async (_, edit, reason, undone) => {
    const shop = new Workshop();
    const look = found(shop);
    // What was just written is not trusted by its times.
    const settled = (): void => {
      for (const file of ["h", "g"]) if (shop.exists(file)) utimesSync(shop.path(file), 1, 1);
    };
    shop.write("h", "h");
    settled();
    await shop.build([look]);
    const { key } = shop.engine.explain("look");
    const output = shop.read("out/o");
    edit(shop);
    settled();
    await shop.restart();
    const after = await shop.build([look]);
    expect(after.ran).toEqual(["look"]);
    expect(after.outcomes.get("look")?.reason).toEqual(reason);
    expect(shop.engine.explain("look").key).not.toBe(key);
    expect(shop.read("out/o")).not.toBe(output);
    rmSync(shop.path("g"), { force: true });
    shop.write("h", "h");
    settled();
    await shop.restart();
    const back = await shop.build([look]);
    expect(back.ran).toEqual([]);
    expect(back.outcomes.get("look")?.reason).toEqual(undone);
    expect(shop.engine.explain("look").key).toBe(key);
    expect(shop.read("out/o")).toBe(output);
  });
});

test("the folder that a command runs in, and names that were not found, are separate parts of the key", () => {
  const keyOf = (fields: Partial<Command>): string =>
    baseKey(partsOf({ ...action, command: { ...command, ...fields } }, WORLD.steps[0] as Step, []));
  expect(keyOf({ inProject: true })).not.toBe(keyOf({}));
  const base = digestBytes("base");
  const resultOf = (missing: readonly string[]): string => resultKey(base, { files: [], missing });
  expect(resultOf(["g"])).not.toBe(resultOf([]));
  expect(resultOf([])).not.toBe(resultKey(digestBytes("other base"), { files: [], missing: [] }));
});

/** Few values, so that two drawn ones often differ in only one field. */
const few = <const T extends readonly unknown[]>(...values: T): fc.Arbitrary<T[number]> =>
  fc.constantFrom(...values);
const names = few("a", "b", "c");
const digests = few("1", "2").map(digestBytes);
const named = <T extends { readonly name: string }>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.uniqueArray(one, { selector: ({ name }) => name, maxLength: 2 });

const keyed: fc.Arbitrary<KeyedInput> = fc.record({
  name: names,
  kind: few("file", "exec", "folder"),
  digest: digests,
});

const drawn = fc
  .record({
    step: few("one", "two"),
    code: digests,
    options: few(null, 1, "1", [1], { x: 1 }),
    argv: few(["a", "b"], ["a b"], ["a"]),
    env: few({}, { A: "1" }, { A: "", B: "1" }),
    ok: few([0], [0, 1]),
    tools: named(fc.record({ name: names, digest: digests, version: few("v1", "v2") })),
    outputs: named(
      fc.record(
        { name: names, kind: few("file", "folder"), executable: few(true, "as-written") },
        { requiredKeys: ["name", "kind"] },
      ),
    ),
    inputs: named(keyed),
  })
  .map(({ step, code, argv, env, ok, inputs, ...rest }) =>
    partsOf(
      { address: "x", step, command: { argv, env, ok }, inputs: [], ...rest } as Action,
      { name: step, digest: code },
      inputs.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ),
  );

/** Two that differ in one part at most, or in any. */
const pairs = fc.oneof(
  fc.tuple(drawn, drawn),
  fc
    .tuple(drawn, drawn, few("step", "stepDigest", "tools", "options", "environment", "outputs", "inputs"))
    .map(([one, other, part]) => [one, { ...one, [part]: other[part] }] as [typeof one, typeof one]),
);

test("two keys differ exactly if their difference can be named, in either order", () => {
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const differ = baseKey(one) !== baseKey(other);
      expect(firstDifference(one, other) !== undefined).toBe(differ);
      expect(firstDifference(other, one) !== undefined).toBe(differ);
    }),
    cases(2000),
  );
});
