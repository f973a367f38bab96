/** Findings in the format that GitLab shows in merge requests (docs.gitlab.com, "Code Quality", report format). */
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";

const severities = { error: "critical", warning: "minor", note: "info" } as const;

export function codeQuality(findings: readonly Diagnostic[]): string {
  const seen = new Map<string, number>();
  const entries = findings.map(({ severity, code, message, why, remedy, loc }) => {
    // Line numbers change with every edit, so a finding is identified by file, code, message and its index among equal
    // ones.
    const text = `${loc.file}\n${code}\n${message}`;
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return {
      description: [message, why && `Why: ${why}`, remedy && `Remedy: ${remedy}`].filter(Boolean).join(". "),
      check_name: code,
      fingerprint: digestBytes(`${text}\n${before}`),
      severity: severities[severity],
      location: { path: loc.file, lines: { begin: loc.line } },
    };
  });
  return `${JSON.stringify(entries, undefined, 2)}\n`;
}
