/** Option `--trace-inputs` of `arc build`. */
import { tracerProgram } from "../../core/build/native/native.ts";
import type { Call } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

/** Build options for `--trace-inputs`. Throws UsageError where nothing can be traced. */
export function tracing({ options }: Call): { readonly tracer?: string } {
  if (options["trace-inputs"] !== true && options["declare-inputs"] !== true) return {};
  const tracer = tracerProgram();
  if (tracer === undefined)
    throw new UsageError(
      "inputs cannot be traced here: the tracer was not compiled",
      "it needs Linux and a C compiler when arc is built",
    );
  return { tracer };
}
