/** What actions get of the environment: what arc.yaml names, as part of their keys or not, and nothing else. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lines, Rig } from "./rig.ts";

/** An action that prints a variable, and one that reads what it prints. */
const printing = (entries: string, ofProject = "") => `arc: 1
project: p
${ofProject}
actions:
  one: { run: [printenv, FOO], inputs: [a], outputs: [out/one], stdout: out/one, deterministic: true${entries} }
`;

/** The last line of each build, and what the action saw. */
async function builds(rig: Rig, values: readonly (string | undefined)[]): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const value of values) {
    const { err } = await rig.arc(["build"], value === undefined ? {} : { env: { FOO: value } });
    const [last = ""] = lines(err).slice(-1);
    const done = /^arc: (?:done: 1 )?(\w+)/.exec(last)?.[1] ?? last;
    seen.push(`${done} ${rig.has("out/one") ? rig.read("out/one").trim() : ""}`.trim());
  }
  return seen;
}

describe("a variable of the environment", () => {
  it.each([
    ["of an action", printing(", env-from: [FOO]")],
    ["of a project", printing("", "env-from: [FOO]")],
  ])("that is named in env-from %s reaches it, and each value has a result", async (_, yaml) => {
    const rig = new Rig({ "arc.yaml": yaml, a: "a" });
    expect(await builds(rig, ["x", "x", "y", "y", "x"])).toEqual([
      "ran x",
      "up x",
      "ran y",
      "up y",
      "cached x",
    ]);
    // Neither does a build after an edit take the shortcut of other variables.
    rig.write("a", "b");
    expect(await builds(rig, ["y", "y"])).toEqual(["ran y", "up y"]);
  });

  it.each([
    ["of an action", printing(", pass-env: [FOO]")],
    ["of a project", printing("", "pass-env: [FOO]")],
  ])("that is named in pass-env %s reaches it, and decides no result", async (_, yaml) => {
    const rig = new Rig({ "arc.yaml": yaml, a: "a" });
    expect(await builds(rig, ["x", "y"])).toEqual(["ran x", "up x"]);
  });

  it.each([
    ["of an action", printing(", pass-env: [FOO]")],
    ["of a project", printing("", "pass-env: [FOO]")],
  ])(
    "that was missing when an action failed is no reason to fail again, once pass-env %s names it",
    async (_, yaml) => {
      const rig = new Rig({ "arc.yaml": printing(""), a: "a" });
      expect(await builds(rig, ["x"])).toEqual([expect.stringMatching(/^failed/)]);
      rig.write("arc.yaml", yaml);
      // Not set: the failure of now is not that of later, either.
      expect(await builds(rig, [undefined, "x", "y"])).toEqual([
        expect.stringMatching(/^failed/),
        "ran x",
        "up x",
      ]);
    },
  );

  it("that is named nowhere does not reach it", async () => {
    const rig = new Rig({ "arc.yaml": printing(""), a: "a" });
    const { status, err } = await rig.arc(["build"], { env: { FOO: "x" } });
    expect([status, err]).toEqual([1, expect.stringMatching(/printenv FOO.* exit(ed)?/)]);
  });

  it("gives way to what `env` says", async () => {
    const rig = new Rig({ "arc.yaml": printing(", env: { FOO: own }", "env-from: [FOO]"), a: "a" });
    expect(await builds(rig, ["x"])).toEqual(["ran own"]);
  });

  it("that names the time of outputs reaches actions and compilers unasked, as part of their keys", async () => {
    const yaml = `arc: 1
project: p
sources: [a.c]
targets: { s: { kind: host } }
actions: { one: { run: [printenv, SOURCE_DATE_EPOCH], outputs: [out/one], stdout: out/one } }
`;
    const source = "#include <stdio.h>\nint main(void) { puts(__DATE__); return 0; }\n";
    const rig = new Rig({ "arc.yaml": yaml, "a.c": source }, "shared");
    for (const [time, date] of [
      ["86400", "Jan  2 1970"],
      ["946684800", "Jan  1 2000"],
      ["86400", "Jan  2 1970"],
    ] as const) {
      const env = { SOURCE_DATE_EPOCH: time };
      expect(await rig.arc(["build"], { env })).toMatchObject({ status: 0 });
      expect(rig.read("out/one")).toBe(`${time}\n`);
      expect(await rig.arc(["run", "s"], { env })).toMatchObject({ status: 0, out: `${date}\n` });
      await rig.arc(["cc", "-acc", "a.c", "-o", "a"], { env });
      expect((await rig.run("./a", [])).out).toBe(`${date}\n`);
    }
  }, 60_000);

  it.each(["TMPDIR", "A-B", "1"])("cannot be %s", async (name) => {
    const rig = new Rig({ "arc.yaml": printing("", `env-from: ["${name}"]`), a: "a" });
    const { status, err } = await rig.arc(["build"]);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining("the name of an environment variable other than"),
    ]);
  });
});

