/** Shows a build as a compiler would: findings and tool output, without progress or summary. */
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Finding } from "../../core/build/model/finding.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { atSite } from "../project/emitted.ts";
import { Actions } from "../ui/ui.ts";

interface CompilerUi {
  onEvent(event: Event): void;
}

/** Writes each text once: compiling and linking both translate a source and find the same in it. */
export function once(write: (text: string) => void): (text: string) => void {
  const printed = new Set<string>();
  return (text) => {
    if (text === "" || printed.has(text)) return;
    printed.add(text);
    write(text);
  };
}

export function compilerUi(
  graph: readonly Action[],
  print: (text: string) => void,
  formatFindings: (diagnostics: readonly Diagnostic[]) => string,
): CompilerUi {
  const actions = new Actions(graph);
  const findings = (address: Address, all: readonly Finding[] = []): boolean => {
    const list = atSite(
      all.filter((one) => one.severity !== "note"),
      actions.of(address),
    );
    for (const one of list) print(formatFindings([one]));
    return list.length > 0;
  };
  const logs = new Map<string, string>();
  return {
    onEvent(event) {
      if (event.type === "expanded") actions.add(event.actions);
      if (event.type === "log") logs.set(event.address, (logs.get(event.address) ?? "") + event.text);
      if (event.type === "done") {
        findings(event.address, event.diagnostics);
        print(logs.get(event.address) ?? "");
      }
      if (event.type === "failed") {
        const reported = findings(event.address, event.diagnostics) || event.log !== "";
        print(event.log);
        if (!reported) print(`arc: ${event.title}: ${event.message}\n`);
      }
      if (event.type === "skipped" && event.because === undefined) print(`arc: ${event.reason}\n`);
      if (event.type === "warning") print(`arc: warning: ${event.message}\n`);
    },
  };
}
