/** What running commands print, passed on now and then. One timer serves all of them. */
import { StringDecoder } from "node:string_decoder";

/** So often, in ms. */
const TAIL_MS = 100;

const looks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

function lookAll(): void {
  for (const look of looks) look();
  if (looks.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** What is printed, as it grows. */
export interface Printed {
  /** Bytes. */
  size(): number;
  /** The next piece from an offset on. */
  read(from: number): Buffer;
}

/** Of what prints very much so many bytes of each end count: nobody reads more, and a text has half a gigabyte at most. */
export const PRINTED_END = 16 * 1024 * 1024;

/** In place of what is between the ends. */
export const leftOut = (bytes: number): string => `\n(arc left out ${bytes} bytes here)\n`;

/** Passes on what is printed, now and then, of very much its ends; the returned function passes on the rest. */
export function tail(printed: Printed, pass: (text: string) => void): () => void {
  let decoder: StringDecoder | undefined;
  let at = 0;
  const passOn = (end: number): void => {
    while (at < end) {
      const bytes = printed.read(at);
      if (bytes.length === 0) return;
      at += bytes.length;
      decoder ??= new StringDecoder("utf8");
      const text = decoder.write(bytes);
      if (text !== "") pass(text);
    }
  };
  const look = (): void => passOn(PRINTED_END);
  looks.add(look);
  timer ??= setInterval(lookAll, TAIL_MS).unref();
  return () => {
    looks.delete(look);
    const size = printed.size();
    if (size === at) return;
    look();
    const end = size - PRINTED_END;
    if (end > at) {
      pass(leftOut(end - at));
      at = end;
    }
    passOn(size);
  };
}
