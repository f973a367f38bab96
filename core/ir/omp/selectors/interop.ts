/**
 * `interop`: lets other libraries work on a device together with the program (OpenMP 5.2, section 14.1). An interop
 * object describes a device and belongs to libarcrt.
 *
 *     #pragma omp interop init(targetsync: o)        o = arc_omp_interop(omp_get_default_device(), 1);
 *     #pragma omp interop use(o)               =>    arc_omp_interop_use(o);
 *     #pragma omp interop destroy(o)                 arc_omp_interop_use(o); o = 0;
 */
import type { Diagnostic, Expr, Loc, Pragma, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { assign, call, compound, exprStmt, ident, intLit } from "../../../lang/tree/build.ts";
import { DirectiveParser, parsed } from "../../directives/parser.ts";

const isInterop = ({ tokens }: Pragma): boolean => tokens[0]?.text === "omp" && tokens[1]?.text === "interop";

/** The statements of the directive and those that follow it; undefined if there is no interop directive. */
export function interoperating(s: Stmt, complain: (found: Diagnostic) => void): readonly Stmt[] | undefined {
  const at = s.pragmas?.findIndex(isInterop) ?? -1;
  const pragma = s.pragmas?.[at];
  if (!s.pragmas || !pragma) return undefined;
  const { directive, diagnostics } = parsed((found) => new InteropParser(pragma, found).parse());
  diagnostics.forEach(complain);
  const before = s.pragmas.slice(0, at);
  const after = s.pragmas.slice(at + 1);
  const { pragmas: _, ...plain } = s;
  const rest = after.length > 0 ? { ...plain, pragmas: after } : plain;
  const { start } = pragma.span;
  const holder: Stmt = { kind: "expr", pragmas: before, span: { start, end: start } };
  const block = compound([...(directive ?? [])], pragma.span);
  return [...(before.length > 0 ? [holder] : []), block, rest];
}

/** The object for a device, obtained by a call that the program itself could make. */
export function interopOf(pragma: Pragma, device: Expr | undefined, synchronised: boolean): Expr | undefined {
  const find = (name: string): Symbol | undefined => pragma.scope.lookup(name);
  const make = find("arc_omp_interop");
  const current = find("omp_get_default_device");
  if (!make || !current) return undefined;
  return call(ident(make), [device ?? call(ident(current), []), intLit(synchronised ? 1 : 0)]);
}

class InteropParser extends DirectiveParser {
  /** "interop" { "init" "(" ... ")" | "use" "(" o ")" | "destroy" "(" o ")" | "device" "(" e ")" | "nowait" } */
  parse(): readonly Stmt[] {
    this.p.next();
    const { loc } = this.p;
    const objects: { readonly action: string; readonly object: Expr; readonly synchronised: boolean }[] = [];
    let device: Expr | undefined;
    while (!this.p.atEnd()) {
      this.p.accept(",");
      const clause = this.p.loc;
      const action = this.word(["init", "use", "destroy", "device", "nowait", "depend"]);
      if (action === "nowait") continue;
      if (action === "depend")
        this.refuse(
          "unsupported-clause",
          clause,
          "'depend' of 'interop' is not honoured (OpenMP 5.2, section 14.1)",
          "write '#pragma omp taskwait depend(...)' before it",
        );
      if (!this.p.accept("("))
        this.refuse("unexpected-word", clause, `'${action}' needs an argument`, `write ${action}(...)`);
      const synchronised = action === "init" && this.types();
      const object = this.expr();
      this.closes(action);
      if (action === "device") device = object;
      else objects.push({ action, object, synchronised });
    }
    return objects.flatMap(({ action, object, synchronised }) => {
      if (action === "init") {
        const interopObject = interopOf(this.pragma, device, synchronised);
        return interopObject ? [exprStmt(assign(object, interopObject))] : this.undeclared(loc);
      }
      const use = this.pragma.scope.lookup("arc_omp_interop_use");
      if (!use) return this.undeclared(loc);
      const used = exprStmt(call(ident(use), [object]));
      return action === "use" ? [used] : [used, exprStmt(assign(object, intLit(0)))];
    });
  }

  /**
   * { "prefer_type" "(" ... ")" | "target" | "targetsync" } ":": whether other libraries will queue work beside the
   * program's.
   */
  private types(): boolean {
    let synchronised = false;
    do {
      const word = this.word(["prefer_type", "target", "targetsync"]);
      if (word === "prefer_type") this.skipArgument();
      synchronised ||= word === "targetsync";
    } while (this.p.accept(","));
    if (!this.p.accept(":"))
      this.refuse(
        "unexpected-word",
        this.p.loc,
        "'init' does not say which object it is for (OpenMP 5.2, section 14.1.2)",
        "write init(targetsync: object)",
      );
    return synchronised;
  }

  private undeclared(loc: Loc): never {
    return this.refuse(
      "undeclared-interop",
      loc,
      "'interop' needs the declarations of <omp.h>",
      "include <omp.h>",
    );
  }
}
