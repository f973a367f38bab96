/** Parses the IR's text: the C code goes through the front end, the `upir` lines are parsed here. */

import { entryOf } from "../../checked/access.ts";
import {
  elementType,
  mapChildren,
  nearestName,
  parse,
  substitute,
  unqualified,
  withBody,
} from "../../lang/index.ts";
import type {
  Declarator,
  Diagnostic,
  Expr,
  External,
  ForStmt,
  FunctionDef,
  Pragma,
  Span,
  Stmt,
  Symbol,
} from "../../lang/tree/ast.ts";
import { ident, stripImplicit } from "../../lang/tree/build.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { readAtomic, readCombination } from "../directives/atomic.ts";
import { comparisonNode, readComparison } from "../directives/comparison.ts";
import { type IdiomFields, idiom } from "../model/idioms.ts";
import type {
  Atomic,
  DataItem,
  Declare,
  DeviceObject,
  Extension,
  IrNode,
  LoopHeader,
  Site,
} from "../model/ir.ts";
import { extStmt } from "../model/ir.ts";
import type { Fields } from "../model/node-shapes.ts";
import { node } from "../model/node-shapes.ts";
import type { Program, Routine, TaskFunction } from "../model/program.ts";
import { type Draft, setAt } from "./clause.ts";
import { Cursor, Unreadable } from "./cursor.ts";
import type { OwnName } from "./item-clauses.ts";
import { forms, type NodeForm, routineForm, taskFunctionForm } from "./nodes.ts";

/** Parses the output of `programText`. Errors are located in `text`, which messages call `file`. */
export function parseProgram(text: string, file: string): Program {
  const { unit, diagnostics } = parse(text, { file, expandPragmas: ["upir"] });
  const reader = new Reader();
  const externals = unit.externals.flatMap((e): External[] => {
    if (e.kind === "function") return [reader.functionDef(e)];
    if (e.kind !== "pragma" || !isUpir(e)) return [e];
    reader.fileScope(e);
    return [];
  });
  return {
    unit: { ...unit, externals },
    routines: reader.routines,
    ...(reader.taskFunctions.size > 0 && { taskFunctions: reader.taskFunctions }),
    declares: reader.declares,
    diagnostics: [...diagnostics, ...reader.diagnostics],
  };
}

const isUpir = (pragma: Pragma): boolean => pragma.tokens[0]?.text === "upir";

