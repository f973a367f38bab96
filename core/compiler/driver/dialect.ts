/** Kernels of a source whose compiler options change what C means: what they follow, and what arc says of the rest. */

import type { LoweredRegion } from "../../../targets/shared/device/device.ts";
import type { Emitter } from "../../../targets/shared/kind/emit.ts";
import { withUnsignedChar } from "../../../targets/shared/legalise/unsigned-char.ts";
import { withWrapping } from "../../../targets/shared/legalise/wrapping.ts";
import { meaningOf, UNSIGNED_CHAR, WRAPS } from "../../ir/model/c-dialect.ts";
import type { Task } from "../../ir/model/ir.ts";
import { nodesIn } from "../../ir/model/nodes.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { CHAR, canonical } from "../../lang/index.ts";
import type { CType, Diagnostic, Loc } from "../../lang/tree/ast.ts";

/** The region as its options mean it; the program's own compiler gets them as they are. */
export function inDialect(
  region: LoweredRegion,
  dialect: readonly string[],
  { ownCompiler, follows = [] }: Emitter,
): LoweredRegion {
  const passed = ownCompiler ? dialect : dialect.filter((option) => follows.includes(option));
  const given = passed.length > 0 ? { ...region, dialect: passed } : region;
  if (ownCompiler) return given;
  const wrapped = dialect.some((option) => WRAPS.test(option)) ? withWrapping(given) : given;
  return dialect.some((option) => UNSIGNED_CHAR.test(option)) ? withUnsignedChar(wrapped) : wrapped;
}

/** What kernels for the emitter's devices do not follow. */
export function lostOptions(
  task: Task,
  dialect: readonly string[],
  { ownCompiler, follows = [] }: Emitter,
): readonly Diagnostic[] {
  const { loc } = task.site;
  const unsignedChar = dialect.find((option) => UNSIGNED_CHAR.test(option));
  return [
    ...dialect.flatMap((option) => (follows.includes(option) ? [] : lost(option, loc, ownCompiler === true))),
    ...(unsignedChar !== undefined && !ownCompiler && comparesChars(task)
      ? [unsignedOrder(unsignedChar, loc)]
      : []),
  ];
}

function lost(option: string, loc: Loc, own: boolean): readonly Diagnostic[] {
  const { fate = "kept", says = "" } = meaningOf(option) ?? {};
  if (fate === "kept" || (own && fate !== "refused")) return [];
  const where = own ? "regions" : "kernels for this kind of device";
  return fate === "named"
    ? [
        {
          severity: "warning",
          code: "option-of-host",
          loc,
          message: `${where} do not follow ${option}, with which ${says}`,
          why: "another compiler makes them, which has no such option",
          remedy: "make sure that the regions do not depend on it",
        },
      ]
    : [
        {
          severity: "error",
          code: "option-of-host",
          loc,
          message: `${where} cannot follow ${option}, with which ${says}`,
          why:
            fate === "refused"
              ? "arc computes with the layout and the texts that C compilers have without it"
              : "another compiler makes them: results would differ from those of the host's code",
          remedy: "compile files with regions without the option",
        },
      ];
}

function comparesChars(task: Task): boolean {
  const spmd = spmdOf(task);
  return [spmd, ...nodesIn(spmd.body, "loop")].some(({ reductions }) =>
    reductions.some(({ op, sym }) => (op === "max" || op === "min") && elementType(sym.type) === CHAR),
  );
}

function elementType(type: CType): CType {
  const seen = canonical(type);
  return seen.kind === "array" || seen.kind === "pointer"
    ? elementType(seen.kind === "array" ? seen.of : seen.to)
    : seen;
}

const unsignedOrder = (option: string, loc: Loc): Diagnostic => ({
  severity: "error",
  code: "option-of-host",
  loc,
  message: `kernels for this kind of device cannot follow ${option} in reductions of 'char' by max or min`,
  why: "the device's language orders 'char' with its sign",
  remedy: "declare the variable 'unsigned char'",
});
