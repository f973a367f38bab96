/** What an action that is confined cannot do, and what it does as ever. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { confinement } from "../../../../core/build/native/confinement.ts";
import { findProgram } from "../../../../core/build/state/tool.ts";
import { shell, Workshop } from "../workshop.ts";

const bwrap = findProgram("bwrap", process.env.PATH);
const works = bwrap !== undefined && spawnSync(bwrap, [...confinement, "--", "true"]).status === 0;

describe.skipIf(!works)("an action that is confined", () => {
  const workshop = () => new Workshop(bwrap === undefined ? {} : { bwrap });

  test("reads what it declares, writes its outputs and temporary files, and comes to the same result as free", async () => {
    const script = "cat a > o; echo t > $TMPDIR/t; cat $TMPDIR/t >> o; mkdir -p d; cat o > d/x";
    const action = shell("act", script, { a: "a" }, [], {
      outputs: [
        { name: "o", kind: "file", place: "out/o" },
        { name: "d", kind: "folder", place: "out/d" },
      ],
    });
    const shop = workshop();
    shop.write("a", "a\n");
    expect((await shop.build([action])).ran).toEqual(["act"]);
    expect([shop.read("out/o"), shop.read("out/d/x")]).toEqual(["a\nt\n", "a\nt\n"]);
    const free = new Workshop({ store: shop.store });
    free.write("a", "a\n");
    const built = await free.build([action]);
    expect([built.counts.cached, free.read("out/o")]).toEqual([1, "a\nt\n"]);
  });

  /** Attempts, each of which must fail, and their effects if they succeeded. */
  const attempts: Record<string, (shop: Workshop) => string> = {
    "write into the project": (shop) => `echo > ${shop.path("beside")}`,
    "write beside it": (shop) => `echo > ${join(shop.directory, "beside")}`,
    "remove a source": (shop) => `rm ${shop.path("a")}`,
    "write into the store": (shop) => `echo > ${shop.store}/cas/x`,
    "write into the home folder": () => "echo > $HOME/.arc-test-beside",
    "end another process": () => `kill -0 ${process.pid}`,
  };
  for (const [attempt, script] of Object.entries(attempts))
    test(`cannot ${attempt}, and its failure is remembered by nobody`, async () => {
      const shop = workshop();
      shop.write("a", "a\n");
      const action = shell("act", `echo > o; ${script(shop)}`, { a: "a" }, ["o"]);
      for (const _ of [1, 2]) {
        const built = await shop.build([action]);
        expect([built.ok, built.ran]).toEqual([false, ["act"]]);
      }
      expect([shop.read("a"), shop.exists("beside"), shop.exists("../beside")]).toEqual([
        "a\n",
        false,
        false,
      ]);
    });

  test("cannot reach a server", async () => {
    const server = createServer((socket) => socket.end("hello"));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const client = `require("net").connect(${port}, "127.0.0.1").on("error", () => process.exit(3)).on("data", () => process.exit(0))`;
    const action = shell("act", `${process.execPath} -e '${client}'; echo $? > o`, {}, ["o"]);
    const shop = workshop();
    await shop.build([action]);
    expect(shop.read("out/o")).toBe("3\n");
    server.close();
  });

  test("is asked for its version confined, too", () => {
    const shop = workshop();
    const program = join(shop.directory, "tool");
    const beside = join(shop.directory, "beside");
    writeFileSync(program, `#!/bin/sh\n(echo > ${beside}) && exit 0\necho tool 1.2\n`, { mode: 0o755 });
    expect(shop.engine.identifyTool({ program, versionArgs: ["--version"] }).version).toBe("tool 1.2");
    expect(shop.exists("../beside")).toBe(false);
  });
});
