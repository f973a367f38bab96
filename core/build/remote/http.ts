/** Bazel's HTTP cache protocol: GET, HEAD and PUT of `/ac/KEY` and `/cas/DIGEST`. */
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import { counting, type ServerOptions, type Transport } from "./transport.ts";

/** Entries are small; one that is not is no entry. */
const ENTRY_BYTES = 16 * 1024 * 1024;

class HttpError extends Error {}

export function httpTransport(options: ServerOptions): Transport {
  const url = new URL(options.url);
  const secure = url.protocol === "https:";
  const { request } = secure ? https : http;
  const agentOptions = { keepAlive: true, maxSockets: options.connections ?? 16 };
  const agent = secure
    ? new https.Agent({
        ...agentOptions,
        ...(options.certificates === undefined
          ? {}
          : { ca: [...rootCertificates, readFileSync(options.certificates)] }),
      })
    : new http.Agent(agentOptions);
  const auth =
    url.username === ""
      ? undefined
      : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const prefix = url.pathname.replace(/\/+$/, "");
  const name = `${url.protocol}//${url.host}${prefix}`;

  /** Resolves with the response's head; its body is still to be read. */
  const send = (
    method: string,
    path: string,
    signal: AbortSignal,
    body?: { readonly length: number; readonly write: (to: http.ClientRequest) => Promise<void> },
  ): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        agent,
        method,
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || (secure ? 443 : 80),
        path: `${prefix}${path}`,
        ...(auth === undefined ? {} : { auth }),
        headers: {
          ...options.headers,
          ...(body === undefined
            ? {}
            : { "content-length": body.length, "content-type": "application/octet-stream" }),
        },
        signal,
      });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      if (body === undefined) outgoing.end();
      else body.write(outgoing).catch(reject);
    });

  const drain = async (response: http.IncomingMessage): Promise<void> => {
    response.resume();
    await new Promise<void>((resolve, reject) => response.on("end", resolve).on("error", reject));
  };

  const unexpected = async (response: http.IncomingMessage, what: string): Promise<HttpError> => {
    await drain(response);
    return new HttpError(`${name} answers ${response.statusCode} to ${what}`);
  };

  const put = async (
    path: string,
    signal: AbortSignal,
    length: number,
    write: (to: http.ClientRequest) => Promise<void>,
  ): Promise<void> => {
    const response = await send("PUT", path, signal, { length, write });
    const status = response.statusCode ?? 0;
    if (status < 200 || status >= 300) throw await unexpected(response, `PUT ${path}`);
    await drain(response);
  };

  return {
    name,
    async getEntry(base, { signal }) {
      const response = await send("GET", `/ac/${base}`, signal);
      if (response.statusCode === 404) {
        await drain(response);
        return undefined;
      }
      if (response.statusCode !== 200) throw await unexpected(response, `GET /ac/${base}`);
      const parts: Buffer[] = [];
      let length = 0;
      for await (const part of response) {
        length += part.length;
        if (length > ENTRY_BYTES) throw new HttpError(`${name} answers without end to GET /ac/${base}`);
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    putEntry: (base, bytes, { signal }) =>
      put(`/ac/${base}`, signal, bytes.length, async (to) => {
        to.end(bytes);
      }),
    async getBlob({ digest }, file, limit, { signal, onBytes }) {
      const response = await send("GET", `/cas/${digest}`, signal);
      if (response.statusCode === 404) {
        await drain(response);
        return false;
      }
      if (response.statusCode !== 200) throw await unexpected(response, `GET /cas/${digest}`);
      const counted = counting(limit, onBytes);
      await pipeline(response, counted, createWriteStream(file, { flags: "wx" }), { signal });
      return true;
    },
    async hasBlob(digest, _, { signal }) {
      const response = await send("HEAD", `/cas/${digest}`, signal);
      await drain(response);
      return response.statusCode === 200;
    },
    putBlob: (digest, file, size, { signal, onBytes }) =>
      put(`/cas/${digest}`, signal, size, (to) =>
        pipeline(createReadStream(file), counting(size, onBytes), to, { signal }),
      ),
    close: () => agent.destroy(),
  };
}
