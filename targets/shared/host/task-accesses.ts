/** The accesses of a task, as C text for the runtime: an `arc_task_access` for each section. */

import { itemAt } from "../../../core/checked/access.ts";
import type { SectionDim, TaskAccess } from "../../../core/ir/model/ir.ts";
import { canonical, printExpr } from "../../../core/lang/index.ts";
import type { CType, Diagnostic } from "../../../core/lang/tree/ast.ts";
import { extentOf, parens, typesAlong } from "./section.ts";

interface Row {
  readonly count: string;
  readonly stride: string;
}

interface Section {
  readonly start: string;
  /** Size in bytes of contiguous memory. */
  readonly size: string;
  readonly rows: readonly Row[];
}

const enumerators: Readonly<Record<TaskAccess["mode"], string>> = {
  in: "ARC_TASK_IN",
  out: "ARC_TASK_OUT",
  inout: "ARC_TASK_INOUT",
  concurrent: "ARC_TASK_CONCURRENT",
  commutative: "ARC_TASK_COMMUTATIVE",
};

const only = { order: "ARC_TASK_ONLY_ORDER", copy: "ARC_TASK_ONLY_COPY" } as const;

/** `{...},`: initialisers of `arc_task_access`. */
export function accessRow(access: TaskAccess): string | Diagnostic {
  const section = sectionOf(access);
  if ("severity" in section) return section;
  const { start, size, rows } = section;
  const list = rows.map(({ count, stride }) => `{(long)(${count}), ${stride}}`).join(", ");
  const outer = rows.length ? `__extension__ (const arc_task_rows[]){${list}}` : "0";
  return `{${JSON.stringify(access.written)}, ${start}, ${size}, ${outer}, ${rows.length}, ${enumerators[access.mode]}${access.only ? ` | ${only[access.only]}` : ""}, 0},`;
}

/** A variable that tasks reduce with the `operator`th operation. */
export const reductionRow = (name: string, operator: number): string =>
  `{${JSON.stringify(name)}, (void *)&${name}, sizeof ${name}, 0, 0, ARC_TASK_REDUCTION, ${operator}},`;

function sectionOf(access: TaskAccess): Section | Diagnostic {
  const { object, section, written, loc } = access;
  const refuse = (code: string, message: string, remedy: string): Diagnostic => ({
    severity: "error",
    code,
    loc,
    message,
    remedy,
  });
  const text = parens(printExpr(object));
  if (section.length === 0)
    return canonical(object.type).kind === "array"
      ? { start: `(void *)${text}`, size: `(long)sizeof ${text}`, rows: [] }
      : { start: `(void *)&${text}`, size: `(long)sizeof ${text}`, rows: [] };
  const types = typesAlong(access);
  if ("severity" in types) return types;
  if (types.slice(1, section.length).some((type) => canonical(type).kind !== "array"))
    return refuse(
      "non-contiguous-section",
      `'${written}' goes through several pointers`,
      "write a task for each row, or keep the rows in one array",
    );
  const starts = section.map((dim) => `[${dim.start ? printExpr(dim.start) : "0"}]`);
  const element = (dims: number) => `sizeof ${text}${"[0]".repeat(dims)}`;
  const lengths: string[] = [];
  for (const [i, dim] of section.entries()) {
    const length = lengthOf(dim, itemAt(types, i));
    if (length === undefined)
      return refuse(
        "section-length",
        `'${written}' does not say how long the section is`,
        "write x[start;length]",
      );
    lengths.push(length);
  }
  return {
    start: `(void *)&${text}${starts.join("")}`,
    size: `(long)(${lengths.at(-1)}) * (long)${element(section.length)}`,
    rows: lengths.slice(0, -1).map((count, i) => ({ count, stride: element(i + 1) })),
  };
}

function lengthOf(dim: SectionDim, type: CType): string | undefined {
  if (dim.length) return printExpr(dim.length);
  const extent = extentOf(type);
  if (extent === undefined) return undefined;
  return dim.start ? `(long)(${extent}) - (long)(${printExpr(dim.start)})` : extent;
}
