/**
 * Offers a store over Bazel's HTTP cache protocol. Results of this store are served as entries, and entries
 * that arc sends become results of this store; entries of other clients are kept as they are.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Digest } from "../action.ts";
import { ActionLog } from "../actionlog.ts";
import { defaultStoreLimit, keepWithin } from "../housekeeping.ts";
import type { ActionResult } from "../result.ts";
import { ContentStore } from "../store.ts";
import { decodeEntry, encodeEntry } from "./wire.ts";

export interface ServeOptions {
  /** The store's folder. */
  readonly store: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Asked of every client, as `Authorization: Bearer TOKEN` or as the password of basic authentication. */
  readonly token?: string;
  readonly readOnly?: boolean;
  /** Bytes that the store may grow to; what was not used for longest goes. */
  readonly storeLimit?: number;
  /** Told of every request that failed on our side. */
  readonly onTrouble?: (message: string) => void;
}

export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = /^(?:\/[\w.-]+)*\/(ac|cas)\/([0-9a-f]{64})$/;
const ENTRY_BYTES = 16 * 1024 * 1024;

export async function serveStore(options: ServeOptions): Promise<Serving> {
  const server = new StoreServer(options);
  return server.listen();
}

class StoreServer {
  readonly #options: ServeOptions;
  readonly #store: ContentStore;
  readonly #log: ActionLog;
  readonly #server: http.Server;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#store = new ContentStore(options.store, "serves");
    this.#log = new ActionLog(options.store);
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        options.onTrouble?.(
          `${request.method} ${request.url}: ${error instanceof Error ? error.message : String(error)}`,
        );
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
    });
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

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (!this.#isAllowed(request)) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="arc"' }).end();
      return;
    }
    const { method = "GET" } = request;
    const path = new URL(request.url ?? "/", "http://here").pathname;
    // Some clients ask whether anybody is there.
    if (path === "/") {
      response.writeHead(200).end();
      return;
    }
    const [, kind, key] = PATH.exec(path) ?? [];
    if (kind === undefined || key === undefined) {
      response.writeHead(404).end();
      return;
    }
    if (method === "GET" || method === "HEAD") {
      if (kind === "cas") await this.#sendBlob(key as Digest, method, response);
      else this.#sendEntry(key as Digest, method, response);
    } else if (method === "PUT" && !this.#options.readOnly) {
      if (kind === "cas") await this.#takeBlob(key as Digest, request, response);
      else await this.#takeEntry(key as Digest, request, response);
    } else {
      response.writeHead(method === "PUT" ? 403 : 405).end();
    }
  }

  #isAllowed({ headers }: http.IncomingMessage): boolean {
    const { token } = this.#options;
    if (token === undefined) return true;
    const [scheme = "", value = ""] = (headers.authorization ?? "").split(" ");
    if (scheme.toLowerCase() === "bearer") return sameSecret(value, token);
    const basic = Buffer.from(value, "base64").toString("utf8");
    return scheme.toLowerCase() === "basic" && sameSecret(basic.slice(basic.indexOf(":") + 1), token);
  }

  async #sendBlob(digest: Digest, method: string, response: http.ServerResponse): Promise<void> {
    const stat = statSync(this.#store.path(digest), { throwIfNoEntry: false });
    if (stat === undefined || !this.#store.hasWhole(digest, stat.size)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-length": stat.size, "content-type": "application/octet-stream" });
    if (method === "HEAD") response.end();
    else await pipeline(createReadStream(this.#store.path(digest)), response);
  }

  #sendEntry(base: Digest, method: string, response: http.ServerResponse): void {
    const bytes = this.#entry(base);
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-length": bytes.length, "content-type": "application/octet-stream" });
    response.end(method === "HEAD" ? undefined : bytes);
  }

  /** What clients sent, or this store's own results that are whole; both when both are arc's. */
  #entry(base: Digest): Buffer | undefined {
    const sent = this.#sentEntry(base);
    const theirs = sent === undefined ? [] : arcResults(sent);
    // Another client's: it goes back as it came.
    if (theirs === undefined) return sent;
    const known = new Set(theirs.map(({ result }) => result.key));
    const ours = [...this.#log.candidates(base)].filter(
      ({ key, failure, outputs }) =>
        failure === undefined && !known.has(key) && outputs.every(({ digest }) => this.#store.has(digest)),
    );
    const all = [...theirs, ...ours.map((result) => ({ result }))];
    if (all.length === 0) return undefined;
    const blobs = all.flatMap(({ result }) =>
      result.outputs.map(({ digest }) => ({ digest, size: this.#store.sizeOf(digest) })),
    );
    return encodeEntry({ blobs, arc: JSON.stringify(all) });
  }

  /** As it was sent, unless it names blobs that are not here any more. */
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

  async #takeBlob(
    digest: Digest,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const file = this.#store.newScratchFile();
    try {
      await pipeline(request, createWriteStream(file, { flags: "wx" }));
      const { digest: actual } = this.#store.putOwned(file, digest);
      response.writeHead(actual === digest ? 200 : 400).end();
      const { added } = this.#store;
      this.#store.added = 0;
      if (added > 0) keepWithin(this.#store.directory, added, this.#options.storeLimit ?? defaultStoreLimit);
    } finally {
      rmSync(file, { force: true });
    }
  }

  async #takeEntry(
    base: Digest,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request) {
      length += part.length;
      if (length > ENTRY_BYTES) {
        response.writeHead(413).end();
        return;
      }
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    const signed = arcResults(bytes);
    if (signed === undefined || signed.some(({ signature }) => signature !== undefined)) {
      // Signatures must come out as they went in.
      const file = this.#entryFile(base);
      mkdirSync(dirname(file), { recursive: true });
      const temporary = this.#store.newScratchFile();
      writeFileSync(temporary, bytes);
      renameSync(temporary, file);
    } else {
      const known = new Set([...this.#log.candidates(base)].map(({ key }) => key));
      for (const { result } of [...signed].reverse()) {
        if (result.base === base && !known.has(result.key)) this.#log.append(result, false);
      }
    }
    response.writeHead(200).end();
  }

  #entryFile(base: Digest): string {
    return join(this.#options.store, "ac", base.slice(0, 2), base);
  }
}

function arcResults(bytes: Buffer): { result: ActionResult; signature?: string }[] | undefined {
  try {
    const text = decodeEntry(bytes)?.arc;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In a time that tells nothing of how much is right. */
function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
