/** Initialisers (C11 6.7.9): parsing, array sizes, conversions of the values. */
import type { CType, Designator, Init, InitItem } from "../tree/ast.ts";
import { assigned } from "../tree/build.ts";
import { canonical, compatibleUnqualified } from "../tree/types.ts";
import { placesOf, textSize } from "./initializer-places.ts";
import { BRACKET } from "./parser-base.ts";
import { SpecifierParser } from "./specifiers.ts";
import { spelledConstant } from "./spelled-constants.ts";

export abstract class InitializerParser extends SpecifierParser {
  /** initializer = assignment | braced-initializer */
  protected initializer(type: CType): { readonly init: Init; readonly type: CType } {
    if (this.at("{")) return this.bracedInit(type);
    const expr = this.assignment();
    const size = textSize(type, expr);
    if (size !== undefined) return { init: { kind: "expr", expr }, type: sized(type, size) };
    return { init: { kind: "expr", expr: assigned(expr, type) }, type };
  }

  protected override bracedInit(type: CType): { readonly init: Init; readonly type: CType } {
    return fitted(this.braces(), type);
  }

  /** braced-initializer = "{" (designators? initializer ("," designators? initializer)* ","?)? "}" */
  private braces(): InitList {
    const { loc } = this.expect("{", "to open the initialiser");
    this.enter(BRACKET);
    const items: InitItem[] = [];
    while (!this.at("}")) {
      const designators = this.designators();
      const init: Init = this.at("{") ? this.braces() : { kind: "expr", expr: this.assignment() };
      items.push({ designators, init });
      if (!this.accept(",")) break;
    }
    this.leave(BRACKET);
    this.expect("}", "to close the initialiser");
    return { kind: "list", items, span: this.spanFrom(loc) };
  }

  /** designators = ("." name | "[" constant ("..." constant)? "]")+ "=" | name ":" | "[" constant "]" */
  private designators(): Designator[] {
    const designators: Designator[] = [];
    if (this.token.kind === "ident" && this.peek(1).text === ":" && this.peek(1).kind === "punct") {
      designators.push({ kind: "field", name: this.next().text });
      this.next();
      return designators;
    }
    for (;;) {
      if (this.at(".")) {
        this.next();
        designators.push({ kind: "field", name: this.expectIdent("a member name").text });
      } else if (this.at("[")) {
        this.next();
        const index = spelledConstant(this.conditional());
        const to = this.accept("...") ? spelledConstant(this.conditional()) : undefined;
        this.expect("]", "to close the designator");
        designators.push({ kind: "index", index, ...(to && { to }) });
      } else break;
    }
    // Old GNU form: `[2] 5` without `=`.
    if (designators.length > 0) this.accept("=");
    return designators;
  }
}

/** `type`, with its size completed if it is an array without one. */
function sized(type: CType, size: number): CType {
  const seen = canonical(type);
  if (seen.kind !== "array" || seen.size !== undefined) return type;
  return { ...seen, size };
}

type InitList = Init & { readonly kind: "list" };

/** Converts each value of `list` to the type of the part that it initialises. */
function fitted(list: InitList, type: CType): { readonly init: Init; readonly type: CType } {
  const { items, count } = placesOf(list.items, type);
  const valued = items.map(({ item, part }) =>
    part ? { ...item, init: valueOf(item.init, part.type) } : item,
  );
  return { init: { ...list, items: valued }, type: sized(type, count) };
}

function valueOf(init: Init, type: CType): Init {
  if (init.kind === "list") return fitted(init, type).init;
  const { expr } = init;
  const isWhole =
    ["array", "record"].includes(canonical(type).kind) || compatibleUnqualified(expr.type, type);
  return { kind: "expr", expr: isWhole ? expr : assigned(expr, type) };
}
