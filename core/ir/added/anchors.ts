/** Finds the anchors that additions name in a source: functions, their `for` loops, their compute constructs. */
import { mapChildren, type Parsed } from "../../lang/index.ts";
import type { DeclStmt, External, FunctionDef, Loc, Pragma, Stmt } from "../../lang/tree/ast.ts";
import { type Addition, noAnchor, type Refusal } from "./model.ts";
import { startsWork } from "./words.ts";

/** A function, or a statement in one. */
export interface Found {
  /** Location of its first token. */
  readonly start: Loc;
  readonly pragmas: readonly Pragma[];
  /** For a region: the directive of the construct. */
  readonly construct?: Pragma;
  readonly stmt?: Stmt;
  /** Enclosing statements, outermost first. */
  readonly around: readonly Stmt[];
}

export class Anchors {
  readonly #externals: readonly External[];
  readonly #file: string;
  readonly #bodies = new Map<FunctionDef, Body>();

  /** `file`: its name in messages. */
  constructor({ unit }: Parsed, file: string) {
    this.#externals = unit.externals;
    this.#file = file;
  }

  find(addition: Addition): Found | Refusal {
    const { anchor } = addition;
    const def = this.#externals.find((e) => e.kind === "function" && e.sym.name === anchor.function);
    if (anchor.of === "function") {
      const named = def ?? this.#declaration(anchor.function);
      if (named) return { start: named.span.start, pragmas: [], around: [] };
    }
    if (def?.kind !== "function")
      return noAnchor(
        addition,
        `${this.#file} defines no function ${anchor.function}`,
        "name another function",
      );
    const body = this.#bodyOf(def);
    const list: readonly Found[] = anchor.of === "loop" ? body.loops : body.regions;
    const found = anchor.number === undefined && list.length === 1 ? list[0] : list[(anchor.number ?? 0) - 1];
    if (found) return found;
    const what = anchor.of === "loop" ? "'for' loop" : "compute construct";
    const many = list.length === 1 ? `1 ${what}` : `${list.length || "no"} ${what}s`;
    const missing =
      anchor.number === undefined || list.length === 0 ? "" : `, and no number ${anchor.number}`;
    return noAnchor(
      addition,
      `${anchor.function} of ${this.#file} has ${many}${missing}`,
      list.length === 0
        ? "name another function"
        : `say by a number which ${anchor.of} is meant, counted from 1 in the order of the source`,
    );
  }

  #bodyOf(def: FunctionDef): Body {
    const body = this.#bodies.get(def) ?? new Body(def);
    this.#bodies.set(def, body);
    return body;
  }

  #declaration(name: string): DeclStmt | undefined {
    for (const e of this.#externals)
      if (e.kind === "decl" && e.decls.some(({ sym }) => sym.name === name && sym.kind === "function"))
        return e;
    return undefined;
  }
}

class Body {
  readonly loops: Found[] = [];
  readonly regions: Found[] = [];

  constructor({ body }: FunctionDef) {
    this.#visit(body, []);
  }

  #visit(stmt: Stmt, around: readonly Stmt[]): void {
    const { pragmas = [], span } = stmt;
    const found: Found = { start: span.start, pragmas, stmt, around };
    if (stmt.kind === "for") this.loops.push(found);
    for (const construct of pragmas.filter(startsWork)) this.regions.push({ ...found, construct });
    mapChildren(stmt, (child) => {
      this.#visit(child, [...around, stmt]);
      return child;
    });
  }
}
