/** `arc check`: finds errors in the directives of C files without running them. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { edited } from "../../core/lint/fix.ts";
import { rules } from "../../core/lint/rules/registry.ts";
import { unsuppressed } from "../../core/lint/suppress.ts";
import { type Finding, planCheck } from "../../rules/plan/check.ts";
import type { SourceFile } from "../../rules/plan/whole-program.ts";
import { findTools } from "../../rules/tools/tools.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLine } from "../call/wrap.ts";
import { gccFormat } from "../check/gcc.ts";
import { sarif } from "../check/sarif.ts";
import { processesWanted, shares, startHelper } from "../check/shares.ts";
import type { LineOf } from "../check/utf16-columns.ts";
import { openScratch } from "../project/scratch.ts";
import { namedSources } from "../project/sources/named-sources.ts";
import { editAsWritten } from "../show/directive-columns.ts";
import { formatFindings, placedFindings, readLines, showPath } from "../show/findings.ts";
import { optimiseBusiest } from "../start/optimising.ts";

type LinesOf = (file: string) => readonly string[];

/** More files than these pay for what V8 does at their start. */
const FEW = 4;

const formats = ["gcc", "json", "sarif"] as const;

export async function run(call: Call): Promise<Status> {
  const { options, cwd, out, err } = call;
  const format = formatOf(call);
  if (options.list === true) {
    const width = call.outColumns();
    out(
      rules.map(({ name, summary }) => `${wrapLine(`${name.padEnd(26)} ${summary}`, width, 27)}\n`).join(""),
    );
    return status.done;
  }
  const { files } = namedSources(call, "name the C files to check: arc check FILE.c");
  if (files.length === 0)
    throw new UsageError(
      "there is nothing to check: arc.yaml has no sources",
      "name C files, or add `sources`",
    );
  if (files.length > FEW) optimiseBusiest();
  const scratch = openScratch(call);
  try {
    const compiler = findTools(scratch.engine, call.env).compiler();
    const flags = call.rest ?? [];
    const wanted = { advice: options.advice === true, doubts: options.maybe === true };
    const errors: Diagnostic[] = [];
    const byFile = new Map<string, readonly Finding[]>();
    let ok = true;
    let interrupted = false;
    const check = async (some: readonly SourceFile[]): Promise<void> => {
      const plan = planCheck(some, compiler, flags, wanted);
      const result = await scratch.engine.build(plan.actions, {
        keepGoing: true,
        signal: call.signal,
        onEvent(event) {
          if (event.type !== "failed") return;
          if (event.diagnostics) errors.push(...event.diagnostics);
          else err(`arc: ${event.title}: ${event.message}\n${event.log}`);
        },
      });
      ok &&= result.ok;
      interrupted ||= result.interrupted;
      for (const { file, findings } of plan.checks) {
        const { from } = findings;
        if (!("action" in from) || result.outcomes.get(from.action)?.status !== "done") continue;
        const { path: list } = scratch.engine.path(from.action, from.output);
        byFile.set(file, JSON.parse(readFileSync(list, "utf8")));
      }
    };
    const [own = [], ...others] = shares(files, processesWanted(call));
    const helpers = others.map((some) => startHelper(some, flags, call));
    await check(own);
    for (const [k, some] of others.entries()) {
      if (interrupted) break;
      await helpers[k]?.done;
      await check(some);
    }
    for (const helper of helpers) helper.stop();
    err(formatFindings(errors, { cwd, root: cwd, color: call.color, columns: call.columns }));
    const found = files.flatMap(({ file }) => byFile.get(file) ?? []);
    const shownFindings = distinct(found).filter(
      (f) => (f.certainty === "proved" || options.maybe === true) && (!f.advice || options.advice === true),
    );
    const lines = new Map<string, readonly string[]>();
    const linesOf: LinesOf = (file) => {
      const known = lines.get(file) ?? readLines(path.resolve(cwd, file));
      lines.set(file, known);
      return known;
    };
    const reported = unsuppressed(placedFindings(shownFindings, cwd) as readonly Finding[], linesOf);
    const left = options.fix === true ? applyFixes(call, reported, linesOf) : reported;
    report(call, format, left, linesOf);
    if (interrupted) return status.interrupted;
    if (!ok) return status.wrongCall;
    return left.length > 0 ? status.failed : status.done;
  } finally {
    await scratch.close();
  }
}

function report(
  { cwd, out, color, columns, outColumns }: Call,
  format: (typeof formats)[number],
  findings: readonly Finding[],
  linesOf: LinesOf,
): void {
  const line = (file: string, k: number) => linesOf(file)[k - 1];
  const placed = findings.map((finding) => withPlacedEdits(finding, line));
  if (format === "json") out(`${JSON.stringify({ findings: placed })}\n`);
  else if (format === "sarif") out(sarif(placed, rules, line));
  else {
    const show = (file: string) => showPath(path.resolve(cwd, file), cwd);
    out(gccFormat(findings, { color, columns, line, show }, outColumns()));
  }
}

/** Its edits are where they belong in the files, as its other positions are. */
const withPlacedEdits = (finding: Finding, line: LineOf): Finding => ({
  ...finding,
  ...(finding.fix && { fix: finding.fix.map((edit) => editAsWritten(edit, line)) }),
});

/** Applies fixes to the files. Returns the findings that are not certain enough or have no fix. */
function applyFixes({ cwd, err }: Call, findings: readonly Finding[], linesOf: LinesOf): readonly Finding[] {
  const sure = findings.filter((f) => f.certainty === "proved" && f.fix !== undefined);
  const fixed = new Set<Finding>();
  // A directive may stand in another file than what is wrong with it.
  for (const file of new Set(sure.flatMap(({ fix = [] }) => fix.map((edit) => edit.loc.file)))) {
    const name = path.resolve(cwd, file);
    const edits = new Map(
      sure
        .filter((f) => f.fix?.every((edit) => edit.loc.file === file))
        .map((f) => [f, (f.fix ?? []).map((edit) => editAsWritten(edit, (of, k) => linesOf(of)[k - 1]))]),
    );
    const { text, made: applied } = edited(readFileSync(name, "utf8"), [...edits.values()].flat());
    const done = [...edits].filter(([, own]) => own.every((edit) => applied.has(edit)));
    if (done.length === 0) continue;
    writeFileSync(name, text);
    for (const [finding] of done) fixed.add(finding);
    const count = done.length === 1 ? "1 finding" : `${done.length} findings`;
    err(`arc: mended ${count} in ${showPath(name, cwd)}\n`);
  }
  return findings.filter((f) => !fixed.has(f));
}

function formatOf({ options }: Call): (typeof formats)[number] {
  if (options.json === true) return "json";
  const requested = String(options.format ?? "gcc");
  const format = formats.find((f) => f === requested);
  if (format === undefined)
    throw new UsageError(`there is no format ${requested}`, `--format takes ${formats.join(", ")}`);
  return format;
}

function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