const everything = `arc: 1
project: p
actions:
  one:
    run: [sh, -c, "printenv | grep -v '^PWD=' > out/e; umask >> out/e; touch f; chmod +x f; mkdir d; stat -c %A f d >> out/e"]
    inputs: [a]
    outputs: [out/e]
`;

describe("what surrounds an action", () => {
  it.each(["", "ARC_NATIVE=0"])("is the same for whoever starts arc, %s", async (how) => {
    const rig = new Rig({ "arc.yaml": everything, a: "a" });
    const seen = [];
    for (const before of [
      "umask 022",
      "umask 002; export TZ=Asia/Tokyo LANG=de_DE.UTF-8 LC_ALL=C.UTF-8 LC_TIME=C",
      "umask 077; export XDG_CONFIG_HOME=/nowhere GCC_EXEC_PREFIX=/nowhere/ LD_RUN_PATH=/nowhere",
      "umask 777; export NODE_OPTIONS=--no-warnings ENV=/nowhere BASH_ENV=/nowhere",
    ]) {
      const script = `${before}; ${how} exec "$0" build --force`;
      const { status } = await rig.run("sh", ["-c", script, join(import.meta.dirname, "../../bin/arc")]);
      expect(status).toBe(0);
      const { out } = await rig.run("sh", ["-c", "grep -v '^TMPDIR=' out/e"]);
      seen.push(out);
    }
    expect(new Set(seen).size).toBe(1);
    expect(lines(seen[0] ?? "").slice(-4)).toEqual(["TZ=UTC", "0022", "-rwxr-xr-x", "drwxr-xr-x"]);
  });

  it("finds programs where arc finds them, also by names of folders that are relative or empty", async () => {
    const yaml = `arc: 1
project: p
actions:
  direct: { run: [mine], outputs: [out/direct], stdout: out/direct }
  through: { run: [sh, -c, "mine > out/through"], tools: { mine: [] }, outputs: [out/through] }
`;
    for (const [path, folder] of [
      ["tools", "tools"],
      ["", "."],
    ] as const)
      for (const native of ["", "0"]) {
        const rig = new Rig({ "arc.yaml": yaml });
        mkdirSync(join(rig.folder, folder), { recursive: true });
        rig.write(`${folder}/mine`, "#!/bin/sh\necho found\n");
        chmodSync(join(rig.folder, folder, "mine"), 0o755);
        const env = {
          PATH: `${path}:${process.env.PATH}`,
          ...(native === "" ? {} : { ARC_NATIVE: native }),
        };
        expect(await rig.arc(["build"], { env })).toMatchObject({ status: 0 });
        expect([rig.read("out/direct"), rig.read("out/through")]).toEqual(["found\n", "found\n"]);
        rig.write(`${folder}/mine`, "#!/bin/sh\necho other\n");
        expect(await rig.arc(["build"], { env })).toMatchObject({ status: 0 });
        expect([rig.read("out/direct"), rig.read("out/through")]).toEqual(["other\n", "other\n"]);
      }
  });
});
