/** The numbers that a record consists of: who copies it uses all of them. */
import { canonical } from "../../lang/index.ts";
import type { CType } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import type { Step } from "./access.ts";

/** How many are told of a record. */
const most = 16;

export const partsOf = (record: CType): readonly (readonly Step[])[] => inside(record, []).slice(0, most);

function inside(type: CType, path: readonly Step[]): readonly (readonly Step[])[] {
  const object = canonical(type);
  if (object.kind === "record")
    return object.decl.union
      ? []
      : (object.decl.fields ?? []).flatMap(({ name, type: of }) =>
          name === undefined ? [] : inside(of, [...path, { is: "field", name }]),
        );
  if (object.kind !== "array") return [path];
  const count = typeof object.size === "number" ? Math.min(object.size, most) : 0;
  return Array.from({ length: count }, (_, k) => k).flatMap((k) =>
    inside(object.of, [...path, { is: "index", terms: [{ expr: intLit(k), frame: nowhere }] }]),
  );
}

const nowhere = { arguments: new Map() };
