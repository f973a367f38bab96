import { chmodSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Background } from "./background.ts";
import { Rig } from "./rig.ts";

const yaml = (extra = ""): string => `arc: 1
project: p
actions:
  count: { run: [seq, 1000], outputs: [a], stdout: a }
  sort: { run: [sort, a], inputs: [a], outputs: [b], stdout: b }
${extra}`;

const project = (extra?: string): Rig => new Rig({ "arc.yaml": yaml(extra) });

/** Files with content, of the store. */
function blobs(rig: Rig): readonly string[] {
  const cas = path.join(rig.store, "cas");
  return readdirSync(cas, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("/"))
    .map((name) => path.join(cas, name));
}

function forget(rig: Rig): void {
  for (const name of [".arc", "a", "b"]) rig.remove(name);
}

const closing: Background[] = [];
afterEach(async () => {
  for (const background of closing.splice(0)) await background.end("SIGKILL");
});

describe("arc cache stats", () => {
  it("reports the size of the store, and the limit that builds keep it within", async () => {
    const rig = project("store: { limit: 2 GB }\n");
    expect((await rig.arc(["cache"])).out).toMatch(/: 0 B in 0 files, limit 2\.00 GB\n {2}0 results/);
    await rig.arc(["build"]);
    expect((await rig.arc(["cache"])).out).toMatch(
      /: [\d.]+ kB in 2 files, limit 2\.00 GB\n {2}2 results, 0 of them failures\n {2}last used .* ago, what is unused for longest .* ago/,
    );
    const { status, out } = await rig.arc(["cache", "stats", "--json"]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      folder: rig.store,
      limit: 2e9,
      blobs: 2,
      results: 2,
      failures: 0,
      newest: expect.any(Number),
    });
  });

  it("refuses what it does not know, with what there is", async () => {
    const rig = project();
    expect(await rig.arc(["cache", "prun"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("did you mean prune?"),
    });
    expect(await rig.arc(["cache", "stats", "--limit", "1 GB"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("has no option --limit"),
    });
    expect((await rig.arc(["cache", "--help"])).out).toMatch(/verify {2}reads everything/);
  });
});

describe("arc cache prune", () => {
  it("removes down to a limit, and the build after it makes again what is asked for", async () => {
    const rig = project();
    await rig.arc(["build"]);
    expect((await rig.arc(["cache", "prune"])).out).toMatch(/^nothing to remove: [\d.]+ kB are left/);
    expect((await rig.arc(["cache", "prune", "--limit", "0"])).out).toMatch(
      /^removed [\d.]+ kB in 2 files from .*, 0 B are left\n$/,
    );
    forget(rig);
    expect((await rig.arc(["build"])).err).toMatch(/done: 2 ran/);
    expect(rig.read("a")).toMatch(/1000\n$/);
  });

  it("removes what was not used for some time", async () => {
    const rig = project();
    await rig.arc(["build"]);
    const [old = ""] = blobs(rig);
    const lastWeek = Date.now() / 1000 - 8 * 86_400;
    utimesSync(old, lastWeek, lastWeek);
    const { out } = await rig.arc(["cache", "prune", "--unused", "7 d", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ blobs: 1, results: 1 });
    expect(blobs(rig)).toHaveLength(1);
    expect(await rig.arc(["cache", "prune", "--unused", "soon"])).toMatchObject({ status: 2 });
    expect(await rig.arc(["cache", "prune", "--limit", "much"])).toMatchObject({ status: 2 });
    expect(await rig.arc(["cache", "prune", "--limit", "5"])).toMatchObject({
      status: 2,
      err: "arc: --limit 5 has no unit\n  try: write '5 GB', or '5 B' for bytes\n",
    });
  });

  it("keeps what a running build uses, and says so", async () => {
    const rig = project("  wait: { run: [sh, -c, 'echo waits; sleep 600'], inputs: [b], outputs: [c] }\n");
    const build = new Background(rig, ["build", "--json"]);
    closing.push(build);
    await build.until((said) => said.includes('"text":"waits\\n"'));
    expect((await rig.arc(["cache", "prune", "--limit", "0"])).out).toMatch(
      /^nothing to remove: .*\nkept [\d.]+ kB that a running build may use\n$/,
    );
    expect(await build.end()).toBe(130);
    expect((await rig.arc(["cache", "prune", "--limit", "0"])).out).toMatch(/^removed/);
  });
});

describe("arc cache verify", () => {
  it("finds and removes damage, fails for it, and the next build is right again", async () => {
    const rig = project();
    await rig.arc(["build"]);
    expect(await rig.arc(["cache", "verify"])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/2 files read, all sound\n$/),
    });
    const [file = ""] = blobs(rig);
    chmodSync(file, 0o644);
    writeFileSync(file, "x");
    const { status, out } = await rig.arc(["cache", "verify"]);
    expect(status).toBe(1);
    expect(out).toMatch(new RegExp(`1 damaged\n {2}removed ${path.basename(file)}\n {2}1 result forgotten`));
    expect(JSON.parse((await rig.arc(["cache", "verify", "--json"])).out)).toMatchObject({
      blobs: 1,
      damaged: [],
    });
    forget(rig);
    expect((await rig.arc(["build"])).err).toMatch(/done: 1 ran, 1 cached/);
  });
});

