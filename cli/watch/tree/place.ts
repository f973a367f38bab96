/** What a path leads to, through whatever links. */
import { lstatSync, readlinkSync, type Stats, type statSync } from "node:fs";
import path from "node:path";
import { isRacy, stampOf } from "../../../core/build/model/stat-signature.ts";

/** The name of an entry, and the path of its folder without links. */
export type Step = readonly [folder: string, name: string];

export interface Place {
  /** Two equal texts: nothing changed, as far as the file system records it. Empty: nothing is there. */
  readonly state: string;
  /** The path without links, if it leads to a folder. */
  readonly folder?: string;
  /** Time of the last change, in ms; 0: nothing is there. */
  readonly time: number;
  /** It may change once more and look the same. */
  readonly isRacy: boolean;
  /** The entries on the way. If none of them changes, the path leads to the same place. */
  readonly way: readonly Step[];
}

export const nothing: Place = { state: "", time: 0, isRacy: false, way: [] };

/** As many as Linux follows. */
const MOST_LINKS = 40;

interface Walk {
  /** Files whose changes do not count, by identity. */
  readonly own: ReadonlySet<string>;
  /** Called before an entry is looked at. */
  readonly enter: (step: Step) => void;
}

/** Follows `target` from the folder `start`. */
export function follow(start: string, target: string, { own, enter }: Walk): Place {
  const way: Step[] = [];
  const links: string[] = [];
  let at = start;
  let last: Stats | undefined;
  const rest = namesOf(target);
  const found = (state: string, place: Partial<Place> = {}): Place => ({
    ...nothing,
    ...place,
    state: [...links, state].join(),
    way,
  });
  if (path.isAbsolute(target)) at = "/";
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === "..") {
      at = path.dirname(at);
      last = undefined;
      continue;
    }
    const step: Step = [at, name];
    way.push(step);
    enter(step);
    const entry = path.join(at, name);
    last = statsOf(entry);
    if (last === undefined) return found("");
    if (last.isSymbolicLink()) {
      const text = linkText(entry);
      if (text === undefined || links.length === MOST_LINKS) return found("");
      links.push(`${identityOf(last)}>${text}`);
      rest.push(...namesOf(text));
      if (path.isAbsolute(text)) at = "/";
      last = undefined;
    } else if (last.isDirectory()) {
      at = entry;
    } else {
      if (rest.length > 0) return found("");
      if (own.has(identityOf(last))) return found(identityOf(last));
      const stamp = stampOf(last);
      const state = [last.dev, last.ino, last.mtimeMs, last.ctimeMs, last.size].join(":");
      return found(state, { time: last.ctimeMs, isRacy: isRacy(stamp, Date.now()) });
    }
  }
  last ??= statsOf(at);
  if (last === undefined) return found("");
  // What is in a folder is looked at by itself, whatever times the folder has.
  return found(`${identityOf(last)}/${last.mode}`, { folder: at, time: last.ctimeMs });
}

export const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The last name comes first. */
const namesOf = (target: string): string[] =>
  target
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .reverse();

/**
 * Undefined also where nobody can look, as in a folder without permission or where links lead in a circle. `read`: whether
 * of a link itself, or of what it leads to.
 */
export function statsOf(
  entry: string,
  read: typeof lstatSync | typeof statSync = lstatSync,
): Stats | undefined {
  try {
    return read(entry, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function linkText(entry: string): string | undefined {
  try {
    return readlinkSync(entry);
  } catch {
    return undefined;
  }
}
