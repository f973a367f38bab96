/**
 * Bounds what tracing may cost where nobody asked for it. Every action earns a twentieth of its time, and the traced ones
 * pay what the tracer took; an action that begins while nothing is left is not traced.
 */

const SHARE = 0.05;

/** In seconds: a small build is traced as a whole. */
const AT_FIRST = 0.1;

/** What the process that makes a call loses beside what the tracer takes: it is put to sleep and woken. */
const BOTH_SIDES = 1.5;

export class TracingBudget {
  #left = AT_FIRST;
  #leftOut = 0;

  /** Whether an action that begins now may be traced. */
  allows(): boolean {
    if (this.#left > 0) return true;
    this.#leftOut++;
    return false;
  }

  /** An action ended after so many seconds, of which the tracer took some of a processor's. */
  spent(seconds: number, tracerSeconds: number): void {
    this.#left += seconds * SHARE - tracerSeconds * BOTH_SIDES;
  }

  /** How many actions were not traced. */
  get leftOut(): number {
    return this.#leftOut;
  }
}
