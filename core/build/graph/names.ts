/**
 * Checks names of inputs and outputs. They are paths inside a staging folder: relative, unique, none inside another.
 */
import type { Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";

/** `names` lists the inputs, then `outputs` outputs. Throws `bad-name`. */
export function checkNames(address: Address, names: readonly string[], outputs: number): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (!isPlain(name)) {
      throw new EngineError(
        "bad-name",
        `${address}: ${JSON.stringify(name)} cannot be the name of an ${at < names.length - outputs ? "input" : "output"}`,
        "use a path relative to the action's folder, without `.` and `..`",
        [address],
      );
    }
    if (seen.has(name)) {
      throw new EngineError("bad-name", `${address} uses the name ${name} twice`, "give each its own name", [
        address,
      ]);
    }
    seen.add(name);
  }
  for (const name of names) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const parent = name.slice(0, at);
      if (!seen.has(parent)) continue;
      throw new EngineError(
        "bad-name",
        `${address}: ${name} lies inside ${parent}, which is an input or output itself`,
        "declare the folder or what is in it, not both",
        [address],
      );
    }
  }
}

/** Whether no part is empty, `.` or `..`. */
function isPlain(name: string): boolean {
  return !/(^|\/)\.{0,2}(\/|$)|\0/.test(name);
}
