import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { RemoteCacheOptions } from "../../../../core/build/engine-interface.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { encodeFolder, SHARED_FOLDERS } from "../../../../core/build/records/folder.ts";
import { checkRemoteUrl } from "../../../../core/build/remote/address.ts";
import { httpTransport } from "../../../../core/build/remote/http.ts";
import { RemoteCache } from "../../../../core/build/remote/remote.ts";
import { type ServeOptions, type Serving, serveStore } from "../../../../core/build/remote/serve.ts";
import { decodeEntry, encodeEntry } from "../../../../core/build/remote/wire.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";
import { shell, Workshop } from "../workshop.ts";

const actions: Action[] = [
  shell("upper", "tr a-z A-Z < a > o; echo said", { a: "a" }, ["o"]),
  shell("tree", "mkdir -p d/deep; cp o d/deep/x; echo y > d/y", { o: ["upper", "o"] }, [], {
    outputs: [{ name: "d", kind: "folder", place: "out/d" }],
  }),
];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serving(options: Partial<ServeOptions> = {}): Promise<Serving & { readonly store: string }> {
  const home = new Workshop();
  const server = await serveStore({ store: home.store, port: 0, ...options });
  closing.push(() => server.close());
  return { ...server, store: home.store };
}

function client(remote: RemoteCacheOptions, a = "hello\n"): Workshop {
  const shop = new Workshop({ remote });
  shop.write("a", a);
  return shop;
}

function expectOutputs(shop: Workshop): void {
  expect([shop.read("out/o"), shop.read("out/d/deep/x"), shop.read("out/d/y")]).toEqual([
    "HELLO\n",
    "HELLO\n",
    "y\n",
  ]);
}

