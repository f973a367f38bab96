/** Bazel's HTTP cache protocol: GET, HEAD and PUT of `/ac/KEY` and `/cas/DIGEST`. */
import { createReadStream, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { newFile } from "../files/new-file.ts";
import { proxyFor } from "./proxy.ts";
import { type CacheServer, serverOf } from "./server.ts";
import { counting, Refused, type ServerOptions, type Transport, wholeEntry } from "./transport.ts";
import { TunnelAgent } from "./tunnel.ts";

/** HTTP answers that deny access. 403 to GET is not one: some storages answer so for what they do not have. */
const DENIALS: readonly string[] = ["401 GET", "401 PUT", "403 PUT", "405 PUT", "407 GET", "407 PUT"];

/** Body of a PUT. */
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
      await pipeline(response, counted, newFile(file), { signal });
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

/** How many redirections one request follows. */
const REDIRECTIONS = 5;

class Connection {
  readonly #server: CacheServer;
  readonly #way: Way;
  readonly #prefix: string;

  constructor(options: ServerOptions) {
    this.#server = serverOf(options);
    this.#way = wayTo(this.#server.url, options);
    this.#prefix = this.#server.url.pathname.replace(/\/+$/, "");
  }

  get name(): string {
    return this.#server.name;
  }

  /** The response, whose body is still to be read; undefined: the server does not have it. */
  async get(path: string, signal: AbortSignal): Promise<http.IncomingMessage | undefined> {
    const response = await this.#ask("GET", path, signal);
    if (response.statusCode === 200) return response;
    await drained(response);
    if (response.statusCode === 404) return undefined;
    throw this.#unexpected(response, "GET", path);
  }

  async has(path: string, signal: AbortSignal): Promise<boolean> {
    const response = await this.#ask("HEAD", path, signal);
    await drained(response);
    return response.statusCode === 200;
  }

  async put(path: string, signal: AbortSignal, body: Body): Promise<void> {
    const { request, response } = await this.#send("PUT", `${this.#prefix}${path}`, signal, body);
    await drained(response);
    // The server answered early; the rest need not be sent.
    if (!request.writableFinished) request.destroy();
    const status = response.statusCode ?? 0;
    if (status < 200 || status >= 300) throw this.#unexpected(response, "PUT", path);
  }

  close(): void {
    this.#way.agent.destroy();
  }

  /** Follows redirections on the same server only: no other server may see the token. */
  async #ask(method: "GET" | "HEAD", path: string, signal: AbortSignal): Promise<http.IncomingMessage> {
    let at = `${this.#prefix}${path}`;
    for (let count = 0; ; count++) {
      const { response } = await this.#send(method, at, signal);
      const next = this.#redirection(response, at);
      if (next?.origin !== this.#server.url.origin || count === REDIRECTIONS) return response;
      await drained(response);
      at = `${next.pathname}${next.search}`;
    }
  }

  /** Target of a redirection. */
  #redirection(
    { statusCode = 0, headers: { location } }: http.IncomingMessage,
    from: string,
  ): URL | undefined {
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
    try {
      return new URL(location, new URL(from, this.#server.url));
    } catch {
      return undefined;
    }
  }

  /** Resolves with the response's head. */
  #send(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: Body,
  ): Promise<{ readonly request: http.ClientRequest; readonly response: http.IncomingMessage }> {
    const { agent, secure, host, port, headers, prefix } = this.#way;
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request({
        agent,
        method,
        host,
        port,
        path: `${prefix}${path}`,
        headers: { ...this.#server.headers, ...headers, ...(body && headersOf(body)) },
        signal,
      });
      request.on("response", (response) => resolve({ request, response }));
      request.on("error", reject);
      if (body === undefined) request.end();
      else body.write(request).catch(reject);
    });
  }

  /**
   * Leaves out the server's message, which may repeat secrets that it was sent; names another server that it redirects
   * to.
   */
  #unexpected(response: http.IncomingMessage, method: string, path: string): Refused {
    const { statusCode = 0 } = response;
    const meaning = http.STATUS_CODES[statusCode];
    const message = `${this.name} answers ${statusCode}${meaning ? ` (${meaning})` : ""} to ${method} ${path}`;
    const next = this.#redirection(response, `${this.#prefix}${path}`);
    if (next === undefined) return new Refused(message, DENIALS.includes(`${statusCode} ${method}`));
    if (next.origin === this.#server.url.origin) return new Refused(message, true);
    return new Refused(
      `${message} and sends on to ${next.origin}: name that server if it is the cache`,
      true,
    );
  }
}

/** How the server is reached. */
interface Way {
  readonly agent: http.Agent;
  /** Whether TLS is spoken to `host`. */
  readonly secure: boolean;
  readonly host: string;
  readonly port: number | string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Prefix of every path. */
  readonly prefix: string;
}

function wayTo(url: URL, { connections = 16, certificates, environment = {} }: ServerOptions): Way {
  const proxy = proxyFor(url, environment);
  const ca = certificates === undefined ? undefined : [...rootCertificates, readFileSync(certificates)];
  const options = { keepAlive: true, maxSockets: connections };
  const securely = { ...options, ...(ca && { ca }) };
  const isSecure = url.protocol === "https:";
  if (proxy !== undefined && !isSecure) {
    const secure = proxy.url.protocol === "https:";
    const agent = secure ? new https.Agent(securely) : new http.Agent(options);
    const headers = { host: url.host, ...proxy.headers };
    return { agent, secure, ...placeOf(proxy.url), headers, prefix: `http://${url.host}` };
  }
  const direct = (): http.Agent => (isSecure ? new https.Agent(securely) : new http.Agent(options));
  const agent = proxy === undefined ? direct() : new TunnelAgent(proxy, securely);
  return { agent, secure: isSecure, ...placeOf(url), headers: {}, prefix: "" };
}

function placeOf({ protocol, hostname, port }: URL): Pick<Way, "host" | "port"> {
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port || (protocol === "https:" ? 443 : 80) };
}

const headersOf = ({ length }: Body): http.OutgoingHttpHeaders => ({
  "content-length": length,
  "content-type": "application/octet-stream",
});

async function drained(response: http.IncomingMessage): Promise<void> {
  response.resume();
  await new Promise<void>((resolve, reject) => response.on("end", resolve).on("error", reject));
}
