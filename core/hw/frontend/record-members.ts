/**
 * The members of structs that are variables of their own. A bit-field's variable is a struct that holds it alone, and an
 * unnamed union's is the union: both are words in registers. Members of an unnamed struct are those of the struct around
 * it. Bit-fields without a name are padding.
 */
import { canonical, sizeOf } from "../../lang/index.ts";
import type { CType, Field, RecordDecl } from "../../lang/tree/ast.ts";
import { isWord } from "../dfg/shapes.ts";
import { extentsOf, innermost } from "./scope/extents.ts";

export interface Member {
  /** Finds and copies the member. For an unnamed union: the name of the member that has all its bits. */
  readonly name: string;
  /** The type of its variable. */
  readonly type: CType;
  /** The member's names where it is a part of its variable. */
  readonly inside?: readonly string[];
}

const known = new WeakMap<RecordDecl, { readonly all: readonly Member[] | undefined }>();

/** Members of a struct; undefined for other types, and for structs that stay whole. */
export function membersOf(type: CType): readonly Member[] | undefined {
  const canonicalType = canonical(type);
  if (canonicalType.kind !== "record" || canonicalType.decl.union || !canonicalType.decl.fields)
    return undefined;
  const before = known.get(canonicalType.decl);
  if (before) return before.all;
  const isWhole = isWord(canonicalType) && canonicalType.decl.fields.some(({ bits }) => bits !== undefined);
  const all = isWhole ? undefined : together(canonicalType.decl);
  known.set(canonicalType.decl, { all });
  return all;
}

/** Members of a struct, or of the structs in an array. */
export const membersIn = (type: CType): readonly Member[] | undefined =>
  extentsOf(type) && membersOf(innermost(type));

function together({ fields = [] }: RecordDecl): readonly Member[] | undefined {
  const parts = fields.map((field) => madeOf(field));
  const all = parts.flatMap((part) => part ?? []);
  return all.length > 0 && parts.every((part) => part !== undefined) ? all : undefined;
}

function madeOf(field: Field): readonly Member[] | undefined {
  const { name, bits, type } = field;
  if (bits !== undefined) return name === undefined ? [] : [{ name, type: alone(field), inside: [name] }];
  if (name !== undefined) return [{ name, type }];
  const canonicalType = canonical(type);
  if (canonicalType.kind !== "record") return undefined;
  if (!canonicalType.decl.union) return together(canonicalType.decl);
  const inside = namesIn(canonicalType.decl);
  const size = sizeOf(canonicalType);
  const fullSize = (canonicalType.decl.fields ?? []).filter(
    (f) => f.bits === undefined && isScalar(f.type) && sizeOf(f.type) === size,
  );
  const representative = fullSize.find((f) => canonical(f.type).kind === "int") ?? fullSize[0];
  return isWord(canonicalType) && representative?.name !== undefined
    ? [{ name: representative.name, type: canonicalType, inside }]
    : undefined;
}

const isScalar = (type: CType): boolean => ["int", "float", "enum"].includes(canonical(type).kind);

const namesIn = ({ fields = [] }: RecordDecl): readonly string[] =>
  fields.flatMap(({ name, type }) => {
    const canonicalType = canonical(type);
    return name !== undefined ? [name] : canonicalType.kind === "record" ? namesIn(canonicalType.decl) : [];
  });

function alone(field: Field): CType {
  const { span } = field;
  return { kind: "record", decl: { kind: "record-decl", id: 0, union: false, fields: [field], span } };
}
