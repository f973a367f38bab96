/** What is said of places that are taken, with the one command that frees them and loses nothing. */
import { EngineError } from "../model/error.ts";

/** A message is for people: of more, the number is told. */
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

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
