/**
 * Pointers in structures that certainly lead to memory of the host, wherever the structure is: the unit allocates what
 * they lead to, and neither a directive nor a routine that the unit calls can have set them anew on a device.
 */
import { canonical, pragmasIn, walkStmt } from "../../lang/index.ts";
import type {
  Expr,
  External,
  FunctionDef,
  Init,
  Pragma,
  RecordDecl,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { objectOf, rootOf } from "../analysis/access.ts";
import { calleeOf } from "../analysis/pointer-flow.ts";
import { allocation, isNull, withoutCasts } from "./allocations.ts";

export type Member = Expr & { readonly kind: "member" };

/** The variable that is the structure, or that leads to it: `f` of `f.x`, `f[k].x` and `f->x`. */
export function holderOf({ base, arrow }: Member): Symbol | undefined {
  if (!arrow) {
    const object = objectOf(base);
    if (object) return object;
  }
  const lead = stripImplicit(base);
  const isElement = lead.kind === "index" || (lead.kind === "unary" && lead.op === "*");
  const pointer = arrow
    ? lead
    : isElement
      ? stripImplicit(lead.kind === "index" ? lead.base : lead.arg)
      : undefined;
  return pointer?.kind === "ident" && canonical(pointer.type).kind === "pointer" ? pointer.sym : undefined;
}

/** Takes the code of devices, too: what that sets leads to its own memory. */
export function hostMembers(unit: TranslationUnit, deviceCode: readonly Stmt[]): (member: Member) => boolean {
  const facts = new Facts(unit);
  for (const code of deviceCode)
    walkStmt(code, {
      expr(e) {
        if (e.kind === "assign" || e.kind === "incdec")
          facts.changed(e.kind === "assign" ? e.left : e.arg, undefined);
      },
    });
  return (member) => facts.leadsToHost(member);
}

class Facts {
  private readonly allocated = new Map<Symbol, Set<string>>();
  /** Names of members that something may have set to an address of a device. */
  private readonly named = new Set<string>();
  /** Variables that others may know, or that may lead to structures of others. */
  private readonly exposed = new Set<Symbol>();
  /** Types of structures that functions of other units get. */
  private readonly handed = new Set<RecordDecl>();
  /** Pointers that lead to a variable. */
  private readonly leads = new Map<Symbol, Symbol>();
  private readonly defined: ReadonlySet<string>;

  constructor({ externals }: TranslationUnit) {
    this.defined = new Set(externals.flatMap((e) => (e.kind === "function" ? [e.sym.name] : [])));
    for (const pragma of pragmasIn(externals)) this.pragma(pragma);
    for (const e of externals) this.external(e);
  }

  leadsToHost(member: Member): boolean {
    const holder = holderOf(member);
    if (holder?.kind !== "var") return false;
    const family = this.family(holder);
    if (family.some((sym) => this.exposed.has(sym) || isOfOthers(sym))) return false;
    const record = recordOf(member);
    if (this.named.has(member.name) || !record || this.handed.has(record)) return false;
    return family.some((sym) => this.allocated.get(sym)?.has(member.name));
  }

  /** A variable and the pointers to it. */
  private family(sym: Symbol): readonly Symbol[] {
    const object = this.leads.get(sym) ?? sym;
    return [object, ...[...this.leads].flatMap(([pointer, to]) => (to === object ? [pointer] : []))];
  }

  /** `value`: undefined where it is not known. */
  changed(place: Expr, value: Expr | undefined): void {
    const at = stripImplicit(place);
    if (at.kind === "ident") this.set(at.sym, value);
    if (at.kind !== "member" || canonical(at.type).kind !== "pointer") return;
    const holder = holderOf(at);
    if (!value || !leadsToOwn(value)) this.named.add(at.name);
    else if (holder) this.allocated.set(holder, (this.allocated.get(holder) ?? new Set()).add(at.name));
  }

  private external(e: External): void {
    if (e.kind === "function") this.functionDef(e);
    if (e.kind === "decl") for (const { sym, init } of e.decls) this.initialised(sym, init);
  }

  private functionDef(def: FunctionDef): void {
    const harmless = new Set<Expr>();
    walkStmt(def.body, {
      stmt: (s) => {
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls) {
          this.initialised(sym, init);
          if (init?.kind === "expr" && addressed(init.expr)) harmless.add(withoutCasts(init.expr));
        }
      },
      expr: (e) => this.expr(e, harmless),
    });
  }

  /** `harmless`: variables where only what they hold or lead to is used, or where a function of the unit gets them. */
  private expr(e: Expr, harmless: Set<Expr>): void {
    if (e.kind === "member" || e.kind === "index") harmless.add(stripImplicit(e.base));
    if (e.kind === "unary" && e.op === "*") harmless.add(stripImplicit(e.arg));
    if (e.kind === "sizeof" && e.arg) harmless.add(stripImplicit(e.arg));
    if (e.kind === "assign") {
      harmless.add(stripImplicit(e.left));
      if (stripImplicit(e.left).kind === "ident" && addressed(e.right)) harmless.add(withoutCasts(e.right));
      this.changed(e.left, e.op === "=" ? e.right : undefined);
    }
    if (e.kind === "incdec") this.changed(e.arg, undefined);
    if (e.kind === "call")
      for (const arg of e.args.map(withoutCasts)) {
        harmless.add(arg);
        if (!this.isKnown(calleeOf(e)?.name)) this.hand(arg);
      }
    // Its address may be handed on as that of the pointer to attach.
    const at = e.kind === "unary" && e.op === "&" ? stripImplicit(e.arg) : undefined;
    if (at?.kind === "member") this.named.add(at.name);
    if (harmless.has(e)) return;
    if (e.kind === "ident" && canonical(e.type).kind === "pointer") this.exposed.add(e.sym);
    const root = at && rootOf(at);
    if (root) this.exposed.add(root.sym);
  }

  private isKnown(name: string | undefined): boolean {
    return name !== undefined && (this.defined.has(name) || ofLibraries.test(name));
  }

  private hand(arg: Expr): void {
    const type = canonical(arg.type);
    if (type.kind !== "pointer" && type.kind !== "array") return;
    const to = canonical(type.kind === "pointer" ? type.to : type.of);
    if (to.kind === "record") this.handed.add(to.decl);
    const root = rootOf(arg);
    if (root) this.exposed.add(root.sym);
  }

  private initialised(sym: Symbol, init: Init | undefined): void {
    if (init?.kind === "expr") this.set(sym, init.expr);
    else if (init && setsPointers(init)) this.exposed.add(sym);
  }

  private set(sym: Symbol, value: Expr | undefined): void {
    const to = value && addressed(value);
    const known = this.leads.get(sym);
    if (to && (known ?? to) === to) this.leads.set(sym, to);
    else if (!value || canonical(sym.type).kind !== "pointer" || !leadsToOwn(value)) this.exposed.add(sym);
    if (to && this.exposed.has(sym)) this.exposed.add(to);
  }

  /** Members that a directive speaks of are mapped, attached or counted there. */
  private pragma({ tokens }: Pragma): void {
    for (const [k, { text }] of tokens.entries())
      if (text === "." || text === "->") this.named.add(tokens[k + 1]?.text ?? "");
  }
}

