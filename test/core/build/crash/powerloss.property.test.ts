/**
 * After a loss of power a build leaves what one in an empty world would, whatever is lost of what arc writes for itself
 * (the project's memory and the store's logs). `ARC_PROPERTIES=42` tries
 * 10 000 states.
 */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { cases } from "../../../cases.ts";
import { Workshop } from "../workshop.ts";
import { type Loss, PowerLoss } from "./powerloss.ts";

const UNITS = 4;
const HEADERS = 3;
const WORDS = ["a", "b", "c", "error"] as const;

/** What the project is made of: units that include headers, by name. */
interface Sources {
  readonly units: { readonly text: (typeof WORDS)[number]; readonly includes: number[] }[];
  readonly headers: string[];
}

const word = fc.constantFrom(...WORDS);
const edit = fc.oneof(
  fc.record({ unit: fc.nat(UNITS - 1), text: word, includes: fc.uniqueArray(fc.nat(HEADERS - 1)) }),
  fc.record({ header: fc.nat(HEADERS - 1), text: fc.constantFrom("x", "y", "z") }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

const loss: fc.Arbitrary<Loss> = fc.record({
  at: fc.oneof(fc.constant(1000), fc.nat(1000)),
  share: fc.constantFrom(1000, 1000, 980, 800, 500),
  seed: fc.integer(),
});
/** Builds with edits before them, then a loss of power, and what was edited when all came to an end. */
const round = fc.record({
  builds: fc.array(fc.array(edit, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
  restarts: fc.boolean(),
  loss,
  after: fc.array(edit, { maxLength: 2 }),
});

const tick = new Int32Array(new SharedArrayBuffer(4));

const input = (address: string) => ({ name: address, from: { action: address, output: "o" } });
const units = Array.from({ length: UNITS }, (_, unit) => unit);

/** unit -> include -> both (of two) -> out; cut -> grown, and cut is read by each out. */
const graph: Action[] = [
  ...units.map(
    (unit): Action => ({
      address: `include${unit}`,
      step: "include",
      inputs: [{ name: "unit", from: { file: `src/${unit}` } }],
      outputs: [{ name: "o", kind: "file" }],
    }),
  ),
  ...units.map((unit) => join(`both${unit}`, [`include${unit}`, `include${(unit + 1) % UNITS}`])),
  {
    ...join("cut", ["both0"]),
    step: "cut",
    expand: { rule: "grow", promises: [] },
  },
  ...units.map((unit) => join(`out${unit}`, [`both${unit}`, "cut"], `out/${unit}`)),
];

function join(address: string, needs: readonly string[], place?: string): Action {
  return {
    address,
    step: "join",
    inputs: needs.map(input),
    outputs: [{ name: "o", kind: "file", ...(place === undefined ? {} : { place }) }],
  };
}

/** What must be in place. */
function model({ units: all, headers }: Sources): Map<string, string> {
  const included = all.map(({ text, includes }) => [text, ...includes.map((at) => headers[at])].join(""));
  const both = units.map((unit) => `${included[unit]}${included[(unit + 1) % UNITS]}`);
  const cut = both[0]?.[0] as string;
  return new Map([
    ...units.map((unit): [string, string] => [`out/${unit}`, `${both[unit]}${cut}`]),
    [`grown/${cut}`, cut],
  ]);
}

function furnished(shop: Workshop): Workshop {
  shop.step({
    name: "include",
    digest: digestBytes("include"),
    async run(context) {
      const [text = "", ...includes] = (await context.readInput("unit")).toString().split(" ");
      let all = text;
      for (const header of includes) {
        context.discover(header);
        all += shop.read(header);
      }
      await context.writeOutput("o", all);
      return { ok: true };
    },
  });
  for (const step of ["join", "cut"]) {
    shop.step({
      name: step,
      digest: digestBytes(step),
      async run(context) {
        let all = "";
        for (const { name } of context.action.inputs) all += await context.readInput(name);
        // Found late, when what it was made from is known already.
        if (context.action.address.startsWith("out") && all.includes("error"))
          return { ok: false, fact: true, message: "an error" };
        await context.writeOutput("o", step === "cut" ? (all[0] as string) : all);
        return { ok: true };
      },
    });
  }
  shop.expansion({
    rule: "grow",
    digest: digestBytes("grow"),
    async expand(_, read) {
      const place = `grown/${await read("o")}`;
      return [join(place, ["cut"], place)];
    },
  });
  return shop;
}

function apply(shop: Workshop, sources: Sources, edits: readonly Edit[]): void {
  for (const change of edits) {
    if ("header" in change) {
      sources.headers[change.header] = change.text;
      shop.write(`h${change.header}`, change.text);
      // What was written in the tick in which it is read may have been so after that, too.
      Atomics.wait(tick, 0, 0, 21);
      continue;
    }
    const { unit, text, includes } = change;
    sources.units[unit] = { text, includes };
    shop.write(`src/${unit}`, [text, ...includes.map((at) => `h${at}`)].join(" "));
  }
}

/** What failed. */
async function built(shop: Workshop): Promise<readonly string[]> {
  const again = await shop.again();
  if (again === "up to date") return [];
  const whole = again === "graph may have changed" ? await shop.build(graph) : again;
  const inTheWay = whole
    .of("failed")
    .flatMap(({ message }) => /^(\S+) is in the way/.exec(message)?.[1] ?? []);
  if (inTheWay.length === 0)
    return whole.ok ? [] : whole.of("failed").map(({ address, message }) => `${address}: ${message}`);
  // Nothing records any more who wrote it, so it is moved away, as arc requests.
  for (const place of inTheWay) rmSync(shop.path(place));
  return built(shop);
}

test("after a loss of power a build leaves what one in an empty world would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      const shop = furnished(new Workshop({ outputFolder: "out" }));
      const memory = `${shop.path(".arc")}/`;
      // The process that holds a lock is not there after a loss of power, here it is; what lies in `tmp` becomes outputs.
      const others = [`${memory}lock`, `${memory}tmp/`];
      const power = new PowerLoss(
        shop.path("../held"),
        (path) =>
          (path.startsWith(memory) && !others.some((other) => path.startsWith(other))) ||
          path.startsWith(`${shop.store}/actions/`),
      );
      try {
        const sources: Sources = { units: [], headers: [] };
        const first: Edit[] = [
          ...units.map((unit) => ({ unit, text: "a" as const, includes: [] })),
          ...Array.from({ length: HEADERS }, (_, header) => ({ header, text: "x" as const })),
        ];
        apply(shop, sources, first);
        expect(await built(shop)).toEqual([]);
        for (const { builds, restarts, loss, after } of rounds) {
          for (const edits of builds) {
            apply(shop, sources, edits);
            await built(shop);
            if (restarts) await shop.restart();
          }
          await shop.restart();
          power.lose(loss);
          apply(shop, sources, after);
          for (const [unit, { text, includes }] of sources.units.entries())
            if (text === "error") apply(shop, sources, [{ unit, text: "b", includes }]);
          expect(await built(shop)).toEqual([]);
          for (const [path, text] of model(sources)) expect(shop.read(path)).toBe(text);
          expect(await built(shop)).toEqual([]);
        }
      } finally {
        power.stop();
        shop.close();
      }
    }),
    cases(80),
  );
}, 3_600_000);
