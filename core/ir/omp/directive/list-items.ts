/** Arguments of map, motion and mapper clauses: list items with their modifiers, iterators and shapes. */
import { ExprParser, INT, makeSymbol, spellTokens } from "../../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../../lang/tree/ast.ts";
import { stripImplicit } from "../../../lang/tree/build.ts";
import { rootOf } from "../../analysis/access.ts";
import type { Clause, ListIterator, VarRef } from "../../directives/directive.ts";
import { DirectiveParser } from "../../directives/parser.ts";
import { asElement, asRows } from "../map/places.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export const mapTypes = ["to", "from", "tofrom", "alloc", "release", "delete", "storage"];

const mapModifiers = ["always", "close", "present"];

export abstract class ListItemParser extends DirectiveParser {
  protected override readonly takesStrides = true;

  /** The variable of the mapper that is read: modifiers of its clauses declare more names beside it. */
  protected ofMapper: readonly Symbol[] = [];

  /** Refuses what a version of OpenMP adds that arc reads only in part. */
  protected newer(what: string, section: string, remedy: string): never {
    return this.refuse(
      "unsupported-clause",
      this.p.loc,
      `${what} is not honoured (OpenMP 6.0, section ${section})`,
      remedy,
    );
  }

  protected expects(text: string, remedy: string): void {
    const missing = this.p.expect(text);
    if (missing) this.refuse(missing.code, missing.loc, missing.message, remedy);
  }

  protected conditional(): Expr {
    const found = this.p.parseConditional();
    if ("severity" in found) return this.refuse(found.code, found.loc, found.message, found.remedy);
    return found;
  }

  /** map = [ { modifier [","] } [type] ":" ] list */
  protected mapArguments(): Partial<Clause> {
    const modifiers: string[] = [];
    const names: string[] = [];
    const more: Partial<Writable<Pick<Clause, "mapper" | "iterators">>> = {};
    if (this.mapColon()) {
      while (!this.p.accept(":")) {
        const { loc } = this.p;
        if (this.listModifier(more)) {
          this.p.accept(",");
          continue;
        }
        const word = this.word();
        if (mapModifiers.includes(word)) modifiers.push(word);
        else if (mapTypes.includes(word)) names.push(word);
        else
          this.report(
            "unknown-modifier",
            loc,
            `'${word}' is neither a map type nor a modifier`,
            `write ${mapTypes.slice(0, -1).join(", ")}, before it ${mapModifiers.join(" or ")}`,
          );
        this.p.accept(",");
      }
    } else {
      // Without a map type, everything before the list is a modifier, and a comma separates it from the list.
      while (this.listModifier(more)) this.p.accept(",");
    }
    return { ...more, modifiers, names, vars: this.list(() => this.variable()) };
  }

  /** [ { "present" | mapper(name) | iterator(...) } ":" ] list */
  protected motionArguments(name: string): Partial<Clause> {
    const modifiers: string[] = [];
    const more: Partial<Writable<Pick<Clause, "mapper" | "iterators">>> = {};
    if (!this.mapColon()) return { modifiers, vars: this.list(() => this.shaped()) };
    while (!this.p.accept(":")) {
      const { loc } = this.p;
      if (!this.listModifier(more)) {
        const word = this.word();
        if (word === "present") modifiers.push(word);
        else
          this.report(
            "unknown-modifier",
            loc,
            `'${word}' is not a modifier of '${name}'`,
            "allowed: present, mapper, iterator",
          );
      }
      this.p.accept(",");
    }
    return { ...more, modifiers, vars: this.list(() => this.shaped()) };
  }

