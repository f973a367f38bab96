/** The compiler as used by the build rules: from preprocessed text to host code or kernels. Pure. */

import { editHostFile } from "../../../targets/shared/host/host-edit.ts";
import { clashes, hostNames } from "../../../targets/shared/host/host-names.ts";
import { printHostUnit, type Watched } from "../../../targets/shared/host/host-unit.ts";
import { outlineTasks } from "../../../targets/shared/host/task-outline.ts";
import type { Emitter } from "../../../targets/shared/kind/emit.ts";
import { honoursHostThreads, unhonoured } from "../../ir/model/host-threads.ts";
import { withoutOwnKernels } from "../../ir/ompss/own-kernels.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { type AuthoredKernels, authoredKernels, withKernelsApart } from "./authored-kernels.ts";
import { isDirectiveFree, untouched } from "./directive-free.ts";
import { frontEnd, noOthers, type Others } from "./front-end.ts";
import type { GroupStory } from "./group-story.ts";
import { kernelTexts, type TranslatedKernel } from "./kernel-texts.ts";
import { hasErrors, isIr, type Preprocessed } from "./read-source.ts";
import type { Shaping } from "./region-choices.ts";
import { regionUnits, type Story } from "./region-units.ts";

export interface Translation {
  readonly kernels: readonly TranslatedKernel[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the passes did, by region; empty for kinds without passes. */
  readonly stories: readonly Story[];
  /** Facts about kernels in groups, by region. */
  readonly groups: readonly GroupStory[];
  /** Authored kernels, which are independent of the target kind. */
  readonly authored: readonly AuthoredKernels[];
}

const nothing: Translation = { kernels: [], diagnostics: [], stories: [], groups: [], authored: [] };

/** The kernels of a source for one kind of target. */
export function translateKernels(
  source: Preprocessed,
  emitter: Emitter,
  others: Others = noOthers,
  shaping?: Shaping,
): Translation {
  if (isDirectiveFree(source)) return nothing;
  const read = frontEnd(source, others);
  const { diagnostics } = read.program;
  if (hasErrors(diagnostics)) return { ...nothing, diagnostics };
  const { units, stories, groups, ...regions } = regionUnits(read, emitter, shaping);
  const texts = kernelTexts(units, emitter);
  return {
    kernels: texts.kernels,
    diagnostics: [...diagnostics, ...regions.diagnostics, ...texts.diagnostics],
    stories,
    groups,
    authored: authoredKernels(read.program, others.kind),
  };
}

/** Where the text of authored kernels is: in the host code, or in images that it names. */
export type KernelPlace = "host-code" | "images";

/**
 * The host code of a source: one text for every target. `original` is the file before preprocessing. If a construct
 * begins or ends inside a macro or an included file, or the program is built for `ARC_CHECK`, the whole unit is printed
 * instead.
 */
export function translateHost(
  source: Preprocessed,
  original: string,
  others: Others = noOthers,
  watched?: Watched,
  authored: KernelPlace = "host-code",
): { text: string; diagnostics: readonly Diagnostic[] } {
  // Where the host code is to be read by people it includes what the source includes.
  if (authored === "images" && !watched && isDirectiveFree(source))
    return { text: untouched(source), diagnostics: [] };
  const { program, parsed } = frontEnd(source, others);
  if (hasErrors(program.diagnostics)) return { text: "", diagnostics: program.diagnostics };
  const clashing = clashes(program.unit);
  if (clashing.length > 0) return { text: "", diagnostics: [...program.diagnostics, ...clashing] };
  const { hostThreads } = program;
  const readsOpenMp = honoursHostThreads(source.text);
  const left = hostThreads && !readsOpenMp ? [unhonoured(hostThreads)] : [];
  const found = [...program.diagnostics, ...left];
  const names = hostNames(source.text);
  const outlined = outlineTasks(
    authored === "images" ? withKernelsApart(program, others.kind) : program,
    names,
  );
  if (watched || isIr(source.file)) {
    const printed = printHostUnit(outlined, names, watched);
    return { text: printed.text, diagnostics: [...found, ...printed.diagnostics] };
  }
  const own = withoutOwnKernels(original, source.text).text;
  const edited = editHostFile(outlined, parsed, own, names, readsOpenMp);
  if (!("hidden" in edited)) return { text: edited.text, diagnostics: [...found, ...edited.diagnostics] };
  const note: Diagnostic = {
    severity: "note",
    code: "expanded-host-code",
    loc: edited.hidden,
    message:
      "this construct begins or ends inside a macro or another file: the host code is printed with all macros expanded",
  };
  const printed = printHostUnit(outlined, names);
  return { text: printed.text, diagnostics: [...found, note, ...printed.diagnostics] };
}
