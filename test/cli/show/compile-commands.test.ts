import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

it("the compilation database has each C file once, with a call that compiles it", async () => {
  const rig = new Rig({
    "arc.yaml":
      "arc: 1\nproject: p\nsources: [src/a.c]\nhost: [b.c]\ninclude: [inc]\ndefines: { N: 3 }\ntargets: { cpu: { kind: host }, ocl: { kind: opencl } }\nruns: { small: {} }\n",
    "src/a.c": '#include <openacc.h>\n#include "n.h"\nint main(void) { return N - M; }\n',
    "b.c": "int two(void) { return 2; }\n",
    "inc/n.h": "#define M 3\n",
  });
  const { status, out, err } = await rig.arc(["graph", "--format", "compile-commands"]);
  expect(status, err).toBe(0);
  const entries = JSON.parse(out) as { directory: string; file: string; arguments: string[] }[];
  expect(entries.map(({ file }) => file).sort()).toEqual(["b.c", "src/a.c"]);
  for (const {
    directory,
    arguments: [program = "", ...args],
  } of entries)
    execFileSync(program, [...args, "-fsyntax-only"], { cwd: directory });
});
