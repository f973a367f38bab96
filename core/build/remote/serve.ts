/**
 * Serves a store over Bazel's HTTP cache protocol. Results of the store are served as entries, and entries sent by arc
 * become results of the store; entries of other clients are kept unchanged.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { createReadStream, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { makeFolders } from "../files/folders.ts";
import { newFile } from "../files/new-file.ts";
import { type ActionResult, resultJson } from "../key/result.ts";
import type { Digest } from "../model/action.ts";
import { describeError } from "../model/error.ts";
import { SHARED_FOLDERS } from "../records/folder.ts";
import { BadRecord } from "../records/schema.ts";
import { ActionLog } from "../store/action-cache.ts";
import { defaultStoreLimit, hasRoom, keepWithin, makeRoom } from "../store/housekeeping.ts";
import { ContentStore } from "../store/store.ts";
import { resultsFor } from "./entry.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { counting, ENTRY_BYTES, wholeEntry } from "./transport.ts";
import { decodeEntry, encodeEntry } from "./wire.ts";

export interface ServeOptions {
  /** The store's folder. */
  readonly store: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** Required of every client, as `Authorization: Bearer TOKEN` or as the password of basic authentication. */
  readonly token?: string;
  /** Only writers need the token. */
  readonly publicRead?: boolean;
  readonly readOnly?: boolean;
  /** Size limit of the store in bytes; entries that were not used for longest are removed first. */
  readonly storeLimit?: number;
  /** Called for every request that failed because of this server. */
  readonly onTrouble?: (message: string) => void;
}

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = /^(?:\/[\w.-]+)*\/(ac|cas)\/([0-9a-f]{64})$/;
const READS: readonly string[] = ["GET", "HEAD"];
/** An idle connection is closed after this many ms. The duration of a complete transfer does not matter. */
const IDLE = 120_000;
/** How long the rest of a refused request is still read, in ms. */
const LINGERS = 5000;
const PRUNES_EVERY = 60_000;

export async function serveStore(options: ServeOptions): Promise<Serving> {
  const server = new StoreServer(options);
  return server.listen();
}

