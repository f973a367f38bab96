/** Bazel's HTTP cache protocol: GET, HEAD and PUT of `/ac/KEY` and `/cas/DIGEST`. */
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { type CacheServer, serverOf } from "./server.ts";
import { counting, Refused, type ServerOptions, type Transport, wholeEntry } from "./transport.ts";

/** Of HTTP. Some storages say 403 to GET of what they do not have. */
const DENIALS: readonly string[] = ["401 GET", "401 PUT", "403 PUT", "405 PUT", "407 GET", "407 PUT"];

/** What a PUT sends. */
interface Body {
  readonly length: number;
  write(to: http.ClientRequest): Promise<void>;
}

export function httpTransport(options: ServerOptions): Transport {
  const connection = new Connection(options);
  return {
    name: connection.name,
    async getEntry(base, { signal }) {
      const response = await connection.get(`/ac/${base}`, signal);
      const endless = () => new Error(`${connection.name} answers without end to GET /ac/${base}`);
      return response && (await wholeEntry(response, endless));
    },
    putEntry: (base, bytes, { signal }) =>
      connection.put(`/ac/${base}`, signal, {
        length: bytes.length,
        write: async (to) => void to.end(bytes),
      }),
    async getBlob({ digest }, file, limit, { signal, onBytes }) {
      const response = await connection.get(`/cas/${digest}`, signal);
      if (response === undefined) return false;
      const counted = counting(limit, onBytes);
      await pipeline(response, counted, createWriteStream(file, { flags: "wx" }), { signal });
      return true;
    },
    hasBlob: (digest, _, { signal }) => connection.has(`/cas/${digest}`, signal),
    putBlob: (digest, file, size, { signal, onBytes }) =>
      connection.put(`/cas/${digest}`, signal, {
        length: size,
        write: (to) => pipeline(createReadStream(file), counting(size, onBytes), to, { signal }),
      }),
    close: () => connection.close(),
  };
}

class Connection {
  readonly #server: CacheServer;
  readonly #agent: http.Agent;
  readonly #prefix: string;

  constructor(options: ServerOptions) {
    this.#server = serverOf(options);
    this.#agent = agentFor(this.#server.url, options);
    this.#prefix = this.#server.url.pathname.replace(/\/+$/, "");
  }

  get name(): string {
    return this.#server.name;
  }

  /** The answer, whose body is still to be read; undefined: there is none. */
  async get(path: string, signal: AbortSignal): Promise<http.IncomingMessage | undefined> {
    const { response } = await this.#send("GET", path, signal);
    if (response.statusCode === 200) return response;
    await drained(response);
    if (response.statusCode === 404) return undefined;
    throw this.#unexpected(response, "GET", path);
  }

  async has(path: string, signal: AbortSignal): Promise<boolean> {
    const { response } = await this.#send("HEAD", path, signal);
    await drained(response);
    return response.statusCode === 200;
  }

  async put(path: string, signal: AbortSignal, body: Body): Promise<void> {
    const { request, response } = await this.#send("PUT", path, signal, body);
    await drained(response);
    // What was answered early is not worth the rest.
    if (!request.writableFinished) request.destroy();
    const status = response.statusCode ?? 0;
    if (status < 200 || status >= 300) throw this.#unexpected(response, "PUT", path);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Resolves with the response's head. */
  #send(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: Body,
  ): Promise<{ readonly request: http.ClientRequest; readonly response: http.IncomingMessage }> {
    const { url, headers } = this.#server;
    const secure = url.protocol === "https:";
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request({
        agent: this.#agent,
        method,
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || (secure ? 443 : 80),
        path: `${this.#prefix}${path}`,
        headers: { ...headers, ...(body && headersOf(body)) },
        signal,
      });
      request.on("response", (response) => resolve({ request, response }));
      request.on("error", reject);
      if (body === undefined) request.end();
      else body.write(request).catch(reject);
    });
  }

  /** Without what the server says: it may repeat what it was told. */
  #unexpected({ statusCode = 0 }: http.IncomingMessage, method: string, path: string): Refused {
    const meaning = http.STATUS_CODES[statusCode];
    const message = `${this.name} answers ${statusCode}${meaning ? ` (${meaning})` : ""} to ${method} ${path}`;
    return new Refused(message, DENIALS.includes(`${statusCode} ${method}`));
  }
}

function agentFor({ protocol }: URL, { connections = 16, certificates }: ServerOptions): http.Agent {
  const options = { keepAlive: true, maxSockets: connections };
  if (protocol !== "https:") return new http.Agent(options);
  const ca = certificates === undefined ? undefined : [...rootCertificates, readFileSync(certificates)];
  return new https.Agent({ ...options, ...(ca && { ca }) });
}

const headersOf = ({ length }: Body): http.OutgoingHttpHeaders => ({
  "content-length": length,
  "content-type": "application/octet-stream",
});

async function drained(response: http.IncomingMessage): Promise<void> {
  response.resume();
  await new Promise<void>((resolve, reject) => response.on("end", resolve).on("error", reject));
}