  /** Also an lvalue that a `*` begins. */
  protected override variable(): VarRef {
    const from = this.p.position;
    const { loc } = this.p;
    if (!this.p.at("*")) return asElement(super.variable());
    const object = this.p.parseLvalue();
    if ("severity" in object) return this.refuse(object.code, object.loc, object.message, object.remedy);
    const written = spellTokens(this.tokens.slice(from, this.p.position));
    const sym = rootOf(object)?.sym;
    if (sym?.kind !== "var" && sym?.kind !== "param")
      return this.refuse("not-a-variable", loc, `'${written}' is not a variable`, "name a variable");
    return asElement({ sym, object: stripImplicit(object), section: [], written, loc });
  }

  /** variable | "(" { "[" e "]" } pointer ")" { section } */
  private shaped(): VarRef {
    if (!this.p.at("(") || this.p.peek(1)?.text !== "[") return this.variable();
    const from = this.p.position;
    const { loc } = this.p;
    this.p.next();
    const shape: Expr[] = [];
    while (this.p.accept("[")) {
      shape.push(this.expr());
      this.expects("]", "write ([n][m]p)[0:n][0:m]");
    }
    const pointer = this.variable();
    this.expects(")", "write ([n][m]p)[0:n][0:m]");
    const section = this.sections();
    const written = spellTokens(this.tokens.slice(from, this.p.position));
    const object = asRows(pointer.object, shape);
    if (!object || pointer.section.length > 0)
      return this.refuse(
        "not-a-pointer",
        loc,
        `'${pointer.written}' is not a pointer`,
        "leave the shape out",
      );
    if (section.length !== shape.length)
      return this.refuse(
        "section-of-shape",
        loc,
        `'${written}' has not as many sections as its shape has dimensions`,
        "write ([n][m]p)[0:n][0:m]",
      );
    return { ...pointer, object, section, written, loc };
  }

  /** mapper(name), iterator([type] name = first : end [: step], ...) */
  private listModifier(into: Partial<Writable<Pick<Clause, "mapper" | "iterators">>>): boolean {
    const word = this.p.peek()?.text;
    if ((word !== "mapper" && word !== "iterator") || this.p.peek(1)?.text !== "(") return false;
    this.p.next();
    this.p.next();
    if (word === "mapper") into.mapper = this.p.next()?.text ?? "";
    else into.iterators = this.list(() => this.iterator());
    this.closes(word);
    this.declares([...this.ofMapper, ...(into.iterators ?? []).map(({ sym }) => sym)]);
    return true;
  }

  private iterator(): ListIterator {
    const { loc } = this.p;
    const { type, name } = this.declared("=");
    this.expects("=", "write iterator(k = first : end)");
    const first = this.conditional();
    this.expects(":", "write iterator(k = first : end)");
    const end = this.conditional();
    const step = this.p.accept(":") ? this.conditional() : undefined;
    return { sym: makeSymbol(name, "var", type, "block"), first, end, ...(step && { step }), loc };
  }

  /** [type] name, up to the token `end`; `int` if there is no type. */
  protected declared(end: string): { readonly type: CType; readonly name: string } {
    const from = this.p.position;
    while (!this.p.atEnd() && this.p.peek(1)?.text !== end) this.p.next();
    const words = this.tokens.slice(from, this.p.position);
    const name = this.word();
    const found =
      words.length === 0
        ? INT
        : new ExprParser(words, this.pragma.scope, this.pragma.span.end).parseTypeName();
    if ("severity" in found) return this.refuse(found.code, found.loc, found.message, found.remedy);
    return { type: found, name };
  }

  /** Words and parenthesised groups, with or without commas between them, up to a colon. */
  private mapColon(): boolean {
    let depth = 0;
    for (let i = 0; ; i++) {
      const token = this.p.peek(i);
      if (!token) return false;
      if (depth === 0 && token.text === ":") return i > 0;
      if (
        depth === 0 &&
        token.text === "(" &&
        !["mapper", "iterator"].includes(this.p.peek(i - 1)?.text ?? "")
      )
        return false;
      if (token.text === "(") depth++;
      else if (token.text === ")") depth--;
      else if (depth === 0 && token.kind !== "ident" && token.text !== ",") return false;
      if (depth < 0) return false;
    }
  }
}
