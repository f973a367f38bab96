/**
 * OpenMP 5.2, section 17.1: constructs that all threads of a team must reach are not closely nested in code that only
 * some of the threads run, or run unequally often. Otherwise threads wait for each other forever.
 */

import type { Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";

export const CLOSE_NESTING = "OpenMP 5.2, section 17.1";

/** Whether all threads of the team must reach the construct. */
export const needsWholeTeam = (name: string): boolean =>
  /^(for|for simd|sections|single|barrier)$/.test(name);

/** Whether code in the construct is run by some of the threads, or by each for iterations of its own. */
export const isForSomeThreads = (name: string): boolean =>
  /^(for|for simd|sections|section|single|master|masked|critical|ordered|task|taskloop|loop)\b/.test(name);

/** Whether the construct makes a team and shares iterations or sections out among it. */
export const sharesOutItsTeam = (name: string): boolean => /\bfor\b|\bsections\b|\bloop\b/.test(name);

/** Reports a construct of the whole team in a loop whose iterations the team's threads share. */
export function refusedInLoop(reading: Reading, d: Directive): boolean {
  if (!reading.around.omp?.shared) return false;
  reading.report(
    "construct-nesting",
    d.loc,
    `'${d.name}' stands inside a loop whose iterations threads share already`,
    "write a condition, or end the loop before",
  );
  return true;
}

const notConcurrent =
  /^(atomic|critical|ordered|master|masked|scope|task|taskloop|taskgroup|taskwait|taskyield|flush)\b/;

/**
 * Constructs that stand in no loop whose iterations are concurrent, and that arc takes there as they are meant, where
 * other compilers refuse them. What makes threads wait for all others is an error in any loop.
 */
export function warnInConcurrent(reading: Reading, d: Directive): void {
  if (!reading.around.omp?.concurrent || !notConcurrent.test(d.name)) return;
  reading.diagnostics.push({
    severity: "warning",
    code: "construct-nesting",
    loc: d.loc,
    message: `'${d.name}' stands inside of a 'loop' or 'order(concurrent)', which other compilers refuse`,
    why: "only loop, parallel and simd constructs may be nested there (OpenMP 5.2, sections 10.3 and 11.7)",
    remedy: "write a worksharing loop: distribute, for, or both",
  });
}
