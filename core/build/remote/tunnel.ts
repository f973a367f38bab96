/** TLS to a server through a proxy: `CONNECT` opens a tunnel in which the proxy sees only the server's name. */
import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import type { Proxy } from "./proxy.ts";
import { Refused } from "./transport.ts";

/** Time limit for opening a tunnel, in ms. */
const TUNNEL_MS = 15_000;

export class TunnelAgent extends https.Agent {
  readonly #proxy: Proxy;
  readonly #asking = new Set<http.ClientRequest>();

  constructor(proxy: Proxy, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  /** Node's own agents call this for each new connection; the result is passed to `connected`. */
  override createConnection(
    { path: _, ...options }: https.RequestOptions,
    connected: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const failed = connected as (error: Error) => void;
    const { port } = options;
    const host = options.host ?? "";
    const server = `${isIP(host) === 6 ? `[${host}]` : host}:${port ?? 443}`;
    const { url, headers } = this.#proxy;
    const secure = url.protocol === "https:";
    const request = (secure ? https : http).request({
      agent: false,
      method: "CONNECT",
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || (secure ? 443 : 80),
      path: server,
      headers: { host: server, ...headers },
      timeout: TUNNEL_MS,
      ...(secure && options.ca !== undefined ? { ca: options.ca } : {}),
    });
    this.#asking.add(request);
    request.on("close", () => this.#asking.delete(request));
    request.on("timeout", () => request.destroy(new Error(`${this.#proxy.name} gives no answer`)));
    request.on("error", failed);
    request.on("connect", ({ statusCode }: http.IncomingMessage, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) connected(null, connect({ ...(options as ConnectionOptions), socket }));
      else {
        socket.destroy();
        failed(this.#refused(statusCode, server));
      }
    });
    request.end();
  }

  override destroy(): void {
    super.destroy();
    for (const request of this.#asking) request.destroy();
  }

  #refused(status = 0, server: string): Refused {
    const meaning = http.STATUS_CODES[status];
    const answer = `the proxy ${this.#proxy.name} answers ${status}${meaning ? ` (${meaning})` : ""} to CONNECT ${server}`;
    return new Refused(answer, status === 403 || status === 407);
  }
}
