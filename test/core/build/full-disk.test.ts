/** A full disk and missing permissions: nothing is lost, nothing wrong is remembered. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import { serveStore } from "../../../core/build/remote/serve.ts";
import { cleanProject } from "../../../core/build/state/clean.ts";
import { shell, Workshop } from "./workshop.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-full-"));
const small = join(folder, "small");

/** A file system of 4 MiB; undefined, or the reason why there is none. */
function mountSmall(): string | undefined {
  mkdirSync(small);
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", small], { encoding: "utf8" });
  return mount.status === 0
    ? undefined
    : `a small file system cannot be mounted here: ${mount.stderr || mount.error}`;
}

const noSmall = mountSmall();

/** With more than there is room for. */
function fill(file: string): void {
  spawnSync("sh", ["-c", 'head -c 8000000 /dev/zero > "$0"', file]);
}

afterAll(() => {
  if (noSmall === undefined) spawnSync("umount", ["-l", small]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(noSmall !== undefined)(`a full disk${noSmall === undefined ? "" : ` (${noSmall})`}`, () => {
  test("fails the action that needs the space, with a remedy, and the build after it succeeds", async () => {
    const shop = new Workshop({ store: join(small, "store"), jobs: 1 });
    const big = shell("big", "head -c 6000000 /dev/zero > o", {}, ["o"]);
    const first = await shop.build(
      [
        shell("little", "echo x > o", {}, [], { outputs: [{ name: "o", kind: "file", place: "out/l" }] }),
        big,
      ],
      {
        keepGoing: true,
      },
    );
    expect(first.of("failed").map((event) => event.address)).toEqual(["big"]);
    const less = shell("big", "head -c 1000000 /dev/zero > o", {}, ["o"]);
    expect((await shop.build([less])).ok).toBe(true);
    await shop.engine.close();
    rmSync(join(small, "store"), { recursive: true });
  });

  test("is noticed where a command does not notice it", async () => {
    const shop = new Workshop({ store: join(small, "store"), jobs: 1 });
    const script = "head -c 6000000 /dev/zero > o 2>/dev/null; true";
    const first = await shop.build([shell("big", script, {}, ["o"])]);
    expect(first.of("failed").map((event) => event.message)).toEqual([
      expect.stringMatching(/^what sh wrote may be a part of what it should be: .*free some space/),
    ]);
    const left = shell("left", "mkdir o; head -c 6000000 /dev/zero > o/f; true", {}, [], {
      outputs: [{ name: "o", kind: "folder", place: "out/left" }],
    });
    expect((await shop.build([left])).ok).toBe(false);
    spawnSync("mount", ["-o", "remount,size=40m", small]);
    // Neither the result nor its failure is remembered.
    expect((await shop.build([shell("big", script, {}, ["o"])])).ran).toEqual(["big"]);
    expect(statSync(join(shop.root, "out/o")).size).toBe(6_000_000);
    await shop.engine.close();
    rmSync(join(small, "store"), { recursive: true });
    spawnSync("mount", ["-o", "remount,size=4m", small]);
  });

  test("in the store does not lose the result that no longer fits", async () => {
    const shop = new Workshop({ store: join(small, "store") });
    await shop.build([shell("warm", "echo x > o", {}, ["o"])]);
    const filler = join(small, "filler");
    fill(filler);
    const built = await shop.build([shell("next", "echo y > p", {}, ["p"])]);
    expect(built.ok).toBe(false);
    expect(built.of("failed")[0]?.message).toMatch(/free some/);
    rmSync(filler);
    // If the failure were taken for a fact, it would be replayed here.
    expect((await shop.build([shell("next", "echo y > p", {}, ["p"])])).ok).toBe(true);
    expect(shop.read("out/p")).toBe("y\n");
    await shop.engine.close();
    rmSync(join(small, "store"), { recursive: true });
  });

  test("in a served store is reported to clients, which continue without it; what fits later is accepted", async () => {
    const store = join(small, "served");
    const warnings: string[] = [];
    const server = await serveStore({ store, port: 0, onTrouble: (message) => warnings.push(message) });
    const put = async (kind: "ac" | "cas", bytes: Buffer): Promise<[number, string]> => {
      const response = await fetch(`${server.url}/${kind}/${digestBytes(bytes)}`, {
        method: "PUT",
        body: new Uint8Array(bytes),
      });
      return [response.status, await response.text()];
    };
    const full = [507, expect.stringMatching(/^the disk of this cache is full: free some space/)];
    const files = () => readdirSync(store, { recursive: true }).sort();
    const before = files();
    // More than there is, to the last byte; then what would have had room before.
    expect(await put("cas", randomBytes(9_000_000))).toEqual(full);
    expect(files()).toEqual(before);
    const filler = join(small, "filler");
    fill(filler);
    expect(await put("cas", randomBytes(100_000))).toEqual(full);
    expect(await put("ac", randomBytes(100_000))).toEqual(full);
    const client = new Workshop({ remote: { url: server.url } });
    const built = await client.build([shell("big", "head -c 100000 /dev/urandom > o", {}, ["o"])]);
    expect(built.ok).toBe(true);
    rmSync(filler);
    expect(warnings).toHaveLength(4);
    expect(warnings[0]).toMatch(/^PUT \/cas\/\w+: ENOSPC: no space is left, \w+ '\//);
    expect(await put("cas", randomBytes(100_000))).toEqual([200, ""]);
    await server.close();
    rmSync(store, { recursive: true });
  });

  test("in the project is reported with the folder, and a clean frees it", async () => {
    const root = join(small, "project");
    const shop = new Workshop({ root });
    const big = shell("big", "head -c 3000000 /dev/zero > o", {}, [], {
      outputs: [{ name: "o", kind: "file", place: "out/big" }],
    });
    expect((await shop.build([big])).ok).toBe(true);
    fill(join(root, "filler"));
    const next = shell("next", "head -c 100000 /dev/zero > o", {}, [], {
      outputs: [{ name: "o", kind: "file", place: "out/next" }],
    });
    await expect(shop.build([next])).rejects.toThrow(/cannot be written: ENOSPC/);
    await shop.engine.close();
    expect(cleanProject(root, () => ({ has: () => false })).removed).toEqual(["out/big"]);
    expect((await new Workshop({ root, store: shop.store }).build([next])).ok).toBe(true);
    rmSync(root, { recursive: true });
  });

  test("in the project's state is a warning, and the build succeeds", async () => {
    const state = join(small, "state");
    const shop = new Workshop({ state });
    shop.write("a", "a\n");
    const actions = [shell("copy", "cat a > o", { a: "a" }, ["o"])];
    await shop.build(actions);
    shop.write("a", "b\n");
    const filler = join(small, "filler");
    const built = await shop.build(actions, {
      onEvent: (event) => {
        if (event.type === "running") fill(filler);
      },
    });
    expect(built.ok).toBe(true);
    expect(built.of("warning")[0]?.message).toContain("this build cannot be remembered");
    expect(shop.read("out/o")).toBe("b\n");
    rmSync(filler);
    shop.restart();
    expect((await shop.build(actions)).counts).toMatchObject({ ran: 0 });
    expect(shop.read("out/o")).toBe("b\n");
  });
});

/** Root may write everywhere, so this test runs as nobody. */
const nobody = { uid: 65534, gid: 65534 };
const canBeNobody = process.getuid?.() === 0 && spawnSync("test", ["-x", tmpdir()], nobody).status === 0;

describe.skipIf(!canBeNobody)("missing permissions (tried as nobody, which only root can become)", () => {
  const program = join(folder, "build.mjs");

  beforeAll(async () => {
    await build({
      stdin: {
        resolveDir: import.meta.dirname,
        loader: "ts",
        contents: `
          import { digestBytes } from "../../../core/build/key/digest.ts";
          import { createEngine } from "../../../core/build/engine.ts";
          const [root = "", store = ""] = process.argv.slice(2);
          try {
            const engine = createEngine({
              root, store,
              registry: { steps: new Map([["command", { name: "command", digest: digestBytes("c") }]]), expansions: new Map() },
            });
            await engine.build([{
              address: "copy", step: "command", command: { argv: ["cp", "a", "o"] },
              inputs: [{ name: "a", from: { file: "a" } }],
              outputs: [{ name: "o", kind: "file", place: "out/o" }],
            }], { onEvent: (event) => { if (event.type === "failed") console.log(event.message); } });
            await engine.close();
          } catch (error) { console.log(error.code, error.message, error.remedy); }`,
      },
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    chmodSync(folder, 0o755);
    chmodSync(program, 0o644);
  });

  function tryAsNobody(name: string, forbid: (root: string, store: string) => void): string {
    const root = join(folder, name);
    const store = join(root, "store");
    mkdirSync(join(root, "out"), { recursive: true });
    mkdirSync(store);
    writeFileSync(join(root, "a"), "a\n");
    for (const path of [root, store, join(root, "out")]) chmodSync(path, 0o777);
    forbid(root, store);
    const { stdout, status } = spawnSync(process.execPath, [program, root, store], {
      ...nobody,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    return stdout.trim();
  }

  test("do not matter where nothing is accessed", () => {
    expect(tryAsNobody("fine", () => undefined)).toBe("");
  });

  test("to write the store are an error with a remedy", () => {
    expect(tryAsNobody("store", (_root, store) => chmodSync(store, 0o555))).toMatch(
      /^store-unusable .*EACCES.*--store/s,
    );
  });

  test("to write the project are an error with a remedy", () => {
    expect(tryAsNobody("root", (root) => chmodSync(root, 0o555))).toMatch(
      /^state-unusable .*EACCES.*writable/s,
    );
  });

  test("to read a source are named", () => {
    expect(tryAsNobody("source", (root) => chmodSync(join(root, "a"), 0))).toMatch(
      /^a cannot be read: EACCES/,
    );
  });

  test("to write an output's folder are named", () => {
    expect(tryAsNobody("out", (root) => chmodSync(join(root, "out"), 0o555))).toMatch(/EACCES.*out\/o/);
  });
});
