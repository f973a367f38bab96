/**
 * Files matched by a pattern: `*` and `?` match characters of one name, `**` any number of folders. As in a shell, none
 * of them matches the leading dot of a hidden name.
 */
import { itemAt } from "../../core/checked/access.ts";

export interface FolderEntry {
  readonly name: string;
  /** `**` does not follow links to folders, which may be circular; their names can be given explicitly. */
  readonly kind: "file" | "folder" | "link-to-folder";
}

/** Lists a folder of the project; empty if there is none. */
export type ListFolder = (folder: string) => readonly FolderEntry[];

export const isPattern = (name: string): boolean => /[*?]/.test(name);

/** The matching files, sorted; `passedOver` tells which files and folders to skip. */
export function matchingFiles(
  pattern: string,
  list: ListFolder,
  passedOver: (name: string) => boolean,
): readonly string[] {
  const segments = pattern.split("/");
  if (segments.at(-1) === "**") segments.push("*");
  const found = new Set<string>();
  const search = (folder: string, at: number): void => {
    const segment = itemAt(segments, at);
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
