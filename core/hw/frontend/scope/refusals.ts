/** Diagnostics for code that blocks refuse. */
import type { Loc, Symbol } from "../../../lang/tree/ast.ts";
import { Unsupported } from "../../dfg/region.ts";

export function unsupportedStatement(what: string, at: Loc): Unsupported {
  return new Unsupported(
    "no-hardware",
    at,
    `this statement (${what}) has no form in hardware yet`,
    "pipelines are made of assignments, choices and counted loops",
    "write it with if, for and while",
  );
}

export function noOperator(what: string, at: Loc): Unsupported {
  return new Unsupported(
    "no-operator",
    at,
    `there is no operator for ${what} yet`,
    "every function and operator is a circuit of its own",
    "compute it in integers with + - * / and comparisons, or on the host",
  );
}

export function noMathFunction(name: string, known: readonly string[], at: Loc): Unsupported {
  const zeros = /^lgamma/.test(name)
    ? "near its zeros between negative whole numbers it takes twice the digits; "
    : "";
  return new Unsupported(
    "no-operator",
    at,
    `there is no circuit for '${name}' yet`,
    `${zeros}of <math.h> there are ${known.join(", ")}, and those of float with an f`,
    "write it with these, or compute it on the host",
  );
}

/** A name of <math.h> that is called or declared differently. */
export function otherFunction(name: string, at: Loc): Unsupported {
  return new Unsupported(
    "no-operator",
    at,
    `'${name}' is not called as <math.h> declares it`,
    "the circuit of that name takes and gives floating-point numbers; a call before any declaration gives an int",
    "include <math.h>, or give a function of the program another name and define it where it is called",
  );
}

export function noFixedFunction(name: string, known: readonly string[], at: Loc): Unsupported {
  return new Unsupported(
    "no-operator",
    at,
    `there is no circuit for '${name}' in fixed point`,
    `of <math.h> there are ${known.join(", ")}, and those of float with an f`,
    "give the region a format: in floating point, write it with these, or compute it on the host",
  );
}

export function unsupportedExpression(what: string, at: Loc): Unsupported {
  return new Unsupported(
    "no-hardware",
    at,
    `this expression (${what}) has no form in hardware yet`,
    "pipelines are made of integer operators and accesses to arrays",
    "write it with simpler operators",
  );
}

export function callThroughPointer(at: Loc): Unsupported {
  return new Unsupported(
    "no-hardware",
    at,
    "this call through a pointer has no form in hardware",
    "a function is a circuit where it is called, and a pointer may lead to others than those that arc sees",
    "call the functions by name, chosen with switch",
  );
}

/** A pointer takes a value in a way that the analysis of pointers did not foresee. */
export function unknownTarget({ name, span }: Symbol): Unsupported {
  return new Unsupported(
    "no-hardware",
    span.start,
    `it is not known where the pointer '${name}' leads`,
    "registers have no addresses: a pointer to a variable is a number of all objects that it may lead to",
    "set it in a statement of its own, to the address of a variable or element",
  );
}