describe("a cache shared with others", () => {
  test("gives one machine what another built, logs and folders included", async () => {
    const { url } = await serving();
    expect((await client({ url }).build(actions)).ran).toEqual(["upper", "tree"]);
    const second = client({ url });
    const built = await second.build(actions);
    expect(built.ran).toEqual([]);
    expect(built.of("done").map((event) => event.how)).toEqual(["remote", "remote"]);
    expect(built.of("log")[0]?.text).toBe("said\n");
    expectOutputs(second);
    rmSync(second.path("out"), { recursive: true });
    const again = await second.build(actions);
    expect(again.of("done").map((event) => event.how)).toEqual(["cached", "cached"]);
  });

  test("is sent and asked for the files of a folder at the same time, eight at most", async () => {
    const peaks = { PUT: 0, GET: 0 };
    const underway = { PUT: 0, GET: 0 };
    const { url } = await strange((request, response, stored) => {
      const kind = request.method as "PUT" | "GET";
      underway[kind] += 1;
      peaks[kind] = Math.max(peaks[kind], underway[kind]);
      response.on("close", () => {
        underway[kind] -= 1;
      });
      setTimeout(() => plain(request, response, stored), 30);
    });
    const files = Array.from({ length: 60 }, (_, at) => `echo ${at} > d/${at}`).join("; ");
    const many = shell("many", `mkdir d; ${files}`, {}, [], {
      outputs: [{ name: "d", kind: "folder", place: "out/d" }],
    });
    expect((await client({ url }).build([many])).ran).toEqual(["many"]);
    const other = client({ url });
    const built = await other.build([many]);
    expect(built.of("done").map((event) => event.how)).toEqual(["remote"]);
    expect([other.read("out/d/0"), other.read("out/d/59")]).toEqual(["0\n", "59\n"]);
    expect(peaks).toEqual({ PUT: 8, GET: 8 });
  });

  test("keeps apart what differs only in discovered inputs", async () => {
    const { url } = await serving();
    const make = (header: string): Workshop => {
      const shop = client({ url });
      shop.write("h", header);
      shop.step({
        name: "pre",
        digest: digestBytes("pre"),
        async run(context) {
          context.discover(`${context.root}/h`);
          await context.writeOutput("i", readFileSync(`${context.root}/h`));
          return { ok: true };
        },
      });
      return shop;
    };
    const pre: Action = {
      address: "pre",
      step: "pre",
      inputs: [],
      outputs: [{ name: "i", kind: "file", place: "out/i" }],
    };
    expect((await make("one").build([pre])).counts).toMatchObject({ ran: 1 });
    expect((await make("two").build([pre])).counts).toMatchObject({ ran: 1 });
    for (const header of ["one", "two"]) {
      const shop = make(header);
      expect((await shop.build([pre])).counts).toMatchObject({ ran: 0, remote: 1 });
      expect(shop.read("out/i")).toBe(header);
    }
  });

  test("does not get failures, nor what may not be cached", async () => {
    const { url, store } = await serving();
    await client({ url }).build(
      [shell("bad", "exit 3", {}, ["o"]), shell("run", "echo > p", {}, ["p"], { cache: false })],
      {
        keepGoing: true,
      },
    );
    expect(readdirSync(join(store, "actions"))).toEqual([]);
  });

  test("does not get a result whose bytes another process removed from the store: a warning says so", async () => {
    const { url } = await serving();
    const gone = digestBytes("removed meanwhile");
    const warnings: string[] = [];
    const cache = new RemoteCache(httpTransport({ url }), new ContentStore(new Workshop().store), {
      onTrouble: (message) => void warnings.push(message),
    });
    const outputs = [{ name: "o", kind: "file", digest: gone, size: 3 } as const];
    cache.publish({ base: digestBytes("base"), key: digestBytes("key"), outputs, seconds: 0 });
    await cache.settle();
    cache.close();
    expect(warnings).toEqual([`${digestBytes("key")} is not shared: the store has lost bytes of it`]);
  });

  test("does not get a folder that no client would take: a warning names it", async () => {
    const { url, store } = await serving();
    const own = new ContentStore(new Workshop().store);
    const rows = Array.from({ length: SHARED_FOLDERS.entries + 1 }, (_, at) => `n${at}`).sort();
    const digest = own.putBytes(encodeFolder(rows.map((path) => ({ path, kind: "empty" }))));
    const warnings: string[] = [];
    const cache = new RemoteCache(httpTransport({ url }), own, {
      onTrouble: (message) => void warnings.push(message),
    });
    const outputs = [{ name: "d", kind: "folder", digest, size: 0 } as const];
    cache.publish({ base: digestBytes("base"), key: digestBytes("key"), outputs, seconds: 0 });
    await cache.settle();
    cache.close();
    expect(warnings).toEqual([
      expect.stringMatching(/^the folder d is not shared, as nobody would take it: .*; pack it into a file$/),
    ]);
    expect(readdirSync(join(store, "cas"))).toEqual([]);
  });

  test("in read-only mode is read and never written", async () => {
    const { url, store } = await serving();
    await client({ url, readOnly: true }).build(actions);
    expect(readdirSync(join(store, "cas"))).toEqual([]);
    await client({ url }).build(actions);
    expect((await client({ url, readOnly: true }).build(actions)).ran).toEqual([]);
  });

  test("that only lets itself be read costs one warning, and is still read", async () => {
    const { url, requests } = await strange((request, response, stored) => {
      if (request.method === "PUT") response.writeHead(403).end();
      else plain(request, response, stored);
    });
    const chain = Array.from({ length: 6 }, (_, at) =>
      shell(
        `a${at}`,
        `echo ${at} > o${at}`,
        at === 0 ? {} : { [`o${at - 1}`]: [`a${at - 1}`, `o${at - 1}`] },
        [`o${at}`],
      ),
    );
    const built = await client({ url }).build(chain);
    expect(built.of("warning").map(({ message }) => message)).toEqual([
      expect.stringMatching(/gets nothing more from this build: .* answers 403 \(Forbidden\) to PUT/),
    ]);
    expect(requests.filter((request) => request.startsWith("PUT")).length).toBeLessThan(chain.length);
    expect(requests.filter((request) => request.startsWith("GET"))).toHaveLength(chain.length);
  });

  test("that rejects the client is contacted once", async () => {
    const { url, requests } = await strange((_, response) => response.writeHead(401).end());
    const built = await client({ url }).build(actions);
    expect(built.of("warning").map(({ message }) => message)).toEqual([
      expect.stringContaining("answers 401"),
    ]);
    expect(requests).toHaveLength(1);
  });

  test("requests its token, which appears in no message", async () => {
    const { url } = await serving({ token: "s3cret" });
    const right: RemoteCacheOptions[] = [
      { url, headers: { authorization: "Bearer s3cret" } },
      { url: url.replace("//", "//me:s3cret@") },
    ];
    await client(right[0] as RemoteCacheOptions).build(actions);
    for (const remote of right) expect((await client(remote).build(actions)).ran).toEqual([]);
    const wrong = await client({ url: url.replace("//", "//me:wr0ng@") }).build(actions);
    expect(wrong.ran).toEqual(["upper", "tree"]);
    expect(wrong.of("warning")[0]?.message).toContain("answers 401");
    expect(JSON.stringify(wrong.events)).not.toContain("wr0ng");
    const none = await client({ url }).build(actions);
    expect(none.ran).toEqual(["upper", "tree"]);
  });

  test("with a signing key is believed only what was signed with it", async () => {
    const { url } = await serving();
    await client({ url }).build(actions);
    const signed = { url, signingKey: "k1" };
    expect((await client(signed).build(actions)).ran).toEqual(["upper", "tree"]);
    expect((await client(signed).build(actions)).ran).toEqual([]);
    expect((await client({ url, signingKey: "k2" }).build(actions)).ran).toEqual(["upper", "tree"]);
  });

  test("accepts results only for the action that was requested", async () => {
    const server = await strange(plain);
    await client({ url: server.url }).build(actions);
    const [sent] = [...server.stored].filter(([key]) => key.startsWith("/ac/"));
    const [key, entry] = sent as [string, Buffer];
    const { url } = await serving();
    const put = async (path: string, body: Buffer): Promise<number> =>
      (await fetch(url + path, { method: "PUT", body: new Uint8Array(body) })).status;
    const get = async (path: string): Promise<number> => (await fetch(url + path)).status;
    const lies = [
      edited(entry, () => null as never),
      edited(entry, (result) => ({ ...result, base: "0".repeat(64) })),
      edited(entry, (result) => ({ ...result, outputs: [null] })),
      edited(entry, (result) => ({ ...result, discovered: 1 })),
      encodeEntry({ blobs: [], arc: "{}" }),
      encodeEntry({ blobs: [], arc: "[" }),
    ];
    for (const lie of lies) expect([await put(key, lie), await get(key)]).toEqual([400, 404]);
    expect(await put(key, entry)).toBe(200);
    // Its blobs are not here.
    expect(await get(key)).toBe(404);
    for (const [path, bytes] of server.stored) if (path.startsWith("/cas/")) await put(path, bytes);
    expect(await get(key)).toBe(200);
  });

  test("reports why a request was refused", async () => {
    const { url } = await serving({ readOnly: true });
    const blob = `/cas/${"0".repeat(64)}`;
    const asked: readonly [path: string, method: string][] = [
      [blob, "GET"],
      [blob, "PUT"],
      [blob, "DELETE"],
      ["/other", "GET"],
      ["//", "GET"],
    ];
    const answers = asked.map(async ([path, method]) => {
      const response = await fetch(url + path, { method });
      return `${response.status} ${await response.text()}`;
    });
    expect(await Promise.all(answers)).toEqual([
      "404 there is no such blob\n",
      "403 this cache may only be read\n",
      "405 there are GET, HEAD and PUT\n",
      ...Array(2).fill(
        "404 there are /ac/KEY and /cas/DIGEST, of 64 hexadecimal digits each; ccache asks for them with `layout=bazel`\n",
      ),
    ]);
  });

  test.each(["http", "grpc"])(
    "over %s refuses secrets that no header can carry, and does not show them",
    async (protocol) => {
      const messageOf = async (remote: RemoteCacheOptions): Promise<string> => {
        const built = client(remote).build(actions);
        return built.then(() => "built", String);
      };
      const url = `${protocol}://127.0.0.1:9`;
      for (const secret of ["s3cret\n", "s3crét"]) {
        const said = await messageOf({ url, headers: { authorization: `Bearer ${secret}` } });
        expect(said).toMatch(/the header authorization for \w+:\/\/127\.0\.0\.1:9.* has characters/);
        expect(said).not.toContain("s3c");
      }
      expect(await messageOf({ url, headers: { "a b": "s3cret" } })).toMatch(
        /^(?!.*s3cret).*"a b" is no name/,
      );
      const percent = await messageOf({ url: url.replace("//", "//me:s3%cret@") });
      expect(percent).toMatch(/^(?!.*s3).*has a percent sign that stands for no character/);
    },
  );

  test("is named by an address that says what it is", () => {
    expect(checkRemoteUrl("https://cache.example/arc").host).toBe("cache.example");
    for (const wrong of ["ftp://me:pw@x", "htp://me:p/pw@x", "me:pw@x:80", "http://me:pw@"])
      expect(() => checkRemoteUrl(wrong)).toThrow(/^(?!.*pw).*no address of a cache/);
  });
});

