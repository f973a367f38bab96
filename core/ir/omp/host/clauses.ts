/**
 * Clauses of host directives in the words of compilers that know OpenMP 5.1, or that have faults with them:
 *
 *     depobj(o) destroy(o)                            depobj(o) destroy
 *     simd linear(x: val, step(2))              =>    simd linear(x: 2)
 *     task depend(depobj: o[1])                       task depend(depobj: *&o[1])
 *     parallel for simd allocate(omp_default_mem_alloc: x)    parallel for simd
 *     parallel num_threads(strict: n) message("few")          parallel num_threads(n)
 *     task replayable threadset(omp_pool)                     task
 *     atomic memscope(device)                                 atomic
 *     taskgraph graph_id(n)                                   taskgroup
 *     taskgraph nogroup                                       nothing
 *     depobj init(in(x): o)                                   depobj(o) depend(in: x)
 */
import { itemAt } from "../../../checked/access.ts";
import type { Pragma, PragmaToken } from "../../../lang/tree/ast.ts";

export function withOlderClauses(pragma: Pragma): Pragma {
  const { tokens } = pragma;
  if (tokens[0]?.text !== "omp") return pragma;
  const clauses = clausesOf(tokens);
  const respelled = inOtherWords(clauses) ?? clauses.flatMap((clause) => respelledIn(pragma, clause));
  const isSame = respelled.length === tokens.length && respelled.every((t, i) => t.text === tokens[i]?.text);
  return isSame ? pragma : { ...pragma, tokens: respelled, added: "clauses" };
}

/** Words of the directive, each by itself, and clauses with their arguments. */
export function clausesOf(tokens: readonly PragmaToken[]): readonly (readonly PragmaToken[])[] {
  const found: PragmaToken[][] = [];
  let depth = 0;
  for (const t of tokens) {
    const last = found.at(-1);
    if (last && (depth > 0 || t.text === "(")) last.push(t);
    else found.push([t]);
    if (t.text === "(") depth++;
    if (t.text === ")") depth--;
  }
  return found;
}

/** Directives that older compilers do not know as such. */
function inOtherWords(clauses: readonly (readonly PragmaToken[])[]): readonly PragmaToken[] | undefined {
  const [model = [], [directive] = [], ...rest] = clauses;
  if (!directive) return undefined;
  const word = (text: string): PragmaToken => ({ ...directive, text });
  // Tasks are created each time, which is what the directive allows.
  if (directive.text === "taskgraph")
    return [...model, word(rest.some(([clause]) => clause?.text === "nogroup") ? "nothing" : "taskgroup")];
  const hasObject = clauses[1]?.[1]?.text === "(";
  return directive.text === "depobj" && !hasObject
    ? ofObject([...model, directive], rest[0] ?? [])
    : undefined;
}

/** "init" "(" kind "(" items ")" ":" object ")" (OpenMP 6.0, section 17.9.3) */
function ofObject(
  directive: readonly PragmaToken[],
  init: readonly PragmaToken[],
): readonly PragmaToken[] | undefined {
  const colon = init.findLastIndex(({ text }) => text === ":");
  const [name, open, kind, inner] = init;
  if (name?.text === "destroy" && open) return [...directive, ...init.slice(1), name];
  if (name?.text !== "init" || !open || !kind || inner?.text !== "(" || init[colon - 1]?.text !== ")")
    return undefined;
  const object = [open, ...init.slice(colon + 1)];
  const items = [itemAt(init, colon), ...init.slice(4, colon)];
  return [...directive, ...object, { ...name, text: "depend" }, open, kind, ...items];
}

/** A task is created each time, by threads of its team; host threads see all of memory. */
const withoutEffect = /^(replayable|threadset|memscope)$/;

function respelledIn(
  { tokens: directive, scope }: Pragma,
  clause: readonly PragmaToken[],
): readonly PragmaToken[] {
  const name = itemAt(clause, 0).text;
  const first = directive[1]?.text;
  if (withoutEffect.test(name) && clause !== directive) return [];
  if (name === "destroy" && first === "depobj") return clause.slice(0, 1);
  // A variable of that name may be the step.
  if (name === "linear" && first !== "declare" && !scope.lookup("val")) return linear(clause);
  if (name === "depend" && clause[2]?.text === "depobj") return elements(clause);
  if (isOfStrictThreads(directive, clause)) return name === "num_threads" ? withoutStrict(clause) : [];
  return name === "allocate" && first !== "allocate" && isDefault(clause) && hasFaults(directive)
    ? []
    : clause;
}

/** `strict`, and what is to be said where there are fewer threads (OpenMP 6.0, section 12.1.2). */
export function strictThreads(pragma: Pragma): PragmaToken | undefined {
  if (pragma.tokens[0]?.text !== "omp") return undefined;
  return clausesOf(pragma.tokens).find((clause) => isOfStrictThreads(pragma.tokens, clause))?.[0];
}

/** Of `target`, arc reads the clauses itself. */
function isOfStrictThreads(directive: readonly PragmaToken[], clause: readonly PragmaToken[]): boolean {
  const [name, , word, colon] = clause.map(({ text }) => text);
  const at = directive.findIndex(({ text }) => text === "(");
  const words = directive.slice(1, at < 0 ? undefined : at).map(({ text }) => text);
  if (!words.includes("parallel") || words.includes("target")) return false;
  return name === "num_threads"
    ? word === "strict" && colon === ":"
    : name === "message" || name === "severity";
}

const withoutStrict = (clause: readonly PragmaToken[]): readonly PragmaToken[] => [
  ...clause.slice(0, 2),
  ...clause.slice(4),
];

/** Constructs of whose variables gcc says that no clause names them, and those that it takes without `allocate`. */
const hasFaults = (directive: readonly PragmaToken[]): boolean =>
  directive.some(({ text }, i) => i > 1 && /^(simd|loop)$/.test(text)) || directive[1]?.text === "scope";

/** Without the clause, variables stand in the same memory. */
const isDefault = (clause: readonly PragmaToken[]): boolean =>
  clause[2]?.text === "omp_default_mem_alloc" && clause[3]?.text === ":";

/** `val` is what variables of loops are. */
function linear(clause: readonly PragmaToken[]): readonly PragmaToken[] {
  const colon = clause.findIndex(({ text }) => text === ":");
  if (colon < 0) return clause;
  const words = clause.slice(colon + 1, -1);
  const at = words.findIndex(({ text }) => text === "val");
  if (at < 0) return clause;
  const left = words.filter((_, i) => i !== at && i !== (at > 0 ? at - 1 : at + 1));
  const isStep = left[0]?.text === "step" && left[1]?.text === "(" && left.at(-1)?.text === ")";
  const step = isStep ? left.slice(2, -1) : left;
  const close = clause.slice(-1);
  return step.length > 0
    ? [...clause.slice(0, colon + 1), ...step, ...close]
    : [...clause.slice(0, colon), ...close];
}

/** gcc takes `o[1]` for a section of an array. */
function elements(clause: readonly PragmaToken[]): readonly PragmaToken[] {
  return clause.flatMap((t, i) => {
    const starts = clause[i - 1]?.text === ":" || clause[i - 1]?.text === ",";
    if (!starts || clause[i + 1]?.text !== "[") return [t];
    return [{ ...t, kind: "punct", text: "*" }, { ...t, kind: "punct", text: "&" }, t] as const;
  });
}
