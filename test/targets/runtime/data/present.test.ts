import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, Workshop } from "../harness.ts";
import { arrays, type Data, length, line, Model, type Operation, Refused } from "../model.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const program = shop.program("data/operations");
const images = shop.image("host", {
  backend: "host",
  target: "cpu",
  regions: [
    { name: "add", args: 2, kernels: [{ name: "add", grid: ["t0"], group: ["1"], params: ["a0", "a1"] }] },
  ],
  payloads: [
    {
      kind: "so",
      bytes: shop.kernels(`
#include "arc_host_kernel.h"
void add(const struct arc_host_grid *g, void *const *args) {
  for (int64_t i = 0; i < g->grid[0]; i++) {
    unsigned *p = args[0];
    p[i] += *(const unsigned *)args[1];
  }
}`),
    },
  ],
});

/** Sections begin and end at multiples of four, so that most are equal, nested or apart. */
const section = fc
  .record({ array: fc.nat(arrays - 1), low: fc.nat(3).map((n) => 4 * n), count: fc.nat(4).map((n) => 4 * n) })
  .map(({ array, low, count }) => ({ array, low, count: Math.min(count, length - low) }));

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(section, fc.constantFrom("copyin", "create"), fc.constantFrom("", "zero"))
      .map(([s, map, flag]) => ({ do: "enter", map, flag, ...s }) as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(section, fc.constantFrom("copyout", "delete"), fc.constantFrom("", "", "", "finalize"))
      .map(([s, map, flag]) => ({ do: "exit", map, flag, ...s }) as const),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(section, fc.constantFrom("copy", "copyin", "copyout", "create", "present", "no_create"))
      .map(([s, map]) => ({ do: "begin", map, flag: "", ...s }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(section, fc.constantFrom("present", "no_create"))
      .map(([s, map]) => ({ do: "begin", map, flag: "place", ...s }) as const),
  },
  {
    weight: 1,
    arbitrary: section.map((s) => ({ do: "exit", map: "delete", flag: "place", ...s }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ do: "end" } as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(section, fc.constantFrom("self", "device"))
      .map(([s, side]) => ({ do: "update", side, ...s }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("set" as const),
      array: fc.nat(arrays - 1),
      index: fc.nat(length - 1),
      value: fc.integer({ min: -999, max: 999 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(section, fc.integer({ min: -99, max: 99 }))
      .map(([s, value]) => ({ do: "add", value, ...s }) as const),
  },
);

const isData = (op: Operation): op is Data => op.do === "enter" || op.do === "exit" || op.do === "begin";

/** Directives with items of several parts of arrays, which are structures in some programs. */
const directive = (members: boolean): fc.Arbitrary<Operation> =>
  fc
    .tuple(operation, fc.array(fc.tuple(section, fc.boolean()), { maxLength: 3 }), fc.boolean())
    .map(([op, others, once]) => {
      if (!isData(op)) return op;
      const marks = once ? ({ once: true, ...(members && { member: true }) } as const) : {};
      const also = others.map(([other, near]) => ({
        ...op,
        ...marks,
        ...other,
        array: near ? op.array : other.array,
      }));
      return { ...op, ...marks, also };
    });

/** Programs of one language alone, and of both. */
const operations = (maxLength: number): fc.Arbitrary<Operation[]> =>
  fc.tuple(fc.boolean(), fc.constantFrom("acc", "omp", "both")).chain(([members, language]) =>
    fc.array(
      directive(members).filter(
        (op) => !isData(op) || language === "both" || (language === "omp") === (op.once ?? false),
      ),
      { maxLength },
    ),
  );

interface Play {
  readonly script: readonly Operation[];
  /** What `show` must print after each. */
  readonly shown: readonly string[];
  /** Code of the error that the last operation ends the program with. */
  readonly refused?: string;
}

/** Plays operations on the model, without those that no program can say. Ends at the first refusal, or leaves it out. */
function play(operations: readonly Operation[], refusals: "end" | "omit"): Play {
  let model = new Model();
  const script: Operation[] = [];
  const shown: string[] = [];
  for (const op of operations) {
    if (op.do === "end" && model.depth === 0) continue;
    if (op.do === "add" && !model.holds(op)) continue;
    try {
      model.apply(op);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (refusals === "omit") {
        // It may have carried out a part of the directive.
        model = new Model();
        for (const done of script) model.apply(done);
        continue;
      }
      return { script: [...script, op], shown, refused: error.message };
    }
    script.push(op);
    shown.push(model.show());
  }
  return { script, shown };
}

const input = (script: readonly Operation[]): string => script.map((op) => `${line(op)}\nshow\n`).join("");

it("maps, counts and transfers like the model, for any sequence of directives", () => {
  fc.assert(
    fc.property(operations(60), (list) => {
      const { script, shown } = play(list, "omit");
      const ran = execute([program], {
        env: { ARC_IMAGES: images, ARC_HOST_MEMORY: "separate" },
        input: input(script),
      });
      expect(ran.stderr).toBe("");
      expect(ran.stdout.split("\n").slice(0, -1)).toEqual(shown);
      expect(ran.code).toBe(0);
    }),
    {
      ...cases(400),
      examples: [
        // What a region did not find comes in part while it lasts.
        [
          [
            { do: "begin", map: "no_create", flag: "", array: 0, low: 0, count: 8 },
            { do: "enter", map: "copyin", flag: "", array: 0, low: 0, count: 4 },
            { do: "end" },
          ],
        ],
      ],
    },
  );
});

it("ends the program with the model's error at the first directive that cannot be carried out", () => {
  fc.assert(
    fc.property(operations(30), (list) => {
      const { script, shown, refused } = play(list, "end");
      fc.pre(refused !== undefined);
      const ran = execute([program], {
        env: { ARC_IMAGES: images, ARC_HOST_MEMORY: "separate" },
        input: input(script),
      });
      expect(ran.stdout.split("\n").slice(0, -1)).toEqual(shown);
      expect(ran.stderr).toMatch(new RegExp(`^operations:1: error\\[${refused}\\]: test: [a-dp]`));
      expect(ran.code).toBe(1);
    }),
    cases(200),
  );
});