/** A server that answers as the test wants; `cas` and `ac` hold what was put. */
async function strange(
  answer: (request: http.IncomingMessage, response: http.ServerResponse, stored: Map<string, Buffer>) => void,
): Promise<{ url: string; stored: Map<string, Buffer>; requests: string[] }> {
  const stored = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.slice(0, 5)}`);
    answer(request, response, stored);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stored, requests };
}

/** What a plain server does. */
function plain(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  stored: Map<string, Buffer>,
): void {
  const key = request.url ?? "";
  if (request.method === "PUT") {
    const parts: Buffer[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      stored.set(key, Buffer.concat(parts));
      response.writeHead(200).end();
    });
  } else {
    const bytes = stored.get(key);
    if (bytes === undefined) response.writeHead(404).end();
    else response.writeHead(200).end(request.method === "HEAD" ? undefined : bytes);
  }
}

/** Filled by an honest build, then used by another after the server has changed. */
async function poisoned(
  poison: (stored: Map<string, Buffer>) => void,
): Promise<{ shop: Workshop; ran: readonly string[]; warnings: number }> {
  const server = await strange(plain);
  await client({ url: server.url }).build(actions);
  expect(server.stored.size).toBeGreaterThan(4);
  poison(server.stored);
  const shop = client({ url: server.url, answerSeconds: 0.3, blobSeconds: 0.3 });
  const built = await shop.build(actions);
  expect(built.ok).toBe(true);
  expectOutputs(shop);
  return { shop, ran: built.ran, warnings: built.of("warning").length };
}

describe("a cache that does not do what it should", () => {
  const quick = { answerSeconds: 0.2, blobSeconds: 0.2 };

  test("is missing: the build continues without it", async () => {
    const shop = client({ url: "http://127.0.0.1:9", ...quick });
    const built = await shop.build(actions);
    expect(built.ok).toBe(true);
    expect(built.of("warning")[0]?.message).toContain("is not used any more in this build");
    expectOutputs(shop);
  });

  test("fails too rarely to be abandoned: that is reported nevertheless", async () => {
    const { url } = await strange((_, response) => response.writeHead(503).end());
    const built = await client({ url, readOnly: true }).build(actions.slice(0, 1));
    expect(built.of("warning").map(({ message }) => message)).toEqual([
      expect.stringMatching(/was of no use: .* answers 503 \(Service Unavailable\) to GET/),
    ]);
  });

  test("never answers: that costs three limits at most", async () => {
    const { url } = await strange(() => undefined);
    const many = Array.from({ length: 12 }, (_, at) =>
      shell(`a${at}`, `echo ${at} > o${at}`, {}, [`o${at}`]),
    );
    const built = await client({ url, ...quick }).build(many);
    expect(built.ok).toBe(true);
    expect(built.of("warning")).toHaveLength(1);
    expect(built.ran).toHaveLength(12);
  });

  test("answers with errors: it is left alone after a few", async () => {
    const { url, requests } = await strange((_, response) => response.writeHead(503).end());
    const chain = Array.from({ length: 10 }, (_, at) =>
      shell(
        `a${at}`,
        `echo ${at} > o${at}`,
        at === 0 ? {} : { [`o${at - 1}`]: [`a${at - 1}`, `o${at - 1}`] },
        [`o${at}`],
      ),
    );
    expect((await client({ url, ...quick }).build(chain)).ok).toBe(true);
    expect(requests.length).toBeLessThan(8);
  });

  test("sends byte by byte: it is abandoned in time", async () => {
    const server = await strange((request, response, stored) => {
      if (request.method !== "GET" || !request.url?.startsWith("/cas/")) {
        plain(request, response, stored);
        return;
      }
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    await client({ url: server.url }).build(actions);
    const shop = client({ url: server.url, ...quick });
    const built = await shop.build(actions);
    expect([built.ok, built.ran]).toEqual([true, ["upper", "tree"]]);
    expectOutputs(shop);
  });

  test("takes what it is sent slowly: the build does not wait for all of it", async () => {
    const { url, requests } = await strange((request, response, stored) => {
      setTimeout(() => plain(request, response, stored), request.method === "PUT" ? 50 : 0);
    });
    const files = Array.from({ length: 200 }, (_, at) => `echo ${at} > d/${at}`).join("; ");
    const many = shell("many", `mkdir d; ${files}`, {}, [], {
      outputs: [{ name: "d", kind: "folder", place: "out/d" }],
    });
    const built = await client({ url, resultSeconds: 0.2 }).build([many]);
    expect(built.ok).toBe(true);
    expect(requests.filter((request) => request.startsWith("PUT")).length).toBeLessThan(100);
  });

  test("is slow, though it answers: it is left alone when it cost more time than it saved", async () => {
    const { url, requests } = await strange((request, response, stored) => {
      setTimeout(() => plain(request, response, stored), 40);
    });
    const chain = Array.from({ length: 12 }, (_, at) =>
      shell(
        `a${at}`,
        `echo ${at} > o${at}`,
        at === 0 ? {} : { [`o${at - 1}`]: [`a${at - 1}`, `o${at - 1}`] },
        [`o${at}`],
      ),
    );
    const built = await client({ url, readOnly: true, patienceSeconds: 0.1 }).build(chain);
    expect(built.ran).toHaveLength(12);
    expect(built.of("warning").map(({ message }) => message)).toEqual([
      expect.stringContaining("it costs more time than it saves"),
    ]);
    expect(requests.length).toBeLessThan(5);
  });

  test("sends other bytes, fewer or more: none of them are accepted", async () => {
    const damages: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => Buffer.from(bytes).fill("x"),
      (bytes) => bytes.subarray(0, bytes.length - 1),
      (bytes) => Buffer.concat([bytes, Buffer.alloc(100_000)]),
      () => Buffer.alloc(0),
    ];
    for (const damage of damages) {
      const { ran } = await poisoned((stored) => {
        for (const [key, bytes] of stored) if (key.startsWith("/cas/")) stored.set(key, damage(bytes));
      });
      expect(ran).toEqual(["upper", "tree"]);
    }
  });

  test("lost blobs that its entries name: they are made again", async () => {
    const { ran } = await poisoned((stored) => {
      for (const key of stored.keys()) if (key.startsWith("/cas/")) stored.delete(key);
    });
    expect(ran).toEqual(["upper", "tree"]);
  });

  test("mixes up its entries: none is accepted for another action", async () => {
    const { ran } = await poisoned((stored) => {
      const entries = [...stored.keys()].filter((key) => key.startsWith("/ac/"));
      const bytes = entries.map((key) => stored.get(key) as Buffer);
      for (const [at, key] of entries.entries()) stored.set(key, bytes[(at + 1) % bytes.length] as Buffer);
    });
    expect(ran).toEqual(["upper", "tree"]);
  });

  test("sends entries that are no entries, or lie about what they are", async () => {
    const lies: ((entry: Buffer) => Buffer)[] = [
      () => Buffer.from("<html>"),
      (entry) => entry.subarray(0, entry.length - 2),
      (entry) => edited(entry, (result) => ({ ...result, outputs: [] })),
      (entry) =>
        edited(entry, (result) => ({
          ...result,
          outputs: result.outputs.map((one) => ({ ...one, name: "../../escape" })),
        })),
      (entry) =>
        edited(entry, (result) => ({
          ...result,
          outputs: result.outputs.map((one) => ({ ...one, digest: "../../../etc/passwd" })),
        })),
      (entry) =>
        edited(entry, (result) => ({
          ...result,
          outputs: result.outputs.map((one) => ({ ...one, kind: "folder" })),
        })),
      (entry) => edited(entry, (result) => ({ ...result, key: "0".repeat(64) })),
      (entry) => edited(entry, () => null as never),
      (entry) =>
        edited(entry, (result) => ({ ...result, discovered: { files: [["../../x", "y"]], missing: [] } })),
    ];
    for (const lie of lies) {
      const { ran } = await poisoned((stored) => {
        for (const [key, bytes] of stored) if (key.startsWith("/ac/")) stored.set(key, lie(bytes));
      });
      // The folder is honest where the lie is about files; what it is made of is the same.
      expect(ran).toContain("upper");
    }
  });
});

interface LooseResult {
  readonly outputs: readonly object[];
}

function edited(entry: Buffer, edit: (result: LooseResult) => object): Buffer {
  const { arc = "[]", blobs = [] } = decodeEntry(entry) ?? {};
  const results = JSON.parse(arc) as { result: LooseResult }[];
  return encodeEntry({ blobs, arc: JSON.stringify(results.map(({ result }) => ({ result: edit(result) }))) });
}

function missing(program: string): string | undefined {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0
    ? undefined
    : `${program} is not installed`;
}

const noNginx = missing("nginx");
const noCcache = missing("ccache") ?? missing("gcc");

describe.skipIf(noNginx !== undefined)(`nginx with WebDAV as the cache (${noNginx ?? "installed"})`, () => {
  test("gives one machine what another built", async () => {
    const home = new Workshop();
    const data = join(home.directory, "data");
    mkdirSync(join(data, "tmp"), { recursive: true });
    const port = 20_000 + (process.pid % 20_000);
    const config = join(home.directory, "nginx.conf");
    writeFileSync(
      config,
      `daemon off; pid "${home.directory}/nginx.pid"; error_log "${home.directory}/error.log";
       ${process.getuid?.() === 0 ? "user root;" : ""}
       events { worker_connections 64; }
       http { access_log off; client_max_body_size 0; client_body_temp_path "${data}/tmp";
         proxy_temp_path "${data}/p"; fastcgi_temp_path "${data}/f"; uwsgi_temp_path "${data}/u"; scgi_temp_path "${data}/s";
         server { listen 127.0.0.1:${port}; root "${data}";
           location /cache/ { dav_methods PUT; create_full_put_path on; dav_access user:rw; } } }`,
    );
    const server = spawn("nginx", ["-p", home.directory, "-c", config], { stdio: "ignore" });
    closing.push(async () => {
      server.kill();
      await new Promise((done) => server.on("exit", done));
    });
    const url = `http://127.0.0.1:${port}/cache`;
    await untilAnswers(url);
    expect((await client({ url }).build(actions)).ran).toEqual(["upper", "tree"]);
    const second = client({ url });
    const built = await second.build(actions);
    expect(built.of("warning")).toEqual([]);
    expect(built.ran).toEqual([]);
    expectOutputs(second);
  });
});

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const answered = await new Promise((resolve) => {
      http.get(url, (response) => resolve(response.resume())).on("error", () => resolve(undefined));
    });
    if (answered !== undefined) return;
  }
}

