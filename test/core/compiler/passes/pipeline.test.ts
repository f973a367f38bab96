import { describe, expect, it } from "vitest";
import { axes, channelDepthAxis, groupAxes } from "../../../../core/compiler/passes/axes.ts";
import { passes, runPass } from "../../../../core/compiler/passes/pipeline.ts";
import { formatVariant, parseVariant } from "../../../../schema/contract/variant-name.ts";
import { checkAxes } from "../../../../schema/document/axis.ts";
import { emit, outputs, stratixV } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";

describe("the passes", () => {
  it("have axes whose values are distinguishable in variant names", () => {
    expect(checkAxes(axes)).toEqual([]);
    // Channels are between regions, where no pass is; the lowering goes by axes of groups.
    const own = new Set([...passes.flatMap((p) => p.axes), channelDepthAxis, ...groupAxes]);
    expect(own).toEqual(new Set(axes));
  });

  it.each([
    "nd",
    "nd_coll_elim",
    "swi",
    "swi_coll",
    "swi_hoist_sw16",
    "swi_r4_sw8",
    "nd_simd8",
    "nd_numc32",
    "swi_sw16_x_nd_numc32",
    "swi_r8_half",
  ])("give and take the literature's name %s", (name) => {
    const parsed = parseVariant(name, axes);
    expect(parsed).not.toHaveProperty("error");
    if ("parts" in parsed) expect(formatVariant(parsed.parts, axes)).toBe(name);
  });

  it("report what each did, in order, and keep the region after each", () => {
    const { remarks, steps } = emit(
      `
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop ${ones} copyin(in[0:50])
#pragma openarc transform window(in, out)
  for (int x = 1; x < 49; x++) out[x] = in[x - 1] + in[x + 1];
}`,
      { hoist: true },
    );
    expect(steps.map((s) => s.pass)).toEqual(passes.map((p) => p.name));
    expect(remarks.every((r) => r.loc.line > 1 && r.message.length > 10)).toBe(true);
  });

  it("are stopped where one breaks the region, by a message with the places of the region and its first mistake", () => {
    const { before: task } = emit(`
void work(int n, float *restrict a, int k) {
#pragma acc parallel loop ${ones} copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = k;
}`);
    const without = (...names: string[]) => ({
      ...task,
      items: task.items.filter(({ sym }) => !names.includes(sym.name)),
    });
    const broken = (result: typeof task) =>
      runPass(
        { name: "worse", description: "", axes: [], run: () => ({ task: result, remarks: [] }) },
        { task, choice: {}, device: stratixV },
      );
    const message = (name: string, place: string) =>
      `pass 'worse' broke region '${task.region}' (case.c:3:13): case.c:${place}: '${name}' is used outside the block that declares it, and has no data item [variable-without-item]`;
    expect(() => broken(without("k"))).toThrow(
      expect.objectContaining({ name: "BrokenRegion", message: `${message("k", "4:38")} (and 1 more)` }),
    );
    expect(() => broken(without("k", "a"))).toThrow(`${message("a", "4:31")} (and 2 more)`);
    expect(broken(task)).toEqual({ task, remarks: [] });
  });

  it("do not change existing trees", () => {
    const source = `
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop collapse(2) ${ones} copyin(in[0:54])
#pragma openarc transform window(in, out)
  for (int i = 1; i < 5; i++) for (int j = 1; j < 8; j++) out[i * 9 + j] = in[i * 9 + j - 9] + in[i * 9 + j + 9];
}`;
    expect(emit(source).text).toBe(emit(source).text);
  });
});

describe("the unroll axis", () => {
  const source = `
void work(int n, float *restrict a) {
#pragma acc parallel loop ${ones} copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = a[i] * 2 + i;
}`;
  it("writes the pragma for innermost pipelined loops", () => {
    const main =
      'float a[21]; for (int k = 0; k < 21; k++) a[k] = k; WORK(21, a); for (int k = 0; k < 21; k++) printf("%g ", a[k]);';
    const { serial, kernel, emitted } = outputs({ source, choice: { unroll: 4 }, main });
    expect(kernel).toBe(serial);
    expect(emitted.text).toContain("#pragma unroll 4\n");
    expect(emit(source.replace("copy(a[0:n])", "copy(a[0:n])\n#pragma unroll 8")).text).toContain(
      "#pragma unroll 8\n",
    );
  });
});
