/**
 * Arrays of a team whose size the program computes, in kernels whose groups have several items: objects with static
 * storage have no such type, so that the first item of a group allocates them.
 */
import { elementType, isArray, isVariablyModified, mapStmt, pointerTo, VOID } from "../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
import { cast, stripImplicit } from "../../core/lang/tree/build.ts";
import type { Kernel } from "../shared/device/device.ts";
import type { KernelPrinter } from "../shared/print/kernel-text.ts";

/** The declarations of what the items of a group share. */
export function declaredForTeam({ shared }: Kernel, print: KernelPrinter): readonly string[] {
  return shared.flatMap((sym, k) => {
    const name = print.name(sym);
    if (!isComputed(sym)) return [`  static _Thread_local ${print.decl(sym.type, name, sym)};`];
    const room = `arc_room_${k}`;
    return [
      `  static _Thread_local void *${room};`,
      `  if (arc_item == 0) ${room} = __builtin_realloc(${room}, sizeof(${print.type(sym.type)}));`,
      `  ${print.decl(pointerTo(elementType(sym.type) ?? VOID), name, sym)} = ${room};`,
    ];
  });
}

/** The kernel's code, in which those arrays are pointers to their first elements. */
export function withTeamPointers({ shared, body }: Kernel): readonly Stmt[] {
  const computed = new Set(shared.filter(isComputed));
  if (computed.size === 0) return body;
  const named = (e: Expr | undefined): Symbol | undefined => {
    const inner = e && stripImplicit(e);
    return inner?.kind === "ident" && computed.has(inner.sym) ? inner.sym : undefined;
  };
  return body.map((s) =>
    mapStmt(s, {
      expr(e) {
        if (e.kind !== "sizeof" && !(e.kind === "unary" && e.op === "&")) return e;
        const sym = named(e.arg);
        if (!sym || !e.arg) return e;
        if (e.kind === "unary") return cast(pointerTo(sym.type), e.arg);
        const { arg: _, ...rest } = e;
        return { ...rest, of: sym.type };
      },
    }),
  );
}

const isComputed = ({ type }: Symbol): boolean => isArray(type) && isVariablyModified(type);
