/**
 * A shared cache whose records and answers are damaged at random, over HTTP and gRPC: a build is right and ends in
 * time, says each kind of trouble at most once, changes nothing around the project, and keeps nothing bad.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type net from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Random, randomFrom } from "../../../../cli/explore/random.ts";
import type { RemoteCacheOptions } from "../../../../core/build/engine-interface.ts";
import type { Action, Digest } from "../../../../core/build/model/action.ts";
import { grpcTransport } from "../../../../core/build/remote/grpc.ts";
import { decodeEntry, encodeEntry } from "../../../../core/build/remote/wire.ts";
import { verifyStore } from "../../../../core/build/store/housekeeping.ts";
import { seedsOf } from "../../../cases.ts";
import { snapshot } from "../records/snapshot.ts";
import { shell, Workshop } from "../workshop.ts";
import { badWay, damaged, damagedAnswer, damagedJson, oneOf, send } from "./mutations.ts";
import { reapiServer } from "./reapi-server.ts";

const temporary = mkdtempSync(join(tmpdir(), "arc-mutated-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const actions: Action[] = [
  shell("upper", "tr a-z A-Z < a > o; echo said", { a: "a" }, ["o"]),
  shell("tree", "mkdir -p d/deep; cp o d/deep/x; ln -s deep d/l; echo y > d/y", { o: ["upper", "o"] }, [], {
    outputs: [{ name: "d", kind: "folder", place: "out/d" }],
  }),
];

/** In seconds. */
const LIMITS = { answerSeconds: 0.4, blobSeconds: 0.4, resultSeconds: 1, patienceSeconds: 1 };
const TROUBLES = [
  "is not used any more in this build",
  "gets nothing more",
  "sent a record that cannot be true",
];
const BATCHES = 10;

function projectIn(home: string, remote: RemoteCacheOptions | undefined): Workshop {
  const shop = new Workshop({
    root: join(home, "project"),
    store: join(home, "store"),
    ...(remote === undefined ? {} : { remote }),
  });
  shop.write("a", "hello\n");
  return shop;
}

/** What is wrong with a build that has this cache. */
async function judge(remote: RemoteCacheOptions): Promise<string[]> {
  const home = mkdtempSync(join(temporary, "home-"));
  for (const name of ["outside", "project/src"]) mkdirSync(join(home, name), { recursive: true });
  for (const name of ["kept", "outside/kept", "project/src/kept"]) writeFileSync(join(home, name), "kept");
  const around = () => snapshot(home, ["store", "project/.arc", "project/out"]);
  const shop = projectIn(home, { ...LIMITS, ...remote });
  const before = around();
  const wrong: string[] = [];
  const check = (what: string, isRight: boolean): void => {
    if (!isRight) wrong.push(what);
  };
  const outputs = (): string => JSON.stringify(snapshot(shop.path("out")));
  const started = performance.now();
  const built = await shop.build(actions);
  const seconds = (performance.now() - started) / 1000;
  const warnings = built.of("warning").map(({ message }) => message);
  check(`it fails: ${JSON.stringify(built.of("failed"))}`, built.ok);
  check(`it takes ${seconds} s`, seconds < 20);
  const kinds = warnings.map((message) => TROUBLES.find((kind) => message.includes(kind)) ?? message);
  check(`it says ${warnings.join(" / ")}`, new Set(kinds).size === kinds.length && kinds.length <= 3);
  check("something around it is changed", JSON.stringify(around()) === JSON.stringify(before));
  check(`it leaves ${outputs()}`, outputs() === wanted);
  await shop.restart();
  const { damaged: bad, results } = verifyStore(shop.store);
  check(`its store keeps ${bad} and ${results} bad results`, bad.length + results === 0);
  shop.close();
  rmSync(home, { recursive: true });
  return wrong;
}

let wanted: string;

/** Every seed on which something is wrong. */
async function judgeAll(each: (random: Random) => Promise<string[]>): Promise<string[]> {
  const clean = new Workshop();
  clean.write("a", "hello\n");
  await clean.build(actions);
  wanted = JSON.stringify(snapshot(clean.path("out")));
  const wrong: string[] = [];
  for (const seed of seedsOf(BATCHES))
    wrong.push(...(await each(randomFrom(seed))).map((what) => `${seed}: ${what}`));
  return wrong;
}

