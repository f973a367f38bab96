/** Designs that the part has no room for. */
import { expect, it } from "vitest";
import { Rig } from "../../../cli/rig.ts";

it("a delay line larger than the part's block RAM is a cached failure with place and remedy", async () => {
  const rig = new Rig(
    {
      "arc.yaml": `
arc: 1
project: late
sources: [late.c]
targets: { ice: { kind: rtl, part: ice40-lp8k, clock: 40 } }
`,
      "late.c": `unsigned char a[20000], b[20000];
int main(void) {
#pragma acc parallel loop copyin(a) copyout(b)
#pragma openarc transform window(a, b)
  for (int i = 0; i < 20000; i++) b[i] = i >= 17000 ? a[i] ^ a[i - 17000] : a[i];
  return b[9];
}
`,
    },
    "shared",
  );
  const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
  expect(status).toBe(1);
  expect(out + err).toMatch(/late\.c:3:1: error\[does-not-fit\]: .*needs \d+ RAM of 32/);
  expect(out + err).toMatch(/try: unroll less, make windows and local arrays smaller/);
  const again = await rig.arc(["build", "ice#configuration"]);
  expect(again.status).toBe(1);
  expect(again.out + again.err).toContain("nothing changed since it failed before");
}, 120_000);
