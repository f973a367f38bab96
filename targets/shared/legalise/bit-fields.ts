/**
 * Bit-fields as shifts and masks of whole members, for languages that have none: records keep the host's layout.
 *
 *     struct { unsigned a : 4; int b : 9; } s;    struct { unsigned arc_bits_a; } s;
 *     s.b += 2;                                   s.arc_bits_a = (s.arc_bits_a & ~0x1ff0u) | (... + 2 & 0x1ffu) << 4;
 */

import { itemAt, lastOf } from "../../../core/checked/access.ts";
import { hasEffects } from "../../../core/ir/analysis/purity.ts";
import {
  build,
  canonical,
  evaluateInteger,
  INT,
  intKind,
  isUnsignedKind,
  layoutOf,
  mapStmt,
  memberRecord,
  NOWHERE,
  qualify,
  type RecordBody,
  sizeOf,
  UCHAR,
  UINT,
  ULONG,
  USHORT,
  unqualified,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Field, Init, RecordDecl, Stmt } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { item, orderedInitialisers, partsOf, zero } from "./initialisers.ts";
import { aligned, portableRecord } from "./record-layout.ts";
import { isRepeatable, statementExpression, type Valued, withChanges } from "./single-evaluation.ts";

const {
  addressOf,
  assign,
  binary,
  cast,
  comma,
  declare,
  deref,
  exprStmt,
  freshSymbol,
  ident,
  intLit,
  unary,
} = build;

type Member = Expr & { readonly kind: "member" };

/** Bits of a storage member: `bits` of them from `low` on hold the field's bits from `from` on. */
interface Part {
  readonly member: Field;
  readonly low: number;
  readonly from: number;
  readonly bits: number;
}

interface Storage {
  readonly body: RecordBody;
  readonly parts: ReadonlyMap<string, readonly Part[]>;
}

// ---------------------------------------------------------------- records

const storages = new WeakMap<RecordDecl, Storage>();

/** The body of a record with whole members for its bit-fields; undefined if it has none. */
export function bitFieldStorage(decl: RecordDecl): RecordBody | undefined {
  return decl.fields?.some((f) => f.bits) ? storageOf(decl).body : undefined;
}

function storageOf(decl: RecordDecl): Storage {
  let known = storages.get(decl);
  if (!known) {
    known = makeStorage(decl);
    storages.set(decl, known);
  }
  return known;
}

/** A member of the new record, and its byte offset. */
interface Placed {
  readonly field: Field;
  readonly at: number;
}

function makeStorage(decl: RecordDecl): Storage {
  const fields = portableRecord(decl)?.fields ?? [];
  const { size, align, offsets } = layoutOf(decl) ?? { size: 0, align: 1, offsets: [] };
  const bitsAt = (k: number) => itemAt(offsets, k);
  const members: Placed[] = [];
  const parts = new Map<string, readonly Part[]>();
  for (let k = 0; k < fields.length; k++) {
    const field = itemAt(fields, k);
    if (!field.bits) {
      members.push({ field, at: bitsAt(k) / 8 });
      continue;
    }
    // The following bit-fields share its bytes; a width of zero keeps the next ones apart.
    let last = k;
    while (!decl.union && fields[last + 1]?.bits && fields[last + 1]?.width !== 0) last++;
    const run = fields
      .slice(k, last + 1)
      .map((f, n) => ({ f, start: bitsAt(k + n), end: bitsAt(k + n) + (f.width ?? 0) }));
    const behind = decl.union || last + 1 >= fields.length ? size : Math.floor(bitsAt(last + 1) / 8);
    const own = words(run, { behind, align });
    members.push(...own);
    for (const { f, start, end } of run)
      if (f.name !== undefined) parts.set(f.name, partsIn(own, start, end));
    k = last;
  }
  const others = (portableRecord(decl)?.attrs ?? []).filter((a) => a.name !== "aligned");
  const like = { ...bareRecord(decl), attrs: others };
  const padded = decl.union ? members.map((m) => m.field) : withPadding(members, like);
  const natural = layoutOf({ ...like, fields: padded });
  const same = natural?.size === size && natural.align === align;
  return { body: { fields: padded, attrs: same ? others : [...others, aligned(align)] }, parts };
}

/** A record without its members, so that its layout is not known. */
const bareRecord = ({ union, span }: RecordDecl): RecordDecl => ({ kind: "record-decl", id: 0, union, span });

interface Placement {
  readonly f: Field;
  readonly start: number;
  readonly end: number;
}

/** Members of up to four bytes that cover the bits of a run, each at an offset aligned to its size. */
function words(run: readonly Placement[], { behind, align }: { behind: number; align: number }): Placed[] {
  const named = run.filter((r) => r.f.name !== undefined);
  const [first] = named;
  if (!first) return [];
  const from = Math.floor(first.start / 8);
  const needed = Math.ceil(Math.max(...named.map((r) => r.end)) / 8);
  const to = Math.max(needed, Math.min(Math.ceil(needed / 4) * 4, behind));
  const placed: Placed[] = [];
  for (let at = from; at < needed; ) {
    const fits = [4, 2, 1].find((n) => n <= align && at % n === 0 && at + n <= to) ?? 1;
    const name =
      placed.length === 0 ? `arc_bits_${first.f.name}` : `arc_bits_${first.f.name}_${placed.length}`;
    const type = fits === 4 ? UINT : fits === 2 ? USHORT : UCHAR;
    placed.push({ at, field: { name, type, span: first.f.span } });
    at += fits;
  }
  return placed;
}

