/** Other compilers' `omp.h` and `openacc.h`, wherever the C compiler would find them first: programs get arc's. */
import { chmodSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

/** Nothing of arc's is in them. Host directives need what the C compiler's omp.h has, which arc's includes. */
const theirs = {
  "theirs/omp.h": "#include_next <omp.h>\n",
  "theirs/openacc.h": "#define FOREIGN 1\ntypedef enum { acc_device_host = 77 } acc_device_t;\n",
};

const programs = {
  "omp.h": `#include <omp.h>
int main(void) { omp_interop_t none = omp_interop_none; int n = 0;
#pragma omp target map(tofrom: n)
  n = 1;
  return n != 1 || none != omp_interop_none; }
`,
  "openacc.h": `#include <openacc.h>
#ifdef FOREIGN
#error not the one of arc
#endif
int main(void) { int n = 0;
#pragma acc parallel copy(n)
  n = 1;
  return n != 1 || acc_device_host == 77; }
`,
};

/** As the wrappers of Nix, conda and Cray are. */
const wrapper = (folder: string) => `#!/bin/sh\nexec gcc -isystem ${folder} "$@"\n`;

const ways = [
  { way: "a wrapper of the compiler", env: (at: string) => ({ CC: path.join(at, "wrapper") }), args: [] },
  { way: "CPATH", env: (at: string) => ({ CPATH: path.join(at, "theirs") }), args: [] },
  { way: "C_INCLUDE_PATH", env: (at: string) => ({ C_INCLUDE_PATH: path.join(at, "theirs") }), args: [] },
  { way: "-I", env: () => ({}), args: ["-I", "theirs"] },
  { way: "-isystem", env: () => ({}), args: ["-isystem", "theirs"] },
] as const;

const rows = Object.keys(programs).flatMap((header) => ways.map((way) => ({ header, ...way })));

describe("another compiler's header", { timeout: 60_000 }, () => {
  it.each(rows)("$header by $way is not taken for arc's", async ({ header, env, args }) => {
    const rig = new Rig({ ...theirs, "a.c": programs[header as keyof typeof programs] }, "shared");
    rig.write("wrapper", wrapper(path.join(rig.folder, "theirs")));
    chmodSync(path.join(rig.folder, "wrapper"), 0o755);
    const directives = header === "omp.h" ? "-fopenmp" : "-acc";
    const call = { env: env(rig.folder) };
    expect(
      await rig.arc(["cc", directives, ...args, "-Wall", "-Wextra", "a.c", "-o", "a"], call),
    ).toMatchObject({
      status: 0,
      err: "",
    });
    expect((await rig.run("./a", [])).status).toBe(0);
    const preprocessed = await rig.arc(["cc", directives, ...args, "-E", "a.c"], call);
    expect(preprocessed.out).toContain(header === "omp.h" ? "omp_interop_none" : "acc_async_default");
  });

  it("in a project's folders is not taken for arc's", async () => {
    const rig = new Rig(
      {
        ...theirs,
        "a.c": programs["openacc.h"],
        "arc.yaml":
          "arc: 1\nproject: p\nsources: [a.c]\ninclude: [theirs]\ntargets:\n  cpu: { kind: host }\nruns:\n  all: {}\n",
      },
      "shared",
    );
    expect(await rig.arc(["run", "cpu", "all"])).toMatchObject({ status: 0 });
  });
});
