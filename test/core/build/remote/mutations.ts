/** Damage to what a shared cache answers: to its records, to HTTP's messages, and to the bytes of a connection. */
import net from "node:net";
import { gzipSync } from "node:zlib";
import type { Random } from "../../../../cli/explore/random.ts";

/** One that is chosen. */
export const oneOf = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const below = (random: Random, end: number): number => Math.floor(random() * end);

/** Bytes with some bits flipped, cut, doubled or inserted. */
export function damaged(random: Random, bytes: Buffer): Buffer {
  const at = below(random, bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  return oneOf(random, [
    () => {
      const copy = Buffer.from(bytes);
      for (let count = 1 + below(random, 4); count > 0 && copy.length > 0; count -= 1) {
        const place = below(random, copy.length);
        copy[place] = (copy[place] as number) ^ (1 << below(random, 8));
      }
      return copy;
    },
    () => before,
    () => Buffer.concat([before, Buffer.from(Array.from({ length: 9 }, () => below(random, 256))), after]),
    () => Buffer.concat([before, bytes.subarray(below(random, at + 1), at), after]),
    () => Buffer.concat([before, after.subarray(1 + below(random, 20))]),
  ])();
}

const NUMBERS = [
  "1e400",
  "-1",
  "9007199254740993",
  "1e308",
  "0.5",
  "-0",
  "18446744073709551616",
  '"7"',
  "null",
];
const VALUES = ["[]", "{}", "true", '""', '"../../x"', '"\\u0000"', `${"[".repeat(5000)}${"]".repeat(5000)}`];

/** The text of a JSON document with a number, a key or a value that is not what it was. */
export function damagedJson(random: Random, text: string): string {
  const found = (pattern: RegExp): RegExpExecArray | undefined => {
    const all = [...text.matchAll(pattern)];
    return all.length === 0 ? undefined : oneOf(random, all);
  };
  const replaced = (match: RegExpExecArray | undefined, by: (old: string) => string): string =>
    match === undefined
      ? text
      : text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
  return oneOf(random, [
    () => replaced(found(/(?<=[:[,])-?\d[\d.e+-]*/g), () => oneOf(random, NUMBERS)),
    () => replaced(found(/"\w+":("[^"]*"|[\d.]+)/g), (old) => `${old},${old}`),
    () =>
      replaced(
        found(/"\w+":("[^"]*"|[\d.]+)/g),
        (old) => `${old},${old.split(":")[0]}:${oneOf(random, VALUES)}`,
      ),
    () =>
      replaced(
        found(/"\w+":/g),
        (old) => `${oneOf(random, ['"__proto__":', '"constructor":', '"":'])}1,${old}`,
      ),
    () => replaced(found(/"[^"]*"/g), () => found(/"[^"]*"/g)?.[0] ?? ""),
    () => replaced(found(/"[^"]*"|\d+/g), () => oneOf(random, VALUES)),
    () => replaced(found(/\{[^{}]*\}/g), (old) => `${old},${old}`),
    () => replaced(found(/[{}[\],:"]/g), () => ""),
    () => damaged(random, Buffer.from(text)).toString("utf8"),
  ])();
}

interface Answer {
  readonly status: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** What becomes of a connection after the bytes. */
type After = "keeps" | "ends" | "resets" | "hangs" | "dribbles" | "never ends";

const LENGTHS = ["0", "-1", "1e9", "0x10", "99999999999999999999", "4294967297", "7, 8", " ", "+5"];
const PLACES = [
  "/x",
  "//elsewhere.invalid/x",
  "http://127.0.0.1:1/x",
  "file:///etc/passwd",
  "",
  "http://[",
  "/\r\nA: b",
];
let bomb: Buffer | undefined;

/** The bytes of an HTTP answer that is not as it should be. */
export function damagedAnswer(
  random: Random,
  answer: Answer,
): { readonly bytes: Buffer; readonly after: After } {
  const text = ({ status, headers, body }: Answer): Buffer =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status}\r\n${headers.map((one) => `${one}\r\n`).join("")}\r\n`),
      body,
    ]);
  const length = `content-length: ${answer.body.length}`;
  const others = answer.headers.filter((one) => !one.startsWith("content-length"));
  const withHeaders = (...headers: string[]): Answer => ({ ...answer, headers: [...others, ...headers] });
  const whole = { ...answer, headers: [...others, length] };
  const number = 100 + below(random, 500);
  bomb ??= gzipSync(Buffer.alloc(2 ** 26));
  const bytes = oneOf(random, [
    () => damaged(random, text(whole)),
    () => text(withHeaders(`content-length: ${oneOf(random, LENGTHS)}`)),
    () => text(withHeaders(`content-length: ${answer.body.length + below(random, 9) - 4}`)),
    () => text(withHeaders(length, `content-length: ${oneOf(random, LENGTHS)}`)),
    () => text(withHeaders(length, "transfer-encoding: chunked")),
    () => {
      const size = oneOf(random, [
        "0",
        "ffffffffffffffff",
        "-1",
        "zz",
        "5;a=b",
        answer.body.length.toString(16),
      ]);
      const body = Buffer.concat([Buffer.from(`${size}\r\n`), answer.body, Buffer.from("\r\n0\r\n\r\n")]);
      return text({ ...withHeaders("transfer-encoding: chunked"), body });
    },
    () => text({ ...whole, status: `${number} Some` }),
    () =>
      text({
        ...whole,
        status: `${oneOf(random, [301, 302, 303, 307, 308])} Moved`,
        headers: [...whole.headers, `location: ${oneOf(random, PLACES)}`],
      }),
    () =>
      text({
        ...whole,
        headers: [`content-length: ${(bomb as Buffer).length}`, "content-encoding: gzip"],
        body: bomb as Buffer,
      }),
    () => text({ ...whole, headers: [...whole.headers, `x: ${"y".repeat(2 ** 20)}`] }),
    () => Buffer.concat([text(whole), text(whole)]),
    () => text({ ...whole, status: "503 Busy" }),
    () => Buffer.from("HTTP/0.9\n\n"),
    () => text(whole),
  ])();
  return {
    bytes,
    after: oneOf(random, ["keeps", "ends", "resets", "hangs", "dribbles", "never ends"] as const),
  };
}

/** Sends the bytes, and does what comes after. */
export function send(socket: net.Socket, bytes: Buffer, after: After): void {
  if (after === "dribbles") {
    let at = 0;
    const timer = setInterval(() => {
      if (at >= bytes.length || socket.destroyed) clearInterval(timer);
      else socket.write(bytes.subarray(at, ++at));
    }, 20);
    socket.on("close", () => clearInterval(timer));
    return;
  }
  socket.write(bytes);
  if (after === "ends") socket.end();
  if (after === "resets") setTimeout(() => socket.resetAndDestroy(), 5);
  if (after !== "never ends") return;
  const more = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(2 ** 16, "x")));
  };
  socket.on("drain", more);
  more();
}

/** A way to a server on which some of what the server sends is damaged, delayed or lost. */
export async function badWay(to: number, random: Random, share: number): Promise<net.Server> {
  const server = net.createServer((client) => {
    const upstream = net.connect(to, "127.0.0.1");
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => client.destroy()).on("close", () => client.end());
    client.pipe(upstream);
    let isStuck = false;
    upstream.on("data", (bytes: Buffer) => {
      if (isStuck || client.destroyed) return;
      if (random() >= share) {
        client.write(bytes);
        return;
      }
      const after = oneOf(random, ["keeps", "keeps", "ends", "resets", "hangs"] as const);
      isStuck = after === "hangs";
      send(client, damaged(random, bytes), after);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