/** A server for a separate store, on a free port. */
async function serving(
  args: readonly string[] = [],
  env?: Readonly<Record<string, string>>,
): Promise<{ url: string; server: Background; home: Rig }> {
  const home = new Rig();
  const server = new Background(home, ["cache", "serve", "--port", "0", "--json", ...args], env);
  closing.push(server);
  await server.until((said) => said.includes("\n"));
  return { url: (JSON.parse(server.out) as { url: string }).url, server, home };
}

describe("a shared cache", () => {
  it("served by one arc gives another what a third built, and the build says what came from there", async () => {
    const { url, server } = await serving();
    const first = project(`cache: { remote: "${url}", mode: readwrite }\n`);
    expect((await first.arc(["build"])).err).toMatch(/done: 2 ran/);
    const second = project();
    const { err } = await second.arc(["build", "--remote-cache", url]);
    expect(err).toMatch(/^shared +seq 1000\nshared +sort a\narc: done: 2 from the shared cache/);
    expect(second.read("b")).toBe(first.read("b"));
    const third = project();
    const { out } = await third.arc(["build", "--json"], { env: { ARC_REMOTE_CACHE: url } });
    expect(out).toContain('"how":"remote"');
    expect(out).toMatch(/"type":"end".*"remote":2/);
    // A build with nothing to do does not ask.
    expect(await server.end("SIGTERM")).toBe(0);
    expect((await third.arc(["build"], { env: { ARC_REMOTE_CACHE: url } })).err).toMatch(/2 up to date/);
  });

  it("is read-only unless writing is enabled", async () => {
    const { url, home } = await serving();
    await project(`cache: { remote: "${url}" }\n`).arc(["build"]);
    expect((await home.arc(["cache"])).out).toMatch(/0 files/);
    await project().arc(["build", "--remote-cache", url, "--remote-mode", "readwrite"]);
    expect((await home.arc(["cache"])).out).toMatch(/2 files/);
  });

  it("takes no result from others when it is served to be read only", async () => {
    const { url, home } = await serving(["--read-only"]);
    const env = { ARC_REMOTE_CACHE: url, ARC_REMOTE_CACHE_MODE: "readwrite" };
    const { status, err } = await project().arc(["build"], { env });
    expect({ status, err }).toMatchObject({ status: 0, err: expect.stringMatching(/done: 2 ran/) });
    expect((await home.arc(["cache"])).out).toMatch(/0 files/);
  });

  it("sees a token that is nowhere else: not printed, not in the project's memory, not in the store", async () => {
    const secret = "s3cr3t-t0ken";
    const { url } = await serving([], { ARC_REMOTE_CACHE_TOKEN: secret });
    const cache = `cache: { remote: "${url}", mode: readwrite, token-from: CI_TOKEN }\n`;
    const first = project(cache);
    const built = await first.arc(["build", "--json"], { env: { CI_TOKEN: secret } });
    expect(built.out).toMatch(/"ran":2/);
    const second = project(cache);
    // As a file that a secret comes from ends.
    const hit = await second.arc(["build"], { env: { CI_TOKEN: `${secret}\n` } });
    expect(hit.err).toMatch(/2 from the shared cache/);
    second.write("a", "changed\n");
    const resumed = await second.arc(["build"], { env: { CI_TOKEN: secret } });
    const wrong = await project(cache).arc(["build"], { env: { CI_TOKEN: "wr0ng" } });
    expect(wrong.err).toMatch(/2 ran/);
    for (const { out, err } of [built, hit, resumed, wrong]) expect(out + err).not.toMatch(/s3cr3t|wr0ng/);
    for (const rig of [first, second]) {
      const found = await rig.run("grep", ["-rl", secret, rig.root]);
      expect(found).toMatchObject({ status: 1, out: "" });
    }
  });

  it("may be read by those without a token, where only writing takes one", async () => {
    const { url } = await serving(["--public-read"], { ARC_REMOTE_CACHE_TOKEN: "t" });
    const env = { ARC_REMOTE_CACHE: url, ARC_REMOTE_CACHE_MODE: "readwrite" };
    const untrusted = await project().arc(["build"], { env });
    expect(untrusted.err).toMatch(/2 ran/);
    expect(untrusted.err).toMatch(/gets nothing more from this build: .* answers 401/);
    expect((await project().arc(["build"], { env: { ...env, ARC_REMOTE_CACHE_TOKEN: "t" } })).err).toMatch(
      /2 ran/,
    );
    expect((await project().arc(["build"], { env: { ARC_REMOTE_CACHE: url } })).err).toMatch(
      /2 from the shared/,
    );
  });

  it("that is dead, or no cache at all, costs a warning and never the build", async () => {
    const dead = await project().arc(["build"], { env: { ARC_REMOTE_CACHE: "http://127.0.0.1:9" } });
    expect(dead).toMatchObject({ status: 0, err: expect.stringMatching(/done: 2 ran/) });
    for (const [address, what] of [
      ["ftp://somewhere", /no address of a cache/],
      ["http://me:pw@127.0.0.1:9", /user in it/],
    ] as const) {
      const { status, err } = await project().arc(["build", "--remote-cache", address]);
      expect(status).toBe(2);
      expect(err).toMatch(what);
      expect(err).not.toContain("pw@");
    }
    const off = await project(`cache: { remote: "http://127.0.0.1:9" }\n`).arc([
      "build",
      "--remote-cache",
      "off",
    ]);
    expect(off.err).not.toMatch(/warning/);
  });

  it("has no place for secrets in arc.yaml", async () => {
    const { status, err } = await project('cache: { remote: "http://me:pw@cache.example" }\n').arc(["build"]);
    expect(status).toBe(2);
    expect(err).toMatch(/an http, https, grpc or grpcs address without user and password/);
  });
});

describe("arc cache serve", () => {
  it("warns if everybody may write, and reports that its port is in use", async () => {
    const rig = new Rig();
    const open = new Background(rig, ["cache", "serve", "--port", "0", "--host", "0.0.0.0"]);
    closing.push(open);
    await open.until((said) => said.includes("may write it"));
    const { url } = await serving();
    const { status, err } = await rig.arc(["cache", "serve", "--port", new URL(url).port]);
    expect(status).toBe(1);
    expect(err).toMatch(/port|in use|EADDRINUSE/);
    expect(await rig.arc(["cache", "serve", "--port", "x"])).toMatchObject({ status: 2 });
    expect(await rig.arc(["cache", "serve", "--token-from", "NOT_SET"])).toMatchObject({ status: 2 });
  });
});
