/**
 * Files named by a pattern: `*` and `?` stand for characters of one name, `**` for any number of folders. As in a
 * shell, none of them stands for the dot that a hidden name begins with.
 */

export interface FolderEntry {
  readonly name: string;
  /** What a link to a folder leads to is found by its name, not by `**`: links may lead in a circle. */
  readonly kind: "file" | "folder" | "link-to-folder";
}

/** What is in a folder of the project; nothing if there is none. */
export type ListFolder = (folder: string) => readonly FolderEntry[];

export const isPattern = (name: string): boolean => /[*?]/.test(name);

/** Files that match, sorted; `passedOver` says which files and folders are not to be looked at. */
export function matchingFiles(
  pattern: string,
  list: ListFolder,
  passedOver: (name: string) => boolean,
): readonly string[] {
  const segments = pattern.split("/");
  if (segments.at(-1) === "**") segments.push("*");
  const found = new Set<string>();
  const search = (folder: string, at: number): void => {
    const segment = segments[at] as string;
    const isLast = at === segments.length - 1;
    const inside = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
    if (!isLast && !isPattern(segment)) {
      if (!passedOver(inside(segment))) search(inside(segment), at + 1);
      return;
    }
    if (segment === "**") search(folder, at + 1);
    const expression = segment === "**" ? everyName : expressionOf(segment);
    for (const { name, kind } of list(folder)) {
      if (!expression.test(name) || passedOver(inside(name))) continue;
      if (isLast) {
        if (kind === "file") found.add(inside(name));
      } else if (segment !== "**") {
        if (kind !== "file") search(inside(name), at + 1);
      } else if (kind === "folder") search(inside(name), at);
    }
  };
  search("", 0);
  return [...found].sort();
}

const everyName = /^[^.]/;

function expressionOf(segment: string): RegExp {
  const body = segment
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${/^[*?]/.test(segment) ? "(?!\\.)" : ""}${body}$`, "su");
}
