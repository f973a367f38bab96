/** Structural equality of two units with nodes, ignoring locations, identities and the user's spelling. */

import type { Program } from "../../../core/ir/model/program.ts";
import type { EnumDecl, RecordDecl, Symbol } from "../../../core/lang/index.ts";

/** Properties for locations and the user's spelling. */
const places = new Set([
  "span",
  "loc",
  "end",
  "id",
  "site",
  "shape",
  "scope",
  "written",
  "definition",
  "sizeExpr",
  "spaced",
]);

/** The first difference of two programs, as a path and the values there; undefined if they are equal. */
export function difference(a: Program, b: Program): string | undefined {
  const comparison = new Comparison();
  try {
    comparison.equal(a.unit.externals, b.unit.externals, "unit");
    comparison.equal([...a.routines.values()], [...b.routines.values()], "routines");
    comparison.equal(a.declares, b.declares, "declares");
    return undefined;
  } catch (problem) {
    if (problem instanceof Differs) return problem.message;
    throw problem;
  }
}

class Differs extends Error {}

type Declared = Symbol | RecordDecl | EnumDecl;

const isDeclared = (value: object): value is Declared =>
  "id" in value && "kind" in value && typeof value.id === "number";

class Comparison {
  private readonly partners = new Map<Declared, Declared>();
  /** Partners that a declaration of the same variable further inside has replaced, innermost last. */
  private readonly hidden: (readonly [Declared, Declared])[] = [];

  equal(a: unknown, b: unknown, path: string): void {
    if (Object.is(a, b)) return;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) this.differ(path, `${a.length} elements`, `${b.length} elements`);
      for (const [i, x] of a.entries()) this.equal(x, b[i], `${path}[${i}]`);
    } else if (isObject(a) && isObject(b)) this.objects(a, b, path);
    else this.differ(path, String(a), String(b));
  }

  private objects(a: object, b: object, path: string): void {
    if (isDeclared(a) && isDeclared(b)) return this.declared(a, b, path);
    const [left, right] = [a, b].map(properties) as [Map<string, unknown>, Map<string, unknown>];
    // A declaration binds the variable it declares, again where passes declare it again.
    if ("sym" in a && "sym" in b && path.includes(".decls["))
      this.bind(a.sym as Symbol, b.sym as Symbol, path);
    const outside = this.hidden.length;
    for (const key of new Set([...left.keys(), ...right.keys()]))
      this.equal(left.get(key), right.get(key), `${path}.${key}`);
    if (left.get("kind") === "compound")
      for (const [sym, partner] of this.hidden.splice(outside).reverse()) this.partners.set(sym, partner);
  }

  private declared(a: Declared, b: Declared, path: string): void {
    const known = this.partners.get(a);
    if (known === undefined) this.bind(a, b, path);
    else if (known !== b) this.differ(path, `the same ${nameOf(a)} as before`, `another ${nameOf(b)}`);
  }

  private bind(a: Declared, b: Declared, path: string): void {
    const before = this.partners.get(a);
    if (before === b) return;
    if (before) this.hidden.push([a, before]);
    this.partners.set(a, b);
    const [x, y] = [nameOf(a), nameOf(b)];
    // Variables whose names clash are spelled anew.
    if (x !== y && !/^_\d+$/.test(y.slice(x.length))) this.differ(path, x, y);
    const [left, right] = [a, b].map(properties) as [Map<string, unknown>, Map<string, unknown>];
    left.delete("name");
    right.delete("name");
    for (const key of new Set([...left.keys(), ...right.keys()]))
      this.equal(left.get(key), right.get(key), `${path}<${x}>.${key}`);
  }

  private differ(path: string, a: string, b: string): never {
    throw new Differs(`${path}: ${a} | ${b}`);
  }
}

const nameOf = (d: Declared): string => ("name" in d ? d.name : (d.tag ?? ""));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The compared properties of an object; empty hints are ignored. */
function properties(value: object): Map<string, unknown> {
  const compared = Object.entries(value).filter(
    ([key, v]) =>
      v !== undefined &&
      !(places.has(key) && !(key === "scope" && "storage" in value)) &&
      !(key === "hints" && Object.keys(v as object).length === 0),
  );
  return new Map(compared);
}