type Refuse = (message: string, remedy: string, at?: Stmt) => never;

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly routines = new Map<Symbol, Routine>();
  readonly taskFunctions = new Map<Symbol, TaskFunction>();
  readonly declares: Declare[] = [];

  functionDef(def: FunctionDef): FunctionDef {
    return withBody(def, this.stmt(def.body));
  }

  /** After all functions: routines, tasks and file-scope declares. */
  fileScope(pragma: Pragma): void {
    this.recovering(() => {
      const at = new Cursor(pragma);
      const { loc } = at;
      const kind = at.choice(["routine", "declare", "task-function"], "line between functions");
      if (kind === "declare")
        this.declares.push(
          nodeOf({ kind, ...this.line(at, kind, forms.declare), site: siteOf(pragma, kind) }) as Declare,
        );
      else if (kind === "task-function") {
        const fields = this.line(at, kind, taskFunctionForm);
        const task = { ...(fields as Omit<TaskFunction, "site">), site: siteOf(pragma, kind) };
        this.taskFunctions.set(task.sym, task);
      } else {
        const routine = { ...(this.line(at, kind, routineForm) as Omit<Routine, "loc">), loc };
        this.routines.set(routine.sym, routine);
      }
    });
  }

  private recovering<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      this.diagnostics.push(problem.diagnostic);
      return undefined;
    }
  }

  // -------------------------------------------------------------- statements

  private stmt(s: Stmt): Stmt {
    const pragmas = s.pragmas ?? [];
    const first = pragmas.findIndex(isUpir);
    const pragma = pragmas[first];
    if (!pragma) return mapChildren(s, (child) => this.stmt(child));
    const source = withPragmas(s, pragmas.slice(first + 1));
    const ext = this.recovering(() => this.node(pragma, source));
    if (!ext) return this.stmt(source);
    const span = { start: pragma.span.start, end: s.span.end };
    return withPragmas(isIdiom(ext) ? idiom(ext, { span }) : extStmt(ext, span), pragmas.slice(0, first));
  }

  private node(pragma: Pragma, source: Stmt): IrNode | IdiomFields {
    const at = new Cursor(pragma);
    const kind = at.choice(Object.keys(forms) as (keyof typeof forms)[], "node");
    const form = forms[kind];
    const { nest, ...fields } = this.line(at, kind, form);
    const site = siteOf(pragma, kind, form.follows === "nothing" ? undefined : source);
    if (form.follows === "access") return this.access(fields, source, site);
    const draft: Draft = { kind, ...fields, ...this.following(form, { ...fields, nest }, source, pragma) };
    if (kind === "host-data") draft.ifPresent ??= false;
    if (kind === "delayline") draft.type = elementOf(draft.line as Expr);
    if (kind === "accumulator") draft.type = elementOf(draft.register as Expr);
    return nodeOf(hasSite(kind) ? { ...draft, site: siteWithout(site, draft) } : draft);
  }

  // -------------------------------------------------------------- the line

  /** line = "upir" kind word... { clause | key ["(" tokens ")"] } */
  private line(at: Cursor, kind: string, form: NodeForm): Draft {
    const fields: Draft = {};
    for (const path of form.lists ?? []) setAt(fields, path, []);
    for (const w of form.words) setAt(fields, w.path, at.choice(w.values, `kind of '${kind}'`));
    const seen = new Set<string>();
    const extensions: Extension[] = [];
    while (!at.atEnd) {
      const { loc } = at;
      const key = at.word("a clause");
      const clause = form.clauses.find((c) => c.key === key);
      if (!clause) {
        const value = at.rest();
        extensions.push({ key, ...(value !== undefined && { value }) });
        this.warnUnknown(
          key,
          kind,
          form.clauses.map((c) => c.key),
          loc,
        );
        continue;
      }
      if (seen.has(key) && !clause.repeats)
        at.fail("repeated-clause", `'${key}' stands twice on this line`, "keep one of them", loc);
      seen.add(key);
      clause.read(at, fields);
    }
    const missing = form.clauses.find((c) => c.required && !seen.has(c.key));
    if (missing) at.fail("missing-clause", `'${kind}' needs '${missing.key}'`, `add ${missing.key}(...)`);
    return extensions.length > 0 ? { ...fields, extensions } : fields;
  }

  private warnUnknown(key: string, kind: string, known: readonly string[], loc: Span["start"]): void {
    const near = nearestName(key, known);
    this.diagnostics.push({
      severity: "warning",
      code: "unknown-extension",
      loc,
      message: `'${key}' has no meaning for '${kind}': it is kept and has no effect`,
      remedy: near === undefined ? "remove it, unless another tool reads it" : `did you mean '${near}'?`,
    });
  }

  // -------------------------------------------------------------- the statement behind it

  private following(form: NodeForm, fields: Draft, source: Stmt, pragma: Pragma): Draft {
    const refuse: Refuse = (message, remedy, at = source) => {
      throw new Unreadable({
        severity: "error",
        code: "wrong-statement",
        loc: at.span.start,
        message: `${message} should follow this line's '${pragma.tokens[1]?.text}'`,
        remedy,
      });
    };
    switch (form.follows) {
      case "nothing":
        if (source.kind !== "expr" || source.expr || source.pragmas)
          refuse("an empty statement", "write ';' behind the line");
        return {};
      case "body":
        return { body: this.stmt(source) };
      case "region":
        return this.region(fields, source, refuse);
      case "nest":
        return this.nest(fields, source, refuse);
      case "assignment": {
        const assignment = source.kind === "expr" ? source.expr : undefined;
        return assignment?.kind === "assign" && stripImplicit(assignment.right).kind === "ident"
          ? { assignment }
          : refuse("an assignment", "write x = v; or x += v; where v is a variable");
      }
      case "partial": {
        const [first, body] = pair(source);
        const partial = onlyVariable(first);
        if (!partial || !body)
          return refuse("a block of a declaration and a statement", "write { T partial; statement }");
        return { partial: partial.sym, body: this.stmt(body) };
      }
      case "declaration": {
        const into = onlyVariable(source);
        return into ? { into: into.sym } : refuse("the declaration of one variable", "write T name;");
      }
      default:
        return {};
    }
  }

  /** If items introduce variables: a block that declares them all before the body. */
  private region(fields: Draft, source: Stmt, refuse: Refuse): Draft {
    const items = (fields.items ?? []) as readonly (DataItem & Partial<OwnName>)[];
    const objects = (fields.objects ?? []) as readonly (Omit<DeviceObject, "pointer"> & OwnName)[];
    const names = [...new Set([...items.flatMap((i) => i.ownName ?? []), ...objects.map((o) => o.ownName)])];
    if (names.length === 0) return { body: this.stmt(source) };
    const block = source.kind === "compound" ? source.body : [];
    const own = new Map(
      block.slice(0, -1).flatMap((s) => {
        const declared = onlyVariable(s);
        return declared ? [[declared.sym.name, declared.sym] as const] : [];
      }),
    );
    const body = block.at(-1);
    if (!body || block.length !== names.length + 1 || names.some((name) => !own.has(name)))
      return refuse(
        `a block that declares ${names.map((n) => `'${n}'`).join(", ")} and then has one statement`,
        "declare the variables that 'as' brings, one by one, first in the block",
      );
    const known = items.map(({ ownName, ...item }) => {
      const sym = ownName === undefined ? undefined : own.get(ownName);
      return sym ? { ...item, sym, own: true, object: item.object ?? ident(sym) } : item;
    });
    const pointers = objects.map(({ ownName, ...o }) => ({ ...o, pointer: entryOf(own, ownName) }));
    return {
      ...(fields.items !== undefined && { items: known }),
      ...(objects.length > 0 && { objects: pointers }),
      body: this.stmt(body),
    };
  }

  private nest(fields: Draft, source: Stmt, refuse: Refuse): Draft {
    const depth = (fields.nest as number | undefined) ?? 1;
    const headers: LoopHeader[] = [];
    let body: Stmt = source;
    for (let k = 0; k < depth; k++) {
      if (body.kind !== "for" || body.pragmas)
        return refuse(
          depth === 1 ? "a for loop" : `${depth} loops, each directly inside the one before,`,
          "write for (i = lower; i < bound; i += step)",
          body,
        );
      headers.push(headerOf(body));
      body = body.body;
    }
    return { headers, body: this.stmt(body) };
  }

  private access(fields: Draft, source: Stmt, site: Site): Atomic {
    const { extensions, reduction } = fields as Pick<Atomic, "extensions" | "reduction">;
    const atomic = reduction
      ? readCombination(source, site)
      : readAccess(fields.what as Atomic["what"], source, site);
    if ("severity" in atomic) throw new Unreadable(atomic);
    return extensions ? { ...atomic, extensions } : atomic;
  }
}

