/**
 * Numbers that a loop's body declares between barriers, declared at the head of the kernel. PoCL 3.1 keeps the values of
 * such variables over a barrier, but not always where their lifetime is an iteration of a loop that may skip the code.
 *
 *     for (...) {                                     int s;
 *       int s = b[i];                       =>        for (...) {
 *       barrier();                                      s = b[i];
 *       x += s;                                         barrier();
 *     }                                                 x += s;
 *                                                     }
 */
import { canonical, mapChildren, substitute, unqualified } from "../../../core/lang/index.ts";
import type { DeclStmt, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, declare, exprStmt, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { hasBarrier } from "../device/control.ts";
import type { Kernel, LoweredRegion } from "../device/device.ts";

export function declaredFirst(region: LoweredRegion): LoweredRegion {
  return {
    ...region,
    kernels: region.kernels.map((kernel) => (kernel.body.some(hasBarrier) ? ofKernel(kernel) : kernel)),
  };
}

function ofKernel(kernel: Kernel): Kernel {
  const moved = new Map<Symbol, Symbol>();
  const body = kernel.body.map((s) => withoutDeclarations(s, false, moved));
  if (moved.size === 0) return kernel;
  const names = new Map([...moved].map(([sym, own]) => [sym, ident(own)]));
  return {
    ...kernel,
    body: [...[...moved.values()].map((own) => declare(own)), ...body.map((s) => substitute(s, names))],
  };
}

/** `inLoop`: it stands in a loop around barriers. */
function withoutDeclarations(s: Stmt, inLoop: boolean, moved: Map<Symbol, Symbol>): Stmt {
  if (!hasBarrier(s)) return s;
  const isLoop = s.kind === "for" || s.kind === "while" || s.kind === "do";
  const inner = mapChildren(s, (child) => withoutDeclarations(child, inLoop || isLoop, moved));
  if (!inLoop || inner.kind !== "compound") return inner;
  const body = inner.body.flatMap((child) =>
    child.kind === "decl" && isOfNumbers(child) ? assigned(child, moved) : [child],
  );
  return { ...inner, body };
}

const isOfNumbers = (s: DeclStmt): boolean =>
  s.decls.every(
    ({ sym, init }) =>
      ["int", "float", "enum"].includes(canonical(sym.type).kind) &&
      !canonical(sym.type).quals?.volatile &&
      sym.kind !== "typedef" &&
      sym.storage === "none" &&
      (init === undefined || init.kind === "expr"),
  ) && s.defines.length === 0;

function assigned({ decls }: DeclStmt, moved: Map<Symbol, Symbol>): Stmt[] {
  return decls.flatMap(({ sym, init }) => {
    moved.set(sym, freshSymbol(sym.name, unqualified(sym.type)));
    return init?.kind === "expr" ? [exprStmt(assign(ident(sym), init.expr))] : [];
  });
}
