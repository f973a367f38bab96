import { lastOf } from "../../core/checked/access.ts";
/** The part of XML that tools' reports use: elements and text. Attributes, comments and declarations are skipped. */

export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

/** The root element; undefined if elements are not closed in order. */
export function parseXml(text: string): Element | undefined {
  interface Open {
    name: string;
    text: string;
    children: Element[];
  }
  const root: Open = { name: "", text: "", children: [] };
  const open: Open[] = [root];
  const pieces = /<!--[\s\S]*?-->|<[?!][^>]*>|<(\/?)([\w.:-]+)[^>]*?(\/?)>|([^<]+)/g;
  for (const [, closes, name, empty, words] of text.matchAll(pieces)) {
    const top = lastOf(open);
    if (words !== undefined) top.text += words;
    else if (name === undefined) continue;
    else if (closes) {
      if (open.length === 1 || top.name !== name) return undefined;
      open.pop();
    } else {
      const element: Open = { name, text: "", children: [] };
      top.children.push(element);
      if (!empty) open.push(element);
    }
  }
  return open.length === 1 && root.children.length === 1 ? root.children[0] : undefined;
}

/** The first element of that name, outermost first. */
export function find(element: Element, name: string): Element | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = find(child, name);
    if (found) return found;
  }
  return undefined;
}

export const textOf = (element: Element | undefined): string => element?.text.trim() ?? "";
