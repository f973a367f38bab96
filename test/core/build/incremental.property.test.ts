/** An incremental build equals a clean one: random graphs, random edits, random damage. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, ActionInput } from "../../../core/build/model/action.ts";
import { cases } from "../../cases.ts";
import { loadedWith, WAYS } from "./ways.ts";
import type { Workshop } from "./workshop.ts";

/** An action reads sources and earlier actions. */
interface Shape {
  readonly step: "mix" | "cut" | "grow";
  readonly sources: readonly number[];
  readonly needs: readonly number[];
  readonly placed: boolean;
}

const SOURCES = 5;

const shape: fc.Arbitrary<Shape> = fc.record({
  step: fc.constantFrom("mix", "mix", "cut", "grow"),
  sources: fc.uniqueArray(fc.nat(SOURCES - 1), { maxLength: 3 }),
  needs: fc.uniqueArray(fc.nat(30), { maxLength: 3 }),
  placed: fc.boolean(),
});

type Edit =
  | { readonly kind: "source"; readonly source: number; readonly text: string }
  | { readonly kind: "touch"; readonly source: number }
  | { readonly kind: "remove-output"; readonly action: number }
  | { readonly kind: "damage-output"; readonly action: number }
  | { readonly kind: "lose-blobs"; readonly from: number }
  | { readonly kind: "damage-blobs"; readonly every: number }
  | { readonly kind: "lose-state" | "lose-actions" | "restart" }
  | { readonly kind: "reshape"; readonly action: number; readonly shape: Shape };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("source" as const),
      source: fc.nat(SOURCES - 1),
      text: fc.string({ maxLength: 3 }),
    }),
  },
  fc.record({ kind: fc.constant("touch" as const), source: fc.nat(SOURCES - 1) }),
  fc.record({
    kind: fc.constantFrom("remove-output" as const, "damage-output" as const),
    action: fc.nat(30),
  }),
  fc.record({ kind: fc.constant("lose-blobs" as const), from: fc.nat(15) }),
  fc.record({ kind: fc.constant("damage-blobs" as const), every: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constantFrom("lose-state" as const, "lose-actions" as const, "restart" as const) }),
  fc.record({ kind: fc.constant("reshape" as const), action: fc.nat(30), shape }),
);

function needsOf(shapes: readonly Shape[], at: number): number[] {
  return at === 0 ? [] : [...new Set(shapes[at]?.needs.map((need) => need % at))];
}

function graphOf(shapes: readonly Shape[]): Action[] {
  return shapes.map((shape, at): Action => {
    const inputs: ActionInput[] = [
      ...shape.sources.map((source) => ({ name: `s${source}`, from: { file: `src/${source}` } })),
      ...needsOf(shapes, at).map((need) => ({ name: `a${need}`, from: { action: `a${need}`, output: "o" } })),
    ];
    return {
      address: `a${at}`,
      step: shape.step,
      inputs,
      outputs: [{ name: "o", kind: "file", ...(shape.placed ? { place: `out/${at}` } : {}) }],
      ...(shape.step === "grow" ? { expand: { rule: "grow", promises: [] } } : {}),
    };
  });
}

function apply(step: string, texts: readonly string[]): string {
  const all = texts.join("|");
  // What `cut` throws away must not reach what depends on it.
  if (step === "cut") return all.slice(0, 1);
  return createHash("sha256").update(all).digest("hex");
}

/** What must be in place, by path. */
function model(shapes: readonly Shape[], sources: readonly string[]): Map<string, string> {
  const results: string[] = [];
  const places = new Map<string, string>();
  for (const [at, shape] of shapes.entries()) {
    const named = [
      ...shape.sources.map((source) => [`s${source}`, sources[source] as string] as const),
      ...needsOf(shapes, at).map((need) => [`a${need}`, results[need] as string] as const),
    ].sort(([a], [b]) => (a < b ? -1 : 1));
    const result = apply(
      shape.step,
      named.map(([, text]) => text),
    );
    results.push(result);
    if (shape.placed) places.set(`out/${at}`, result);
    if (shape.step === "grow") places.set(`grown/${at}-${result[0]}`, apply("mix", [result]));
  }
  return places;
}

