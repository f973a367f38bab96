/** Which variables are private to what: the data-sharing rules of both models. */
import { isGlobal } from "../../ir/analysis/routines.ts";
import { isScalar } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { clausesOf, type Directive, itemsOf, symbolsOf } from "../read/directive.ts";

/** The number of enclosing levels and tasks for which the variable is private. */
interface Owner {
  readonly levels: number;
  readonly tasks: number;
}

const everyones: Owner = { levels: 0, tasks: 0 };
const everyThread: Owner = { levels: Number.POSITIVE_INFINITY, tasks: 0 };

interface Scope {
  readonly listed: Map<Symbol, Owner>;
  /** Pointers whose elements are private: `reduction(+: p[0:n])`. */
  readonly elements?: ReadonlySet<Symbol>;
  /** The rule for variables that no clause lists; `outer`: their owner outside. */
  readonly unlisted?: (sym: Symbol, outer: Owner) => Owner;
}

const copied = [
  "private",
  "firstprivate",
  "lastprivate",
  "linear",
  "reduction",
  "in_reduction",
  "task_reduction",
  "copyprivate",
];

/** OpenACC clauses that make a variable shared by all gangs. */
const mapped = [
  "copy",
  "copyin",
  "copyout",
  "create",
  "no_create",
  "present",
  "deviceptr",
  "pcopy",
  "pcreate",
];

/** `orphan`: its team is the caller's. */
type Kind = "construct" | "task" | "gangs" | "orphan";

export class Owners {
  private scopes: Scope[] = [];
  private readonly threadprivate: ReadonlySet<Symbol>;
  private readonly onDevice: Set<Symbol>;

  /** `onDevice`: variables in `acc declare`. */
  constructor(threadprivate: ReadonlySet<Symbol>, onDevice: ReadonlySet<Symbol>) {
    this.threadprivate = threadprivate;
    this.onDevice = new Set(onDevice);
  }

  declare(sym: Symbol, owner: Owner): void {
    const scope = this.scopes.at(-1);
    if (scope) scope.listed.set(sym, owner);
    else this.scopes.push({ listed: new Map([[sym, owner]]) });
  }

  /** Runs `inside` under the clauses of a directive; private copies belong to `owner`. */
  within(d: Directive, owner: Owner, inside: () => void, kind: Kind): void {
    const scopes = this.scopes;
    const listed = new Map<Symbol, Owner>();
    for (const sym of symbolsOf(d, "shared")) listed.set(sym, this.of(sym, owner.levels));
    for (const sym of symbolsOf(d, ...copied)) listed.set(sym, owner);
    // Of `teams`, each thread of the constructs inside has a copy.
    for (const sym of symbolsOf(d, "shuffle")) listed.set(sym, everyThread);
    const unlisted = this.ruleFor(d, owner, kind);
    const sections = clausesOf(d, ...copied).flatMap((c) => itemsOf(d, c).filter((item) => item.part));
    const elements = new Set(sections.map((item) => item.sym));
    this.scopes = [...scopes, { listed, elements, ...(unlisted && { unlisted }) }];
    inside();
    this.scopes = scopes;
  }

  /** Runs `inside` under OpenACC's data clauses. */
  mapping(d: Directive, inside: () => void): void {
    const added = symbolsOf(d, ...mapped).filter((sym) => !this.onDevice.has(sym));
    for (const sym of added) this.onDevice.add(sym);
    inside();
    for (const sym of added) this.onDevice.delete(sym);
  }

  of(sym: Symbol, levels: number): Owner {
    // Tasks of one thread never run at the same time.
    if (this.threadprivate.has(sym)) return { levels, tasks: Number.POSITIVE_INFINITY };
    const walk = (k: number): Owner => {
      const scope = this.scopes[k];
      if (!scope) return everyones;
      const listed = scope.listed.get(sym);
      if (listed) return listed;
      const outer = walk(k - 1);
      return scope.unlisted ? scope.unlisted(sym, outer) : outer;
    };
    return walk(this.scopes.length - 1);
  }

  /** The owner of a pointer's target. */
  ofElements(sym: Symbol, levels: number): Owner {
    return this.hasElements(sym) ? this.of(sym, levels) : everyones;
  }

  /** Whether a clause makes what the pointer leads to private, wherever it leads. */
  hasElements(sym: Symbol): boolean {
    return this.scopes.some((scope) => scope.elements?.has(sym));
  }

  private ruleFor(d: Directive, owner: Owner, kind: Kind): Scope["unlisted"] {
    const words = new Set(
      d.clauses.filter((c) => c.name === "default").flatMap((c) => c.tokens.map((t) => t.text)),
    );
    if (words.has("private") || words.has("firstprivate")) return () => owner;
    if (kind === "gangs")
      // Copied in like a function argument: pointers are scalars, too.
      return (sym, outer) => (isScalar(sym.type) && !this.onDevice.has(sym) ? everyThread : outer);
    // Each thread that comes to it has called the function, whose variables are its own.
    if (kind === "orphan") return (sym, outer) => (!isGlobal(sym) && outer.levels === 0 ? owner : outer);
    if (kind !== "task" || words.has("shared")) return undefined;
    return (sym, outer) => {
      const everybodys = outer.levels === 0 && outer.tasks === 0;
      return !isGlobal(sym) && !(everybodys && owner.levels > 0) ? owner : outer;
    };
  }
}
