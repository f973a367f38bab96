/**
 * Finds the proxy for a server from the variables that curl and others use: `http_proxy`, `https_proxy` and `no_proxy`,
 * or the same in capitals.
 */
import { BlockList, isIP } from "node:net";
import { EngineError } from "../model/error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxy {
  readonly url: URL;
  /** For messages; without credentials. */
  readonly name: string;
  /** Headers of each request to the proxy. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Undefined: no proxy is used. Throws `bad-remote`. */
export function proxyFor(server: URL, environment: Environment): Proxy | undefined {
  const variable = /^(https|grpcs):$/.test(server.protocol) ? "https_proxy" : "http_proxy";
  const text = variableOf(environment, variable);
  const host = server.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (text === undefined || isLoopback(host)) return undefined;
  const port = server.port || (variable === "https_proxy" ? "443" : "80");
  if ((variableOf(environment, "no_proxy") ?? "").split(/[\s,]+/).some((entry) => excepts(entry, host, port)))
    return undefined;
  return proxyOf(text, variable);
}

function variableOf(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || environment[name.toUpperCase()]?.trim() || undefined;
}

function proxyOf(text: string, variable: string): Proxy {
  let url: URL | undefined;
  try {
    url = new URL(/^[a-z][\w+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    const { username, password, protocol, host } = url;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    if (/^https?:$/.test(protocol) && host !== "")
      return {
        url,
        name: `${protocol}//${host}`,
        headers:
          username === ""
            ? {}
            : { "proxy-authorization": `Basic ${Buffer.from(user, "utf8").toString("base64")}` },
      };
  } catch {
    // Reported below without the value, which may contain a password.
  }
  throw new EngineError(
    "bad-remote",
    `the environment variable ${variable} names no proxy that arc can ask`,
    "write http://host:port or https://host:port, or name the cache's host in no_proxy",
  );
}

/** The loopback address of a proxy would be another machine's. */
const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Whether an entry of `no_proxy` matches a host: its name, a domain around it, an address, an address range, or `*`.
 */
function excepts(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const range = /^([\da-f.:]+)\/(\d+)$/i.exec(entry);
  if (range !== null) return isInRange(host, range[1] as string, Number(range[2]));
  const [, name = "", itsPort] =
    /^(\[.*\]|[^:]*|[^:]*:[^:]*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const domain = name.replace(/^\[|\]$/g, "").replace(/^\*?\./, "");
  if (domain === "" || (itsPort !== undefined && itsPort !== port)) return false;
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}

function isInRange(host: string, network: string, bits: number): boolean {
  const version = isIP(network);
  if (version === 0 || isIP(host) !== version || bits > (version === 4 ? 32 : 128)) return false;
  const type = version === 4 ? "ipv4" : "ipv6";
  const range = new BlockList();
  range.addSubnet(network, bits, type);
  return range.check(host, type);
}
