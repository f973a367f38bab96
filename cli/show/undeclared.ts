/** Describes what an action did beside what it declares. */
import type { Undeclared } from "../../core/build/model/event.ts";
import { someOf } from "./words.ts";

export function undeclaredWords({ address, reads, lookedFor, writes, unseen }: Undeclared): string {
  const did = [
    ["reads", reads],
    ["looks for", lookedFor],
    ["writes", writes],
  ].flatMap(([verb, names]) =>
    names?.length ? `${verb as string} ${someOf(names as string[], NAMED)}` : [],
  );
  return [
    ...(did.length === 0 ? [] : [`${address} ${did.join(", ")}, which it does not declare`]),
    ...(unseen.length === 0 ? [] : [`what ${address} reads is not known in full: ${unseen.join("; ")}`]),
  ].join("; ");
}

/** How many files are named. */
const NAMED = 6;
