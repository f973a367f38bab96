/** `arc verify --junit` on a program with a part that cannot be compared. */
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

it("writes what agreed, what differs, and what waited for a failure", { timeout: 240_000 }, async () => {
  const source = `#include <stdio.h>
int main(void) {
#ifdef _OPENACC
  printf("1\\n");
#else
  printf("2\\n");
#endif
  return 0;
}
`;
  const yaml = `arc: 1
project: p
sources: [p.c]
targets: { cpu: { kind: host } }
runs: { small: {} }
`;
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  expect((await rig.arc(["verify", "--junit", "j.xml"])).status).toBe(1);
  expect(rig.read("j.xml")).toMatch(
    /<failure type="differs" message="1 of 1 values differ[^"]*">stdout, line 1: 1, serial 2/,
  );
  rig.write("p.c", source.replace("return 0", "return 0 0"));
  expect((await rig.arc(["verify", "--junit", "j.xml"])).status).toBe(1);
  expect(rig.read("j.xml")).toMatch(/<error type="not-compared" message="\S+ failed"\/>/);
});
