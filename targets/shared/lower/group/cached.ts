/**
 * Sections named in `cache` directives: a section that is the same throughout the region, and only read there, is
 * copied into group memory by each group before it starts.
 *
 *     cache(w[0:3])  ... w[k] ...      =>      copy[t] = w[t]; barrier; ... k < 3 ? copy[k] : w[k] ...
 *
 * A remark says why any other section is not copied.
 */

import { type Uses, usesOf } from "../../../../core/ir/analysis/access.ts";
import { hasEffects } from "../../../../core/ir/analysis/purity.ts";
import type { DeviceFunction } from "../../../../core/ir/analysis/routines.ts";
import { asNode, type DataItem, type Spmd } from "../../../../core/ir/model/ir.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import {
  canonical,
  evaluateInteger,
  isScalar,
  LONG,
  mapStmt,
  sizeOf,
  ULONG,
  unqualified,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  cond,
  exprStmt,
  freshSymbol,
  ident,
  index,
  intLit,
  stripImplicit,
} from "../../../../core/lang/tree/build.ts";
import { arrayOf } from "../../../../core/lang/tree/types.ts";
import { apart, type Copy } from "./array-privatisation.ts";

interface Cached {
  readonly body: Stmt;
  readonly copies: readonly Copy[];
  readonly remarks: readonly Diagnostic[];
}

interface CacheInput {
  readonly spmd: Spmd;
  readonly args: readonly Argument[];
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Bytes of group memory for copies; 0: the device has no programmer-managed memory. */
  readonly capacity: number;
}

interface Section {
  readonly sym: Symbol;
  readonly first: number;
  readonly elements: number;
}

export function cached(input: CacheInput): Cached {
  let { body } = input.spmd;
  let left = input.capacity;
  const uses = usesOf(body);
  const copies: Copy[] = [];
  const remarks: Diagnostic[] = [];
  const done = new Map<Symbol, Section>();
  for (const item of cachedItems(body)) {
    const known = done.get(item.sym);
    const section = sectionOf(item);
    const same = known && "elements" in section && isWithin(section, known);
    const obstacle = same
      ? undefined
      : known
        ? "another section of it is there already"
        : "why" in section
          ? section.why
          : obstacleTo(section, input, uses, left);
    if (obstacle !== undefined || "why" in section) {
      remarks.push(remark(item, obstacle ?? ""));
      continue;
    }
    if (same) continue;
    const copy = freshSymbol(
      `${item.sym.name}_of_group`,
      arrayOf(unqualified(elementOf(item.sym)), section.elements),
    );
    left -= bytesOf(section);
    done.set(item.sym, section);
    copies.push(copyOf(section, copy));
    body = redirected(body, section, copy);
  }
  return { body, copies, remarks };
}

function remark({ written, loc }: DataItem, why: string): Diagnostic {
  return {
    severity: "note",
    code: "not-cached",
    loc,
    message: `'${written}' gets no copy in group memory: ${why}`,
  };
}

function cachedItems(body: Stmt): readonly DataItem[] {
  const found: DataItem[] = [];
  walkStmt(body, {
    stmt(s) {
      found.push(...(asNode(s, "cache")?.items ?? []));
    },
  });
  return found;
}

// ---------------------------------------------------------------- which sections

function elementOf(sym: Symbol) {
  const type = canonical(sym.type);
  return type.kind === "pointer" ? canonical(type.to) : type.kind === "array" ? canonical(type.of) : type;
}

const bytesOf = ({ sym, elements }: Section): number => elements * (sizeOf(elementOf(sym)) ?? 0);

const isWithin = (a: Section, b: Section): boolean =>
  a.first >= b.first && a.first + a.elements <= b.first + b.elements;

