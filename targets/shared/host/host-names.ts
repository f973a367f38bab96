/** Names that translated host code declares in addition to the user's. */
import { asNode } from "../../../core/ir/model/ir.ts";
import { walkStmt } from "../../../core/lang/index.ts";
import type { DeclStmt, Diagnostic, Span, Stmt, TranslationUnit } from "../../../core/lang/tree/ast.ts";

/** Spells a local variable of emitted code: `here` as `arc_here`. */
export type HostNames = (word: string) => string;

/** Names that do not clash in a unit whose preprocessed text, including macros, is `text`. */
export function hostNames(text: string): HostNames {
  const used = new Set(
    [
      ...text.matchAll(
        /\b(arc\d*)_(here|items|args|trips|config|on|device|declare|task|given|arguments|accesses|group|own|geometry|shared|reference|shapes|kept|reached|holds)/g,
      ),
    ].map((m) => m[1]),
  );
  let prefix = "arc";
  for (let n = 2; used.has(prefix); n++) prefix = `arc${n}`;
  return (word) => `${prefix}_${word}`;
}

/** Names declared by arcrt.h, which every translated file includes. */
const runtimeNames: ReadonlySet<string> = new Set(
  (
    "arc_site arc_map arc_item arc_data_begin arc_data_end arc_enter_data arc_exit_data arc_update arc_declare " +
    "arc_register_global arc_wait arc_init arc_shutdown arc_set arc_use_device arc_declared arc_declared_end arc_arg " +
    "arc_launch_config arc_launch arc_launch_present arc_register_image arc_task_rows arc_task_access arc_task_type arc_task_create " +
    "arc_task_wait arc_task_wait_on arc_task_group arc_task_group_begin arc_task_group_end arc_task_yield " +
    "arc_reference_begin arc_reference_take arc_reference_compare arc_host_read " +
    "arc_default_target_is arc_target_is arc_on_device arc_require_shared arc_device_enter arc_device_leave arc_task_wait_noflush arc_task_kernel arc_task_parameter arc_task_in_final arc_task_combine_begin arc_task_combine_end"
  ).split(" "),
);

/** Declarations of the unit that would hide or contradict the runtime's. */
export function clashes(unit: TranslationUnit): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const look = (name: string | undefined, { start }: Span): void => {
    if (name === undefined || !runtimeNames.has(name) || found.has(name) || /arcrt\.h$/.test(start.file))
      return;
    found.set(name, {
      severity: "error",
      code: "reserved-name",
      loc: start,
      message: `'${name}' is a name of arc's runtime library`,
      why: "translated code calls the library beside this declaration",
      remedy: "choose another name",
    });
  };
  const lookIn = ({ decls, defines }: DeclStmt): void => {
    for (const { sym } of decls) look(sym.name, sym.span);
    for (const { tag, span } of defines) look(tag, span);
  };
  for (const e of unit.externals) {
    if (e.kind === "decl") lookIn(e);
    if (e.kind !== "function") continue;
    look(e.sym.name, e.sym.span);
    if (!callsRuntime(e.body)) continue;
    for (const p of e.params) look(p.name, p.span);
    walkStmt(e.body, {
      stmt(child) {
        // Declarations inside a region hide nothing, since its statement is replaced.
        if (child.kind !== "decl") return !asNode(child, "task");
        lookIn(child);
        return true;
      },
    });
  }
  return [...found.values()];
}

/** Whether constructs in it become calls; loops and atomics of routines stay C. */
function callsRuntime(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "ext" && !["loop", "atomic", "cache"].includes(s.ext.kind)) found = true;
      return !found;
    },
  });
  return found;
}
