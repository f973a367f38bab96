/** Variables by which C compilers find headers and libraries: `arc cc` follows them as gcc does, a build names them. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

const header = (value: number) => `#define VALUE ${value}\n`;

const files = {
  "given/v.h": header(1),
  "second/v.h": header(2),
  "third/v.h": header(3),
  "fourth/v.h": header(4),
  "lib/f.c": "int f(void) { return 20; }\n",
  "a.c": `#include <v.h>
int f(void);
int main(void) { int n = 0;
#pragma acc parallel copy(n)
  n = VALUE;
  return n + f(); }
`,
};

const rows = [
  { what: "CPATH", args: [], env: ["second"], value: 22 },
  { what: "-I before CPATH", args: ["-I", "given"], env: ["second"], value: 21 },
  { what: "CPATH before -isystem", args: ["-isystem", "given"], env: ["second"], value: 22 },
  { what: "C_INCLUDE_PATH", args: [], env: ["", "third"], value: 23 },
  { what: "-isystem before C_INCLUDE_PATH", args: ["-isystem", "fourth"], env: ["", "third"], value: 24 },
  { what: "CPATH before C_INCLUDE_PATH", args: [], env: ["none:second", "third"], value: 22 },
] as const;

describe("variables of the C compiler", { timeout: 60_000 }, () => {
  it.each(rows)("lead arc cc where they lead gcc: $what", async ({ args, env: [cpath, include], value }) => {
    const rig = new Rig(files, "shared");
    const at = (folders: string) =>
      folders
        .split(":")
        .map((folder) => path.join(rig.folder, folder))
        .join(":");
    const made = spawnSync("sh", ["-c", "gcc -c lib/f.c -o lib/f.o && ar rcs lib/libf.a lib/f.o"], {
      cwd: rig.folder,
    });
    expect(made.status).toBe(0);
    const env = {
      ...(cpath === "" ? {} : { CPATH: at(cpath) }),
      ...(include === undefined ? {} : { C_INCLUDE_PATH: at(include) }),
      LIBRARY_PATH: at("lib"),
    };
    const words = [...args, "a.c", "-lf", "-o"];
    const theirs = spawnSync("gcc", [...words, "theirs"], {
      cwd: rig.folder,
      env: { PATH: process.env.PATH, ...env },
    });
    expect(theirs.status).toBe(0);
    const { status, err } = await rig.arc(["cc", "-acc", ...words, "ours"], { env });
    expect([status, err]).toEqual([0, ""]);
    const ends = ["theirs", "ours"].map((name) => spawnSync(path.join(rig.folder, name)).status);
    expect(ends).toEqual([value, value]);
  });

  it("are named by a build, whose actions do not have them", async () => {
    const yaml = "arc: 1\nproject: p\nsources: [a.c]\ntargets: { s: { kind: host } }\n";
    const rig = new Rig({ "arc.yaml": yaml, "a.c": "int main(void) { return 0; }\n" }, "shared");
    const { err, out } = await rig.arc(["build"], { env: { CPATH: rig.folder, LIBRARY_PATH: "" } });
    expect(out + err).toContain("CPATH is set, and tools that arc starts do not see it");
    expect(out + err).not.toContain("LIBRARY_PATH is set");
  });
});