/** The section, if it is the same in every iteration and constant. */
function sectionOf({ sym, object, section }: DataItem): Section | { readonly why: string } {
  const type = canonical(sym.type);
  if (object.kind !== "ident" || (type.kind !== "array" && type.kind !== "pointer"))
    return { why: "only sections of arrays and pointers are copied" };
  if (!isScalar(elementOf(sym)) || canonical(elementOf(sym)).kind === "pointer" || section.length > 1)
    return { why: "only sections of one dimension are copied, of numbers" };
  const declared = type.kind === "array" && type.size !== undefined ? Number(type.size) : undefined;
  const [dim] = section;
  const first = dim?.start ? evaluateInteger(dim.start) : 0n;
  const length = dim?.length ? evaluateInteger(dim.length) : declared;
  if (first === undefined)
    return {
      why: "the section moves with the loop, and lanes load what they need through the device's caches",
    };
  if (length === undefined) return { why: "its size is not known when the program is built" };
  const elements = Number(length);
  if (elements <= 0 || (declared !== undefined && Number(first) + elements > declared))
    return { why: "the section does not lie in the array" };
  return { sym, first: Number(first), elements };
}

function obstacleTo(
  section: Section,
  { spmd, args, functions, capacity }: CacheInput,
  uses: Uses,
  left: number,
): string | undefined {
  const { sym } = section;
  const argument = args.find((a) => a.sym === sym && a.how === "buffer");
  const use = uses.of.get(sym);
  if (spmd.serial) return "one item runs the region";
  if (capacity === 0) return "the device has no memory of groups that programs manage";
  if (!argument || !use) return "the region does not use it";
  if (use.elementsWritten || use.written) return `the region changes '${sym.name}'`;
  if (use.addressTaken || !onlySubscripted(spmd.body, sym))
    return `'${sym.name}' is used without a subscript`;
  if ([...functions.values()].some((f) => f.globals.has(sym))) return `functions use '${sym.name}'`;
  const writer = args.find(
    (a) => a !== argument && uses.of.get(a.sym)?.elementsWritten && !apart(argument, a),
  );
  if (writer) return `'${writer.sym.name}', which the region changes, may lead to the same memory`;
  if (bytesOf(section) > left)
    return `${bytesOf(section)} bytes are more than the ${left} that are left for copies`;
  return undefined;
}

/** All uses are `sym[e]`, with a subscript that may be evaluated twice. */
function onlySubscripted(body: Stmt, sym: Symbol): boolean {
  let [all, subscripted] = [0, 0];
  walkStmt(body, {
    stmt: (s) => (asNode(s, "cache") ? false : undefined),
    expr(e) {
      if (e.kind === "ident" && e.sym === sym) all++;
      if (isElement(e, sym) && e.kind === "index" && !hasEffects(e.index)) subscripted++;
      if (e.kind === "unary" && e.op === "&" && isElement(stripImplicit(e.arg), sym)) all++;
    },
  });
  return all === subscripted;
}

function isElement(e: Expr, sym: Symbol): boolean {
  if (e.kind !== "index") return false;
  const base = stripImplicit(e.base);
  return base.kind === "ident" && base.sym === sym;
}

// ---------------------------------------------------------------- the copies

function copyOf({ sym, first, elements }: Section, copy: Symbol): Copy {
  return {
    sym: copy,
    elements,
    fill: (t) =>
      exprStmt(assign(index(ident(copy), t), index(ident(sym), binary("+", t, intLit(first, LONG))))),
  };
}

function redirected(body: Stmt, { sym, first, elements }: Section, copy: Symbol): Stmt {
  return mapStmt(body, {
    expr(e) {
      if (!isElement(e, sym) || e.kind !== "index") return e;
      const at = binary("-", cast(LONG, e.index), intLit(first, LONG));
      const known = evaluateInteger(e.index);
      const inside = index(ident(copy), at);
      if (known !== undefined) return known >= BigInt(first) && known < BigInt(first + elements) ? inside : e;
      return cond(binary("<", cast(ULONG, at), intLit(elements, ULONG)), inside, e);
    },
  });
}
