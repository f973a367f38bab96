/** `arc cache serve`: serves the store over Bazel's HTTP cache protocol until it is stopped. */
import { type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { secret, tokenVariable } from "../project/shared-cache.ts";
import type { StoreCall } from "./store-call.ts";

const defaultPort = "8123";

export async function serve({ folder, limit, options, env, signal, out, err }: StoreCall): Promise<Status> {
  const variable = options["token-from"];
  const token = secret(env[variable === undefined ? tokenVariable : String(variable)]);
  if (variable !== undefined && token === undefined) {
    const remedy = `set it, or leave --token-from out to take $${tokenVariable}`;
    throw new UsageError("the environment variable that --token-from names is not set", remedy);
  }
  const host = String(options.host ?? "127.0.0.1");
  const readOnly = options["read-only"] === true;
  const { serveStore } = await import("../../core/build/remote/serve.ts");
  const serving = await serveStore({
    store: folder,
    storeLimit: limit,
    host,
    port: portOf(String(options.port ?? defaultPort)),
    readOnly,
    publicRead: options["public-read"] === true,
    ...(token === undefined ? {} : { token }),
    onTrouble: (message) => err(`arc: ${message}\n`),
  });
  if (options.json === true) out(`${JSON.stringify({ url: serving.url, folder, readOnly })}\n`);
  else {
    out(`${folder} is served at ${serving.url}${readOnly ? ", to be read only" : ""}\n`);
    if (token === undefined && !/^(localhost|127\..*|::1)$/.test(host))
      err(
        `arc: anybody who can reach ${host} may ${readOnly ? "read" : "write"} it: set $${tokenVariable}\n`,
      );
  }
  if (!signal.aborted) await new Promise((stop) => signal.addEventListener("abort", stop, { once: true }));
  await serving.close();
  // Being stopped is the normal end.
  return status.done;
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port < 65_536) return port;
  throw new UsageError(`--port ${text} is no port`, "write a number up to 65535; 0 takes any that is free");
}
