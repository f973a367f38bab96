/**
 * Which sources define a function. A program has many sources, few of which need each other; each is read at most once
 * to find out.
 */

import type { OtherUnits } from "../../ir/analysis/routines.ts";
import type { Program } from "../../ir/model/program.ts";
import { type Preprocessed, readSource } from "./read-source.ts";

interface Defined {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** How many characters of source text are kept to recognise sources. */
const KEPT = 64_000_000;

/** By file, least recently used first. */
const known = new Map<string, Defined>();
let length = 0;

/** Returns the same unit each time, even if the cache has dropped the source meanwhile. */
export function unitsDefining(sources: readonly Preprocessed[]): OtherUnits {
  const units = new Map<Preprocessed, Program>();
  const unitOf = (source: Preprocessed): Program => {
    const unit = units.get(source) ?? readSource(source).program;
    units.set(source, unit);
    return unit;
  };
  return (name) =>
    sources.filter((source) => source.text.includes(name) && functionsOf(source).has(name)).map(unitOf);
}

function functionsOf(source: Preprocessed): ReadonlySet<string> {
  const { file, text } = source;
  const last = known.get(file);
  const names = last?.text === text ? last.names : namesOf(source);
  known.delete(file);
  known.set(file, { text, names });
  length += text.length - (last?.text.length ?? 0);
  for (const [oldest, { text: old }] of known) {
    if (length <= KEPT) break;
    known.delete(oldest);
    length -= old.length;
  }
  return names;
}

function namesOf(source: Preprocessed): ReadonlySet<string> {
  const { externals } = readSource(source).program.unit;
  return new Set(externals.flatMap((e) => (e.kind === "function" ? [e.sym.name] : [])));
}