function furnished(shop: Workshop): Workshop {
  for (const name of ["mix", "cut", "grow"]) {
    shop.step({
      name,
      digest: digestBytes(name),
      async run(context) {
        const names = context.action.inputs.map((input) => input.name).sort();
        const texts = await Promise.all(
          names.map(async (input) => (await context.readInput(input)).toString()),
        );
        await context.writeOutput("o", apply(name, texts));
        return { ok: true };
      },
    });
  }
  shop.expansion({
    rule: "grow",
    digest: digestBytes("grow"),
    async expand(action, read) {
      const number = action.address.slice(1);
      const first = (await read("o")).toString()[0];
      return [
        {
          address: `grown${number}-${first}`,
          step: "mix",
          inputs: [{ name: "in", from: { action: action.address, output: "o" } }],
          outputs: [{ name: "o", kind: "file", place: `grown/${number}-${first}` }],
        },
      ];
    },
  });
  return shop;
}

/** Returns the changed shapes. */
function make(shop: Workshop, edit: Edit, shapes: Shape[], sources: string[]): boolean {
  if (edit.kind === "source") {
    sources[edit.source] = edit.text;
    shop.write(`src/${edit.source}`, edit.text);
  } else if (edit.kind === "touch") {
    utimesSync(shop.path(`src/${edit.source}`), 1, 1);
  } else if (edit.kind === "remove-output" || edit.kind === "damage-output") {
    const path = shop.path(`out/${edit.action % shapes.length}`);
    if (!existsSync(path)) return false;
    if (edit.kind === "remove-output") rmSync(path);
    else writeFileSync(path, "damage");
  } else if (edit.kind === "lose-blobs" || edit.kind === "damage-blobs") {
    const blobs = readdirSync(`${shop.store}/cas`, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const [at, blob] of blobs.sort((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
      const path = `${blob.parentPath}/${blob.name}`;
      if (edit.kind === "lose-blobs" && Number.parseInt(blob.name[0] as string, 16) >= edit.from)
        rmSync(path);
      if (edit.kind === "damage-blobs" && at % edit.every === 0) {
        chmodSync(path, 0o644);
        writeFileSync(path, "damage");
      }
    }
    // A damage is looked for once per process.
    shop.restart();
  } else if (edit.kind === "lose-state") {
    rmSync(shop.path(".arc"), { recursive: true, force: true });
    // Without its memory arc takes what it once wrote for the user's, unless the store has it, too.
    for (const folder of ["out", "grown"]) rmSync(shop.path(folder), { recursive: true, force: true });
    shop.restart();
  } else if (edit.kind === "lose-actions") {
    rmSync(`${shop.store}/actions`, { recursive: true, force: true });
    shop.restart();
  } else if (edit.kind === "reshape") {
    shapes[edit.action % shapes.length] = edit.shape;
    return true;
  } else shop.restart();
  return false;
}

/** With each way of running processes. */
describe.each(WAYS)("builds, %s", async (way) => {
  const { Workshop } = await loadedWith(way, () => import("./workshop.ts"));

  test("after any edits and damage an incremental build leaves what a clean one would", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { minLength: 1, maxLength: 14 }),
        fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
        async (shapes, rounds) => {
          const shop = furnished(new Workshop());
          try {
            const now = [...shapes];
            const sources = Array.from({ length: SOURCES }, (_, at) => `source ${at}`);
            for (const [at, text] of sources.entries()) shop.write(`src/${at}`, text);
            const first = await shop.build(graphOf(now));
            expect(first.ok).toBe(true);
            const ran = first.of("done").flatMap(({ how, key }) => (how === "ran" ? [key] : []));
            expect(ran, "keys that ran").toEqual([...new Set(ran)]);
            expect(first.ran.length).toBe(ran.length);
            for (const round of rounds) {
              const reshaped = round.map((edit) => make(shop, edit, now, sources)).some(Boolean);
              const again = reshaped ? "graph may have changed" : await shop.again();
              if (again === "graph may have changed") {
                const built = await shop.build(graphOf(now));
                expect(built.of("failed")).toEqual([]);
              } else if (again !== "up to date") expect(again.of("failed")).toEqual([]);
              for (const [place, text] of model(now, sources))
                expect([place, shop.read(place)]).toEqual([place, text]);
            }
            const dry = await shop.build(graphOf(now), { dryRun: true });
            expect(dry.of("planned").filter((event) => event.verdict !== "up-to-date")).toEqual([]);
          } finally {
            shop.close();
          }
        },
      ),
      cases(13),
    );
  }, 600_000);
});
