/** Calls of one runtime API translated to the other language's. */
import type { Extent } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { Decision, Language, OpenMpVersion, Source } from "../model/source.ts";
import type { Queues } from "../openmp/queues.ts";
import { deviceNumbers } from "../sites/device-numbers.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Edit } from "../text/edits.ts";
import { type ApiCall, callsOf } from "./calls.ts";
import { callInOpenAcc, isDeviceRoutine } from "./openacc.ts";
import { callInOpenMp, isApiName, type Replaced } from "./openmp.ts";

interface Api {
  readonly edits: readonly Edit[];
  readonly decisions: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
  /** The other language's header is needed. */
  readonly used: boolean;
}

/** `apart`: text that becomes something else as a whole, directives among it. */
export function apiOf(
  source: Source,
  apart: readonly Extent[],
  { to, openmp }: { readonly to: Language; readonly openmp: OpenMpVersion },
  queues: Queues,
): Api {
  const edits: Edit[] = [];
  const decisions: Decision[] = [];
  const diagnostics: Diagnostic[] = [];
  const roleOf = deviceNumbers(source.parsed.unit.externals);
  let behind = 0;
  let outer = "";
  for (const call of callsOf(source, apart, to === "openmp" ? isApiName : isDeviceRoutine)) {
    const inside = call.start < behind;
    // An argument that the other call does not have, and whose value nothing else needs.
    if (inside && /^acc_get_/.test(call.name) && !outer.includes(call.name)) continue;
    try {
      const replaced =
        to === "openmp" ? callInOpenMp(call, inside, queues, openmp) : callInOpenAcc(call, inside, roleOf);
      if (replaced === undefined) continue;
      if (inside)
        throw new CannotSay(
          call.loc,
          `'${call.name}' stands in the arguments of a call that becomes another`,
          "put its value into a variable first",
        );
      const edit = editOf(source.text, replaced, call);
      edits.push(edit);
      behind = edit.end;
      outer = edit.text;
      decisions.push({
        loc: call.loc,
        was: source.text.slice(call.start, call.end).replace(/\s+/g, " "),
        now: "expr" in replaced ? [replaced.expr] : replaced.lines,
        because: replaced.because ? [replaced.because] : [],
      });
    } catch (problem) {
      if (!(problem instanceof CannotSay)) throw problem;
      diagnostics.push(problem.diagnostic);
    }
  }
  return { edits, decisions, diagnostics, used: edits.length > 0 };
}

function editOf(text: string, replaced: Replaced, { start, end, statementEnd, inBlock }: ApiCall): Edit {
  if ("expr" in replaced) return { start: replaced.start ?? start, end, text: replaced.expr };
  const stop = statementEnd ?? end;
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const lines = inBlock ? replaced.lines : ["{", ...replaced.lines, "}"];
  if (replaced.lines.length === 0) return { start, end: stop, text: inBlock ? "" : "{}" };
  // A directive needs a line to itself.
  const before = line.trim() === "" || !inBlock ? "" : `\n${indent}`;
  const after = /^[ \t]*(\r?\n|$)/.test(text.slice(stop)) ? "" : `\n${indent}`;
  return { start, end: stop, text: before + lines.join(`\n${indent}`) + after };
}