/** Routines that attach nothing by themselves: they get addresses of structures, or of what stands in them. */
const ofLibraries =
  /^(acc_|omp_|free$|mem(cpy|set|move|cmp)$|f?printf$|s?n?printf$|f?puts$|exit$|abort$|f?abs|assert)/;

const isOfOthers = ({ scope, storage }: Symbol): boolean => scope === "file" && storage !== "static";

/** `f` of `&f`. */
function addressed(value: Expr): Symbol | undefined {
  const e = withoutCasts(value);
  const of = e.kind === "unary" && e.op === "&" ? stripImplicit(e.arg) : undefined;
  return of?.kind === "ident" ? of.sym : undefined;
}

/** Whether a list has pointers in it. What they set is known by no name. */
const setsPointers = (init: Init): boolean =>
  init.kind === "expr"
    ? ["pointer", "array", "record"].includes(canonical(init.expr.type).kind) && !isNull(init.expr)
    : init.items.some((item) => setsPointers(item.init));

/** An allocation, or an array. */
function leadsToOwn(value: Expr): boolean {
  const e = withoutCasts(value);
  if (e.kind === "call") return allocation(e) !== undefined && calleeOf(e)?.name !== "posix_memalign";
  return e.kind === "ident" && canonical(e.type).kind === "array";
}

function recordOf({ base, arrow }: Member): RecordDecl | undefined {
  const type = canonical(base.type);
  const record = arrow && type.kind === "pointer" ? canonical(type.to) : type;
  return record.kind === "record" ? record.decl : undefined;
}

/** The member through which an access goes to other memory: `f.x` of `f.x[i]`, `*f.x` and `f.x->y`. */
export function followed(e: Expr): Member | undefined {
  const base =
    e.kind === "index" || (e.kind === "member" && e.arrow)
      ? stripImplicit(e.base)
      : e.kind === "unary" && e.op === "*"
        ? stripImplicit(e.arg)
        : undefined;
  return base?.kind === "member" && canonical(base.type).kind === "pointer" ? base : undefined;
}

export function followedIn(s: Stmt): readonly Member[] {
  const found: Member[] = [];
  const expr = (e: Expr) => {
    const member = followed(e);
    if (member) found.push(member);
    return e.kind !== "sizeof";
  };
  walkStmt(s, { expr });
  return found;
}