function readAccess(what: Atomic["what"], source: Stmt, site: Site): Atomic | Diagnostic {
  const plain = readAtomic(what, source, site);
  const compared = "severity" in plain ? readComparison(what, source, site) : undefined;
  return compared && !("severity" in compared) ? comparisonNode(compared, site) : plain;
}

function headerOf(loop: ForStmt): LoopHeader {
  const header = countedHeader(loop);
  if ("severity" in header) throw new Unreadable(header);
  return header;
}

function withPragmas<S extends Stmt>(s: S, pragmas: readonly Pragma[]): S {
  const { pragmas: _, ...rest } = s;
  return (pragmas.length > 0 ? { ...rest, pragmas } : rest) as S;
}

const pair = (s: Stmt): readonly (Stmt | undefined)[] =>
  s.kind === "compound" && s.body.length === 2 && !s.pragmas ? s.body : [];

/** `T name;` */
function onlyVariable(s: Stmt | undefined): Declarator | undefined {
  if (s?.kind !== "decl" || s.decls.length !== 1) return undefined;
  const [only] = s.decls;
  return only && !only.init && only.sym.kind === "var" ? only : undefined;
}

const elementOf = (array: Expr) => unqualified(elementType(array.type) ?? array.type);

const idioms: ReadonlySet<string> = new Set([
  "delayline",
  "accumulator",
  "accumulate",
  "channel-write",
  "channel-read",
]);
const isIdiom = (n: IrNode | IdiomFields): n is IdiomFields => idioms.has(n.kind);
const hasSite = (kind: string): boolean => kind !== "spmd" && !idioms.has(kind);

function siteOf(pragma: Pragma, what: string, stmt?: Stmt): Site {
  return { loc: pragma.tokens[1]?.loc ?? pragma.span.start, what, pragma, ...(stmt && { stmt }) };
}

/** The statement that the host runs instead uses the program's variables, not the region's own. */
function siteWithout(site: Site, draft: Draft): Site {
  const items = (draft.items ?? []) as readonly DataItem[];
  const own = new Map(items.flatMap((i) => (i.own ? [[i.sym, i.object] as const] : [])));
  const { stmt } = site;
  if (own.size === 0 || stmt?.kind !== "compound") return site;
  const rest = stmt.body.filter((s) => {
    const declared = onlyVariable(s);
    return !declared || !own.has(declared.sym);
  });
  return { ...site, stmt: substitute({ ...stmt, body: rest }, own) };
}

const nodeOf = (fields: Draft): IrNode | IdiomFields =>
  idioms.has(fields.kind as string) ? (fields as IdiomFields) : node<IrNode>(fields as Fields<IrNode>);
