import type { Diagnostic } from "../../lang/index.ts";

/**
 * Findings that say the same of one location, once: host code and kernels are translated apart, and the linter reads the
 * same text, so that each says what it finds. The last of them is kept, where the first stood.
 */
export function eachOnce<Found extends Pick<Diagnostic, "severity" | "code" | "message" | "loc">>(
  findings: readonly Found[],
): readonly Found[] {
  const said = ({ severity, code, loc, message }: Found) =>
    JSON.stringify([severity, code, loc.file, loc.line, loc.col, message]);
  return [...new Map(findings.map((finding) => [said(finding), finding])).values()];
}
