/** Primary expressions with a syntax of their own: `_Generic` and the builtins that take types (C11 6.5.1.1, GNU). */
import type { CType, Expr, OffsetPath } from "../tree/ast.ts";
import { compatible, decay, INT, SIZE, unqualified } from "../tree/types.ts";
import { ParserBase } from "./parser-base.ts";

export abstract class BuiltinParser extends ParserBase {
  /** Whether the token `ahead` positions on begins a type name. */
  protected abstract startsType(ahead: number): boolean;
  protected abstract typeName(): CType;
  abstract expression(): Expr;
  abstract assignment(): Expr;
  protected abstract constant(expr: Expr): bigint | undefined;

  protected keywordPrimary(): Expr {
    const { token } = this;
    switch (token.text) {
      case "_Generic":
        return this.generic();
      case "__builtin_va_arg":
      case "__builtin_offsetof":
      case "__builtin_types_compatible_p":
      case "__builtin_choose_expr":
      case "__builtin_convertvector":
        return this.builtin();
      default:
        return this.fail("syntax", `expected an expression, found \`${token.text}\``, {
          remedy: this.startsType(0)
            ? "a declaration cannot stand here; move it before the statement"
            : undefined,
        });
    }
  }

  /** generic = "_Generic" "(" assignment ("," (type-name | "default") ":" assignment)+ ")" */
  private generic(): Expr {
    const { loc } = this.next();
    this.expect("(", "after `_Generic`");
    const control = this.assignment();
    const type = decay(control.type);
    const assocs: { readonly of?: CType; readonly value: Expr }[] = [];
    const { defines } = this.collectDefines(() => {
      while (this.accept(",")) {
        const of = this.accept("default") ? undefined : this.typeName();
        this.expect(":", "after the type of a generic association");
        assocs.push({ ...(of && { of }), value: this.assignment() });
      }
    });
    this.expect(")", "to close `_Generic`");
    const span = this.spanFrom(loc);
    let chosen = assocs.findIndex((assoc) => assoc.of && compatible(assoc.of, type));
    if (chosen < 0) chosen = assocs.findIndex((assoc) => !assoc.of);
    const value = assocs[chosen]?.value;
    if (!value)
      this.error(
        "no-generic-match",
        "no association of `_Generic` fits the type of its operand",
        control.span,
      );
    return {
      kind: "generic",
      control,
      assocs,
      chosen,
      type: value?.type ?? INT,
      span,
      ...(defines.length > 0 && { defines }),
    };
  }

  /**
   * builtin = ("__builtin_va_arg" | "__builtin_convertvector") "(" assignment "," type-name ")"
   *         | "__builtin_offsetof" "(" type-name "," offset-path ")"
   *         | "__builtin_types_compatible_p" "(" type-name "," type-name ")"
   *         | "__builtin_choose_expr" "(" assignment "," assignment "," assignment ")"
   */
  private builtin(): Expr {
    const name = this.next();
    this.expect("(", `after \`${name.text}\``);
    const args: (Expr | CType | OffsetPath)[] = [];
    const { value: type, defines } = this.collectDefines((): CType => {
      switch (name.text) {
        case "__builtin_convertvector":
        case "__builtin_va_arg": {
          args.push(this.assignment());
          this.expect(",", "between the arguments");
          const of = this.typeName();
          args.push(of);
          return unqualified(of);
        }
        case "__builtin_offsetof":
          args.push(this.typeName());
          this.expect(",", "between the arguments");
          args.push(this.offsetPath());
          return SIZE;
        case "__builtin_types_compatible_p":
          args.push(this.typeName());
          this.expect(",", "between the arguments");
          args.push(this.typeName());
          return INT;
        default: {
          const test = this.assignment();
          this.expect(",", "between the arguments");
          const then = this.assignment();
          this.expect(",", "between the arguments");
          const otherwise = this.assignment();
          args.push(test, then, otherwise);
          return this.constant(test) === 0n ? otherwise.type : then.type;
        }
      }
    });
    this.expect(")", `to close \`${name.text}\``);
    const span = this.spanFrom(name.loc);
    return { kind: "builtin", name: name.text, args, type, span, ...(defines.length > 0 && { defines }) };
  }

  /** offset-path = name ("." name | "[" expression "]")* */
  private offsetPath(): OffsetPath {
    const parts: (string | Expr)[] = [this.expectIdent("a member name").text];
    for (;;) {
      if (this.accept(".")) parts.push(this.expectIdent("a member name").text);
      else if (this.accept("[")) {
        parts.push(this.expression());
        this.expect("]", "to close the subscript");
      } else return { kind: "offset-path", parts };
    }
  }
}
