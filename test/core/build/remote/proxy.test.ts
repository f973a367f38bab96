/** Servers behind proxies, and servers that redirect to others. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Action } from "../../../../core/build/model/action.ts";
import { proxyFor } from "../../../../core/build/remote/proxy.ts";
import { serveStore } from "../../../../core/build/remote/serve.ts";
import { shell, Workshop } from "../workshop.ts";

const actions: Action[] = [shell("upper", "tr a-z A-Z < a > o", { a: "a" }, ["o"])];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening<S extends Server>(server: S): Promise<{ server: S; port: number }> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

/** A cache, and the port that it is at. */
async function cache(): Promise<number> {
  const home = new Workshop();
  const server = await serveStore({ store: home.store, port: 0 });
  closing.push(() => server.close());
  return Number(new URL(server.url).port);
}

/** A proxy that resolves every name to a port of this machine, and records its requests. */
async function proxyTo(
  port: number,
  user?: string,
): Promise<{ url: string; requests: string[]; messages: string[] }> {
  const requests: string[] = [];
  const messages: string[] = [];
  const isKnown = ({ headers }: http.IncomingMessage): boolean =>
    user === undefined || headers["proxy-authorization"] === `Basic ${Buffer.from(user).toString("base64")}`;
  const { server, port: own } = await listening(
    http.createServer((request, response) => {
      const { method, url = "", headers } = request;
      requests.push(`${method} ${url.replace(/[0-9a-f]{64}/, "DIGEST")} for ${headers.host}`);
      messages.push(JSON.stringify(headers));
      if (!isKnown(request)) return void response.writeHead(407).end();
      const { "proxy-authorization": _, ...rest } = headers;
      const path = new URL(url).pathname;
      const further = http.request({ port, method, path, headers: rest }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(further);
    }),
  );
  server.on("connect", (request: http.IncomingMessage, client) => {
    requests.push(`CONNECT ${request.url}`);
    messages.push(JSON.stringify(request.headers));
    if (!isKnown(request)) return void client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const further = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    further.pipe(client).pipe(further);
    for (const end of [client, further]) end.on("error", () => further.destroy());
  });
  closing.push(() => server.closeAllConnections());
  return { url: `http://${user === undefined ? "" : `${user}@`}127.0.0.1:${own}`, requests, messages };
}

function client(url: string, environment: Record<string, string>, more = {}): Workshop {
  const shop = new Workshop({
    remote: { url, headers: { authorization: "Bearer s3cret" }, ...more },
    environment: { PATH: process.env.PATH, ...environment },
  });
  shop.write("a", "hello\n");
  return shop;
}

/** What two projects came to that share a cache: the second finds what the first made. */
async function shared(
  url: string,
  environment: Record<string, string>,
  more = {},
): Promise<readonly string[]> {
  const made = await client(url, environment, more).build(actions);
  const warnings = made.of("warning").map(({ message }) => message);
  if (warnings.length > 0) return warnings;
  const built = await client(url, environment, more).build(actions);
  return built.of("done").map(({ how }) => how);
}

/** A certificate for a name, in a folder that goes. */
function certificateFor(name: string): {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly file: string;
} {
  const { directory } = new Workshop();
  const [key, file] = [join(directory, "key"), join(directory, "cert")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const call = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", file];
  execFileSync("openssl", [...call, ...subject], { stdio: "ignore" });
  return { cert: readFileSync(file), key: readFileSync(key), file };
}

/** `https` before a cache. */
async function secured(
  port: number,
  name: string,
): Promise<{ readonly port: number; readonly file: string }> {
  const { file, ...own } = certificateFor(name);
  const { server, port: secure } = await listening(
    https.createServer(own, (request, response) => {
      const { method, url, headers } = request;
      const further = http.request({ port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      });
      request.pipe(further);
    }),
  );
  closing.push(() => server.closeAllConnections());
  return { port: secure, file };
}

describe("a cache behind a proxy", () => {
  test.each(["http_proxy", "HTTP_PROXY"])(
    "is asked by its whole address where %s names one",
    async (variable) => {
      const proxy = await proxyTo(await cache(), "me:pass");
      expect(await shared("http://cache.test:81/", { [variable]: proxy.url })).toEqual(["remote"]);
      expect(proxy.requests[0]).toBe("GET http://cache.test:81/ac/DIGEST for cache.test:81");
    },
  );

  test.each(["https_proxy", "HTTPS_PROXY"])(
    "is asked through a tunnel with TLS where %s names one",
    async (variable) => {
      const { port, file } = await secured(await cache(), "cache.test");
      const proxy = await proxyTo(port, "me:pass");
      const environment = { [variable]: proxy.url, http_proxy: "http://127.0.0.1:1" };
      expect(await shared("https://cache.test", environment, { certificates: file })).toEqual(["remote"]);
      expect(new Set(proxy.requests)).toEqual(new Set(["CONNECT cache.test:443"]));
      expect(proxy.messages.join()).not.toContain("s3cret");
    },
  );

  test("is not believed with another server's certificate", async () => {
    const { port, file } = await secured(await cache(), "other.test");
    const proxy = await proxyTo(port);
    const [warning] = await shared("https://cache.test", { https_proxy: proxy.url }, { certificates: file });
    expect(warning).toMatch(/cache\.test .*(altnames|certificate)/);
  });

  test("is abandoned at once if the proxy requires authentication, in a message without the password", async () => {
    const { port, file } = await secured(await cache(), "cache.test");
    const proxy = await proxyTo(port, "me:pass");
    const https_proxy = proxy.url.replace("me:pass", "you:guess");
    const [warning, ...more] = await shared("https://cache.test", { https_proxy }, { certificates: file });
    expect(more).toEqual([]);
    expect(warning).toMatch(
      /not used any more in this build: the proxy http:\/\/127\.0\.0\.1:\d+ answers 407 \(Proxy Authentication Required\) to CONNECT cache\.test:443$/,
    );
    expect(proxy.requests).toHaveLength(1);
  });

  test("costs no more than its limits where the proxy never answers", async () => {
    const { port } = await listening(http.createServer().on("connect", () => {}));
    const environment = { https_proxy: `http://127.0.0.1:${port}` };
    const [warning] = await shared("https://cache.test", environment, { answerSeconds: 0.2 });
    expect(warning).toMatch(/it gave no answer in time/);
  });

  test("is contacted directly if no_proxy says so", () => {
    const proxy = { http_proxy: "http://p.test:1", https_proxy: "p.test:2", NO_PROXY: "" };
    const through = (url: string, no_proxy = ""): string | undefined =>
      proxyFor(new URL(url), { ...proxy, NO_PROXY: no_proxy })?.name;
    expect(through("http://a.test")).toBe("http://p.test:1");
    expect(through("https://a.test")).toBe("http://p.test:2");
    for (const excepted of ["a.test", ".test", "*.test", "x, a.TEST:80", "x a.test", "*"])
      expect([excepted, through("http://a.test", excepted)]).toEqual([excepted, undefined]);
    for (const other of ["b.test", "test.a", "a.test:81", "aa.test", "est", "10.0.0.0/8"])
      expect([other, through("http://a.test", other)]).toEqual([other, "http://p.test:1"]);
    for (const excepted of ["10.1.2.3", "10.0.0.0/8", "10.1.2.3:80"])
      expect([excepted, through("http://10.1.2.3", excepted)]).toEqual([excepted, undefined]);
    expect(through("http://10.1.2.3", "11.0.0.0/8,.3,fd00::/8")).toBe("http://p.test:1");
    for (const excepted of ["fd00::/8", "[fd00::1]", "fd00::1", "[fd00::1]:80"])
      expect([excepted, through("http://[fd00::1]", excepted)]).toEqual([excepted, undefined]);
    for (const here of ["http://localhost:1", "http://127.0.0.1:1", "https://[::1]"])
      expect(through(here)).toBeUndefined();
    expect(() => proxyFor(new URL("http://a"), { http_proxy: "socks5://me:pw@x" })).toThrow(
      /^(?!.*pw).*http_proxy names no proxy that arc can ask/,
    );
  });
});

describe("a cache that sends on to another place", () => {
  /** A server that redirects with a given status to `next`; other paths go to another port. */
  async function sending(
    status: number,
    next: (path: string) => string,
    port: number,
  ): Promise<[string, string[]]> {
    const heard: string[] = [];
    const { server, port: own } = await listening(
      http.createServer((request, response) => {
        const { method, url = "", headers } = request;
        heard.push(`${method} ${url.slice(0, 6)}`);
        if (!url.startsWith("/new/")) return void response.writeHead(status, { location: next(url) }).end();
        const path = url.slice("/new".length);
        const further = http.request({ port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        });
        request.pipe(further);
      }),
    );
    closing.push(() => server.closeAllConnections());
    return [`http://127.0.0.1:${own}`, heard];
  }

  test.each([301, 302, 307, 308])("of its own is followed when it is read: %s", async (status) => {
    const port = await cache();
    await client(`http://127.0.0.1:${port}`, {}).build(actions);
    const [url] = await sending(status, (path) => `/new${path}`, port);
    const built = await client(url, {}, { readOnly: true }).build(actions);
    expect(built.of("done").map(({ how }) => how)).toEqual(["remote"]);
  });

  test("repeated redirections are abandoned", async () => {
    const [url, heard] = await sending(302, (path) => `${path}x`, 1);
    const [warning] = await shared(url, {}, { readOnly: true });
    expect(warning).toMatch(/not used any more in this build: .* answers 302 \(Found\) to GET \/ac\//);
    expect(heard.length).toBeLessThan(8);
  });

  test("of another server is told of, which hears nothing of the token", async () => {
    const heard: string[] = [];
    const { port } = await listening(
      http.createServer((request, response) => {
        heard.push(JSON.stringify(request.headers));
        response.end();
      }),
    );
    const other = `http://127.0.0.1:${port}`;
    const [url] = await sending(301, (path) => `${other.replace("//", "//me:s3cret@")}${path}?s3cret`, port);
    const [warning] = await shared(url, {});
    expect(warning).toMatch(
      new RegExp(
        `not used any more in this build: ${url} answers 301 \\(Moved Permanently\\) to GET /ac/\\w+ and sends on to ${other}: name that server if it is the cache$`,
      ),
    );
    expect(heard).toEqual([]);
  });
});
