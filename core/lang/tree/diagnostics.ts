/** Diagnostics: the front end's only exception, and spelling suggestions. */
import type { Diagnostic, Loc } from "./ast.ts";

/**
 * Unwinds the parser to a point where it can continue. Never leaves `core/lang`: every public function turns it into
 * its `diagnostic`.
 */
export class SyntaxFailure extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export interface Advice {
  readonly why?: string;
  readonly remedy?: string | undefined;
  readonly end?: Loc;
}

export function diagnostic(
  severity: Diagnostic["severity"],
  code: string,
  message: string,
  loc: Loc,
  advice: Advice = {},
): Diagnostic {
  const { why, remedy, end } = advice;
  return {
    severity,
    code,
    message,
    loc,
    ...(end && { end }),
    ...(why && { why }),
    ...(remedy && { remedy }),
  };
}

export function isDiagnostic(value: object): value is Diagnostic {
  return "severity" in value && "code" in value;
}

/** The candidate closest to `name`, if a typing error can explain the difference. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  // Every one-letter name is one typing error away from any other.
  if (name.length === 1) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Damerau-Levenshtein distance with adjacent transpositions. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
