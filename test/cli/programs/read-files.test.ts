/** Files that sources read without including them. */
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

const yaml = `arc: 1
project: p
sources: [src/p.c]
include: [first, inc]
cflags: [-Wall, "-Wa,-Iparts"]
targets: { cpu: { kind: host } }
`;
const rigOf = (source: string, files: Readonly<Record<string, string>> = {}): Rig =>
  new Rig({ "arc.yaml": yaml, "inc/keep.h": "", "first/keep.h": "", "src/p.c": source, ...files }, "shared");
const run = async (rig: Rig): Promise<string> => (await rig.arc(["run", "cpu"])).out;

it("a header probed by __has_include counts when it appears, changes and disappears", async () => {
  const rig = rigOf(`#include <stdio.h>
#include "../inc/asks.h"
int main(void) { printf("%d\\n", OPTION); return 0; }
`);
  const asks = '#if __has_include("option.h")\n#include "option.h"\n#else\n#define OPTION 1\n#endif\n';
  rig.write("inc/asks.h", asks);
  expect(await run(rig)).toBe("1\n");
  for (const [at, file] of ["inc/option.h", "first/option.h", "src/option.h"].entries()) {
    rig.write(file, `#define OPTION ${at + 2}\n`);
    const direct = await rig.run("cc", ["-Ifirst", "-Iinc", "src/p.c", "-o", "direct"]);
    expect(direct.status).toBe(0);
    const { out } = await rig.run("./direct", []);
    expect(await run(rig)).toBe(out);
  }
  for (const file of ["inc/option.h", "first/option.h", "src/option.h"]) rig.remove(file);
  expect(await run(rig)).toBe("1\n");
});

it("so does one that an action writes, from the first build on", async () => {
  const rig = rigOf(`#include <stdio.h>
#if __has_include("made.h")
#include "made.h"
#else
#define MADE 0
#endif
int main(void) { printf("%d\\n", MADE); return 0; }
`);
  const action =
    "actions:\n  make: { run: [sh, -c, \"sleep 0.2; echo '#define MADE 5' > inc/made.h\"], outputs: [inc/made.h] }\n";
  rig.write("arc.yaml", `${yaml}${action}`);
  expect(await run(rig)).toBe("5\n");
});

const blob = (name: string): string => `#include <stdio.h>
__asm__(".section .rodata\\n.global blob\\nblob:\\n.incbin \\"${name}\\"\\n.byte 0\\n.previous\\n");
extern const char blob[];
int main(void) { printf("%s\\n", blob); return 0; }
`;

it("data that .incbin reads counts when it comes and changes", async () => {
  const rig = rigOf(blob("d.bin"));
  const failed = await rig.arc(["build"]);
  expect([failed.status, failed.err]).toEqual([1, expect.stringContaining("file not found: d.bin")]);
  rig.write("parts/d.bin", "one");
  expect(await run(rig)).toBe("one\n");
  rig.write("parts/d.bin", "two");
  expect(await run(rig)).toBe("two\n");
  rig.write("d.bin", "near");
  expect(await run(rig)).toBe("near\n");
  rig.write(
    "arc.yaml",
    `${yaml}actions:\n  make: { run: [sh, -c, "printf made > d.bin"], outputs: [d.bin] }\n`,
  );
  rig.remove("d.bin");
  expect(await run(rig)).toBe("made\n");
});

it("a name that only the assembler knows is refused", async () => {
  const rig = rigOf(
    'asm(".macro m f\\n.incbin \\"\\\\f\\"\\n.endm\\nm d.bin\\n");\nint main(void) { return 0; }\n',
  );
  const { status, err } = await rig.arc(["build"]);
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(/src\/p\.c:1:1: error\[assembled-file\]: .*\n[\s\S]*try: name the file/),
  ]);
});
