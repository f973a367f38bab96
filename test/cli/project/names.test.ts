/** Names of files that mean something to compilers, shells, make rules or YAML. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

const names = [
  "a b",
  "it's",
  'say "so"',
  "back\\slash",
  "$HOME",
  "#x",
  "-dash",
  "a%20",
  "a*",
  "a:b",
  "a@b",
  "[x]",
  "{y}",
  "~z",
  "e\u0301",
  "constructor",
  "__proto__",
  "x".repeat(240),
];

/** Each file adds its number, on the device. */
const source = (k: number): string => `void f${k}(int *a) {
#pragma acc parallel loop copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] += ${k};
}
`;

it("files with odd names are built, once, and run", async () => {
  const rig = new Rig({}, "shared");
  const files = names.map((name) => `src/${name}.c`);
  for (const [k, file] of files.entries()) rig.write(file, source(k));
  const calls = names.map((_, k) => `  f${k}(a);`).join("\n");
  const declared = names.map((_, k) => `void f${k}(int *);`).join("\n");
  rig.write(
    "main.c",
    `#include <stdio.h>\n${declared}\nint main(void) {\n  int a[4] = {0};\n${calls}\n  printf("%d\\n", a[3]);\n}\n`,
  );
  const sources = JSON.stringify(["main.c", ...files]);
  rig.write("arc.yaml", `arc: 1\nproject: odd\nsources: ${sources}\ntargets:\n  host: { kind: host }\n`);
  const first = await rig.arc(["build"]);
  expect(first.err).toMatch(/arc: done/);
  expect(first.err).not.toMatch(/warning|error/);
  expect(await rig.arc(["build"])).toMatchObject({
    err: expect.stringMatching(/^arc: done: \d+ up to date\n$/),
  });
  const { stdout } = spawnSync(path.join(rig.folder, "out/host/default/odd"), { encoding: "utf8" });
  expect(stdout).toBe(`${names.reduce((sum, _, k) => sum + k, 0)}\n`);
}, 120_000);

it.each([
  ["a source", 'sources: ["new\\nline.c"]'],
  ["a file that a pattern finds", 'actions: { a: { run: [cat], inputs: ["*.c"], outputs: [o] } }'],
])("%s whose name has a line break is refused where arc.yaml has it", async (_, line) => {
  const rig = new Rig({ "new\nline.c": source(0) });
  rig.write("arc.yaml", `arc: 1\nproject: odd\n${line}\ntargets:\n  host: { kind: host }\n`);
  const { status, err } = await rig.arc(["build"]);
  expect(status).toBe(2);
  expect(err).toMatch(/^arc\.yaml:3:\d+: error\[bad-value\]: the name of `new\\nline\.c` has a line break/);
  expect(err).toContain("try: rename the file");
});
