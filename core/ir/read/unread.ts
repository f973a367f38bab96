/** Directives that ask for a device but for which arc generates no device code. */
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";

/** A warning where a statement would silently stay on the host or behave differently from the directive. */
export function unreadDirective({ tokens, span }: Pragma): readonly Diagnostic[] {
  const [space, name] = tokens.map(({ text }) => text);
  if (space !== "omp" || name !== "target") return [];
  return [
    {
      severity: "warning",
      code: "unread-directive",
      loc: span.start,
      message: "'omp target' is not read: an OpenACC directive offloads the same statement",
      remedy: "keep one of the two, or choose by '#ifdef _OPENMP'",
    },
  ];
}
