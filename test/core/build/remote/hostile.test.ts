/** A cache that others fill: whatever they write there, builds are right and nothing beside them changes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RemoteCacheOptions } from "../../../../core/build/engine-interface.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action, Digest } from "../../../../core/build/model/action.ts";
import { RefusedRecords } from "../../../../core/build/records/refused.ts";
import { grpcTransport } from "../../../../core/build/remote/grpc.ts";
import { httpTransport } from "../../../../core/build/remote/http.ts";
import { serveStore } from "../../../../core/build/remote/serve.ts";
import type { Transport } from "../../../../core/build/remote/transport.ts";
import { decodeEntry, encodeEntry } from "../../../../core/build/remote/wire.ts";
import { ActionLog } from "../../../../core/build/store/action-cache.ts";
import { verifyStore } from "../../../../core/build/store/housekeeping.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";
import { hostileFolders, hostileResults, PAYLOAD } from "../records/hostile.ts";
import { snapshot } from "../records/snapshot.ts";
import { shell, Workshop } from "../workshop.ts";
import { reapiServer } from "./reapi-server.ts";

const file = shell("file", "printf 'right\n' > o", {}, ["o"]);
const folder = shell("folder", "printf 'right\n' > d/y", {}, [], {
  outputs: [{ name: "d", kind: "folder", place: "out/d" }],
});

const closing: (() => unknown)[] = [];
const temporary = mkdtempSync(join(tmpdir(), "arc-hostile-"));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(temporary, { recursive: true }));

/** Keeps what it is sent, as it was sent. */
async function plainServer(): Promise<{ readonly url: string; close(): void }> {
  const stored = new Map<string, Buffer>();
  const server = http.createServer(async (request, response) => {
    const key = request.url ?? "";
    if (request.method === "PUT") {
      stored.set(key, Buffer.concat(await request.toArray()));
      response.end();
    } else if (stored.has(key)) response.end(stored.get(key));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const protocols = {
  http: async () => {
    const server = await plainServer();
    return { ...server, transport: httpTransport({ url: server.url }) };
  },
  grpc: async () => {
    const { host, close } = await reapiServer();
    return { url: `grpc://${host}`, close, transport: grpcTransport({ url: `grpc://${host}` }) };
  },
} as const;

/** What an attacker with the right to write does. */
class Attacker {
  readonly #transport: Transport;
  readonly #blobs: { digest: Digest; size: number }[] = [];
  readonly #attempt = { signal: new AbortController().signal, onBytes: () => {} };

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async put(bytes: string): Promise<Digest> {
    const from = join(temporary, "bytes");
    writeFileSync(from, bytes);
    const digest = digestBytes(bytes);
    const size = Buffer.byteLength(bytes);
    await this.#transport.putBlob(digest, from, size, this.#attempt);
    this.#blobs.push({ digest, size });
    return digest;
  }

  async putResult(base: Digest, result: unknown): Promise<void> {
    const entry = encodeEntry({ blobs: this.#blobs, arc: JSON.stringify([{ result }]) });
    await this.#transport.putEntry(base, entry, this.#attempt);
  }

  async putEntry(base: Digest, bytes: Buffer): Promise<void> {
    await this.#transport.putEntry(base, bytes, this.#attempt);
  }

  async entry(base: Digest): Promise<Buffer> {
    return (await this.#transport.getEntry(base, this.#attempt)) as Buffer;
  }
}

/** A project in a home with other things in it. */
function newHome(remote?: RemoteCacheOptions): { home: string; shop: Workshop } {
  const home = mkdtempSync(join(temporary, "home-"));
  for (const name of ["outside", "project/src"]) mkdirSync(join(home, name), { recursive: true });
  for (const name of ["kept", "outside/kept", "project/src/kept"]) writeFileSync(join(home, name), "kept");
  const shop = new Workshop({
    root: join(home, "project"),
    store: join(home, "store"),
    ...(remote === undefined ? {} : { remote }),
  });
  return { home, shop };
}

const around = (home: string) => snapshot(home, ["store", "project/.arc", "project/out"]);

function outputOf(shop: Workshop, action: Action): string {
  return action === file
    ? shop.read("out/o")
    : readFileSync(shop.path("out/d/y"), "utf8") + Object.keys(snapshot(shop.path("out/d")));
}
const right = (action: Action): string => (action === file ? "right\n" : "right\ny");

/** The key and the result of an action that was built honestly. */
async function honest(action: Action): Promise<{ base: Digest; result: never }> {
  const shop = new Workshop();
  const built = await shop.build([action]);
  const base = built.of("done")[0]?.key as Digest;
  const [result] = new ActionLog(shop.store, new RefusedRecords()).candidates(base);
  return { base, result: result as never };
}

/** The build, the next one, and one that only has the store: all correct, and the problem reported once. */
async function expectRefused(action: Action, home: string, shop: Workshop): Promise<void> {
  const before = around(home);
  const start = performance.now();
  const built = await shop.build([action]);
  expect([built.ok, built.ran, outputOf(shop, action)]).toEqual([true, [action.address], right(action)]);
  expect(built.of("warning").map(({ message }) => message)).toEqual([
    expect.stringContaining("cannot be true"),
  ]);
  expect(performance.now() - start).toBeLessThan(20_000);
  shop.restart({ remote: undefined as never });
  const next = await shop.build([action]);
  expect([next.ok, next.ran, next.of("warning")]).toEqual([true, [], []]);
  shop.restart();
  rmSync(shop.path(".arc"), { recursive: true });
  rmSync(shop.path("out"), { recursive: true });
  const anew = await shop.build([action]);
  expect([anew.ok, anew.ran, anew.of("warning")]).toEqual([true, [], []]);
  expect(outputOf(shop, action)).toBe(right(action));
  expect(around(home)).toEqual(before);
}

describe.each(Object.entries(protocols))("over %s", (_, serve) => {
  let server: Awaited<ReturnType<typeof serve>>;
  let honestFile: Awaited<ReturnType<typeof honest>>;
  let honestFolder: Awaited<ReturnType<typeof honest>>;
  beforeAll(async () => {
    server = await serve();
    honestFile = await honest(file);
    honestFolder = await honest(folder);
  });
  afterAll(() => {
    server.transport.close();
    server.close();
  });

  test.each(Object.keys(hostileFolders("/")))("a folder's list with %s is not used", async (name) => {
    const { home, shop } = newHome({ url: server.url, readOnly: true });
    const attacker = new Attacker(server.transport);
    await attacker.put(PAYLOAD);
    const digest = await attacker.put(hostileFolders(join(home, "outside"))[name] as string);
    const outputs = [{ name: "d", kind: "folder", digest, size: PAYLOAD.length }];
    await attacker.putResult(honestFolder.base, { ...(honestFolder.result as object), outputs });
    await expectRefused(folder, home, shop);
  });

  test.each(Object.keys(hostileResults))("a result with %s is not used", async (name) => {
    const { home, shop } = newHome({ url: server.url, readOnly: true });
    const attacker = new Attacker(server.transport);
    await attacker.put(PAYLOAD);
    await attacker.put("right\n");
    await attacker.putResult(honestFile.base, hostileResults[name]?.(honestFile.result));
    await expectRefused(file, home, shop);
  });
});

describe("a store that others filled", () => {
  test.each(Object.keys(hostileResults).filter((name) => !/failure|not that of the bytes/.test(name)))(
    "with a result with %s is not believed",
    async (name) => {
      const { base, result } = await honest(file);
      const { home, shop } = newHome();
      const store = new ContentStore(shop.store);
      for (const bytes of [PAYLOAD, "right\n"]) store.putBytes(bytes);
      const hostile = hostileResults[name]?.(result);
      const log = new ActionLog(shop.store, store.refused);
      // Its log depends on the key, whatever the record says.
      log.append({ ...(hostile as object), base } as never, false);
      if (name === "another action" || typeof hostile !== "object" || hostile === null) return;
      await expectRefused(file, home, shop);
    },
  );

  // The limits for others' records do not apply to records that this machine may have made.
  const lists = Object.keys(hostileFolders("/")).filter((name) => !/too many (rows|folders)/.test(name));

  test.each(lists)("with a list with %s makes the folder anew", async (name) => {
    const { base, result } = await honest(folder);
    const { home, shop } = newHome();
    const store = new ContentStore(shop.store);
    store.putBytes(PAYLOAD);
    const digest = store.putBytes(hostileFolders(join(home, "outside"))[name] as string);
    const hostile = { ...(result as object), outputs: [{ name: "d", kind: "folder", digest, size: 6 }] };
    new ActionLog(shop.store, store.refused).append({ ...hostile, base } as never, false);
    store.close();
    await expectRefused(folder, home, shop);
    new ActionLog(shop.store, store.refused).append({ ...hostile, base } as never, false);
    expect(verifyStore(shop.store)).toMatchObject({ damaged: [], results: 1 });
  });

  test("by way of arc cache serve takes neither", async () => {
    const { shop } = newHome();
    const serving = await serveStore({ store: shop.store, port: 0 });
    closing.push(() => serving.close());
    const transport = httpTransport({ url: serving.url });
    closing.push(() => transport.close());
    for (const hostile of Object.values(hostileFolders("/etc"))) {
      const { base, result } = await honest(folder);
      const attacker = new Attacker(transport);
      await attacker.put(PAYLOAD);
      const digest = await attacker.put(hostile);
      const outputs = [{ name: "d", kind: "folder", digest, size: 6 }];
      await expect(attacker.putResult(base, { ...(result as object), outputs })).rejects.toThrow(
        "answers 400",
      );
    }
    const { base, result } = await honest(file);
    for (const [name, hostile] of Object.entries(hostileResults)) {
      if (/not that of the bytes|nobody asked for|no outputs|a folder for a file/.test(name)) continue;
      const attacker = new Attacker(transport);
      await expect(attacker.putResult(base, hostile(result)), name).rejects.toThrow("answers 400");
    }
  });
});

describe("what was found in other build tools", () => {
  const trusted = { signingKey: "of the main branch" };

  test("a pull request's build that may write makes no result of the main branch", async () => {
    const server = await plainServer();
    closing.push(() => server.close());
    const main = newHome({ url: server.url, ...trusted });
    expect((await main.shop.build([file])).ran).toEqual(["file"]);
    const transport = httpTransport({ url: server.url });
    closing.push(() => transport.close());
    const attacker = new Attacker(transport);
    const { base, result } = await honest(file);
    const signature = (
      JSON.parse(decodeEntry(await attacker.entry(base))?.arc ?? "[]") as { signature: string }[]
    )[0]?.signature;
    const digest = await attacker.put(PAYLOAD);
    const poisoned = { ...(result as object), outputs: [{ name: "o", kind: "file", digest, size: 6 }] };
    // Unsigned, signed with another key, or with the signature of the honest result.
    for (const one of [
      { result: poisoned },
      { result: poisoned, signature: "0".repeat(64) },
      { result: poisoned, signature },
    ]) {
      const entry = encodeEntry({ blobs: [{ digest, size: 6 }], arc: JSON.stringify([one]) });
      await attacker.putEntry(base, entry);
      const { shop } = newHome({ url: server.url, readOnly: true, ...trusted });
      expect((await shop.build([file])).ran).toEqual(["file"]);
      expect(shop.read("out/o")).toBe("right\n");
    }
  });

  test("a pull request's build that may only read writes nothing, whatever its project says", async () => {
    const { shop } = newHome();
    const serving = await serveStore({
      store: shop.store,
      port: 0,
      token: "of the main branch",
      publicRead: true,
    });
    closing.push(() => serving.close());
    const { base, result } = await honest(file);
    const before = snapshot(shop.store, ["tmp"]);
    for (const headers of [{}, { authorization: "Bearer guessed" }] as const) {
      const transport = httpTransport({ url: serving.url, headers });
      closing.push(() => transport.close());
      const attacker = new Attacker(transport);
      await expect(attacker.put(PAYLOAD)).rejects.toThrow("answers 401");
      await expect(attacker.putResult(base, result)).rejects.toThrow("answers 401");
    }
    expect(snapshot(shop.store, ["tmp"])).toEqual(before);
  });

  test("an archive's slip out of its folder writes and removes nothing there", async () => {
    const server = await plainServer();
    closing.push(() => server.close());
    const transport = httpTransport({ url: server.url });
    closing.push(() => transport.close());
    const { base, result } = await honest(folder);
    const { home, shop } = newHome({ url: server.url });
    const attacker = new Attacker(transport);
    const payload = await attacker.put(PAYLOAD);
    for (const depth of [1, 2, 3, 4, 5, 6]) {
      const up = "../".repeat(depth);
      for (const list of [
        [[`${up}kept`, "f", payload]],
        [
          ["a", "l", `${up}outside`],
          ["a/kept", "f", payload],
        ],
        [["a", "f", `${up}${up}${home}/kept`]],
      ]) {
        const digest = await attacker.put(JSON.stringify(list));
        const outputs = [{ name: "d", kind: "folder", digest, size: 6 }];
        await attacker.putResult(base, { ...(result as object), outputs });
        shop.restart();
        for (const left of [".arc", "out"]) rmSync(shop.path(left), { recursive: true, force: true });
        rmSync(shop.store, { recursive: true, force: true });
        const before = around(home);
        expect((await shop.build([folder])).ok).toBe(true);
        expect(outputOf(shop, folder)).toBe(right(folder));
        expect(around(home)).toEqual(before);
        expect(readFileSync(join(home, "outside/kept"), "utf8")).toBe("kept");
      }
    }
  });
});

test("files whose sizes a server does not tell come one by one: never more than the folder's bytes at once", async () => {
  const { base, result } = await honest(folder);
  const names = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => digestBytes(`${i}`));
  const list = JSON.stringify(names.map((digest, i) => [`${i}`, "f", digest]));
  const outputs = [{ name: "d", kind: "folder", digest: digestBytes(list), size: 6 }];
  const arc = JSON.stringify([{ result: { ...(result as object), outputs } }]);
  const entry = encodeEntry({ blobs: [], arc });
  const parts: string[] = [];
  const server = http.createServer((request, response) => {
    const digest = request.url?.split("/").at(-1) ?? "";
    if (digest === base) response.end(entry);
    else if (digest === digestBytes(list)) response.end(list);
    else if (names.includes(digest as Digest)) {
      parts.push(digest);
      response.end("x".repeat(2 ** 20));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { shop } = newHome({ url, readOnly: true });
  const built = await shop.build([folder]);
  expect([built.ok, built.ran, outputOf(shop, folder)]).toEqual([true, ["folder"], right(folder)]);
  expect(new Set(parts)).toEqual(new Set(names.slice(0, 1)));
});
