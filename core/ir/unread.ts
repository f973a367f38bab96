/** Directives that ask for a device in a language that arc does not read. */
import type { Diagnostic, Pragma } from "../lang/ast.ts";

/** A warning where a statement would silently stay on the host. */
export function unreadDirective({ tokens, span }: Pragma): readonly Diagnostic[] {
  const [space, name] = tokens.map(({ text }) => text);
  const offloads = (space === "omp" && name === "target") || (space === "oss" && name === "task");
  if (!offloads) return [];
  return [
    {
      severity: "warning",
      code: "unread-directive",
      loc: span.start,
      message: `'${space} ${name}' is left to the C compiler: arc makes no device code of it`,
      remedy: "write the construct in OpenACC for arc to compile it: '#pragma acc parallel loop'",
    },
  ];
}
