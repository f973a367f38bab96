/** Describes an argument's elements as text for the runtime; targets/runtime/src/launch/shape.h defines the format. */

import { itemAt } from "../../../core/checked/access.ts";
import { canonical, layoutOf, sizeOf, underlying } from "../../../core/lang/index.ts";
import type { CType } from "../../../core/lang/tree/ast.ts";
import { elementOf } from "./section.ts";

interface Part {
  readonly kind: string;
  readonly offset: number;
  readonly count: number;
  readonly name: string;
}

const unsigned: ReadonlySet<string> = new Set([
  "bool",
  "uchar",
  "ushort",
  "uint",
  "ulong",
  "ullong",
  "uint128",
]);

/** Undefined if the element size is not a compile-time constant, or no part of an element is compared. */
export function shapeOf(type: CType): string | undefined {
  const t = canonical(type);
  const indirect = t.kind === "array" || t.kind === "pointer";
  let element = indirect ? canonical(elementOf(t) as CType) : t;
  const extents: number[] = [];
  while (element.kind === "array") {
    if (typeof element.size !== "number") return undefined;
    extents.push(element.size);
    element = canonical(element.of);
  }
  const bytes = sizeOf(element);
  if (!bytes) return undefined;
  const parts = partsOf(element, 0, "");
  if (parts.length === 0) return undefined;
  const words = parts.map(({ kind, offset, count, name }) => `${kind}@${offset}*${count}:${name}`);
  return `${extents.join(",")}|${bytes}|${words.join(";")};`;
}

function partsOf(type: CType, offset: number, name: string, count = 1): readonly Part[] {
  const t = canonical(type);
  const size = sizeOf(t) ?? 0;
  const scalar = (kind: string, times = 1) => [{ kind, offset, count: count * times, name }];
  const bytes = () => scalar("x8", size);
  switch (t.kind) {
    case "int":
      return size > 8 ? bytes() : scalar(`${unsigned.has(t.name) ? "u" : "i"}${8 * size}`);
    case "enum":
      return partsOf(underlying(t), offset, name, count);
    case "float":
      return floatKinds[t.name] ? scalar(floatKinds[t.name] as string) : bytes();
    case "complex":
      return floatKinds[t.name] ? scalar(floatKinds[t.name] as string, 2) : bytes();
    case "vector": {
      const each = sizeOf(t.of) ?? 1;
      return partsOf(t.of, offset, name, (count * t.bytes) / each);
    }
    case "pointer":
      return scalar("p64");
    case "array": {
      if (typeof t.size !== "number") return [];
      const inner = canonical(t.of);
      // Arrays of structs in structs would need their own stride.
      if (inner.kind === "record") return bytes();
      return partsOf(inner, offset, name, count * t.size);
    }
    case "record": {
      const layout = layoutOf(t.decl);
      if (!layout) return [];
      if (t.decl.union) return bytes();
      return (t.decl.fields ?? []).flatMap((field, i) => {
        // Bit-fields share bytes, some bits of which are never set.
        if (field.bits) return [];
        const inner = [name, field.name ?? ""].filter((word) => word !== "").join(".");
        return partsOf(field.type, offset + itemAt(layout.offsets, i) / 8, inner);
      });
    }
    default:
      return [];
  }
}

const floatKinds: Readonly<Record<string, string>> = {
  float16: "f16",
  float: "f32",
  double: "f64",
  ldouble: "f80",
};
