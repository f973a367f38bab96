/** The server of a shared cache, from the options. */
import { EngineError } from "../model/error.ts";
import type { ServerOptions } from "./transport.ts";

export interface CacheServer {
  readonly url: URL;
  /** For messages; without credentials. */
  readonly name: string;
  /** Headers of every request, including credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws `bad-remote`; the message names headers but never their values. */
export function serverOf({ url: text, headers = {} }: ServerOptions): CacheServer {
  const url = new URL(text);
  const name = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
  const all = { ...basicAuthentication(url, name), ...headers };
  for (const [header, value] of Object.entries(all)) checkHeader(name, header, value);
  return { url, name, headers: all };
}

function basicAuthentication({ username, password }: URL, name: string): Readonly<Record<string, string>> {
  if (username === "") return {};
  const user = `${decoded(username, name)}:${decoded(password, name)}`;
  return { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
}

/** Decodes a part of the address of `name`. Throws `bad-remote`. */
export function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new EngineError(
      "bad-remote",
      `the address of ${name} has a percent sign that stands for no character`,
      "write `%25` for a percent sign",
    );
  }
}

/** Checked here because the error messages of the protocols' libraries may contain the value. */
function checkHeader(name: string, header: string, value: string): void {
  const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(header);
  if (isName && /^[ -~]*$/.test(value)) return;
  throw new EngineError(
    "bad-remote",
    isName
      ? `the header ${header} for ${name} has characters that no header may have, such as line breaks`
      : `${JSON.stringify(header)} is no name of a header for ${name}`,
    isName
      ? "look at the environment variable that it comes from: plain ASCII in one line will do"
      : "write a name such as X-Api-Key",
  );
}
