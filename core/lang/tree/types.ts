/** C types: constants, constructors, predicates, compatibility. Sizes are in layout.ts. */
import type {
  ArrayType,
  CType,
  Expr,
  Field,
  FloatKind,
  FunctionType,
  IntKind,
  Quals,
  RecordDecl,
} from "./ast.ts";

export const VOID: CType = { kind: "void" };
const INTS = new Map<IntKind, CType>();
const FLOATS = new Map<FloatKind, CType>();
const COMPLEXES = new Map<FloatKind, CType>();

function shared<K, T>(table: Map<K, T>, key: K, make: () => T): T {
  let value = table.get(key);
  if (value === undefined) {
    value = make();
    table.set(key, value);
  }
  return value;
}

/** The unqualified integer type; the same object every time. */
export const intType = (name: IntKind): CType => shared(INTS, name, () => ({ kind: "int", name }));
export const floatType = (name: FloatKind): CType & { readonly kind: "float" } =>
  shared(FLOATS, name, () => ({ kind: "float", name })) as CType & { readonly kind: "float" };
export const complexOf = (name: FloatKind): CType =>
  shared(COMPLEXES, name, () => ({ kind: "complex", name }));

export const BOOL = intType("bool");
export const CHAR = intType("char");
export const UCHAR = intType("uchar");
export const SHORT = intType("short");
export const USHORT = intType("ushort");
export const INT = intType("int");
export const UINT = intType("uint");
export const LONG = intType("long");
export const ULONG = intType("ulong");
export const LLONG = intType("llong");
export const ULLONG = intType("ullong");
export const FLOAT = floatType("float");
export const DOUBLE = floatType("double");
export const LDOUBLE = floatType("ldouble");
export const COMPLEX = complexOf("double");
/** `size_t` and `ptrdiff_t` of LP64. */
export const SIZE = ULONG;
export const PTRDIFF = LONG;

export function pointerTo(to: CType, quals?: Quals): CType {
  return quals ? { kind: "pointer", to, quals } : { kind: "pointer", to };
}

export function arrayOf(of: CType, size?: ArrayType["size"], sizeExpr?: Expr): ArrayType {
  return { kind: "array", of, ...(size !== undefined && { size }), ...(sizeExpr && { sizeExpr }) };
}

export const CHAR_POINTER = pointerTo(CHAR);
export const VOID_POINTER = pointerTo(VOID);

// ---------------------------------------------------------------- qualifiers

export function mergeQuals(a: Quals | undefined, b: Quals | undefined): Quals | undefined {
  if (!a) return b;
  if (!b) return a;
  return { ...a, ...b };
}

/** With `quals` added; those of an array are its elements' (C11 6.7.3p9). */
export function qualify(type: CType, quals: Quals | undefined): CType {
  if (!quals || Object.keys(quals).length === 0) return type;
  if (type.kind === "array") return { ...type, of: qualify(type.of, quals) };
  return { ...type, quals: { ...type.quals, ...quals } };
}

/** Without its own qualifiers, spelling kept: `const T` becomes `T`, `T` stays whatever `T` is. */
export function unqualified(type: CType): CType {
  if (type.kind === "typedef" || type.kind === "typeof") {
    const seen = canonical(type);
    if (!seen.quals) return type;
    const { quals: own, ...bare } = type;
    return own && !canonical(bare).quals ? bare : unqualified(seen);
  }
  if (!type.quals) return type;
  if (type.kind === "int") return intType(type.name);
  if (type.kind === "float") return floatType(type.name);
  const { quals: _, ...rest } = type;
  return rest;
}

/** The type behind typedefs and typeof at the top level, qualifiers merged (into an array's elements). */
export function canonical(type: CType): CType {
  let seen = type;
  let quals: Quals | undefined;
  while (seen.kind === "typedef" || seen.kind === "typeof") {
    quals = mergeQuals(quals, seen.quals);
    seen = seen.kind === "typedef" ? seen.sym.type : seen.is;
  }
  if (!quals) return seen;
  return qualify(seen, quals);
}

// ---------------------------------------------------------------- predicates, through typedefs

export const isVoid = (type: CType): boolean => canonical(type).kind === "void";
export const isPointer = (type: CType): boolean => canonical(type).kind === "pointer";
export const isArray = (type: CType): boolean => canonical(type).kind === "array";
export const isFunction = (type: CType): boolean => canonical(type).kind === "function";

export function isInteger(type: CType): boolean {
  const { kind } = canonical(type);
  return kind === "int" || kind === "enum";
}

/** Integers, reals and complex numbers. */
export function isArithmetic(type: CType): boolean {
  const { kind } = canonical(type);
  return kind === "int" || kind === "enum" || kind === "float" || kind === "complex";
}

export function isScalar(type: CType): boolean {
  const { kind } = canonical(type);
  return kind === "int" || kind === "enum" || kind === "float" || kind === "complex" || kind === "pointer";
}

/** Type of the elements of an array, of what a pointer points to, or of a vector. */
export function elementType(type: CType): CType | undefined {
  const seen = canonical(type);
  if (seen.kind === "pointer") return seen.to;
  return seen.kind === "array" || seen.kind === "vector" ? seen.of : undefined;
}

/** Variable-length arrays, arrays of them, and pointers to them (C11 6.7.6). */
export function isVariablyModified(type: CType): boolean {
  const seen = canonical(type);
  if (seen.kind === "pointer") return isVariablyModified(seen.to);
  return seen.kind === "array" && (typeof seen.size === "object" || isVariablyModified(seen.of));
}

