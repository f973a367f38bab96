/** Passes on the output of running commands at intervals. One timer serves all of them. */
import { StringDecoder } from "node:string_decoder";

/** Interval in ms. */
const TAIL_MS = 100;

const looks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

function lookAll(): void {
  for (const look of looks) look();
  if (looks.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Output that grows. */
export interface Printed {
  /** In bytes. */
  size(): number;
  /** The next piece from an offset on. */
  read(from: number): Buffer;
}

/**
 * Of a very long output, this many bytes at each end are kept: nobody reads more, and a string has half a gigabyte at
 * most.
 */
export const PRINTED_END = 16 * 1024 * 1024;

/** Replaces what is between the ends. */
export const leftOut = (bytes: number): string => `\n(arc left out ${bytes} bytes here)\n`;

/** Passes on output at intervals, of a very long one both ends. The returned function passes on the rest. */
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
