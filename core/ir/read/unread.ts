/** Directives that ask for a device but for which arc generates no device code. */
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";

/** A warning where a statement would silently stay on the host or behave differently from the directive. */
export function unreadDirective({ tokens, span }: Pragma): readonly Diagnostic[] {
  const [space, name] = tokens.map(({ text }) => text);
  const warn = (message: string, remedy: string): readonly Diagnostic[] => [
    { severity: "warning", code: "unread-directive", loc: span.start, message, remedy },
  ];
  if (space === "omp" && name === "target")
    return warn(
      "'omp target' is not read: an OpenACC directive offloads the same statement",
      "keep one of the two, or choose by '#ifdef _OPENMP'",
    );
  return [];
}
