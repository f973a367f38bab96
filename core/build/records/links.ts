/** Where the links of a folder lead. They are followed as the system does: links are resolved before `..`. */

/** The system gives up after this many links. */
const MOST_FOLLOWED = 40;
/** Limit of names looked at for all links of one folder; normal links take a few each. */
const MOST_STEPS = 10_000_000;

interface Linked {
  readonly path: string;
  readonly kind: string;
  readonly target?: string;
}

interface StrayLink {
  readonly path: string;
  /** Completes a sentence: `leads out of it`. */
  readonly leads: string;
}

/** A pending part of a path: a name, or the end of a link's target. */
type Todo = { readonly name: string } | { readonly endOf: string };

/** The first link that leads out of the folder. Dangling and circular links lead nowhere. */
export function strayLink(entries: readonly Linked[]): StrayLink | undefined {
  const links = new Map<string, string>();
  for (const { path, target } of entries) if (target !== undefined) links.set(path, target);
  const steps = { left: MOST_STEPS };
  for (const path of links.keys()) {
    const leads = strays(path, links, steps);
    if (leads !== undefined) return { path, leads };
  }
  return undefined;
}

/** How a link leads out of its folder; undefined: it does not. */
function strays(
  start: string,
  links: ReadonlyMap<string, string>,
  steps: { left: number },
): string | undefined {
  const todo: Todo[] = namesOf(start);
  const within = new Set<string>();
  let followed = 0;
  let at = "";
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ("endOf" in next) {
      within.delete(next.endOf);
      continue;
    }
    steps.left -= 1;
    if (steps.left < 0) return "is one of too many";
    if (next.name === "..") {
      if (at === "") return `leads out of it, to ${shown(links.get(start))}`;
      at = folderOf(at);
      continue;
    }
    at = at === "" ? next.name : `${at}/${next.name}`;
    const target = links.get(at);
    if (target === undefined) continue;
    if (target.startsWith("/")) return `leads out of it, to ${shown(target)}`;
    if (within.has(at)) return undefined;
    followed += 1;
    if (followed > MOST_FOLLOWED) return "leads through too many others";
    within.add(at);
    todo.push({ endOf: at }, ...namesOf(target));
    at = folderOf(at);
  }
  return undefined;
}

const shown = (target = ""): string => JSON.stringify(target.slice(0, 80));

/** In reverse order. */
function namesOf(path: string): Todo[] {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name }))
    .reverse();
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