function partsIn(members: readonly Placed[], start: number, end: number): Part[] {
  return members.flatMap(({ field, at }): Part[] => {
    const low = Math.max(start, at * 8);
    const high = Math.min(end, (at + (sizeOf(field.type) ?? 1)) * 8);
    return low < high ? [{ member: field, low: low - at * 8, from: low - start, bits: high - low }] : [];
  });
}

/** Keeps members at their offsets, with padding for bytes that bit-fields of other types left. */
function withPadding(members: readonly Placed[], like: RecordDecl): Field[] {
  const fields: Field[] = [];
  const lastAt = (last: Field) => (layoutOf({ ...like, fields: [...fields, last] })?.offsets.at(-1) ?? 0) / 8;
  for (const { field, at } of members) {
    if (lastAt(field) < at) {
      const { span } = field;
      const gap = at - lastAt({ name: "end", type: UCHAR, span });
      fields.push({ name: `arc_gap_${fields.length}`, type: { kind: "array", of: UCHAR, size: gap }, span });
    }
    fields.push(field);
  }
  return fields;
}

// ---------------------------------------------------------------- accesses

/** The region without bit-fields; `bitFieldStorage` gives the new bodies of its records. */
export function withoutBitFields(region: LoweredRegion): LoweredRegion {
  return mapBodies(region, (s) => (hasBitFields(s) ? lowered(s) : s));
}

function hasBitFields(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    expr(e) {
      found ||= isBitField(e) || (e.kind === "compound" && holdsBitFields(e.of));
    },
    stmt(child) {
      if (child.kind === "decl") found ||= child.decls.some((d) => d.init && holdsBitFields(d.sym.type));
    },
  });
  return found;
}

const isBitField = (e: Expr): e is Member => e.kind === "member" && e.field?.bits !== undefined;

function holdsBitFields(type: CType): boolean {
  const c = canonical(type);
  if (c.kind === "array") return holdsBitFields(c.of);
  return c.kind === "record" && (c.decl.fields ?? []).some((f) => f.bits || holdsBitFields(f.type));
}

function lowered(s: Stmt): Stmt {
  const changed = withChanges(s, (e, valued) => {
    if (e.kind === "assign" && isBitField(e.left)) return assignment(e, e.left, valued);
    return e.kind === "incdec" && isBitField(e.arg) ? step(e, e.arg, valued) : e;
  });
  const initialised = orderedInitialisers(changed, (_, type) => holdsBitFields(type), storageList);
  return mapStmt(initialised, { expr: (e) => (isBitField(e) ? read(e) : e) });
}

function assignment(e: Expr & { readonly kind: "assign" }, left: Member, valued: Valued): Expr {
  return atPlace(
    left,
    (place) => {
      const op = e.op === "=" ? undefined : (e.op.slice(0, -1) as "+");
      const change = store(place, op ? binary(op, read(place), e.right) : e.right);
      return valued(change, comma(change, read(place)));
    },
    valued,
  );
}

function step(e: Expr & { readonly kind: "incdec" }, arg: Member, valued: Valued): Expr {
  return atPlace(
    arg,
    (place) => {
      const change = (old: Expr) => store(place, binary(e.op === "++" ? "+" : "-", old, intLit(1)));
      const plain = change(read(place));
      if (e.prefix) return valued(plain, comma(plain, read(place)));
      const old = freshSymbol("arc_value", unqualified(read(place).type));
      const before = [declare(old, read(place)), exprStmt(change(ident(old)))];
      return valued(plain, statementExpression(before, ident(old)));
    },
    valued,
  );
}

/** Applies `make` to the field of an object that can be evaluated twice; otherwise through a pointer to it. */
function atPlace(e: Member, make: (place: Member) => Expr, valued: Valued): Expr {
  if (isRepeatable(e.base)) return make(e);
  const at = e.arrow ? e.base : addressOf(e.base);
  const sym = freshSymbol("arc_at", unqualified(at.type));
  const inner = make({ ...e, base: e.arrow ? ident(sym) : deref(ident(sym)) });
  const value = statementExpression([declare(sym, at)], inner);
  return valued(value, value);
}

function partsOfField(e: Member): readonly Part[] {
  const decl = memberRecord(e);
  return (decl && storageOf(decl).parts.get(e.name)) ?? [];
}

const mask = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
const wordFor = (bits: number): CType => (bits > 32 ? ULONG : UINT);
const widthOf = (e: Member): number => e.field?.width ?? 0;

