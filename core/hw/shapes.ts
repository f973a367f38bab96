/** Shapes of C types. */
import type { CType, Loc } from "../lang/ast.ts";
import { canonical, INT_BITS, intKind, isUnsignedKind } from "../lang/index.ts";
import type { Shape } from "./graph.ts";
import { Unsupported } from "./region.ts";

/** `addressBits` wide are pointers. */
export function shapeOf(type: CType, addressBits: number, loc: Loc): Shape {
  const seen = canonical(type);
  const kind = intKind(seen);
  if (kind !== undefined) return { bits: INT_BITS[kind], signed: !isUnsignedKind(kind) };
  if (seen.kind === "pointer" || seen.kind === "array") return { bits: addressBits, signed: false };
  if (seen.kind === "float" && (seen.name === "float" || seen.name === "float32"))
    return { bits: 32, signed: false, float: true };
  if (seen.kind === "float")
    throw new Unsupported(
      "no-operator",
      loc,
      `there are no operators for '${seen.name === "ldouble" ? "long double" : seen.name}' yet`,
      "each floating-point operator is a circuit of its own",
      "compute in float or in integers",
    );
  throw new Unsupported(
    "no-operator",
    loc,
    `a value of a ${seen.kind === "record" ? "struct or union" : seen.kind} type cannot be in a register yet`,
    "registers hold scalars",
    "use its members one by one",
  );
}
