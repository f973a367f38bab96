/**
 * A server of the Remote Execution API's cache, made from the protocol's definition and not from arc's encoding
 * of it. As strict as the ones in use: blobs have the digest and the size of their name, and results name blobs
 * that are there.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

export interface ReapiServer {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** By `hash/size`. */
  readonly blobs: Map<string, Buffer>;
  /** By instance and hash. */
  readonly results: Map<string, Result>;
  /** Names of the methods that were called. */
  readonly calls: string[];
  close(): void;
}

interface Named {
  readonly hash: string;
  readonly size_bytes: string;
}
interface Result {
  readonly output_files: readonly { readonly digest: Named }[];
}
type Unary = grpc.handleUnaryCall<Record<string, never> & Request, unknown>;
interface Request {
  readonly instance_name: string;
  readonly action_digest: Named;
  readonly action_result: Result;
  readonly blob_digests: readonly Named[];
  readonly resource_name: string;
}

export interface ReapiOptions {
  readonly authorization?: string;
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
  /** What it answers in place of a blob's bytes. */
  readonly lie?: (bytes: Buffer) => Buffer;
  /** It takes calls and never answers. */
  readonly silent?: boolean;
}

const key = ({ hash, size_bytes }: Named): string => `${hash}/${size_bytes}`;

export async function reapiServer(options: ReapiOptions = {}): Promise<ReapiServer> {
  const definitions = loadSync(
    ["reapi.proto", "bytestream.proto"].map((file) => join(import.meta.dirname, file)),
    { keepCase: true, longs: String, defaults: true },
  );
  const service = (name: string) => definitions[name] as grpc.ServiceDefinition;
  const blobs = new Map<string, Buffer>();
  const results = new Map<string, Result>();
  const calls: string[] = [];
  const server = new grpc.Server();

  const refusal = (metadata: grpc.Metadata, method: string): grpc.ServerErrorResponse | undefined => {
    calls.push(method);
    const allowed = options.authorization ?? metadata.get("authorization")[0];
    if (metadata.get("authorization")[0] === allowed) return undefined;
    const details = `no ${String(metadata.get("authorization")[0])}`;
    return Object.assign(new Error(details), { code: grpc.status.UNAUTHENTICATED, details });
  };
  const missing = Object.assign(new Error("no"), { code: grpc.status.NOT_FOUND, details: "no" });
  const unary =
    (method: string, answer: (request: Request) => unknown): Unary =>
    (call, callback) => {
      const refused = refusal(call.metadata, method);
      if (options.silent) return;
      if (refused) return callback(refused);
      const value = answer(call.request);
      callback(value === undefined ? missing : null, value);
    };

  server.addService(service("build.bazel.remote.execution.v2.ActionCache"), {
    GetActionResult: unary("get", ({ instance_name, action_digest }) =>
      results.get(`${instance_name} ${key(action_digest)}`),
    ),
    UpdateActionResult: unary("update", ({ instance_name, action_digest, action_result }) => {
      if (!action_result.output_files.every(({ digest }) => blobs.has(key(digest)))) return undefined;
      results.set(`${instance_name} ${key(action_digest)}`, action_result);
      return action_result;
    }),
  });
  server.addService(service("build.bazel.remote.execution.v2.ContentAddressableStorage"), {
    FindMissingBlobs: unary("find", ({ blob_digests }) => ({
      missing_blob_digests: blob_digests.filter((digest) => !blobs.has(key(digest))),
    })),
  });
  const read: grpc.handleServerStreamingCall<Request, unknown> = (call) => {
    const refused = refusal(call.metadata, "read");
    if (options.silent) return;
    const bytes = blobs.get(/blobs\/(.*)$/.exec(call.request.resource_name)?.[1] ?? "");
    if (refused ?? bytes === undefined) {
      call.destroy((refused as unknown as Error) ?? missing);
      return;
    }
    const said = options.lie?.(bytes as Buffer) ?? (bytes as Buffer);
    for (let at = 0; at < said.length; at += 10_000) call.write({ data: said.subarray(at, at + 10_000) });
    call.end();
  };
  const write: grpc.handleClientStreamingCall<
    { resource_name: string; write_offset: string; finish_write: boolean; data: Buffer },
    unknown
  > = (call, callback) => {
    const refused = refusal(call.metadata, "write");
    let name = "";
    let finished = false;
    const parts: Buffer[] = [];
    call.on("data", (part) => {
      if (name === "") name = part.resource_name;
      if (Number(part.write_offset) === Buffer.concat(parts).length) parts.push(part.data);
      finished = part.finish_write;
    });
    call.on("end", () => {
      if (options.silent) return;
      const bytes = Buffer.concat(parts);
      const digest = `${createHash("sha256").update(bytes).digest("hex")}/${bytes.length}`;
      if (refused) callback(refused);
      else if (!finished || !name.endsWith(`blobs/${digest}`)) {
        callback(Object.assign(new Error("bad"), { code: grpc.status.INVALID_ARGUMENT }));
      } else {
        blobs.set(digest, bytes);
        callback(null, { committed_size: bytes.length });
      }
    });
  };
  server.addService(service("google.bytestream.ByteStream"), { Read: read as never, Write: write as never });

  const credentials =
    options.tls === undefined
      ? grpc.ServerCredentials.createInsecure()
      : grpc.ServerCredentials.createSsl(null, [
          { private_key: options.tls.key, cert_chain: options.tls.certificate },
        ]);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", credentials, (error, at) => (error ? reject(error) : resolve(at))),
  );
  return { host: `127.0.0.1:${port}`, blobs, results, calls, close: () => server.forceShutdown() };
}
