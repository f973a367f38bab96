/** A project and a store in folders whose names mean something to shells, rules of make, preprocessors and linkers. */
import { cpSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { Rig } from "../rig.ts";

const files = {
  "v.h": "#define VALUE 1\n",
  "a.c": `#include "v.h"
int main(void) { int n = 0;
#pragma acc parallel copy(n)
  n = VALUE;
  return n; }
`,
};

it("a compilation is right in folders with any letters, and notices what its header says later", async () => {
  const rig = new Rig(files, "shared");
  const strange = path.join(rig.root, "a\tb\nc\r\\d\\ e\"f'$(g)`h`*[i]#j;k&l|m%n:o{p,q}ä😀");
  const store = path.join(strange, "store");
  mkdirSync(strange);
  cpSync(rig.folder, path.join(strange, "project"), { recursive: true });
  const cwd = path.relative(rig.folder, path.join(strange, "project"));
  const run = async (): Promise<number | null> => {
    const done = { status: 0, out: "", err: "" };
    expect(await rig.arc(["cc", "-acc", "-c", "a.c"], { cwd, env: { ARC_STORE: store } })).toEqual(done);
    // By the store that has libarcrt already.
    expect(await rig.arc(["cc", "-acc", "a.o", "-o", "a"], { cwd })).toEqual(done);
    return (await rig.run("./a", [], { cwd })).status;
  };
  expect(await run()).toBe(1);
  rig.write(`${cwd}/v.h`, "#define VALUE 2\n");
  expect(await run()).toBe(2);
}, 60_000);
