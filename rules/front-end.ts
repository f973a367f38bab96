/** A source up to the normalised IR, beside the program's other sources. */
import { normalise } from "../core/ir/normalise.ts";
import type { Program } from "../core/ir/program.ts";
import type { Linkage } from "../core/ir/routines.ts";
import type { Parsed } from "../core/lang/index.ts";
import { hasErrors, type Preprocessed, readSource } from "./read-source.ts";

/** The program's other sources, where routines may be defined: see `Linkage` of core/ir. */
export type Others =
  | { readonly kind: "whole"; readonly others: readonly Preprocessed[] }
  | { readonly kind: "separate"; readonly others?: readonly Preprocessed[] };

/** A program of one source. */
export const noOthers: Others = { kind: "whole", others: [] };

export interface FrontEnd {
  readonly program: Program;
  readonly parsed: Parsed;
  readonly linkage: Linkage;
}

/** Where reading it found errors, the program is as it was read. */
export function frontEnd(source: Preprocessed, { kind, others }: Others = noOthers): FrontEnd {
  const { parsed, program } = readSource(source);
  if (hasErrors(program.diagnostics)) return { parsed, program, linkage: { kind: "whole", others: [] } };
  const units = others?.map((other) => readSource(other).program);
  const linkage: Linkage =
    kind === "whole"
      ? { kind, others: units ?? [] }
      : { kind, ...(units === undefined ? {} : { others: units }) };
  return { parsed, ...normalised(program, linkage) };
}

type Normalised = Pick<FrontEnd, "program" | "linkage">;

/** Of each program the last one: a source is translated for the host and for every target. */
const made = new WeakMap<Program, Normalised>();

function normalised(program: Program, linkage: Linkage): Normalised {
  const last = made.get(program);
  if (last !== undefined && isSame(last.linkage, linkage)) return last;
  const now = { program: normalise(program, linkage), linkage };
  made.set(program, now);
  return now;
}

const isSame = (a: Linkage, b: Linkage): boolean =>
  a.kind === b.kind &&
  a.others?.length === b.others?.length &&
  (a.others ?? []).every((other, at) => other === b.others?.[at]);
