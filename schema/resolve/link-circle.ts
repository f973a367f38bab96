/** Circular symbolic links: the name exists but cannot be opened. */
import { readlinkSync, statSync } from "node:fs";
import path from "node:path";

/** The links of the circle that a path leads into, in order, with the first repeated at the end; undefined: none. */
export function linkCircle(file: string): readonly string[] | undefined {
  try {
    statSync(file);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOOP") return undefined;
  }
  const followed: string[] = [];
  for (let at: string | undefined = path.resolve(file); at !== undefined; ) {
    const [link, target, rest]: FirstLink = firstLink(at);
    const start = followed.indexOf(link);
    if (start >= 0) return [...followed.slice(start), link];
    followed.push(link);
    at = target === undefined ? undefined : path.resolve(path.dirname(link), target, rest);
  }
  return undefined;
}

/** The message for such a path; links are named relative to `folder`. */
export function circleTold(name: string, circle: readonly string[], folder: string): string {
  return `\`${name}\` is a circle of links: ${circle.map((link) => path.relative(folder, link)).join(" -> ")}`;
}

export const circleRemedy = "make one of the links point to a file, or put a file in its place";

type FirstLink = readonly [link: string, target: string | undefined, rest: string];

function firstLink(file: string): FirstLink {
  const parts = file.split("/");
  for (let count = 2; count <= parts.length; count++) {
    const at = parts.slice(0, count).join("/");
    try {
      return [at, readlinkSync(at), parts.slice(count).join("/")];
    } catch {
      // Not a link.
    }
  }
  return [file, undefined, ""];
}
