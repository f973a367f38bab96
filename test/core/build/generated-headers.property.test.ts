/** What an action finds out that it reads is made by others first, whenever these happen to end. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, StepResult } from "../../../core/build/model/action.ts";
import { cases } from "../../cases.ts";
import { Workshop } from "./workshop.ts";

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

interface Timing {
  /** Of the actions that write headers, in ms. */
  readonly writers: readonly number[];
  /** In the reader: before each lookup, and before it reports the result. */
  readonly looks: readonly number[];
  readonly telling: number;
}

const ms = fc.integer({ min: 0, max: 12 });
const timing: fc.Arbitrary<Timing> = fc.record({
  writers: fc.array(ms, { minLength: 1, maxLength: 6 }),
  looks: fc.array(ms, { minLength: 6, maxLength: 6 }),
  telling: ms,
});

/** As a preprocessor reads: the first header that is missing is the end, unless it is `optional`. */
function furnish(shop: Workshop, { writers, looks, telling }: Timing, optional: boolean): Action[] {
  shop.step({
    name: "write",
    digest: digestBytes("write"),
    async run(context) {
      const [at, text] = context.action.options as unknown as readonly [number, string];
      await sleep(writers[at] ?? 0);
      await context.writeOutput("h", text);
      return { ok: true };
    },
  });
  shop.step({
    name: "read",
    digest: digestBytes("read"),
    async run(context): Promise<StepResult> {
      let text = "";
      for (const at of writers.keys()) {
        await sleep(looks[at] ?? 0);
        try {
          text += readFileSync(`${context.root}/gen/${at}`, "utf8");
          context.discover(`gen/${at}`);
        } catch {
          context.discoverMissing(`gen/${at}`);
          if (optional) continue;
          await sleep(telling);
          return { ok: false, fact: false, message: `there is no gen/${at}` };
        }
      }
      await sleep(telling);
      await context.writeOutput("i", text);
      return { ok: true };
    },
  });
  return [{ address: "read", step: "read", inputs: [], outputs: [{ name: "i", kind: "file", place: "i" }] }];
}

const writersOf = (count: number, text: string): Action[] =>
  Array.from({ length: count }, (_, at) => ({
    address: `write${at}`,
    step: "write",
    options: [at, `${text}${at}`],
    inputs: [],
    outputs: [{ name: "h", kind: "file", place: `gen/${at}` }],
  }));

test.each([false, true])(
  "generated headers are current in a first build and after each change (optional: %s)",
  async (optional) => {
    await fc.assert(
      fc.asyncProperty(timing, async (times) => {
        const shop = new Workshop({ jobs: 8 });
        try {
          const reader = furnish(shop, times, optional);
          for (const text of ["a", "b"]) {
            const { length } = times.writers;
            const built = await shop.build([...reader, ...writersOf(length, text)]);
            expect(built.of("failed")).toEqual([]);
            expect(shop.read("i")).toBe(Array.from({ length }, (_, at) => `${text}${at}`).join(""));
          }
        } finally {
          shop.close();
        }
      }),
      cases(15),
    );
  },
  120_000,
);
