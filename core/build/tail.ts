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

/** Passes on what is printed, now and then; the returned function passes on the rest. */
export function tail(read: (from: number) => Buffer, pass: (text: string) => void): () => void {
  let decoder: StringDecoder | undefined;
  let at = 0;
  const look = (): void => {
    const bytes = read(at);
    if (bytes.length === 0) return;
    decoder ??= new StringDecoder("utf8");
    at += bytes.length;
    const text = decoder.write(bytes);
    if (text !== "") pass(text);
  };
  looks.add(look);
  timer ??= setInterval(lookAll, TAIL_MS).unref();
  return () => {
    looks.delete(look);
    look();
  };
}