function memberOf(e: Member, { member }: Part): Expr {
  const type = qualify(member.type, canonical(e.type).quals);
  return { ...e, name: member.name as string, field: member, type };
}

function isSigned(type: CType): boolean {
  const kind = intKind(type);
  return kind !== undefined && kind !== "bool" && !isUnsignedKind(kind);
}

/** The promoted type of the field's value. */
function valueType(e: Member): CType {
  const width = widthOf(e);
  if (width > 32) return unqualified(canonical(e.type));
  return width < 32 || isSigned(e.type) ? INT : UINT;
}

function read(e: Member): Expr {
  const width = widthOf(e);
  const word = wordFor(width);
  const size = width > 32 ? 64 : 32;
  const [first, ...more] = partsOfField(e);
  if (!first) return e;
  const bitsOf = (p: Part): Expr => {
    const own = memberOf(e, p);
    const all = sizeOf(own.type) === sizeOf(word) ? own : cast(word, own);
    const down = p.low === 0 ? all : binary(">>", all, intLit(p.low));
    return p.low + p.bits === (sizeOf(p.member.type) ?? 4) * 8
      ? down
      : binary("&", down, intLit(mask(p.bits), word));
  };
  const value = more.reduce(
    (sum, p) => binary("|", sum, binary("<<", bitsOf(p), intLit(p.from))),
    bitsOf(first),
  );
  const type = valueType(e);
  if (!isSigned(e.type)) return cast(type, value);
  const up = width === size ? value : binary("<<", value, intLit(size - width));
  const down = cast(type, up);
  return width === size ? down : binary(">>", down, intLit(size - width));
}

function store(e: Member, value: Expr): Expr {
  const parts = partsOfField(e);
  const put = (p: Part, bits: Expr): Expr => {
    const member = memberOf(e, p);
    const fillsMember = p.bits === (sizeOf(p.member.type) ?? 4) * 8;
    const others = binary("&", member, unary("~", intLit(mask(p.bits) << BigInt(p.low), UINT)));
    return assign(member, fillsMember ? bits : binary("|", others, bits));
  };
  const [first, ...more] = parts;
  if (!first) return e;
  const word = asWord(value, e.type, widthOf(e));
  // The value may depend on the field or change neighbouring bits, so it is computed before any bits are stored.
  if (more.length === 0 && !hasEffects(word)) return put(first, partOf(word, first));
  const sym = freshSymbol("arc_value", word.type);
  const stores = [first, ...more].map((p) => put(p, partOf(ident(sym), p)));
  const last = lastOf(stores);
  return statementExpression([declare(sym, word), ...stores.slice(0, -1).map((e) => exprStmt(e))], last);
}

/** The bits of a value converted to the type of a field. */
function asWord(value: Expr, type: CType, width: number): Expr {
  const plain = stripImplicit(value);
  const exact = intKind(plain.type) !== undefined && intKind(type) !== "bool";
  return cast(wordFor(width), exact ? plain : cast(unqualified(type), plain));
}

/** The bits of `word` that belong to a part, at their position there. */
function partOf(word: Expr, p: Part): Expr {
  const down = p.from === 0 ? word : binary(">>", word, intLit(p.from));
  const own = binary("&", down, intLit(mask(p.bits), word.type));
  const narrow = canonical(own.type) === canonical(UINT) ? own : cast(UINT, own);
  return p.low === 0 ? narrow : binary("<<", narrow, intLit(p.low));
}

// ---------------------------------------------------------------- initialisers

/** Combines values of bit-fields into values of the storage members. */
function storageList(type: CType, inits: readonly (Init | undefined)[]): Init | undefined {
  const c = canonical(type);
  if (c.kind !== "record" || !c.decl.fields?.some((f) => f.bits)) return undefined;
  const { body, parts } = storageOf(c.decl);
  const given = partsOf(type);
  const items = (body.fields ?? []).flatMap((field) => {
    const at = given.findIndex(
      (f) => !f.bits && (f.name === undefined ? f.type === field.type : f.name === field.name),
    );
    if (at >= 0) {
      const init = inits[at];
      if (!init && c.decl.union) return [];
      return [item(init ?? zero(field.type), named(field))];
    }
    const values = given.flatMap((f, k) => {
      const init = inits[k];
      if (init?.kind !== "expr" || f.name === undefined) return [];
      const own = parts.get(f.name)?.filter((p) => p.member.name === field.name) ?? [];
      return own.map((p) => partOf(asWord(init.expr, f.type, f.width ?? 0), p));
    });
    if (values.length === 0) return c.decl.union ? [] : [item(zero(field.type), named(field))];
    return [
      item({ kind: "expr", expr: values.map(folded).reduce((a, b) => binary("|", a, b)) }, named(field)),
    ];
  });
  return { kind: "list", items, span: NOWHERE };
}

const named = (field: Field) =>
  field.name === undefined ? [] : [{ kind: "field" as const, name: field.name }];

function folded(e: Expr): Expr {
  const value = evaluateInteger(e);
  return value === undefined ? e : intLit(value, UINT);
}