/** Functions, pointers to them and arrays of such. */
export function leadsToFunction(type: CType): boolean {
  const seen = canonical(type);
  if (seen.kind === "pointer") return leadsToFunction(seen.to);
  return seen.kind === "array" ? leadsToFunction(seen.of) : seen.kind === "function";
}

/** A pointer whose target is a function. */
export function isFunctionPointer(type: CType): boolean {
  const seen = canonical(type);
  return seen.kind === "pointer" && canonical(seen.to).kind === "function";
}

/** A pointer whose target is memory. */
export const isDataPointer = (type: CType): boolean => isPointer(type) && !isFunctionPointer(type);

/** The function type of a function or of a pointer to one. */
export function calleeType(type: CType): FunctionType | undefined {
  let seen = canonical(type);
  if (seen.kind === "pointer") seen = canonical(seen.to);
  return seen.kind === "function" ? seen : undefined;
}

/** What an expression of this type becomes as a value: arrays and functions to pointers, unqualified. */
export function decay(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind === "array") return pointerTo(seen.of);
  if (seen.kind === "function") return pointerTo(type);
  return unqualified(type);
}

/** A member by name, looking into anonymous structs and unions. */
export function findField(decl: RecordDecl, name: string): Field | undefined {
  for (const field of decl.fields ?? []) {
    if (field.name === name) return field;
    if (field.name === undefined) {
      const inner = canonical(field.type);
      const found = inner.kind === "record" ? findField(inner.decl, name) : undefined;
      if (found) return { ...found, type: qualify(found.type, inner.quals) };
    }
  }
  return undefined;
}

/** The record that directly contains a member: the one accessed, or an unnamed one in it. */
export function memberRecord({
  base,
  arrow,
  name,
}: Expr & { readonly kind: "member" }): RecordDecl | undefined {
  const object = arrow ? elementType(base.type) : base.type;
  return object && recordWith(object, name);
}

function recordWith(type: CType, name: string): RecordDecl | undefined {
  const record = canonical(type);
  if (record.kind !== "record") return undefined;
  for (const field of record.decl.fields ?? []) {
    if (field.name === name) return record.decl;
    const found = field.name === undefined ? recordWith(field.type, name) : undefined;
    if (found) return found;
  }
  return undefined;
}

// ---------------------------------------------------------------- compatibility

const sameQuals = (a: Quals | undefined, b: Quals | undefined): boolean =>
  a?.const === b?.const &&
  a?.volatile === b?.volatile &&
  a?.restrict === b?.restrict &&
  a?.atomic === b?.atomic;

/** C11 6.2.7, qualifiers included. */
export function compatible(left: CType, right: CType): boolean {
  if (left === right) return true;
  const a = canonical(left);
  const b = canonical(right);
  return (a === b || sameQuals(a.quals, b.quals)) && sameShape(a, b);
}

/** Compatible when the outermost qualifiers are ignored. */
export function compatibleUnqualified(left: CType, right: CType): boolean {
  return left === right || sameShape(canonical(left), canonical(right));
}

function sameShape(a: CType, b: CType): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "void":
      return b.kind === "void";
    case "int":
      if (b.kind === "enum") return sameShape(b, a);
      return b.kind === "int" && a.name === b.name;
    case "float":
    case "complex":
      return b.kind === a.kind && a.name === b.name;
    case "vector":
      return b.kind === "vector" && a.bytes === b.bytes && compatibleUnqualified(a.of, b.of);
    case "pointer":
      return b.kind === "pointer" && compatible(a.to, b.to);
    case "array":
      if (b.kind !== "array" || !compatible(a.of, b.of)) return false;
      return typeof a.size !== "number" || typeof b.size !== "number" || a.size === b.size;
    case "function":
      return b.kind === "function" && sameSignature(a, b);
    case "record":
      return b.kind === "record" && a.decl === b.decl;
    case "enum":
      if (b.kind === "enum") return a.decl === b.decl;
      return b.kind === "int" && underlying(a) === intType(b.name);
    default:
      return false;
  }
}

function sameSignature(a: FunctionType, b: FunctionType): boolean {
  if (!compatible(a.ret, b.ret)) return false;
  if (a.unprototyped || b.unprototyped) return true;
  if (a.variadic !== b.variadic || a.params.length !== b.params.length) return false;
  return a.params.every((param, i) => compatibleUnqualified(param.type, b.params[i]?.type ?? VOID));
}

/** The integer type that represents an enum: the one it names, or, as gcc chooses, the first that holds all values. */
export function underlying(type: CType & { readonly kind: "enum" }): CType {
  if (type.decl.fixed) return canonical(type.decl.fixed);
  const items = type.decl.items ?? [];
  const within = (low: bigint, high: bigint): boolean =>
    items.every(({ value }) => value >= low && value <= high);
  if (within(0n, (1n << 32n) - 1n)) return UINT;
  if (within(-(1n << 31n), (1n << 31n) - 1n)) return INT;
  return items.some(({ value }) => value < 0n) ? LONG : ULONG;
}

/** The composite type of two declarations of one entity (C11 6.2.7p3). */
export function compositeType(older: CType, newer: CType): CType {
  const a = canonical(older);
  const b = canonical(newer);
  if (a.kind === "array" && b.kind === "array") {
    return b.size === undefined && a.size !== undefined ? older : newer;
  }
  if (a.kind === "function" && b.kind === "function")
    return b.unprototyped && !a.unprototyped ? older : newer;
  return newer;
}
