/** Variables of a CUDA kernel: which are the same in all threads of a block, and which a thread can compute again. */
import { itemAt } from "../../checked/access.ts";
import { hasBarrier, isShared } from "./barriers.ts";
import type { Kernel } from "./functions.ts";
import { isChanged } from "./geometry.ts";
import type { Macros } from "./macros.ts";
import { type Declared, declaredBy, everyStatement, type Statement } from "./statements.ts";
import type { SourceLocations, Token } from "./tokens.ts";

/** A macro may name itself. */
const deepest = 8;

export type Body = NonNullable<Kernel["body"]>;

export interface Variable {
  readonly declared: Declared;
  readonly statement: Statement;
  /** Its value is the same in all threads of a block, and all of them execute the code that sets it. */
  readonly isUniform: boolean;
}

/** The variable that a statement sets, if it does nothing else. */
export function setsOne(tokens: readonly Token[], s: Statement): string | undefined {
  if (s.kind !== "simple") return undefined;
  const [first, second] = [itemAt(tokens, s.from), itemAt(tokens, s.from + 1)];
  const target = first.kind === "name" ? first : second;
  const part = tokens.slice(s.from, s.to);
  const changes = part.filter(({ text }) => /^([+\-*/%&|^]|<<|>>)?=$|^(\+\+|--)$/.test(text));
  if (target.kind !== "name" || changes.length !== 1 || !isChanged(tokens, s, target.text)) return undefined;
  return part.some(({ text }) => text === "," || text === "(") ? undefined : target.text;
}

/** The variables of a kernel's body by name, without those in shared memory. */
export function variablesOf(
  body: Body,
  tokens: readonly Token[],
  locations: SourceLocations,
  macros: Macros,
): ReadonlyMap<string, Variable> {
  const found = new Map<string, { declared: Declared; statement: Statement }>();
  const hasBarriers = body.statements.some((s) => hasBarrier(tokens, s));
  for (const s of everyStatement(body.statements)) {
    if (s.kind !== "declaration" || isShared(tokens, s)) continue;
    for (const declared of declaredBy(tokens, s)) {
      const known = found.get(declared.name.text);
      if (known && hasBarriers)
        locations.refuse(
          declared.name,
          `two variables of this kernel are called '${declared.name.text}', and it has barriers`,
          "give them different names",
        );
      found.set(declared.name.text, { declared, statement: s });
    }
  }
  // A variable is uniform if it is set only from uniform values, where all threads run: starts with all variables and
  // removes the others until nothing changes.
  const varying = new Set<string>();
  const all = [...found];
  for (let changed = true; changed; ) {
    changed = false;
    const note = (name: string): void => {
      if (!found.has(name) || varying.has(name)) return;
      varying.add(name);
      changed = true;
    };
    for (const [name, { declared, statement }] of all) {
      if (all.some(([other, one]) => one.statement === statement && varying.has(other))) note(name);
      if (declared.dimensions.length > 0 || declared.type.includes("*")) note(name);
      if (declared.init && !isUniform(declared.init, varying, macros)) note(name);
    }
    assignments(tokens, body.statements, true, { varying, macros }, note);
  }
  return new Map(all.map(([name, one]) => [name, { ...one, isUniform: !varying.has(name) }]));
}

/** Variables set inside a loop over the threads, or to values that differ between threads. */
function assignments(
  tokens: readonly Token[],
  list: readonly Statement[],
  together: boolean,
  known: { readonly varying: ReadonlySet<string>; readonly macros: Macros },
  note: (name: string) => void,
): void {
  for (const s of list) {
    const around = s.inside.length > 0 && hasBarrier(tokens, s);
    const [from, to] = around ? (s.head ?? [s.from, s.from]) : [s.from, s.to];
    const isOnce =
      together &&
      (around || setsOne(tokens, s) !== undefined) &&
      isUniform(tokens.slice(from, to), known.varying, known.macros);
    if (s.kind !== "declaration" && !isOnce)
      for (const { kind, text } of tokens.slice(from, to))
        if (kind === "name" && isChanged(tokens, { from, to }, text)) note(text);
    if (around) assignments(tokens, s.inside, together && isOnce, known, note);
  }
}

/** No thread index, memory access, call or varying variable, behind macros neither. */
export function isUniform(
  part: readonly Token[],
  varying: ReadonlySet<string>,
  macros: Macros,
  depth = 0,
): boolean {
  return part.every(({ kind, text }, k) => {
    if (kind === "mark")
      return text !== "[" && text !== "->" && !(text === "*" && !/[\w)\]]$/.test(part[k - 1]?.text ?? ""));
    if (kind !== "name") return true;
    if (text === "threadIdx" || varying.has(text)) return false;
    const meant = depth < deepest ? macros.get(text) : undefined;
    if (meant && !isUniform(meant, varying, macros, depth + 1)) return false;
    return part[k + 1]?.text !== "(" || /^(if|while|for|sizeof|dim3)$/.test(text);
  });
}

/** Set once, from indices, parameters and other such names. */
export function isRecomputed(
  name: string,
  variables: ReadonlyMap<string, Variable>,
  body: Body,
  tokens: readonly Token[],
): boolean {
  const variable = variables.get(name);
  if (!variable || variable.isUniform) return false;
  const { declared, statement } = variable;
  if (!declared.init || declared.dimensions.length > 0 || declared.type.includes("*")) return false;
  if (!body.statements.includes(statement) || isChanged(tokens, body, name, declared.name)) return false;
  return declared.init.every(({ kind, text }, k, all) => {
    if (kind === "mark")
      return (
        text !== "[" &&
        text !== "->" &&
        text !== "&" &&
        text !== "=" &&
        text !== "++" &&
        text !== "--" &&
        !(text === "*" && !/[\w)\]]$/.test(all[k - 1]?.text ?? ""))
      );
    if (kind !== "name") return true;
    if (/^(threadIdx|blockIdx|blockDim|gridDim|x|y|z|int|unsigned|long|size_t|float|double)$/.test(text))
      return true;
    const other = variables.get(text);
    if (other)
      return other.isUniform
        ? !isChanged(tokens, body, text, other.declared.name)
        : text !== name && isRecomputed(text, variables, body, tokens);
    return all[k + 1]?.text !== "(" && !isChanged(tokens, body, text);
  });
}
