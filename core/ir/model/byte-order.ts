/** Structs whose members have the other byte order than the processor (gcc's `scalar_storage_order`). */
import { canonical, walkStmt } from "../../lang/index.ts";
import type { CType, Diagnostic, Loc, Stmt } from "../../lang/tree/ast.ts";

const isReversed = (type: CType): boolean => {
  const c = canonical(type);
  if (c.kind === "array") return isReversed(c.of);
  return (
    c.kind === "record" &&
    (c.decl.attrs ?? []).some(
      ({ name, args = "" }) => /^(__)?scalar_storage_order(__)?$/.test(name) && args.includes("big"),
    )
  );
};

/** Refuses device code that computes with them: its compilers have one byte order. */
export function reversedRecords(body: Stmt): readonly Diagnostic[] {
  let at: Loc | undefined;
  walkStmt(body, {
    stmt: (s) => {
      if (s.kind === "decl") at ??= s.decls.find(({ sym }) => isReversed(sym.type))?.span.start;
    },
    expr: (e) => {
      if (isReversed(e.type)) at ??= e.span.start;
    },
  });
  if (!at) return [];
  return [
    {
      severity: "error",
      code: "byte-order",
      loc: at,
      message: "device code uses a struct of another byte order than the processor's (scalar_storage_order)",
      why: "compilers for devices do not know this attribute, and would compute with bytes in the wrong order",
      remedy: "copy the members that the region needs to variables of a common type in front of it",
    },
  ];
}
