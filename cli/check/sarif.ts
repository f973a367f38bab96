/** Findings as SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show beside the lines. */
import type { Finding, Rule } from "../../rules/plan/check.ts";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export function sarif(findings: readonly Finding[], rules: readonly Rule[]): string {
  const log = {
    $schema: schema,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "arc", rules: rules.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, rules)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const ruleOf = ({ name, summary, severity, page }: Rule) => ({
  id: name,
  shortDescription: { text: summary },
  fullDescription: { text: page.why },
  help: { text: `${page.why}\n\nInstead of\n\n${page.bad}\n\nwrite\n\n${page.good}\n` },
  defaultConfiguration: { level: severity },
});

function resultOf(finding: Finding, rules: readonly Rule[]) {
  const { code, severity, message, why, remedy, loc, end, notes, certainty, fix } = finding;
  const text = [message, why && `Why: ${why}.`, remedy && `To mend it: ${remedy}.`]
    .filter(Boolean)
    .join(". ");
  return {
    ruleId: code,
    ruleIndex: rules.findIndex((rule) => rule.name === code),
    level: severity,
    message: { text },
    locations: [{ physicalLocation: location(loc, end) }],
    ...(notes && {
      relatedLocations: notes.map((note, id) => ({
        id,
        physicalLocation: location(note.loc ?? loc),
        message: { text: note.message },
      })),
    }),
    ...(fix && {
      fixes: [
        {
          description: { text: remedy ?? message },
          artifactChanges: fix.map((edit) => ({
            artifactLocation: { uri: uriOf(edit.loc.file) },
            replacements: [
              {
                deletedRegion: region(edit.loc, edit.end),
                insertedContent: { text: edit.text },
              },
            ],
          })),
        },
      ],
    }),
    properties: { certainty },
  };
}

const location = (loc: Finding["loc"], end?: Finding["end"]) => ({
  artifactLocation: { uri: uriOf(loc.file) },
  region: region(loc, end),
});

const region = (loc: Finding["loc"], end?: Finding["end"]) => ({
  startLine: loc.line,
  startColumn: loc.col,
  ...(end && { endLine: end.line, endColumn: end.col }),
});

const uriOf = (file: string): string => encodeURI(file.replaceAll("\\", "/"));
