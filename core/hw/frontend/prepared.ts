/** A kernel in simpler C, from which hardware can be built: without structs, local pointers and some calls. */
import { firstOf } from "../../checked/access.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound } from "../../lang/tree/build.ts";
import { withOwnParameters } from "./addressed-parameters.ts";
import { withFullInitialisers } from "./full-initialisers.ts";
import { withCallsInlined } from "./inlining.ts";
import { withoutJumps } from "./jumps.ts";
import { withMiddleOperands } from "./omitted-operands.ts";
import { withoutLocalPointers } from "./pointers/lowering.ts";
import { withoutRecords, withPointers } from "./records.ts";
import type { KernelSignature } from "./scope/signature.ts";

export function prepared(kernel: KernelSignature): KernelSignature {
  const parameters = new Set(kernel.parameters);
  const isOwn = (sym: Symbol): boolean =>
    sym.scope === "block" && sym.storage !== "extern" && !parameters.has(sym);
  // Structs may contain pointers, and pointers may lead to structs.
  const plain = (code: readonly Stmt[]) =>
    withoutRecords(withoutLocalPointers(withoutRecords(code, withPointers(code)), isOwn));
  const explicit = (code: readonly Stmt[]) =>
    withFullInitialisers(withoutJumps(code).map(withMiddleOperands));
  const called = eachBody(kernel.functions, explicit);
  const body = withCallsInlined(explicit(withOwnParameters(kernel.body, kernel.parameters)), called, isOwn);
  return { ...kernel, body: plain(body), functions: eachBody(called, plain) };
}

function eachBody(
  functions: KernelSignature["functions"],
  f: (code: readonly Stmt[]) => readonly Stmt[],
): KernelSignature["functions"] {
  return new Map(
    [...functions].map(([sym, of]) => {
      const body = f([of.body]);
      return [sym, { ...of, body: body.length === 1 ? firstOf(body) : compound(body) }];
    }),
  );
}
