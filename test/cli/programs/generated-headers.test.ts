/** Headers that actions of the project write. */
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

it.each(["0", "0.03", "0.06", "0.3"])(
  "are there when sources are preprocessed, made in %s s",
  async (time) => {
    const write = (name: string): string =>
      `{ run: [sh, -c, "sleep ${time}; echo '#define X 3' > ${name}"], outputs: [${name}] }`;
    const rig = new Rig({
      "arc.yaml": `arc: 1
project: p
sources: [src/p.c]
include: [gen]
targets: { cpu: { kind: host } }
actions:
  searched: ${write("gen/x.h")}
  beside: ${write("inc/deep/y.h")}
`,
      "src/p.c": '#include "x.h"\n#include "../inc/deep/z.h"\nint main(void) { return X; }\n',
      "inc/deep/z.h": '#include "y.h"\n',
    });
    const { status, err } = await rig.arc(["build", "--plain", "src/p.c#compile"]);
    expect(status, err).toBe(0);
  },
);
