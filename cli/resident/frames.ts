/**
 * What the launcher (native/resident.c) and a resident compiler say to each other. A request is its length and fields
 * that end with NUL; an answer is frames of a kind, a length and bytes. All numbers are little-endian, of 4 bytes.
 */

export interface Request {
  readonly umask: number;
  /** Of the caller's terminals; undefined where the output is none. A size of 0 is unknown. */
  readonly stdout: Size | undefined;
  readonly stderr: Size | undefined;
  readonly cwd: string;
  /** Those of `arc`. */
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Kinds of frames; in resident.c, too. The first is `begun`, the last `status`, or `declined` if the caller has to do it
 * itself and nothing was done.
 */
export const frame = { stdout: 1, stderr: 2, status: 3, declined: 4, begun: 5 } as const;

export const nothing = Buffer.alloc(0);

const NUMBER = 4;
/** Larger ones are something else: Linux hands a program at most 6 MB of arguments and variables. */
const MOST = 1 << 24;

/** The request at the start of these bytes; undefined while it is incomplete. Throws if it is none. */
export function parseRequest(bytes: Buffer): Request | undefined {
  if (bytes.length < NUMBER) return undefined;
  const end = NUMBER + bytes.readUInt32LE(0);
  if (end > MOST) throw new Error("the request is too long");
  if (bytes.length < end) return undefined;
  const fields = bytes.toString("utf8", NUMBER, end).split("\0");
  const [umask = "", out = "", err = "", cwd = "", count = "", ...rest] = fields;
  // After the last NUL nothing follows.
  if (fields.at(-1) !== "" || !cwd.startsWith("/") || rest.length <= Number(count))
    throw new Error("the request is damaged");
  const args = rest.slice(0, Number(count));
  const env: Record<string, string> = {};
  for (const variable of rest.slice(args.length, -1)) {
    const at = variable.indexOf("=");
    // The first of a name counts, as in Node.
    if (at > 0) env[variable.slice(0, at)] ??= variable.slice(at + 1);
  }
  return { umask: Number.parseInt(umask, 8), stdout: sizeOf(out), stderr: sizeOf(err), cwd, args, env };
}

function sizeOf(text: string): Size | undefined {
  const [columns = 0, rows = 0] = text.split("x").map(Number);
  return text === "" ? undefined : { columns, rows };
}

export function frameOf(kind: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(1 + NUMBER);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export function statusFrame(status: number): Buffer {
  const bytes = Buffer.alloc(NUMBER);
  bytes.writeInt32LE(status);
  return frameOf(frame.status, bytes);
}