describe.skipIf(noCcache !== undefined)(`ccache as the client (${noCcache ?? "installed"})`, () => {
  test.each([
    { says: "layout=bazel", layout: "|layout=bazel", hits: "5", misses: "0" },
    { says: "nothing of a layout, which is another", layout: "", hits: "0", misses: "5" },
  ])("that says $says: $hits of 5 are found by a second, empty cache", async ({ layout, hits, misses }) => {
    const { url } = await serving();
    const home = new Workshop();
    const names = Array.from({ length: 5 }, (_, at) => `f${at}`);
    for (const [at, name] of names.entries())
      home.write(`${name}.c`, `int ${name}(int x) { return x + ${at}; }\n`);
    const environment = (cache: string): NodeJS.ProcessEnv => ({
      ...process.env,
      CCACHE_DIR: join(home.directory, cache),
      CCACHE_REMOTE_STORAGE: `${url}${layout}`,
    });
    for (const cache of ["one", "two"]) {
      const compile = (name: string): Promise<string> =>
        spawnAsync("ccache", ["gcc", "-c", `${name}.c`, "-o", `${name}.o`], home.root, environment(cache));
      await Promise.all(names.map(compile));
    }
    const stats = await spawnAsync("ccache", ["--print-stats"], home.root, environment("two"));
    expect(/^direct_cache_hit\s+(\d+)$/m.exec(stats)?.[1]).toBe(hits);
    expect(/^cache_miss\s+(\d+)$/m.exec(stats)?.[1]).toBe(misses);
  });
});

