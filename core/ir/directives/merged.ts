/**
 * One object in several data clauses of a directive: `copyin(a) copyout(a)`, `map(to: a) map(from: a)`. It is copied in
 * if any of them copies in, and out if any copies out. OpenMP 5.2 defines it so (5.8.3). OpenACC 3.3 does not define
 * it, and other compilers combine the clauses.
 */
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { DataItem, Mapping } from "../model/ir.ts";

const moves: Partial<Record<Mapping, { readonly in: boolean; readonly out: boolean }>> = {
  tofrom: { in: true, out: true },
  to: { in: true, out: false },
  from: { in: false, out: true },
  allocate: { in: false, out: false },
};

const spelled: Partial<Record<Mapping, string>> = {
  tofrom: "copy",
  to: "copyin",
  from: "copyout",
  allocate: "create",
};

interface Merged {
  readonly items: readonly DataItem[];
  readonly warnings: readonly Diagnostic[];
}

export function merged(list: readonly DataItem[]): Merged {
  const items = new Map<string, DataItem>();
  const others: DataItem[] = [];
  const warnings: Diagnostic[] = [];
  for (const item of list) {
    const key = `${item.sym.id} ${item.written.replace(/\s+/g, "")}`;
    const first = items.get(key);
    const both = first && together(first, item);
    if (both) {
      items.set(key, both);
      warnings.push(warning(first, item, both));
    } else if (first) others.push(item);
    else items.set(key, item);
  }
  // Clauses that cannot be merged stay, and are refused as duplicates later.
  return { items: [...items.values(), ...others], warnings };
}

function together(a: DataItem, b: DataItem): DataItem | undefined {
  const [one, two] = [moves[a.mapping.is], moves[b.mapping.is]];
  if (!one || !two || a.mapping.is === b.mapping.is) return undefined;
  const [into, out] = [one.in || two.in, one.out || two.out];
  const is = into ? (out ? "tofrom" : "to") : out ? "from" : "allocate";
  const { zero, ...rest } = { ...a.mapping, ...b.mapping };
  // Data that is copied in has its values.
  return { ...a, mapping: { ...rest, is, ...(zero && !into && { zero }) } };
}

function warning(first: DataItem, second: DataItem, both: DataItem): Diagnostic {
  const [one, two, as] = [first, second, both].map(({ mapping }) => spelled[mapping.is]);
  return {
    severity: "warning",
    code: "merged-clauses",
    loc: second.loc,
    message: `'${second.written}' stands in '${one}' and '${two}': taken as '${as}'`,
    why: "OpenACC 3.3, section 2.7, has one data clause for a variable on a directive",
    remedy: `write ${as}(${second.written})`,
    notes: [{ message: `it is named first here`, loc: first.loc }],
  };
}
