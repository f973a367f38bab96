/**
 * Spellings for everything that a kernel text names. The user's names are kept where possible. A name that the kernel
 * language or the emitted text uses itself, or that is already used in the same scope, gets a suffix. Symbols have
 * identity, so no two are ever confused.
 */

import { asciiName } from "../../../core/ir/model/ascii-names.ts";
import { asIdiom } from "../../../core/ir/model/idioms.ts";
import { canonical, walkStmt } from "../../../core/lang/index.ts";
import type { CType, RecordDecl, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  type KernelFunction,
  type KernelParam,
  type LoweredRegion,
  workItemIdOf,
  workItemIds,
} from "../device/device.ts";

/** Names that emitted text declares in any dialect. */
const emitted = new Set(
  [
    ...workItemIds,
    "args",
    "at",
    "bytes",
    "from",
    "grid",
    "half",
    "k",
    "lanes",
    "other",
    "to",
    "value",
    "warp",
  ].map((word) => `arc_${word}`),
);

/** Macros of headers, and built-in macros of the languages. */
const macros =
  /^((CLK|M|FLT|DBL|LDBL|INT|U?INT\d+|S?CHAR|UCHAR|SHRT|USHRT|UINT|L?LONG|U?LL?ONG|SIZE|FP)_[A-Z0-9_]+|INFINITY|NAN|HUGE_VALF?|MAXFLOAT|EOF|NULL|RAND_MAX|BUFSIZ|linux|unix|i386|kernel_exec|__(func|FUNCTION|PRETTY_FUNCTION)__)$/;

export function isReserved(
  name: string,
  { reserved }: { reserved: { has(name: string): boolean } },
): boolean {
  return reserved.has(name) || macros.test(name);
}

/** The form of library and built-in functions: any such name may exist in some compiler. */
const plainWord = /^[a-z][a-z0-9]*$/;

export class Names {
  private readonly reserved: (name: string) => boolean;
  private readonly spellings = new Map<Symbol, string>();
  private readonly tags = new Map<RecordDecl, string>();
  /** File-scope names. */
  private readonly file = new Set<string>();
  /** Type definitions by name: units that share a header have equal ones. */
  private readonly types = new Map<string, string>();

  constructor(region: LoweredRegion, reserved: { has(name: string): boolean }) {
    this.reserved = (name) => reserved.has(name) || macros.test(name) || emitted.has(name);
    for (const k of region.kernels) this.file.add(k.name).add(`${k.name}_group`);
    const own = new Set(region.functions.map((f) => f.sym));
    const called = (s: Stmt) =>
      walkStmt(s, {
        expr: (e) => {
          if (e.kind === "ident" && e.sym.kind === "function" && !own.has(e.sym)) this.file.add(e.sym.name);
        },
      });
    for (const f of region.functions) called(f.body);
    for (const k of region.kernels) k.body.forEach(called);
    for (const f of region.functions)
      this.give(f.sym, this.fresh(plainWord.test(f.sym.name) ? `${f.sym.name}_` : f.sym.name));
  }

  /** No language reserves a name with one of these suffixes, but families of reserved names are unlimited. */
  private readonly isTaken = (name: string, base: string): boolean =>
    this.file.has(name) || (name === base && this.reserved(name));

  /** Call after the types were named. */
  nameVariables(region: LoweredRegion): void {
    for (const f of region.functions) this.nameFunction(f);
    for (const k of region.kernels) {
      const scopes = new Scopes(this.isTaken, this.spellings);
      scopes.within(() => {
        for (const p of k.params) scopes.declare(p.sym, parts(p));
        for (const s of k.shared) scopes.declare(s);
        for (const s of k.body) scopes.enter(s);
      });
    }
  }

  private nameFunction(f: KernelFunction): void {
    const scopes = new Scopes(this.isTaken, this.spellings);
    scopes.within(() => {
      for (const p of f.params) scopes.declare(p.sym);
      scopes.enter(f.body);
    });
  }

  of(sym: Symbol): string | undefined {
    return this.spellings.get(sym);
  }

  tag(decl: RecordDecl): string | undefined {
    return this.tags.get(decl);
  }

