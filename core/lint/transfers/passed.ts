/** Variables of callers that pointers stand for: parameters in calls that are followed, and copies of pointers. */
import { elementType, isPointer, isScalar, sizeOf } from "../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Frame } from "../memory/access.ts";
import type { Facts } from "../memory/facts.ts";

/** A variable and the call that it belongs to. */
interface Home {
  readonly sym: Symbol;
  readonly frame: Frame;
}

export class Passed {
  private readonly facts: Facts;

  constructor(facts: Facts) {
    this.facts = facts;
  }

  /** The variable of a caller that a pointer parameter stands for, as far as calls pass pointers as they are. */
  home(sym: Symbol, frame: Frame): Home {
    const given = frame.arguments.get(sym);
    if (!given || !isPointer(sym.type) || this.facts.settings.has(sym) || this.facts.addressed.has(sym))
      return { sym, frame };
    const passed = bare(given.expr);
    return passed.kind === "ident" && areAlike(passed.type, sym.type)
      ? this.home(passed.sym, given.frame)
      : { sym, frame };
  }

  /** The variable that an argument passes as it is. */
  variable(argument: Expr, frame: Frame): Symbol | undefined {
    const passed = bare(argument);
    return passed.kind === "ident" ? this.home(passed.sym, frame).sym : undefined;
  }

  /** The variables, and all those whose addresses they may hold as far as their settings and arguments say. */
  behind(syms: Iterable<Symbol>, frame: Frame): ReadonlySet<Symbol> {
    return this.followed(syms, frame, addressesIn);
  }

  /** A pointer, and those whose values it may hold as they are. */
  copied(sym: Symbol, frame: Frame): ReadonlySet<Symbol> {
    return this.followed([sym], frame, (value) => {
      const e = bare(value);
      return e.kind === "ident" ? [e.sym] : [];
    });
  }

  private followed(
    syms: Iterable<Symbol>,
    frame: Frame,
    from: (value: Expr) => Iterable<Symbol>,
  ): ReadonlySet<Symbol> {
    const found = new Set<Symbol>();
    const visit = (sym: Symbol, at: Frame): void => {
      if (found.has(sym)) return;
      found.add(sym);
      if (!isPointer(sym.type)) return;
      const given = at.arguments.get(sym);
      if (given) for (const name of from(given.expr)) visit(name, given.frame);
      for (const { value } of this.facts.settings.get(sym) ?? [])
        if (value) for (const name of from(value)) visit(name, at);
    };
    for (const sym of syms) visit(sym, frame);
    return found;
  }
}

function bare(e: Expr): Expr {
  return e.kind === "cast" ? bare(e.arg) : e;
}

/** Whether their elements are of one size. */
function areAlike(a: CType, b: CType): boolean {
  const [one, two] = [a, b].map((type) => {
    const element = elementType(type);
    return element && sizeOf(element);
  });
  return one !== undefined && one === two;
}

/** Variables that an expression consists of, without subscripts. */
export const namesIn = (e: Expr): ReadonlySet<Symbol> => variablesIn(e, () => true);

/** Those among them that may hold addresses, or whose address it takes. */
const addressesIn = (e: Expr): ReadonlySet<Symbol> =>
  variablesIn(e, ({ type }, isTaken) => isTaken || !isScalar(type) || isPointer(type));

function variablesIn(e: Expr, counts: (sym: Symbol, isTaken: boolean) => boolean): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  const visit = (part: Expr, isTaken: boolean): void => {
    switch (part.kind) {
      case "ident":
        if (counts(part.sym, isTaken)) found.add(part.sym);
        return;
      case "call":
        for (const arg of part.args) visit(arg, false);
        return;
      case "cond":
        visit(part.then ?? part.test, isTaken);
        return visit(part.else, isTaken);
      case "unary":
        return visit(part.arg, isTaken || part.op === "&");
      case "cast":
      case "incdec":
        return visit(part.arg, isTaken);
      case "index":
      case "member":
        return visit(part.base, isTaken);
      case "binary":
      case "assign":
      case "comma":
        visit(part.left, isTaken);
        return visit(part.right, isTaken);
      default:
        return;
    }
  };
  visit(e, false);
  return found;
}
