/** Memory that a region writes, as far as the types and names of what it assigns to tell. */
import { canonical, sizeOf, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { hasEffects, isBuiltin } from "../analysis/routines.ts";
import { routineCalled } from "../model/device-routines.ts";
import type { IrNode } from "../model/ir.ts";

interface MemoryLocation {
  /** The variable that the memory is, or that points to it; undefined: any. */
  readonly root: Symbol | undefined;
  readonly type: CType;
  /** Memory behind a pointer, which may be that of another variable. */
  readonly behind: boolean;
}

export class WrittenMemory {
  private readonly locations: MemoryLocation[] = [];
  /** Functions that it calls may write anything. */
  private unknown = false;

  constructor(region: Stmt) {
    walkStmt(region, {
      stmt: (s) => {
        const n = s.kind === "ext" ? (s.ext as IrNode) : undefined;
        if (n?.kind !== "atomic") return;
        for (const e of [n.target, n.captured]) if (e) this.locations.push(locationOf(e));
      },
      expr: (e) => {
        if (e.kind === "assign") this.locations.push(locationOf(e.left));
        if (e.kind === "incdec") this.locations.push(locationOf(e.arg));
        if (e.kind === "call" && !routineCalled(e)) {
          const callee = stripImplicit(e.callee);
          this.unknown ||= callee.kind !== "ident" || !isBuiltin(callee.sym) || hasEffects(callee.sym);
        }
      },
    });
  }

  /** Whether nothing in the region writes what this expression reads. */
  isConstant(e: Expr): boolean {
    if (this.unknown || canonical(e.type).quals?.volatile) return false;
    const read = locationOf(e);
    return read.root !== undefined && !this.locations.some((written) => mayMeet(read, written));
  }
}

/** The place of an lvalue: `p->next[i]` is behind `p`. */
function locationOf(e: Expr): MemoryLocation {
  let at = stripImplicit(e);
  let behind = false;
  for (;;) {
    const { kind } = canonical(at.type);
    if (at.kind === "index") {
      behind ||= canonical(stripImplicit(at.base).type).kind === "pointer";
      at = stripImplicit(at.base);
    } else if (at.kind === "member") {
      behind ||= at.arrow;
      at = stripImplicit(at.base);
    } else if (at.kind === "unary" && at.op === "*") {
      behind = true;
      at = stripImplicit(at.arg);
    } else if (at.kind === "binary" && kind === "pointer") {
      const left = stripImplicit(at.left);
      const isLeft = ["pointer", "array"].includes(canonical(left.type).kind);
      at = isLeft ? left : stripImplicit(at.right);
    } else break;
  }
  return { root: at.kind === "ident" ? at.sym : undefined, type: e.type, behind };
}

function mayMeet(a: MemoryLocation, b: MemoryLocation): boolean {
  if (a.root === undefined || b.root === undefined || a.root === b.root) return true;
  return (a.behind || b.behind) && mayAlias(a.type, b.type);
}

/** Numbers of different types are different objects, except that bytes may be a part of any. */
function mayAlias(a: CType, b: CType): boolean {
  const [x, y] = [canonical(a), canonical(b)];
  const isNumber = (t: CType): boolean => t.kind === "int" || t.kind === "float";
  if (!isNumber(x) || !isNumber(y)) return true;
  const [m, n] = [sizeOf(x), sizeOf(y)];
  return m === 1 || n === 1 || (x.kind === y.kind && m === n);
}