const noBazel = missing("bazel");

describe.skipIf(noBazel !== undefined)(`bazel as the client (${noBazel ?? "installed"})`, () => {
  test("finds in a second workspace what the first sent", { timeout: 400_000 }, async () => {
    const home = new Workshop();
    // Bazel 4.2 itself builds in no folder of such a name.
    const { url } = await serving({ store: join(home.directory, "Lager mit Größe") });
    const build = async (name: string): Promise<string> => {
      const workspace = join(home.directory, name);
      mkdirSync(workspace);
      writeFileSync(join(workspace, "WORKSPACE"), 'workspace(name = "shared")\n');
      writeFileSync(join(workspace, "in.txt"), "hello\n");
      writeFileSync(
        join(workspace, "upper.bzl"),
        `def _upper(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.run_shell(outputs = [out], inputs = [ctx.file.src],
        command = "tr a-z A-Z < %s > %s" % (ctx.file.src.path, out.path))
    return [DefaultInfo(files = depset([out]))]

upper = rule(implementation = _upper, attrs = {"src": attr.label(allow_single_file = True)})
`,
      );
      const targets = Array.from({ length: 3 }, (_, at) => `upper(name = "u${at}", src = "in.txt")`);
      writeFileSync(join(workspace, "BUILD"), ['load(":upper.bzl", "upper")', ...targets, ""].join("\n"));
      const root = join(home.directory, `${name}-output`);
      const bazel = (...args: string[]): Promise<string> =>
        spawnAsync(
          "sh",
          ["-c", 'exec bazel "$@" 2>&1', "sh", `--output_user_root=${root}`, ...args],
          workspace,
          process.env,
        );
      closing.push(() => bazel("shutdown").catch(() => undefined));
      const said = await bazel("build", `--remote_cache=${url}`, "//:all");
      expect(readFileSync(join(workspace, "bazel-bin/u2.txt"), "utf8")).toBe("HELLO\n");
      return said;
    };
    expect(await build("first")).not.toContain("remote cache hit");
    expect(await build("second")).toContain("3 remote cache hit");
  });
});

/** Rejects when the program fails; the test's own server answers meanwhile. */
function spawnAsync(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.stderr.on("data", (bytes) => {
      err += bytes;
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`${program}: ${err}`))));
  });
}
