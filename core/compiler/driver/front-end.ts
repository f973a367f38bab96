/** Reads a source up to the normalised IR, together with the program's other sources. */

import { type Linkage, noOtherUnits, type OtherUnits } from "../../ir/analysis/routines.ts";
import type { Program } from "../../ir/model/program.ts";
import { normalise } from "../../ir/normalise/normalise.ts";
import type { Parsed } from "../../lang/index.ts";
import { unitsDefining } from "./defined-functions.ts";
import { isDirectiveFree } from "./directive-free.ts";
import { hasErrors, type Preprocessed, readSource } from "./read-source.ts";

/** The program's other sources, which may define routines: see `Linkage` in core/ir. */
export type Others =
  | { readonly kind: "whole"; readonly others: readonly Preprocessed[] }
  | { readonly kind: "separate"; readonly others?: readonly Preprocessed[] };

/** A program with one source. */
export const noOthers: Others = { kind: "whole", others: [] };

export interface FrontEnd {
  readonly program: Program;
  readonly parsed: Parsed;
  readonly linkage: Linkage;
}

/** If reading found errors, the program is not normalised. */
export function frontEnd(source: Preprocessed, others: Others = noOthers): FrontEnd {
  const { parsed, program } = readSource(source);
  if (hasErrors(program.diagnostics))
    return { parsed, program, linkage: { kind: "whole", others: noOtherUnits } };
  const { program: normal, linkage } = normalised(program, others);
  return { parsed, program: normal, linkage };
}

/**
 * Whether the translation of a source is independent of the others: its regions call only functions that it defines.
 */
export function standsAlone(source: Preprocessed, kind: Others["kind"]): boolean {
  if (isDirectiveFree(source)) return true;
  const { program } = readSource(source);
  return hasErrors(program.diagnostics) || !normalised(program, { kind, others: [] }).consulted.yet;
}

interface Normalised {
  readonly program: Program;
  readonly linkage: Linkage;
  readonly others: Others;
  /** Whether other sources were consulted. */
  readonly consulted: { yet: boolean };
}

/** The last result for each program: a source is translated for the host and for every target. */
const memory = new WeakMap<Program, Normalised>();

function normalised(program: Program, others: Others): Normalised {
  const last = memory.get(program);
  if (last !== undefined && serves(last, others)) return last;
  const consulted = { yet: false };
  const linkage = linkageOf(others, consulted);
  const now = { program: normalise(program, linkage), linkage, others, consulted };
  memory.set(program, now);
  return now;
}

function linkageOf({ kind, others }: Others, consulted: { yet: boolean }): Linkage {
  if (others === undefined) return { kind: "separate" };
  const defining = unitsDefining(others);
  const units: OtherUnits = (name) => {
    consulted.yet = true;
    return defining(name);
  };
  return { kind, others: units };
}

/** A result that needed no other source is valid with any others. */
function serves({ others: { kind, others: known }, consulted }: Normalised, requested: Others): boolean {
  if (kind !== requested.kind || (known === undefined) !== (requested.others === undefined)) return false;
  if (known === undefined || requested.others === undefined || !consulted.yet) return true;
  return (
    known.length === requested.others.length && known.every((one, i) => isSame(one, requested.others?.[i]))
  );
}

const isSame = (a: Preprocessed, b: Preprocessed | undefined): boolean =>
  a.file === b?.file && a.text === b.text;
