/** Reports actions of the project that need each other, at the inputs that make the cycle. */

import { readFileSync } from "node:fs";
import { itemAt } from "../../core/checked/access.ts";
import type { ArcFile } from "../contract/arc-schema.ts";
import type { Diagnostic } from "../document/diagnostic.ts";
import { ArcDocument } from "../document/document.ts";
import { MadeFiles } from "./reachable.ts";

/**
 * `cycle`: names of actions, each of which needs the next, and the last one the first. Undefined if `file` does not
 * show the cycle: it changed meanwhile, or some actions are arc's own.
 */
export function cycleOfActions(file: string, cycle: readonly string[]): Diagnostic | undefined {
  const document = new ArcDocument(file, readFileSync(file, "utf8"));
  const { actions = {} } = (document.value() ?? {}) as ArcFile;
  const links = cycle.flatMap((name, at) => {
    const next = itemAt(cycle, (at + 1) % cycle.length);
    return linkOf(actions, name, next) ?? [];
  });
  const [first] = links;
  if (first === undefined || links.length < cycle.length) return undefined;
  const locations = links.map(({ name, index }) => document.locationOf(["actions", name, "inputs", index]));
  return {
    severity: "error",
    code: "cycle",
    message: `actions need each other: ${[...cycle, first.name].join(" needs ")}`,
    ...(locations[0] as Pick<Diagnostic, "loc" | "end">),
    why: "each of them would have to be done before the others",
    remedy: "remove one of these inputs",
    notes: links.map(({ name, input, next }, at) => ({
      message: `\`${name}\` reads \`${input}\`, which \`${next}\` writes`,
      ...(locations[at] === undefined ? {} : { loc: locations[at].loc }),
    })),
  };
}

interface Link {
  readonly name: string;
  readonly next: string;
  readonly input: string;
  /** Index of the input in its list. */
  readonly index: number;
}

/** The first input of an action that another one writes. */
function linkOf(actions: NonNullable<ArcFile["actions"]>, name: string, next: string): Link | undefined {
  const written = actions[next];
  const { inputs = [] } = actions[name] ?? {};
  if (written === undefined) return undefined;
  const outputs = new MadeFiles([written]);
  const isMade = (input: string): boolean =>
    outputs.has(input) || outputs.has(input.replace(/\/+$/, "")) || outputs.has(`${input}/`);
  const index = inputs.findIndex(isMade);
  return index < 0 ? undefined : { name, next, input: itemAt(inputs, index), index };
}
