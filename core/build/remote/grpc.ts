/**
 * The cache of the Remote Execution API (build.bazel.remote.execution.v2) over gRPC: ActionCache,
 * ContentAddressableStorage, and ByteStream for the bytes. The URL's path is the name of the instance.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as grpc from "@grpc/grpc-js";
import type { Digest } from "../action.ts";
import { tls } from "./grpc-tls.ts";
import { bytesField, lengthDelimited, message, parse, varintField } from "./protobuf.ts";
import { type Attempt, counting, type ServerOptions, type Transport } from "./transport.ts";
import { encodeDigest } from "./wire.ts";

const REAPI = "/build.bazel.remote.execution.v2";
const METHOD = {
  get: `${REAPI}.ActionCache/GetActionResult`,
  update: `${REAPI}.ActionCache/UpdateActionResult`,
  findMissing: `${REAPI}.ContentAddressableStorage/FindMissingBlobs`,
  read: "/google.bytestream.ByteStream/Read",
  write: "/google.bytestream.ByteStream/Write",
} as const;

/** Field numbers. */
const INSTANCE = 1;
const ACTION = { digest: 2, result: 3 } as const;
const MISSING = { digests: 2 } as const;
const READ = { resource: 1, data: 10 } as const;
const WRITE = { resource: 1, offset: 2, finish: 3, data: 10 } as const;
const METADATA = { tool: 1, invocation: 3 } as const;
const TOOL = { name: 1 } as const;

const text = (number: number, value: string): Buffer => bytesField(number, Buffer.from(value, "utf8"));

/** Who asks, for the server's log. Optional in the protocol; Bazel's own server takes no call without. */
const METADATA_HEADER = "build.bazel.remote.execution.v2.requestmetadata-bin";
const requestMetadata = (): Buffer =>
  message([bytesField(METADATA.tool, text(TOOL.name, "arc")), text(METADATA.invocation, randomUUID())]);

/** A base key is no digest of an Action message, which has a size: servers that look at it see always the same. */
const ACTION_BYTES = 64;
/** Entries are small; one that is not is no entry. Also the bound of one piece of a blob. */
const MESSAGE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

const asItIs = (bytes: Buffer): Buffer => bytes;

export function grpcTransport(options: ServerOptions): Transport {
  const url = new URL(options.url);
  const secure = url.protocol === "grpcs:";
  const host = `${url.hostname}:${url.port || (secure ? 443 : 80)}`;
  const instance = decodeURIComponent(url.pathname.replace(/^\/+|\/+$/g, ""));
  const name = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
  const client = new grpc.Client(
    host,
    secure ? tls(url, options.certificates) : grpc.credentials.createInsecure(),
    {
      "grpc.max_receive_message_length": MESSAGE_BYTES,
      "grpc.enable_retries": 0,
    },
  );
  const metadata = new grpc.Metadata();
  metadata.set(METADATA_HEADER, requestMetadata());
  if (url.username !== "") {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    metadata.set("authorization", `Basic ${Buffer.from(user).toString("base64")}`);
  }
  for (const [header, value] of Object.entries(options.headers ?? {})) metadata.set(header, value);

  const resource = (digest: Digest, size: number, prefix: string): string =>
    [...(instance === "" ? [] : [instance]), `${prefix}blobs/${digest}/${size}`].join("/");
  const request = (...fields: readonly Buffer[]): Buffer =>
    message([...(instance === "" ? [] : [text(INSTANCE, instance)]), ...fields]);

  /** Undefined: the server has none. */
  const ask = (method: string, argument: Buffer, { signal }: Attempt): Promise<Buffer | undefined> =>
    new Promise((resolve, reject) => {
      const call = client.makeUnaryRequest(method, asItIs, asItIs, argument, metadata, (error, answer) => {
        signal.removeEventListener("abort", cancel);
        if (error === null) resolve(answer ?? Buffer.alloc(0));
        else if (error.code === grpc.status.NOT_FOUND) resolve(undefined);
        else reject(failure(name, method, error));
      });
      const cancel = (): void => call.cancel();
      signal.addEventListener("abort", cancel, { once: true });
    });

  return {
    name,
    getEntry: (base, attempt) =>
      ask(METHOD.get, request(bytesField(ACTION.digest, encodeDigest(base, ACTION_BYTES))), attempt),
    async putEntry(base, bytes, attempt) {
      const digest = bytesField(ACTION.digest, encodeDigest(base, ACTION_BYTES));
      const answer = await ask(METHOD.update, request(digest, bytesField(ACTION.result, bytes)), attempt);
      if (answer === undefined) throw new Error(`${name} takes no results`);
    },
    async getBlob({ digest, size }, file, limit, { signal, onBytes }) {
      // Blobs are asked for by digest and size.
      if (size === undefined) return false;
      if (size === 0) {
        writeFileSync(file, "", { flag: "wx" });
        return true;
      }
      const argument = text(READ.resource, resource(digest, size, ""));
      const call = client.makeServerStreamRequest(METHOD.read, asItIs, asItIs, argument, metadata);
      const cancel = (): void => call.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      const pieces = async function* (answers: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const answer of answers) yield* lengthDelimited(parse(answer), READ.data);
      };
      try {
        await pipeline(call, pieces, counting(limit, onBytes), createWriteStream(file, { flags: "wx" }));
        return true;
      } catch (error) {
        call.cancel();
        if ((error as grpc.ServiceError).code === grpc.status.NOT_FOUND) return false;
        throw failure(name, METHOD.read, error as Error);
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
    async hasBlob(digest, size, attempt) {
      const asked = bytesField(MISSING.digests, encodeDigest(digest, size));
      const answer = await ask(METHOD.findMissing, request(asked), attempt);
      return answer !== undefined && lengthDelimited(parse(answer), MISSING.digests).length === 0;
    },
    async putBlob(digest, file, size, { signal, onBytes }) {
      const target = text(WRITE.resource, resource(digest, size, `uploads/${randomUUID()}/`));
      let stop = (): void => {};
      try {
        await new Promise<void>((resolve, reject) => {
          const call = client.makeClientStreamRequest(METHOD.write, asItIs, asItIs, metadata, (error) =>
            error === null ? resolve() : reject(error),
          );
          stop = () => call.cancel();
          signal.addEventListener("abort", stop, { once: true });
          // A server that has the blob already answers before it was sent.
          send(call, target, file, size, onBytes).catch(reject);
        });
      } catch (error) {
        throw failure(name, METHOD.write, error as Error);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    close: () => client.close(),
  };
}

/** A blob as the messages of one write. */
async function send(
  call: grpc.ClientWritableStream<Buffer>,
  target: Buffer,
  file: string,
  size: number,
  onBytes: (count: number) => void,
): Promise<void> {
  if (size === 0) call.write(message([target, varintField(WRITE.finish, 1)]));
  let offset = 0;
  for await (const piece of counting(size, onBytes)(createReadStream(file, { highWaterMark: PIECE_BYTES }))) {
    const first = offset === 0 ? [target] : [];
    const at = varintField(WRITE.offset, offset);
    offset += piece.length;
    const last = offset === size ? [varintField(WRITE.finish, 1)] : [];
    if (!call.write(message([...first, at, ...last, bytesField(WRITE.data, piece)])))
      await once(call, "drain");
  }
  call.end();
}

/** Without what the server says: it may repeat what it was told. */
function failure(name: string, method: string, error: Error): Error {
  const { code } = error as Partial<grpc.ServiceError>;
  const said = code === undefined ? error.message : grpc.status[code];
  return new Error(`${name} answers ${said} to ${method.slice(method.lastIndexOf("/") + 1)}`);
}
