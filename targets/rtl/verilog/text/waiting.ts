/** Assigns results of a circuit to registers such that results sharing a register are never kept at the same time. */

/** A result that a register takes in cycle `from` and keeps until cycle `until`. */
export interface Waiting {
  readonly name: string;
  /** The signal with the result. */
  readonly result: string;
  readonly bits: number;
  /** High when the register takes it. */
  readonly takes: string;
  readonly from: number;
  readonly until: number;
}

interface HeldResults {
  readonly result: string;
  readonly bits: number;
  readonly users: readonly Waiting[];
}

/**
 * The registers, as few as a greedy pass in the order of arrival finds; `interval`: cycles from one iteration to the
 * next.
 */
export function inRegisters(waiting: readonly Waiting[], interval: number): readonly HeldResults[] {
  const registers: { result: string; bits: number; users: Waiting[]; cyclesTaken: Set<number> }[] = [];
  for (const one of [...waiting].sort((a, b) => a.from - b.from)) {
    const cycles = Array.from({ length: Math.min(one.until - one.from, interval) }, (_, k) => {
      const cycle = one.from + 1 + k;
      return Number.isFinite(interval) ? cycle % interval : cycle;
    });
    let register = registers.find(
      (r) => r.result === one.result && r.bits === one.bits && !cycles.some((c) => r.cyclesTaken.has(c)),
    );
    if (!register) {
      register = { result: one.result, bits: one.bits, users: [], cyclesTaken: new Set() };
      registers.push(register);
    }
    register.users.push(one);
    for (const cycle of cycles) register.cyclesTaken.add(cycle);
  }
  return registers;
}
