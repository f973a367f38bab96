/**
 * The cache of the Remote Execution API (build.bazel.remote.execution.v2) over gRPC: ActionCache,
 * ContentAddressableStorage, and ByteStream for the bytes. The URL's path is the instance name.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as grpc from "@grpc/grpc-js";
import { newFile } from "../files/new-file.ts";
import type { Digest } from "../model/action.ts";
import { tls } from "./grpc-tls.ts";
import { bytesField, lengthDelimited, message, parse, varintField } from "./protobuf.ts";
import { decoded, serverOf } from "./server.ts";
import {
  type Attempt,
  counting,
  ENTRY_BYTES,
  Refused,
  type ServerOptions,
  type Transport,
} from "./transport.ts";
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

/** Identifies the client in the server's log. Optional in the protocol, but Bazel's own server requires it. */
const METADATA_HEADER = "build.bazel.remote.execution.v2.requestmetadata-bin";
const requestMetadata = (): Buffer =>
  message([bytesField(METADATA.tool, text(TOOL.name, "arc")), text(METADATA.invocation, randomUUID())]);

/** A base key is not the digest of an Action message and therefore has no size: this constant is sent instead. */
const ACTION_BYTES = 64;
const PIECE_BYTES = 64 * 1024;

const DENIALS = [grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED];

const asItIs = (bytes: Buffer): Buffer => bytes;

export function grpcTransport(options: ServerOptions): Transport {
  const connection = connect(options);
  return {
    name: connection.name,
    getEntry: (base, attempt) =>
      ask(connection, METHOD.get, [bytesField(ACTION.digest, encodeDigest(base, ACTION_BYTES))], attempt),
    async putEntry(base, bytes, attempt) {
      const digest = bytesField(ACTION.digest, encodeDigest(base, ACTION_BYTES));
      const result = bytesField(ACTION.result, bytes);
      const answer = await ask(connection, METHOD.update, [digest, result], attempt);
      if (answer === undefined) throw new Error(`${connection.name} takes no results`);
    },
    // The protocol requests blobs by digest and size.
    getBlob: async ({ digest, size }, file, limit, attempt) =>
      size !== undefined && download(connection, { digest, size }, file, limit, attempt),
    async hasBlob(digest, size, attempt) {
      const request = bytesField(MISSING.digests, encodeDigest(digest, size));
      const answer = await ask(connection, METHOD.findMissing, [request], attempt);
      return answer !== undefined && lengthDelimited(parse(answer), MISSING.digests).length === 0;
    },
    putBlob: (digest, file, size, attempt) => upload(connection, { digest, size }, file, attempt),
    close: () => connection.client.close(),
  };
}

interface Connection {
  readonly name: string;
  readonly client: grpc.Client;
  readonly metadata: grpc.Metadata;
  /** Selects one of several caches behind a server; "": the server has one. */
  readonly instance: string;
}

interface Blob {
  readonly digest: Digest;
  readonly size: number;
}

function connect(options: ServerOptions): Connection {
  const { url, name, headers } = serverOf(options);
  const secure = url.protocol === "grpcs:";
  const client = new grpc.Client(
    `${url.hostname}:${url.port || (secure ? 443 : 80)}`,
    secure ? tls(url, options.certificates) : grpc.credentials.createInsecure(),
    // Also limits one piece of a blob.
    { "grpc.max_receive_message_length": ENTRY_BYTES, "grpc.enable_retries": 0 },
  );
  const metadata = new grpc.Metadata();
  metadata.set(METADATA_HEADER, requestMetadata());
  for (const [header, value] of Object.entries(headers)) metadata.set(header, value);
  return { name, client, metadata, instance: decoded(url.pathname.replace(/^\/+|\/+$/g, ""), name) };
}

/** Resource name of a blob; uploads have a folder of their own. */
const resource = ({ instance }: Connection, { digest, size }: Blob, folder = ""): string =>
  [...(instance === "" ? [] : [instance]), `${folder}blobs/${digest}/${size}`].join("/");

/** Sends one request; undefined: the server does not have the requested object. */
function ask(
  { name, client, metadata, instance }: Connection,
  method: string,
  fields: readonly Buffer[],
  { signal }: Attempt,
): Promise<Buffer | undefined> {
  const question = message([...(instance === "" ? [] : [text(INSTANCE, instance)]), ...fields]);
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(method, asItIs, asItIs, question, metadata, (error, answer) => {
      forget();
      if (error === null) resolve(answer ?? Buffer.alloc(0));
      else if (error.code === grpc.status.NOT_FOUND) resolve(undefined);
      else reject(failure(name, method, error));
    });
    const forget = cancelledBy(signal, call);
  });
}

/** Writes a blob's bytes to a new file; false: the server does not have the blob. */
async function download(
  connection: Connection,
  blob: Blob,
  file: string,
  limit: number,
  { signal, onBytes }: Attempt,
): Promise<boolean> {
  if (blob.size === 0) {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  }
  const { name, client, metadata } = connection;
  const argument = text(READ.resource, resource(connection, blob));
  const call = client.makeServerStreamRequest(METHOD.read, asItIs, asItIs, argument, metadata);
  const forget = cancelledBy(signal, call);
  try {
    await pipeline(call, pieces, counting(limit, onBytes), newFile(file));
    return true;
  } catch (error) {
    call.cancel();
    if ((error as grpc.ServiceError).code === grpc.status.NOT_FOUND) return false;
    throw failure(name, METHOD.read, error as Error);
  } finally {
    forget();
  }
}

async function* pieces(answers: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const answer of answers) yield* lengthDelimited(parse(answer), READ.data);
}

async function upload(
  connection: Connection,
  blob: Blob,
  file: string,
  { signal, onBytes }: Attempt,
): Promise<void> {
  const { name, client, metadata } = connection;
  const target = text(WRITE.resource, resource(connection, blob, `uploads/${randomUUID()}/`));
  let forget = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const call = client.makeClientStreamRequest(METHOD.write, asItIs, asItIs, metadata, (error) =>
        error === null ? resolve() : reject(error),
      );
      forget = cancelledBy(signal, call);
      // A server that already has the blob answers before it was sent completely.
      send(call, target, file, blob.size, onBytes).catch(reject);
    });
  } catch (error) {
    throw failure(name, METHOD.write, error as Error);
  } finally {
    forget();
  }
}

/** Cancels a call by a signal. Call the returned function when the call is over. */
function cancelledBy(signal: AbortSignal, call: { cancel(): void }): () => void {
  const cancel = (): void => call.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return () => signal.removeEventListener("abort", cancel);
}

/** Sends a blob as the messages of one write. */
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

/** Leaves out the server's message, which may repeat secrets that it was sent. */
function failure(name: string, method: string, error: Error): Error {
  const { code } = error as Partial<grpc.ServiceError>;
  const reason = code === undefined ? error.message : grpc.status[code];
  const message = `${name} answers ${reason} to ${method.slice(method.lastIndexOf("/") + 1)}`;
  // grpc-js itself uses these codes when no server answers.
  const isAnswer = code !== undefined && code !== grpc.status.UNAVAILABLE && code !== grpc.status.CANCELLED;
  return isAnswer ? new Refused(message, DENIALS.includes(code)) : new Error(message);
}