class StoreServer {
  readonly #options: ServeOptions;
  readonly #store: ContentStore;
  readonly #log: ActionLog;
  readonly #server: http.Server;
  /** Bytes that clients announced and have not fully sent yet. */
  #coming = 0;
  /** When pruning last freed too little, in ms. */
  #uselessPruneAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#store = new ContentStore(options.store, "serves");
    this.#log = new ActionLog(options.store, this.#store.refused);
    const onRequest: http.RequestListener = (request, response) => {
      this.#answer(request, response).catch((error: unknown) => this.#refuse(error, request, response));
    };
    this.#server = http.createServer({ requestTimeout: 0 }, onRequest);
    // For clients that ask before they send.
    this.#server.on("checkContinue", onRequest);
    this.#server.setTimeout(IDLE);
  }

  async listen(): Promise<Serving> {
    const { host = "127.0.0.1", port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.on("error", reject);
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address();
    const bound = typeof address === "object" && address !== null ? address.port : port;
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
      close: async () => {
        const closed = new Promise((resolve) => this.#server.close(resolve));
        this.#server.closeAllConnections();
        await closed;
        this.#log.close();
      },
    };
  }

  #refuse(error: unknown, request: http.IncomingMessage, response: http.ServerResponse): void {
    const { status, message, headers } = refusalOf(error);
    if (!(error instanceof Refusal) && !request.socket.destroyed)
      this.#options.onTrouble?.(`${request.method} ${request.url}: ${describeError(error)}`);
    // The rest of the request is discarded, so that the client gets to read the answer.
    request.resume();
    setTimeout(() => {
      if (!request.complete) request.destroy();
    }, LINGERS).unref();
    if (response.headersSent) response.destroy();
    else response.writeHead(status, { ...headers, "content-type": "text/plain" }).end(`${message}\n`);
  }

  /** Throws Refusal and errors of the file system. */
  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (!this.#isAllowed(request))
      throw new Refusal(401, "a token is needed", { "www-authenticate": 'Basic realm="arc"' });
    const { method = "GET", url = "/" } = request;
    const path = url.replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*/, "");
    // Some clients check whether the server is alive.
    if (path === "/") {
      response.writeHead(200).end();
      return;
    }
    const [, kind, key] = PATH.exec(path) ?? [];
    if (kind === undefined || key === undefined)
      throw new Refusal(
        404,
        "there are /ac/KEY and /cas/DIGEST, of 64 hexadecimal digits each; ccache asks for them with `layout=bazel`",
      );
    if (READS.includes(method)) {
      if (kind === "cas") await this.#sendBlob(key as Digest, method, response);
      else this.#sendEntry(key as Digest, method, response);
    } else if (method === "PUT") {
      if (this.#options.readOnly) throw new Refusal(403, "this cache may only be read");
      await this.#take(kind === "cas" ? this.#limit / 2 : ENTRY_BYTES, request, async (most) => {
        if (request.headers.expect !== undefined) response.writeContinue();
        if (kind === "cas") await this.#takeBlob(key as Digest, request, most);
        else await this.#takeEntry(key as Digest, request, most);
      });
      response.writeHead(200).end();
    } else throw new Refusal(405, "there are GET, HEAD and PUT", { allow: "GET, HEAD, PUT" });
  }

  #isAllowed({ method = "GET", headers }: http.IncomingMessage): boolean {
    const { token, publicRead = false } = this.#options;
    if (token === undefined || (publicRead && READS.includes(method))) return true;
    const [scheme = "", value = ""] = (headers.authorization ?? "").split(" ");
    if (scheme.toLowerCase() === "bearer") return sameSecret(value, token);
    const basic = Buffer.from(value, "base64").toString("utf8");
    return scheme.toLowerCase() === "basic" && sameSecret(basic.slice(basic.indexOf(":") + 1), token);
  }

  async #sendBlob(digest: Digest, method: string, response: http.ServerResponse): Promise<void> {
    const stat = statSync(this.#store.path(digest), { throwIfNoEntry: false });
    if (stat === undefined || !this.#store.hasWhole(digest, stat.size))
      throw new Refusal(404, "there is no such blob");
    response.writeHead(200, { "content-length": stat.size, "content-type": "application/octet-stream" });
    if (method === "HEAD") response.end();
    else await pipeline(createReadStream(this.#store.path(digest)), response);
  }

  #sendEntry(base: Digest, method: string, response: http.ServerResponse): void {
    const bytes = this.#entry(base);
    if (bytes === undefined) throw new Refusal(404, "there is no such entry");
    response.writeHead(200, { "content-length": bytes.length, "content-type": "application/octet-stream" });
    response.end(method === "HEAD" ? undefined : bytes);
  }

  /** What clients sent, or this store's own results if complete; both if both are arc's. */
  #entry(base: Digest): Buffer | undefined {
    const sent = this.#sentEntry(base);
    const text = sent && decodeEntry(sent)?.arc;
    // Another client's entry is returned unchanged.
    if (sent !== undefined && text === undefined) return sent;
    const theirs = text === undefined ? [] : resultsFor(base, text).good;
    const known = new Set(theirs.map(({ result }) => result.key));
    const ours = [...this.#log.candidates(base)].filter(
      ({ key, failure }) => failure === undefined && !known.has(key),
    );
    const all = [...theirs, ...ours.map((result) => ({ result }))].filter(({ result }) =>
      result.outputs.every(({ digest }) => this.#store.has(digest)),
    );
    if (all.length === 0) return undefined;
    const blobs = all.flatMap(({ result }) =>
      result.outputs.map(({ digest }) => ({ digest, size: this.#store.sizeOf(digest) })),
    );
    return encodeEntry({ blobs, arc: JSON.stringify(all) });
  }

  /** The entry as it was sent, unless it names blobs that the store no longer has. */
  #sentEntry(base: Digest): Buffer | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#entryFile(base));
    } catch {
      return undefined;
    }
    const entry = decodeEntry(bytes);
    const isWhole = entry?.blobs.every(({ digest, size }) => size === 0 || this.#store.has(digest)) ?? true;
    return isWhole ? bytes : undefined;
  }

  get #limit(): number {
    return this.#options.storeLimit ?? defaultStoreLimit;
  }

  /** Makes room for the announced size before anything is read; `take` gets the size limit. */
  async #take(
    most: number,
    request: http.IncomingMessage,
    take: (most: number) => Promise<void>,
  ): Promise<void> {
    const announced = Number(request.headers["content-length"] ?? 0);
    if (announced > most) throw tooMuch(most);
    const expected = this.#coming + announced;
    // Pruning reads the names of all files, so after a failure it is tried only now and then.
    const isSpent = performance.now() - this.#uselessPruneAt < PRUNES_EVERY;
    const fits = isSpent ? hasRoom : makeRoom;
    if (!fits(this.#store.directory, expected, this.#limit)) {
      if (!isSpent) this.#uselessPruneAt = performance.now();
      throw new Refusal(
        507,
        "this cache is full of what is in use: raise its limit, or try again in an hour",
      );
    }
    this.#coming += announced;
    try {
      await take(most);
    } finally {
      this.#coming -= announced;
    }
  }

  #noteAdded(bytes: number): void {
    if (bytes > 0) keepWithin(this.#store.directory, bytes, this.#limit);
  }

  async #takeBlob(digest: Digest, request: http.IncomingMessage, most: number): Promise<void> {
    const file = this.#store.newScratchFile();
    try {
      const counted = counting(
        most,
        () => {},
        () => tooMuch(most),
      );
      await pipeline(bodyOf(request), counted, newFile(file));
      if (this.#store.putOwned(file, digest).digest !== digest)
        throw new Refusal(400, "the bytes have another digest");
    } finally {
      rmSync(file, { force: true });
    }
    const { added } = this.#store;
    this.#store.added = 0;
    this.#noteAdded(added);
  }

  async #takeEntry(base: Digest, request: http.IncomingMessage, most: number): Promise<void> {
    const bytes = await wholeEntry(bodyOf(request), () => tooMuch(most));
    const text = decodeEntry(bytes)?.arc;
    if (text === undefined) {
      this.#keepEntry(base, bytes);
      return;
    }
    const { good: results, refused } = resultsFor(base, text);
    if (refused !== undefined)
      throw new Refusal(400, `the entry has a result that cannot be true: ${refused}`);
    if (results.length === 0) throw new Refusal(400, "the entry has no results of the action that it is for");
    for (const { result } of results) this.#checkFolders(result);
    // Signatures must be returned unchanged.
    if (results.some(({ signature }) => signature !== undefined)) {
      this.#keepEntry(base, bytes);
      return;
    }
    const known = new Set([...this.#log.candidates(base)].map(({ key }) => key));
    for (const { result } of [...results].reverse()) {
      if (known.has(result.key)) continue;
      this.#log.append(result, false);
      this.#noteAdded(resultJson(result).length);
    }
  }

  /** Refuses folders that the client who fetches the result would reject. */
  #checkFolders({ outputs }: ActionResult): void {
    for (const { name, kind, digest } of outputs) {
      if (kind !== "folder" || !this.#store.has(digest)) continue;
      try {
        this.#store.parseFolder(digest, SHARED_FOLDERS);
      } catch (error) {
        if (!(error instanceof BadRecord)) throw error;
        throw new Refusal(400, `the entry has a folder ${name} that is none: ${error.message}`);
      }
    }
  }

  /** Stores an entry unchanged. */
  #keepEntry(base: Digest, bytes: Buffer): void {
    const file = this.#entryFile(base);
    makeFolders(dirname(file));
    const temporary = this.#store.newScratchFile();
    try {
      writeFileSync(temporary, bytes);
      const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      renameSync(temporary, file);
      this.#noteAdded(bytes.length - before);
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #entryFile(base: Digest): string {
    return join(this.#options.store, "ac", base.slice(0, 2), base);
  }
}

/** Keeps the connection open when the body is not read to its end, so that an answer can be sent. */
const bodyOf = (request: http.IncomingMessage): AsyncIterable<Buffer> =>
  request.iterator({ destroyOnReturn: false });

const tooMuch = (most: number): Refusal =>
  new Refusal(413, `at most ${Math.floor(most)} bytes are taken at once`);

/** Compares in constant time, so that timing does not reveal how much is right. */
function sameSecret(actual: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(actual), digest(expected));
}
