/** Builds that the native launcher starts from a snapshot of Node's memory: that they do what others do. */
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram, Rig } from "../rig.ts";

const project = `arc: 1
project: p
actions:
  told:
    run: [sh, -c, "cat a b > out/told; tr '\\\\0' ' ' < /proc/$PPID/cmdline > out/parent"]
    inputs: [a, b]
    outputs: [out/told, out/parent]
`;

const rig = new Rig({ "arc.yaml": project, a: "1", b: "2" });
afterAll(() => rmSync(rig.root, { recursive: true }));
const snapshot = path.join(arcProgram, "../../dist/arc.snapshot");
const isHere = existsSync(`${snapshot}.id`);

/** Builds what a change reaches, and returns how the arc that did was called. */
async function change(file: string, text: string, program = arcProgram, env = {}): Promise<string> {
  rig.write(file, text);
  const { status, err } = await rig.run(program, ["build"], { env });
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining("arc: done: 1 ran") });
  expect(rig.read("out/told")).toBe(rig.read("a") + rig.read("b"));
  return rig.read("out/parent");
}

describe.skipIf(!isHere)("a start from the snapshot", () => {
  it("is what a build after a small change is made by, and no other", async () => {
    expect(await change("a", "3")).not.toContain("--snapshot-blob");
    expect(await change("a", "4")).toContain("--snapshot-blob");
    expect(await change("b", "5")).toContain("--snapshot-blob");
    expect((await rig.arc(["build"])).err).toBe("arc: done: 1 up to date\n");
    rig.write("arc.yaml", `${project}    # Another graph, for all that is known.\n`);
    expect(await change("a", "6")).not.toContain("--snapshot-blob");
  });

  it("leaves to the ordinary start what Node or arc would read before", async () => {
    expect(await change("a", "7", arcProgram, { NODE_OPTIONS: "--no-deprecation" })).not.toContain(
      "--snapshot-blob",
    );
    expect(await change("a", "8")).toContain("--snapshot-blob");
  });

  it("is not for a copy of arc in another place", async () => {
    const copy = path.join(rig.root, "copy");
    mkdirSync(copy);
    for (const part of ["bin", "dist"])
      cpSync(path.join(arcProgram, "../..", part), path.join(copy, part), { recursive: true });
    expect(await change("a", "9", path.join(copy, "bin/arc"))).not.toContain("--snapshot-blob");
    expect(await change("a", "10", path.join(copy, "bin/arc"))).not.toContain("--snapshot-blob");
  });

  it("is what compiles for a makefile, with the native part, and fails as a compiler does", async () => {
    const told = path.join(rig.folder, "parent");
    const compiler = path.join(rig.folder, "compiler");
    writeFileSync(
      compiler,
      `#!/bin/sh\ntr '\\0' ' ' < /proc/$PPID/cmdline > ${told}\ncat /proc/$PPID/maps >> ${told}\nexec cc "$@"\n`,
    );
    chmodSync(compiler, 0o755);
    rig.write(
      "loop.c",
      "void f(int *a) {\n#pragma acc parallel loop\n  for (int i = 0; i < 9; i++) a[i] = i;\n}\n",
    );
    rig.write("plain.c", "int f(void) { return g; }\n");
    const call = (...args: string[]) =>
      rig.run(arcProgram, ["cc", "-acc", ...args], { env: { CC: compiler } });
    expect(await call("-c", "loop.c", "-o", "loop.o")).toMatchObject({ status: 0, out: "", err: "" });
    expect(rig.read("parent")).toContain("cc.snapshot");
    expect(rig.read("parent")).toContain("native.node");
    expect(existsSync(path.join(rig.folder, "loop.o"))).toBe(true);
    const { status, err } = await call("-c", "plain.c");
    expect({ status, err }).toEqual({
      status: 1,
      err: expect.stringContaining("plain.c:1:22: error[c-compiler]: 'g' undeclared"),
    });
  });

  it("loads what else arc consists of, when a change takes more than was thought", async () => {
    rig.remove("b");
    const { status, err } = await rig.arc(["build"]);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining("arc.yaml:") });
  });
});
