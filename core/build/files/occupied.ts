/** Messages about paths that are occupied by something else, with a command that frees them without losing anything. */
import { EngineError } from "../model/error.ts";

/** How many paths a message names at most; of the rest it gives the number. */
const NAMED = 100;

export function allInTheWay(
  { code, message, addresses }: EngineError,
  others: readonly string[],
  all: readonly string[],
): EngineError {
  const rest = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  return new EngineError(
    code,
    `${message}; so ${others.length === 1 ? "is" : "are"} ${others.slice(0, NAMED).join(", ")}${rest}`,
    `move them away, or give the outputs other places: tar -cf in-the-way.tar --remove-files -- ${all.slice(0, NAMED).map(quoted).join(" ")}`,
    addresses,
  );
}

/** Quotes a path as one word for a shell. */
function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
