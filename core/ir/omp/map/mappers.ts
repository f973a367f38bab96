/**
 * Expands list items of `map`, `to` and `from`: for each value of their iterators (OpenMP 5.2, section 3.2.6), and by
 * the mapper of their type (section 5.8.8).
 *
 *     #pragma omp declare mapper(struct vec v) map(v, v.data[0:v.n])
 *
 *     map(to: s)                                  =>    map(to: s, s.data[0:s.n])
 *     map(iterator(k = 0:2), to: rows[k][0:n])    =>    map(to: rows[0][0:n], rows[1][0:n])
 */
import { canonical, compatibleUnqualified, evaluateInteger, walkStmt } from "../../../lang/index.ts";
import type { CType, Pragma, Symbol, TranslationUnit } from "../../../lang/tree/ast.ts";
import { ident, intLit } from "../../../lang/tree/build.ts";
import type { Clause, Directive, ListIterator, VarRef } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import { elementsOf, elementType, type Replacements, withReplaced } from "./listed.ts";
import { anyElement, repeated } from "./repeated.ts";

export interface MapperDeclaration {
  /** `default` if it has no name. */
  readonly name: string;
  readonly type: CType;
  readonly sym: Symbol;
  readonly clauses: readonly Clause[];
}

/** Limit per clause, since kernels and launches handle each item separately. */
const most = 256;

const moving: readonly string[] = ["map", "to", "from"];

export const isMapper = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "mapper"].every((word, i) => tokens[i]?.text === word);

export class Mappers {
  private readonly all: MapperDeclaration[] = [];
  private readonly reading: Reading;

  /** `parse`: returns a declaration, or undefined after reporting an error. */
  constructor(
    reading: Reading,
    { externals }: TranslationUnit,
    parse: (pragma: Pragma) => MapperDeclaration | undefined,
  ) {
    this.reading = reading;
    const read = (pragma: Pragma): void => {
      const found = isMapper(pragma) ? parse(pragma) : undefined;
      if (found) this.all.push(found);
    };
    for (const e of externals) {
      if (e.kind === "pragma") read(e);
      if (e.kind !== "function") continue;
      for (const pragma of e.pragmas ?? []) read(pragma);
      walkStmt(e.body, {
        stmt: (s) => {
          for (const pragma of s.pragmas ?? []) read(pragma);
          return true;
        },
        expr: () => false,
      });
    }
  }

  /** The directive with all its items expanded. */
  in(d: Directive): Directive {
    if (!d.clauses.some((c) => moving.includes(c.name) && this.concerns(c))) return d;
    return { ...d, clauses: d.clauses.flatMap((c) => (moving.includes(c.name) ? this.clause(c) : [c])) };
  }

  /** Variables that no clause names are mapped by the default mapper of their type: section 5.8.7. */
  hasDefault(type: CType): boolean {
    return this.of(elementTypeOf(type), "default") !== undefined;
  }

  /** The clauses equivalent to the default mappers of such variables. */
  implicit(syms: readonly Symbol[], d: Directive): readonly Clause[] {
    if (syms.length === 0) return [];
    const vars = syms.map(
      (sym): VarRef => ({ sym, object: ident(sym), section: [], written: sym.name, loc: d.loc }),
    );
    return this.clause({ name: "map", loc: d.loc, vars, modifiers: [], exprs: [], names: ["tofrom"] });
  }

  private concerns(c: Clause): boolean {
    if (c.mapper !== undefined || c.iterators !== undefined) return true;
    return this.all.length > 0 && c.vars.some((v) => this.of(elementType(v), "default"));
  }

  private of(type: CType | undefined, name: string): MapperDeclaration | undefined {
    if (!type || canonical(type).kind !== "record") return undefined;
    return this.all.findLast((one) => one.name === name && compatibleUnqualified(one.type, type));
  }

  private clause(c: Clause): readonly Clause[] {
    const { iterators: _, mapper, ...plain } = c;
    return this.listed(c).flatMap((v) => this.item({ ...plain, vars: [v] }, v, mapper ?? "default"));
  }

