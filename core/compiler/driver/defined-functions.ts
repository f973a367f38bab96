/**
 * Which sources define a function: programs have many, and few of them are of use to each other. All are read once
 * at most to know that.
 */

import type { OtherUnits } from "../../ir/analysis/routines.ts";
import type { Program } from "../../ir/model/program.ts";
import { type Preprocessed, readSource } from "./read-source.ts";

interface Defined {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** Characters of text that are kept, to know a source by. */
const KEPT = 64_000_000;

/** By file, those looked at last come last. */
const known = new Map<string, Defined>();
let length = 0;

/** A unit is the same one each time, though what was read of a source may be forgotten meanwhile. */
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