/** What a build sends to a cache, by path. */
async function recorded(): Promise<Map<string, Buffer>> {
  const stored = new Map<string, Buffer>();
  const server = http.createServer(async (request, response) => {
    if (request.method === "PUT") stored.set(request.url ?? "", Buffer.concat(await request.toArray()));
    response.writeHead(request.method === "PUT" ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  const shop = projectIn(mkdtempSync(join(temporary, "first-")), { url: `http://127.0.0.1:${port}` });
  expect((await shop.build(actions)).ok).toBe(true);
  server.closeAllConnections();
  server.close();
  return stored;
}

const urlOf = (server: net.Server): string => `127.0.0.1:${(server.address() as net.AddressInfo).port}`;

/** Answers requests by the bytes of answers, whatever these are. */
async function byBytes(answer: (path: string, socket: net.Socket) => void): Promise<net.Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const path = /^[A-Z]+ (\S+)/.exec(text)?.[1] ?? "";
        text = text.slice(end + 4);
        answer(path, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function damagedEntry(random: Random, bytes: Buffer): Buffer {
  const entry = decodeEntry(bytes);
  if (entry?.arc === undefined || random() < 0.2) return damaged(random, bytes);
  return encodeEntry({ ...entry, arc: damagedJson(random, entry.arc) });
}

test("records and answers over HTTP that are damaged at random are misses", async () => {
  const stored = await recorded();
  const wrong = await judgeAll(async (random) => {
    const [ofRecords, ofAnswers] = oneOf(random, [
      [0.7, 0],
      [0, 0.5],
      [0.2, 0.2],
      [0, 1],
    ] as const);
    const server = await byBytes((path, socket) => {
      const honest = stored.get(path);
      const isEntry = path.startsWith("/ac/");
      const body =
        honest === undefined || random() >= ofRecords
          ? honest
          : isEntry
            ? damagedEntry(random, honest)
            : damaged(random, honest);
      const status = body === undefined ? "404 Not Found" : "200 OK";
      const answer = {
        status,
        headers: [`content-length: ${body?.length ?? 0}`],
        body: body ?? Buffer.alloc(0),
      };
      if (random() < ofAnswers) {
        const { bytes, after } = damagedAnswer(random, answer);
        send(socket, bytes, after);
      } else {
        const head = `HTTP/1.1 ${status}\r\n${answer.headers[0]}\r\n\r\n`;
        socket.write(Buffer.concat([Buffer.from(head), answer.body]));
      }
    });
    const open = new Set<net.Socket>();
    server.on("connection", (socket) => open.add(socket));
    try {
      return await judge({ url: `http://${urlOf(server)}` });
    } finally {
      for (const socket of open) socket.destroy();
      server.close();
    }
  });
  expect(wrong).toEqual([]);
}, 600_000);

test("records and answers over gRPC that are damaged at random are misses", async () => {
  const stored = await recorded();
  const wrong = await judgeAll(async (random) => {
    const { host, close } = await reapiServer();
    const transport = grpcTransport({ url: `grpc://${host}` });
    const attempt = { signal: new AbortController().signal, onBytes: () => {} };
    const file = join(temporary, "blob");
    const isOfRecords = random() < 0.5;
    for (const [path, bytes] of [...stored].sort(([a], [b]) => (a < b ? 1 : -1))) {
      const digest = path.split("/").at(-1) as Digest;
      writeFileSync(file, bytes);
      if (path.startsWith("/cas/")) await transport.putBlob(digest, file, bytes.length, attempt);
      else {
        const entry = isOfRecords && random() < 0.7 ? damagedEntry(random, bytes) : bytes;
        await transport.putEntry(digest, entry, attempt).catch(() => {});
      }
    }
    transport.close();
    const way = await badWay(Number(host.split(":")[1]), random, isOfRecords ? 0 : 0.3);
    const open = new Set<net.Socket>();
    way.on("connection", (socket) => open.add(socket));
    try {
      return await judge({ url: `grpc://${urlOf(way)}` });
    } finally {
      for (const socket of open) socket.destroy();
      way.close();
      close();
    }
  });
  expect(wrong).toEqual([]);
}, 600_000);
