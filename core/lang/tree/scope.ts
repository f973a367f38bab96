/** Lexical scopes while parsing, and the frozen view of one that a pragma keeps. */
import type { CType, EnumDecl, RecordDecl, Scope, Span, Storage, Symbol } from "./ast.ts";

let lastId = 0;

/** Ids of symbols, records and enums come from one counter: smaller means declared earlier. */
export function freshId(): number {
  return ++lastId;
}

/** The span of nodes that no source text stands for. */
export const NOWHERE: Span = {
  start: { file: "<generated>", line: 0, col: 0 },
  end: { file: "<generated>", line: 0, col: 0 },
};

export function makeSymbol(
  name: string,
  kind: Symbol["kind"],
  type: CType,
  scope: Symbol["scope"],
  span: Span = NOWHERE,
  storage: Storage = "none",
): Symbol {
  return { id: freshId(), name, kind, type, storage, scope, span };
}

export class LexicalScope implements Scope {
  readonly parent?: LexicalScope;
  readonly level: Symbol["scope"];
  readonly names = new Map<string, Symbol>();
  readonly tags = new Map<string, RecordDecl | EnumDecl>();

  constructor(level: Symbol["scope"], parent?: LexicalScope) {
    this.level = level;
    if (parent) this.parent = parent;
  }

  lookup(name: string): Symbol | undefined {
    return this.names.get(name) ?? this.parent?.lookup(name);
  }

  lookupTag(tag: string): RecordDecl | EnumDecl | undefined {
    return this.tags.get(tag) ?? this.parent?.lookupTag(tag);
  }
}

/** `scope` as it is now: later declarations in it stay invisible. */
export function snapshot(scope: LexicalScope): Scope {
  return new ScopeView(scope, lastId);
}

class ScopeView implements Scope {
  readonly parent?: Scope;
  private readonly scope: LexicalScope;
  private readonly lastId: number;

  constructor(scope: LexicalScope, lastId: number) {
    this.scope = scope;
    this.lastId = lastId;
    if (scope.parent) this.parent = new ScopeView(scope.parent, lastId);
  }

  lookup(name: string): Symbol | undefined {
    for (let scope: LexicalScope | undefined = this.scope; scope; scope = scope.parent) {
      const found = scope.names.get(name);
      if (found && found.id <= this.lastId) return found;
    }
    return undefined;
  }

  lookupTag(tag: string): RecordDecl | EnumDecl | undefined {
    for (let scope: LexicalScope | undefined = this.scope; scope; scope = scope.parent) {
      const found = scope.tags.get(tag);
      if (found && found.id <= this.lastId) return found;
    }
    return undefined;
  }

  outermost(): Scope {
    let { scope } = this;
    while (scope.parent) scope = scope.parent;
    return scope;
  }

  /** Every visible name, for suggestions. */
  *visibleNames(): Generator<string> {
    for (let scope: LexicalScope | undefined = this.scope; scope; scope = scope.parent) {
      for (const [name, found] of scope.names) if (found.id <= this.lastId) yield name;
    }
  }
}

/** The scope around all others: one object for each unit. */
export function outermostScope(scope: Scope): Scope {
  if (scope instanceof ScopeView) return scope.outermost();
  return scope.parent ? outermostScope(scope.parent) : scope;
}

/** Names visible in `scope`, nearest first; other implementations of Scope offer none. */
export function visibleNames(scope: Scope): Iterable<string> {
  if (scope instanceof ScopeView) return scope.visibleNames();
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at instanceof LexicalScope; at = at.parent) {
    names.push(...at.names.keys());
  }
  return names;
}
