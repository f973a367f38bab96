/** The shared cache of a call: from its options, else the environment, else arc.yaml. */
import type { RemoteCacheOptions } from "../../core/build/engine-interface.ts";
import { checkRemoteUrl } from "../../core/build/remote/address.ts";
import type { SharedCache } from "../../schema/contract/project.ts";
import type { Call } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

/** Variable with the token, for server and client. */
export const tokenVariable = "ARC_REMOTE_CACHE_TOKEN";
const keyVariable = "ARC_REMOTE_CACHE_KEY";

/** Undefined when there is none, or it is `off`. Throws UsageError and `bad-remote`. */
export function sharedCache(
  file: SharedCache | undefined,
  { options, env }: Pick<Call, "options" | "env">,
): RemoteCacheOptions | undefined {
  const option = options["remote-cache"];
  const url = option === undefined ? env.ARC_REMOTE_CACHE || file?.remote : String(option);
  if (url === undefined || url === "off") return undefined;
  const { username } = checkRemoteUrl(url);
  if (option !== undefined && username !== "") {
    throw new UsageError(
      "--remote-cache has a user in it, which everybody who lists processes can read",
      `put the password or token into the environment: ${tokenVariable}, or all of it into ARC_REMOTE_CACHE`,
    );
  }
  const token = secret(env[file?.tokenFrom ?? tokenVariable]);
  const key = env[file?.keyFrom ?? keyVariable];
  const headers = Object.entries(file?.headersFrom ?? {}).flatMap(([header, variable]) => {
    const value = secret(env[variable]);
    return value ? [[header.toLowerCase(), value] as const] : [];
  });
  // The launcher moves NODE_EXTRA_CA_CERTS there, because it would slow down every start of Node.
  const certificates = file?.certificates ?? (env.ARC_EXTRA_CA || undefined);
  return {
    url,
    readOnly: modeOf(file, options["remote-mode"], env.ARC_REMOTE_CACHE_MODE) === "read",
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...Object.fromEntries(headers) },
    ...(key ? { signingKey: key } : {}),
    ...(certificates === undefined ? {} : { certificates }),
    ...(file?.timeout === undefined ? {} : { answerSeconds: file.timeout }),
  };
}

/** Removes white space: secrets read from files often end with a line break. */
export const secret = (value: string | undefined): string | undefined => value?.trim() || undefined;

function modeOf(
  file: SharedCache | undefined,
  option: string | true | undefined,
  variable: string | undefined,
): "read" | "readwrite" {
  const mode = option === undefined ? variable || file?.mode || "read" : String(option);
  if (mode === "read" || mode === "readwrite") return mode;
  const name = option === undefined ? "ARC_REMOTE_CACHE_MODE" : "--remote-mode";
  throw new UsageError(`${name} cannot be ${mode}`, "write read or readwrite");
}
