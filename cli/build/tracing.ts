/** Option `--trace-inputs` of `arc build`, and tracing in CI, where nobody must ask for it. */
import { readFileSync } from "node:fs";
import { tracerProgram } from "../../core/build/native/native.ts";
import type { Tracer } from "../../core/build/run/tracing.ts";
import { TracingBudget } from "../../core/build/run/tracing-budget.ts";
import type { Call } from "../call/call.ts";
import { isSet } from "../call/surroundings.ts";
import { UsageError } from "../call/usage-error.ts";

interface Tracing {
  readonly tracer?: Tracer;
}

/** Build options for `--trace-inputs`. Throws UsageError where nothing can be traced and the call asks for it. */
export function tracing({ options, env }: Call): Tracing {
  const program = tracerProgram();
  if (options["trace-inputs"] !== true && options["declare-inputs"] !== true) {
    const isWanted = isSet(env.CI) && env.ARC_TRACE_INPUTS !== "0" && options.sandbox !== true;
    if (!isWanted || program === undefined || !takesNothingAway()) return {};
    return { tracer: { program, budget: new TracingBudget() } };
  }
  if (program === undefined)
    throw new UsageError(
      "inputs cannot be traced here: the tracer was not compiled",
      "it needs Linux and a C compiler when arc is built",
    );
  return { tracer: { program } };
}

/** What is said after a build that did not trace every action that ran. */
export function untracedWords({ tracer }: Tracing): string {
  const leftOut = tracer?.budget?.leftOut ?? 0;
  if (leftOut === 0) return "";
  const actions = leftOut === 1 ? "1 action that ran was" : `${leftOut} actions that ran were`;
  return `${actions} not traced: in CI tracing takes at most 5 % of the time; --trace-inputs traces all\n`;
}

/** CAP_SYS_ADMIN: the number of its bit. */
const MAY_ADMINISTER = 21n;

/**
 * Whether a process keeps all rights while it is traced. Without the right to administer the system, the kernel asks of
 * whoever is traced to renounce set-user-ID programs: an action that calls sudo would fail in CI alone.
 */
function takesNothingAway(): boolean {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    if (/^NoNewPrivs:\s*1$/m.test(status)) return true;
    const rights = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
    return ((BigInt(`0x${rights}`) >> MAY_ADMINISTER) & 1n) === 1n;
  } catch {
    return false;
  }
}
