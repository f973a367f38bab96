import { describe, expect, it } from "vitest";
import { emit, outputs } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const source = (body: string, directive = `parallel loop collapse(2) ${ones}`) => `
static float in[9][7], out[9][7];
void work(void) {
#pragma acc ${directive} copyin(in) copy(out)
  for (int i = 1; i < 8; i++) for (int j = 1; j < 6; j++) { ${body} }
}`;
const main =
  'for (int k = 0; k < 63; k++) { in[k / 7][k % 7] = k * k % 31; out[k / 7][k % 7] = 0; } WORK(); for (int k = 0; k < 63; k++) printf("%g ", out[k / 7][k % 7]);';
const cross = "out[i][j] = in[i - 1][j] + 2 * in[i + 1][j] + 3 * in[i][j - 1] - in[i][j + 1];";
const reported = (text: string, choice = {}, directive?: string) =>
  emit(source(text, directive), choice).remarks.filter((r) => r.pass === "stencil");

describe("a stencil that no directive names", () => {
  it("gets a window if the variant requests it, and gives the serial result", () => {
    const { serial, kernel, emitted } = outputs({ source: source(cross), main, choice: { stencil: true } });
    expect(kernel).toBe(serial);
    expect(emitted.text).toContain("arc_in_window");
    expect(emitted.remarks.find((r) => r.pass === "stencil")).toMatchObject({
      applied: true,
      message: "'in' is read at 4 distances: it gets a window",
    });
  });

  it("is reported if the variant does not request it", () => {
    expect(reported(cross)[0]).toMatchObject({ applied: false });
    expect(reported(cross)[0]?.message).toContain("a window would load each element once");
    expect(emit(source(cross)).text).not.toContain("_window");
  });

  it("is unchanged, with the reason, if a window would be wrong", () => {
    const [remark] = reported("out[j][i % 3] = in[i - 1][j] + in[(int)in[i][j] % 3][j] + in[i + 1][j];", {
      stencil: true,
    });
    expect(remark?.applied ?? false).toBe(false);
    const turned = "out[i][j] = in[j][i] + in[j + 1][i];";
    const [other] = reported(turned, { stencil: true });
    expect(other).toMatchObject({ applied: false });
    expect(other?.message).toMatch(/gets no window: .*moves by 7 elements/);
  });

  it("is not recognised if each element is read once, nor in kernels of many work-items", () => {
    expect(reported("out[i][j] = in[i][j] * 2;", { stencil: true })).toEqual([]);
    expect(reported(cross, { stencil: true }, "parallel loop collapse(2)")).toEqual([]);
  });
});
