/** Addresses of shared caches, as users give them. */
import { EngineError } from "../model/error.ts";

export const isGrpc = (url: string): boolean => /^grpcs?:/.test(url);

/** Throws `bad-remote`. */
export function checkRemoteUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Reported below.
  }
  if (url !== undefined && /^(https?|grpcs?):$/.test(url.protocol) && url.hostname !== "") return url;
  throw new EngineError(
    "bad-remote",
    `${text.replace(/^([a-z+]*:\/\/)?.*@/i, "$1")} is no address of a cache`,
    "write http://host:port/path, https://host/path, grpc://host:port or grpcs://host",
  );
}
