/** Results kept from one translation for the next equal new ones, after any edits. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { noOthers } from "../../../../core/compiler/driver/front-end.ts";
import { keepEmissions, keeping } from "../../../../core/compiler/driver/kept-emissions.ts";
import type { Shaping } from "../../../../core/compiler/driver/region-choices.ts";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import { findKind } from "../../../../targets/registry.ts";
import type { Emitter } from "../../../../targets/shared/kind/emit.ts";

/** The state of a source in an editor: each choice is an edit. */
interface Source {
  readonly lines: number;
  readonly type: "int" | "short" | "unsigned";
  readonly regions: readonly { readonly name: string; readonly factor: number; readonly offset: boolean }[];
  readonly routine: number;
  readonly struct: boolean;
  readonly bounds: number;
}

const source: fc.Arbitrary<Source> = fc.record({
  lines: fc.integer({ min: 0, max: 1 }),
  type: fc.constantFrom("int", "short", "unsigned"),
  regions: fc.array(
    fc.record({
      name: fc.constantFrom("a", "b"),
      factor: fc.constantFrom(3, 7, 200),
      offset: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  routine: fc.constantFrom(5, 6),
  struct: fc.boolean(),
  bounds: fc.constantFrom(8, 9),
});

/** From one state to the other, one edit at a time. */
function edits(from: Source, to: Source): readonly Source[] {
  const { lines, routine, struct, type, bounds, regions } = to;
  const steps = [{}, { lines }, { routine }, { struct }, { type }, { bounds }, { regions }, from];
  let now = from;
  return steps.map((step) => {
    now = { ...now, ...step };
    return now;
  });
}

const printed = ({ lines, type, regions, routine, struct, bounds }: Source): string => `${"\n".repeat(lines)}
struct pair { ${type} low; ${struct ? "int" : "short"} high; };
#pragma acc routine seq
static int twisted(int x) { return x * ${routine}; }
${regions
  .map(
    ({ name, factor, offset }, k) => `
void f${k}(${type} *restrict ${name}, struct pair *restrict p) {
#pragma acc parallel loop copy(${name}[0:${bounds}], p[0:${bounds}])
  for (int i = 0; i < ${bounds}; i++) {
    ${name}[i] = ${name}[i] * ${factor}${offset ? " + twisted(i)" : ""};
    p[i].high += ${name}[i];
  }
}
`,
  )
  .join("")}`;

const targets = [
  { part: "ice40-hx8k", clock: 20 },
  { part: "ice40-hx8k", clock: 100 },
];

/** For a target: its emitter, and the pass configuration. */
async function shapedFor(
  target: (typeof targets)[number],
): Promise<{ readonly emitter: Emitter; readonly shaping: Shaping }> {
  const emitter = (await findKind("rtl")?.emitter(target)) as Emitter;
  const device = (await findKind("rtl")?.profile?.(target)) as Shaping["device"];
  return { emitter, shaping: { all: {}, named: [], device } };
}

const counting = (emitter: Emitter): { readonly emitter: Emitter; readonly made: string[] } => {
  const made: string[] = [];
  const emit: Emitter["emit"] = (region) => {
    made.push(region.region);
    return emitter.emit(region);
  };
  return { emitter: { ...emitter, emit }, made };
};

it("is what a translation that knows of none before it makes", async () => {
  keepEmissions();
  const shaped = await Promise.all(targets.map(shapedFor));
  let calls = 0;
  let fresh = 0;
  fc.assert(
    fc.property(source, source, fc.constantFrom(0, 1), (from, to, which) => {
      const { emitter, shaping } = shaped[which] as (typeof shaped)[number];
      for (const edited of edits(from, to)) {
        const read = { file: "f.c", text: printed(edited) };
        const expected = translateKernels(read, emitter, noOthers, shaping);
        expect(expected.kernels.filter(({ text }) => text.includes("endmodule"))).toHaveLength(
          edited.regions.length,
        );
        const { emitter: counted, made } = counting(emitter);
        const again = translateKernels(
          read,
          keeping(counted, "fpga/f.c#translate", targets[which]),
          noOthers,
          shaping,
        );
        expect(again).toEqual(expected);
        calls += edited.regions.length;
        fresh += made.length;
      }
    }),
    { numRuns: 5 },
  );
  // Many edits change nothing.
  expect(fresh).toBeLessThan(calls);
  expect(fresh).toBeGreaterThan(0);
});

it("is of the regions that an edit leaves alone, and does not outlive the option that it hung on", async () => {
  keepEmissions();
  const shaped = await shapedFor(targets[0] as (typeof targets)[number]);
  const { emitter, made } = counting(shaped.emitter);
  const translate = (edited: Source, name = "x#translate", options: unknown = 1): readonly string[] => {
    made.length = 0;
    const read = { file: "f.c", text: printed(edited) };
    translateKernels(read, keeping(emitter, name, options), noOthers, shaped.shaping);
    return made.map((region) => region.slice(0, 2));
  };
  const [one, other] = [3, 7].map((factor) => ({ name: "a", factor, offset: false }));
  const plain = { lines: 0, type: "int", routine: 5, struct: false, bounds: 8 } as const;
  const before = { ...plain, regions: [one, one, one] } as Source;
  const after = { ...plain, regions: [one, other, one] } as Source;
  expect(translate(before)).toEqual(["f0", "f1", "f2"]);
  expect(translate(before)).toEqual([]);
  expect(translate(after)).toEqual(["f1"]);
  // Results older than the last translation are dropped.
  expect(translate(before)).toEqual(["f1"]);
  // Reports contain source lines.
  expect(translate({ ...before, lines: 1 })).toEqual(["f0", "f1", "f2"]);
  expect(translate({ ...before, lines: 1 }, "x#translate", 2)).toEqual(["f0", "f1", "f2"]);
  expect(translate({ ...before, lines: 1 }, "y#translate", 2)).toEqual(["f0", "f1", "f2"]);
  // Without a name, such as a translation that only warms up V8.
  expect(translate(before, "")).toEqual(["f0", "f1", "f2"]);
  expect(translate(before, "")).toEqual(["f0", "f1", "f2"]);
});
