/** Host directives that need other code or other directives around them to be said in an older version's words. */
import { mapStmt, walkStmt, withBody } from "../../../lang/index.ts";
import type {
  Diagnostic,
  External,
  Loc,
  Pragma,
  PragmaToken,
  Stmt,
  TranslationUnit,
} from "../../../lang/tree/ast.ts";
import { allMemory } from "./all-memory.ts";
import { alignments, withAlignments } from "./allocate.ts";
import { strictThreads, withOlderClauses } from "./clauses.ts";
import { withPerfectNests } from "./imperfect-nests.ts";
import { withCounters } from "./iteration.ts";
import { withCopiesOfScope } from "./scope-copies.ts";

export interface Older {
  readonly unit: TranslationUnit;
  /** Where declarations and statements differ from the file's. */
  readonly at?: Loc;
  readonly diagnostics: readonly Diagnostic[];
}

const words =
  /^(omp_all_memory|omp_cur_iteration|align|doacross|destroy|val|depobj|omp_default_mem_alloc|scope|collapse|strict|message|severity|memscope|replayable|taskgraph|threadset)$/;

/** Of host code with one thread, only what changes its variables. */
export function alignedAlone(unit: TranslationUnit): Older {
  const pragmas = unit.externals.flatMap(pragmasOf).filter(({ tokens }) => tokens.some(isAlign));
  const diagnostics: Diagnostic[] = [];
  const aligned = alignments(pragmas, (found) => void diagnostics.push(found));
  const [first] = aligned.keys();
  if (!first) return { unit, diagnostics };
  const externals = unit.externals.map((e) => withAlignments(e, aligned));
  return { unit: { ...unit, externals }, at: first.span.start, diagnostics };
}

const isAlign = ({ text }: PragmaToken): boolean => text === "align";

export function inOlderWords(unit: TranslationUnit): Older {
  const pragmas = unit.externals.flatMap(pragmasOf);
  const newer = pragmas.filter(({ tokens }) => tokens.some(({ text }) => words.test(text)));
  if (newer.length === 0) return { unit, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const complain = (found: Diagnostic): void => void diagnostics.push(found);
  diagnostics.push(...newer.flatMap(strictLeft));
  const respelled = allMemory(newer);
  const aligned = alignments(newer, complain);
  let copied: Loc | undefined;
  const externals = unit.externals.map((e) => {
    const placed = aligned.size > 0 ? withAlignments(e, aligned) : e;
    if (placed.kind !== "function") return placed;
    const counted = withCounters(withPerfectNests(placed.body, complain), complain);
    const body = withCopiesOfScope(counted);
    if (body !== counted) copied ??= placed.span.start;
    return withBody(
      placed,
      withPragmas(body, (pragma) => withOlderClauses(respelled ? respelled(pragma) : pragma)),
    );
  });
  const [first] = aligned.keys();
  const at = first?.span.start ?? copied;
  return { unit: { ...unit, externals }, ...(at && { at }), diagnostics };
}

function strictLeft(pragma: Pragma): readonly Diagnostic[] {
  const clause = strictThreads(pragma);
  if (!clause) return [];
  return [
    {
      severity: "warning",
      code: "strict-threads",
      loc: clause.loc,
      message: `'${clause.text === "num_threads" ? "strict" : clause.text}' has no effect: with fewer threads than it asks for, the program goes on`,
      why: "C compilers' OpenMP has no threads that must be so many (OpenMP 6.0, section 12.1.2)",
      remedy: "compare omp_get_num_threads() with the number inside of the construct",
    },
  ];
}

const withPragmas = (body: Stmt, of: (pragma: Pragma) => Pragma): Stmt =>
  mapStmt(body, { stmt: (s) => (s.pragmas ? { ...s, pragmas: s.pragmas.map(of) } : s) });

function pragmasOf(e: External): readonly Pragma[] {
  if (e.kind === "pragma") return [e];
  if (e.kind !== "function") return [];
  const found: Pragma[] = [];
  walkStmt(e.body, {
    stmt: (s) => void found.push(...(s.pragmas ?? [])),
    expr: () => false,
  });
  return found;
}
