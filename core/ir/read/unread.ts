/** OpenMP's directives that are not read because a directive for a device has the same statement. */
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";

const words = ({ tokens }: Pragma): string =>
  tokens
    .slice(0, 5)
    .map(({ text }) => text)
    .join(" ");

const offloads = /^omp target( (teams|parallel|simd|loop)\b| [a-z_]+ \(|$)/;
const ofLoop =
  /^omp ((parallel |teams )?(for|loop|distribute)\b|parallel ma\w+ taskloop|ma\w+ taskloop|taskloop|simd|tile|unroll)/;
const ofAcc = /^acc (parallel|kernels|serial)\b/;

/**
 * What to say of a directive that no front end reads, of those of one statement: if arc takes the statement out of the host's
 * code, C compilers must not see it. None: the C compiler reads it.
 */
export function unreadDirective(pragma: Pragma, beside: readonly Pragma[]): readonly Diagnostic[] {
  const text = words(pragma);
  const behind = beside.slice(beside.indexOf(pragma) + 1);
  const isTarget = offloads.test(text) && beside.some((other) => ofAcc.test(words(other)));
  if (!isTarget && !ofLoop.test(text)) return [];
  const name = isTarget ? "omp target" : `omp ${ofLoop.exec(text)?.[1]}`;
  if (isTarget || behind.some((other) => ofAcc.test(words(other))))
    return [
      {
        severity: "warning",
        code: "unread-directive",
        loc: pragma.span.start,
        message: `'${name}' is not read: an OpenACC directive offloads the same statement`,
        remedy: "keep one of the two, or choose by '#ifdef _OPENMP'",
      },
    ];
  if (!behind.some((other) => offloads.test(words(other)))) return [];
  return [
    {
      severity: "error",
      code: "expected-loop",
      loc: pragma.tokens[1]?.loc ?? pragma.span.start,
      message: `'${name.slice(4)}' is followed by a 'target' construct, not by a for loop`,
      why: "its loop is the one directly behind it (OpenMP 5.2, section 4.4.1)",
      remedy: "leave one of the two out, or put the 'target' construct into the loop's body",
    },
  ];
}
