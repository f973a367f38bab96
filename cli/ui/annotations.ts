/**
 * Prints findings as workflow commands, which GitHub shows beside the lines of a pull request (docs.github.com,
 * "Workflow commands for GitHub Actions").
 */
import path from "node:path";
import type { Action } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { atSite } from "../project/emitted.ts";
import { asWritten } from "../show/directive-columns.ts";
import { linesIn } from "../show/findings.ts";
import { Actions, type Ui } from "./ui.ts";

interface AnnotationContext {
  readonly graph: Iterable<Action>;
  readonly write: (text: string) => void;
  /** Relative file names in findings are relative to this folder. */
  readonly root: string;
  /** The root of the checkout: GitHub names files relative to it. */
  readonly workspace: string;
}

/** Wraps a view and adds an annotation for each finding, once. */
export function annotated(ui: Ui, { graph, write, root, workspace }: AnnotationContext): Ui {
  const actions = new Actions(graph);
  const printed = new Set<string>();
  const line = linesIn(root);
  const annotate = (event: Event): void => {
    if (event.type === "expanded") actions.add(event.actions);
    if (event.type !== "done" && event.type !== "failed") return;
    for (const found of atSite(event.diagnostics ?? [], actions.of(event.address))) {
      const finding = asWritten(found, line);
      if (finding.severity === "note") continue;
      const text = command(finding, path.relative(workspace, path.resolve(root, finding.loc.file)));
      if (printed.has(text)) continue;
      printed.add(text);
      write(text);
    }
  };
  return {
    onEvent: (event) => {
      ui.onEvent(event);
      annotate(event);
    },
    finish: (result) => ui.finish(result),
    abandon: () => ui.abandon(),
  };
}

export function command({ severity, message, why, remedy, loc, code }: Diagnostic, file: string): string {
  const more = [why === undefined ? "" : `\nwhy: ${why}`, remedy === undefined ? "" : `\nremedy: ${remedy}`];
  const location = { file, line: String(loc.line), col: String(loc.col), title: `arc: ${code}` };
  const properties = Object.entries(location).map(([key, value]) => `${key}=${property(value)}`);
  return `::${severity === "error" ? "error" : "warning"} ${properties.join(",")}::${data(message + more.join(""))}\n`;
}

const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