  /**
   * Names a type and returns its definition; undefined if the same definition was returned before. `print` prints it
   * under a candidate spelling.
   */
  define(type: Symbol | RecordDecl, base: string, print: () => string): string | undefined {
    const isTag = type.kind === "record-decl";
    for (const candidate of candidates(base)) {
      const key = isTag ? `struct ${candidate}` : candidate;
      const before = this.types.get(key);
      // In C++ tags and typedefs share one name space; a typedef may only repeat the tag of its own record.
      const rival = this.types.get(isTag ? candidate : `struct ${candidate}`);
      if (before === undefined && rival !== undefined && (isTag || this.tagOf(type.type) !== candidate))
        continue;
      if (before === undefined && candidate === base && this.reserved(base)) continue;
      if (before === undefined && !isTag && this.file.has(candidate)) continue;
      if (isTag) this.tags.set(type, candidate);
      else this.spellings.set(type, candidate);
      const text = print();
      if (before === text) return undefined;
      if (before !== undefined) continue;
      this.types.set(key, text);
      if (!isTag) this.file.add(candidate);
      return text;
    }
    return undefined;
  }

  private tagOf(type: CType): string | undefined {
    const c = canonical(type);
    return c.kind === "record" ? this.tags.get(c.decl) : undefined;
  }

  private give(sym: Symbol, name: string): void {
    this.spellings.set(sym, name);
    this.file.add(name);
  }

  private fresh(base: string): string {
    for (const name of candidates(base)) if (!this.isTaken(name, base)) return name;
    return base;
  }
}

/** `x`, `x_`, `x_2`, `x_3`, ... */
function* candidates(written: string): Generator<string> {
  const base = asciiName(written);
  yield base;
  if (!base.endsWith("_")) yield `${base}_`;
  for (let n = 2; ; n++) yield `${base.replace(/_$/, "")}_${n}`;
}

/** A buffer may consist of several parameters with separate names. */
const parts = (p: KernelParam): readonly string[] => (p.pointer ? ["_memory", "_offset"] : []);

/** Variables of one function: no name hides another, so code can be moved between scopes. */
class Scopes {
  private readonly stack: Set<string>[] = [];
  private readonly ever = new Set<string>();
  private readonly outside: (name: string, base: string) => boolean;
  private readonly spellings: Map<Symbol, string>;

  constructor(outside: (name: string, base: string) => boolean, spellings: Map<Symbol, string>) {
    this.outside = outside;
    this.spellings = spellings;
  }

  within(f: () => void): void {
    this.stack.push(new Set());
    f();
    this.stack.pop();
  }

  declare(sym: Symbol, suffixes: readonly string[] = []): void {
    if (sym.kind !== "var" && sym.kind !== "param") return;
    if (sym.scope === "file" || workItemIdOf(sym)) return;
    const all = (name: string) => [name, ...suffixes.map((suffix) => name + suffix)];
    const visible = (name: string) => this.stack.some((scope) => scope.has(name));
    const take = (name: string) => {
      this.spellings.set(sym, name);
      for (const each of all(name)) {
        this.stack.at(-1)?.add(each);
        this.ever.add(each);
      }
    };
    // Copies of a statement declare the same symbols: one spelling must work in all positions.
    const before = this.spellings.get(sym);
    if (before !== undefined && !all(before).some(visible)) return take(before);
    const used = before === undefined ? visible : (name: string) => this.ever.has(name);
    for (const name of candidates(sym.name))
      if (!all(name).some((each) => this.outside(each, sym.name) || used(each))) return take(name);
  }

  enter(s: Stmt): void {
    switch (s.kind) {
      case "compound":
        return this.within(() => s.body.forEach((child) => void this.enter(child)));
      case "for":
        return this.within(() => {
          if (s.init?.kind === "decl") this.declarations(s.init);
          this.inside(s);
        });
      case "decl":
        this.declarations(s);
        return this.inside(s);
      case "ext": {
        // Declared in the enclosing block.
        const read = asIdiom(s, "channel-read");
        if (read) return this.declare(read.into);
        return this.within(() => {
          const partial = asIdiom(s, "accumulate")?.partial ?? asIdiom(s, "delayline")?.lane;
          if (partial) this.declare(partial);
          this.inside(s);
        });
      }
      default:
        return this.within(() => this.inside(s));
    }
  }

  private declarations(s: Stmt & { readonly kind: "decl" }): void {
    for (const d of s.decls) this.declare(d.sym);
  }

  /** Statements in `s`, including those in statement expressions. */
  private inside(s: Stmt): void {
    walkStmt(s, {
      stmt: (child) => {
        if (child === s || (s.kind === "for" && child === s.init)) return true;
        this.enter(child);
        return false;
      },
      expr: (e) => {
        if (e.kind !== "stmt-expr") return true;
        this.enter(e.body);
        return false;
      },
    });
  }
}
