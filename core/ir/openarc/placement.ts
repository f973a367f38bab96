/**
 * `#pragma openarc cuda CLAUSE(variables)...`: the kind of device memory for variables. The program means the same
 * without it, so a note says where a device does otherwise. Arrays that a gang declares are in the group's memory
 * anyway, and values that provably fit a register are kept there.
 */
import { walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Loc, Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { canonical } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";

/** What a clause requests, and its opposite. */
const clauses: Readonly<
  Record<string, { readonly place: string; readonly no?: true; readonly readOnly?: true }>
> = {
  global: { place: "global" },
  constant: { place: "constant", readOnly: true },
  noconstant: { place: "constant", no: true },
  texture: { place: "texture", readOnly: true },
  notexture: { place: "texture", no: true },
  sharedRO: { place: "shared", readOnly: true },
  sharedRW: { place: "shared" },
  noshared: { place: "shared", no: true },
  registerRO: { place: "register", readOnly: true },
  registerRW: { place: "register" },
  noregister: { place: "register", no: true },
};

interface Named {
  readonly clause: string;
  readonly name: string;
  readonly loc: Loc;
}

/** Notes about the directives before a statement. */
export function placements(pragmas: readonly Pragma[], stmt: Stmt): readonly Diagnostic[] {
  const own = pragmas.filter(({ tokens }) => tokens[0]?.text === "openarc" && tokens[1]?.text === "cuda");
  if (own.length === 0) return [];
  const found: Diagnostic[] = [];
  const named = own.flatMap((pragma) => {
    const read = clausesOf(pragma);
    if (!("severity" in read)) return read.map((one) => ({ ...one, pragma }));
    found.push(read);
    return [];
  });
  const inside = declaredIn(stmt);
  const seen = new Map<string, Named>();
  for (const one of named) {
    const sym = inside.get(one.name) ?? one.pragma.scope.lookup(one.name);
    const before = seen.get(one.name);
    seen.set(one.name, one);
    const problem =
      sym?.kind !== "var" && sym?.kind !== "param"
        ? error(
            one,
            "unknown-variable",
            `'${one.name}' is no variable here`,
            "name a variable that the statement uses",
          )
        : ((before && contradiction(before, one)) ?? changed(one, sym, stmt));
    found.push(problem ?? honoured(one, sym as Symbol, inside.has(one.name)));
  }
  return found;
}

function clausesOf(pragma: Pragma): readonly Named[] | Diagnostic {
  const tokens = pragma.tokens.slice(2);
  const loc = (at: number) => tokens[at]?.loc ?? pragma.tokens[0]?.loc ?? pragma.span.start;
  const refuse = (at: number, message: string): Diagnostic => ({
    severity: "error",
    code: "openarc-directive",
    loc: loc(at),
    message,
    remedy: `write openarc cuda with ${Object.keys(clauses).join("(a), ")}(a)`,
  });
  const named: Named[] = [];
  let at = 0;
  while (at < tokens.length) {
    const clause = tokens[at]?.text ?? "";
    if (!(clause in clauses)) return refuse(at, `'openarc cuda' has no clause '${clause}'`);
    if (tokens[at + 1]?.text !== "(") return refuse(at, `'${clause}' names no variables`);
    at += 2;
    for (;;) {
      const name = tokens[at];
      if (name?.kind !== "ident") return refuse(at, `'${clause}' takes names of variables`);
      named.push({ clause, name: name.text, loc: name.loc });
      at += 1;
      // The data clauses say which part of an array is meant.
      for (let depth = 0; tokens[at] && (depth > 0 || tokens[at]?.text === "["); at++)
        depth += tokens[at]?.text === "[" ? 1 : tokens[at]?.text === "]" ? -1 : 0;
      if (tokens[at]?.text !== ",") break;
      at += 1;
    }
    if (tokens[at]?.text !== ")") return refuse(at, `the list of '${clause}' does not end`);
    at += 1;
    if (tokens[at]?.text === ",") at += 1;
  }
  return named.length > 0 ? named : refuse(0, "'openarc cuda' has no clause");
}

/** By name, since OpenARC allows declaring the variables after the directive. */
function declaredIn(stmt: Stmt): ReadonlyMap<string, Symbol> {
  const found = new Map<string, Symbol>();
  walkStmt(stmt, {
    stmt: (s) => {
      if (s.kind === "decl")
        for (const { sym } of s.decls) if (!found.has(sym.name)) found.set(sym.name, sym);
    },
  });
  return found;
}

const error = ({ loc }: Named, code: string, message: string, remedy: string): Diagnostic => ({
  severity: "error",
  code,
  loc,
  message,
  remedy,
});

function contradiction(before: Named, one: Named): Diagnostic | undefined {
  const [a, b] = [clauses[before.clause], clauses[one.clause]];
  if (!a || !b || a.place !== b.place || a.no === b.no) return undefined;
  return error(
    one,
    "conflicting-clauses",
    `'${one.clause}(${one.name})' contradicts '${before.clause}(${one.name})'`,
    `keep one of the two`,
  );
}

function changed(one: Named, sym: Symbol, stmt: Stmt): Diagnostic | undefined {
  const use = usesOf(stmt).of.get(sym);
  if (!clauses[one.clause]?.readOnly || !(use?.written || use?.elementsWritten)) return undefined;
  return error(
    one,
    "read-only-placement",
    `'${one.clause}(${one.name})' says that '${one.name}' is read only, and the statement changes it`,
    one.clause.endsWith("RO")
      ? `say ${one.clause.replace(/RO$/, "RW")}(${one.name})`
      : `leave '${one.name}' out`,
  );
}

/** The note on a clause's effect. */
function honoured(one: Named, sym: Symbol, inside: boolean): Diagnostic {
  const place = clauses[one.clause];
  const isArray = canonical(sym.type).kind === "array";
  const note = (message: string, why: string): Diagnostic => ({
    severity: "note",
    code: "placement",
    loc: one.loc,
    message,
    why,
  });
  const noteKept = (why: string) => note(`'${one.clause}(${one.name})' is kept`, why);
  const not = (why: string) => note(`'${one.clause}(${one.name})' has no effect`, why);
  switch (place?.place) {
    case "shared":
      if (place.no)
        return inside && isArray
          ? not("an array that a gang declares is in its group's memory, where its workers share it")
          : noteKept("arc puts no other data there than arrays that gangs declare, and partial results");
      return inside && isArray
        ? noteKept("an array that a gang declares is in its group's memory")
        : not(
            "arc does not copy data into a group's memory: declare an array in the gang's loop, and fill it there",
          );
    case "register":
      return place.no
        ? not("elements stay in registers where arc or the device's compiler proves that nobody could tell")
        : not("arc and the device's compiler choose what stays in a register: a local variable does");
    case "global":
      return inside && isArray
        ? not("an array that a gang declares is in its group's memory")
        : noteKept("data that clauses name is in global memory");
    default:
      return place?.no
        ? noteKept(`arc puts nothing into ${place.place} memory`)
        : not(
            `arc puts nothing into ${place?.place} memory: devices read data that nobody changes through a cache`,
          );
  }
}