  /** The items of a clause, each for all values of the clause's iterators. */
  private listed({ iterators, vars }: Clause): readonly VarRef[] {
    if (!iterators) return vars;
    const values = this.values(iterators);
    if (!values) return vars.map((v) => repeated(v, iterators));
    return values.flatMap((by) => vars.map((v) => (by.size > 0 ? withReplaced(v, by) : v)));
  }

  /** All combinations of the iterators' values, the last iterator fastest; undefined if they are unknown or too many. */
  private values(iterators: readonly ListIterator[]): readonly Replacements[] | undefined {
    let found: Replacements[] = [new Map()];
    for (const { sym, first, end, step } of iterators) {
      const [from, to, by] = [first, end, step ?? intLit(1)].map(evaluateInteger);
      const count =
        from === undefined || to === undefined || !by
          ? undefined
          : Math.max(0, Math.ceil((Number(to) - Number(from)) / Number(by)));
      if (count === undefined || count * found.length > most) return undefined;
      const values = Array.from({ length: count }, (_, i) => (from as bigint) + BigInt(i) * (by as bigint));
      found = found.flatMap((known) => values.map((value) => new Map([...known, [sym, intLit(value)]])));
    }
    return found;
  }

  /** `c`: the clause reduced to this item. */
  private item(c: Clause, v: VarRef, name: string): readonly Clause[] {
    const type = elementType(v);
    const mapper = this.of(type, name);
    if (!mapper) {
      if (name !== "default")
        this.reading.report(
          "unknown-mapper",
          v.loc,
          `no 'declare mapper' named '${name}' says how '${v.written}' is mapped`,
          `write declare mapper(${name}: type variable) map(...) for its type`,
        );
      return [c];
    }
    const several = anyElement(v);
    const elements = v.each ? undefined : elementsOf(v, most);
    if (!elements && !several) {
      this.reading.report(
        "mapped-elements",
        v.loc,
        `'${v.written}' has elements with a mapper, and does not say how many there are`,
        "write its length",
      );
      return [];
    }
    const mapped = mapper.clauses.flatMap((own) => this.listed(own).map((part) => ({ own, part })));
    return mapped.flatMap(({ own, part }) => {
      const as = together(c, own);
      if (!as) return [];
      // The variable itself is mapped as named, without applying a mapper again.
      if (part.object.kind === "ident" && part.section.length === 0) return [{ ...as, vars: [v] }];
      const places = elements?.map((element) => ({ element, each: [] })) ?? (several ? [several] : []);
      return places.flatMap(({ element, each }) => {
        const named = { ...withReplaced(part, new Map([[mapper.sym, element]])), loc: v.loc };
        const all = [...each, ...(named.each ?? [])];
        const replaced = all.length > 0 ? { ...named, each: all } : named;
        return this.item({ ...as, vars: [replaced] }, replaced, own.mapper ?? "default");
      });
    });
  }
}

function elementTypeOf(type: CType): CType {
  const seen = canonical(type);
  return seen.kind === "array" ? elementTypeOf(seen.of) : type;
}

/** Combines the map types of a clause and of the mapper's own clause: table 5.3. */
function together(c: Clause, own: Clause): Clause | undefined {
  const mapped = own.names[0] ?? "tofrom";
  const into = mapped === "to" || mapped === "tofrom";
  const out = mapped === "from" || mapped === "tofrom";
  if (c.name === "to") return into ? c : undefined;
  if (c.name === "from") return out ? c : undefined;
  const modifiers = [...new Set([...c.modifiers, ...own.modifiers])];
  const requested = c.names[0];
  const mappedAs = (name: string): Clause => ({ ...c, modifiers, names: [name], byMapper: true });
  if (requested === "release" || requested === "delete" || requested === "alloc" || requested === "storage")
    return c;
  if (requested === undefined || requested === "tofrom") return mappedAs(mapped);
  if (requested === "to") return mappedAs(into ? "to" : "alloc");
  return mappedAs(out ? "from" : "alloc");
}
