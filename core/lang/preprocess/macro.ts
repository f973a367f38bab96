/** Macro definitions, and which are in force at a line. */
import type { Loc } from "../tree/ast.ts";
import type { Token } from "./token.ts";

export type Relex = (text: string, at: Loc) => Token[];

export interface Macro {
  readonly name: string;
  /** Absent: object-like. */
  readonly params?: readonly string[];
  /** Name of the variable argument (`__VA_ARGS__` or GNU `args...`). */
  readonly rest?: string;
  readonly body: readonly Token[];
}

const HEAD = /^([A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)(\(([^)]*)\))?/;

interface Definition {
  /** Number of definitions and undefinitions before this one. */
  readonly version: number;
  /** What follows `#define`; absent: `#undef`. */
  readonly text?: string;
  readonly loc?: Loc;
  /** Parsed on first use, since headers define thousands of unused macros. */
  macro?: Macro | undefined;
}

/** Every definition of every macro of a unit, in order. */
export class MacroTable {
  private readonly history = new Map<string, Definition[]>();
  private readonly saved = new Map<string, (Definition | undefined)[]>();
  /** Tables that others have, too, with the number of changes before them. */
  private readonly appended: { readonly after: number; readonly table: MacroTable }[] = [];
  private changes = 0;

  /** A version number of the macros in force now, for `lookup`. */
  get version(): number {
    return this.changes;
  }

  /** `text` is what follows `#define`. */
  define(text: string, loc: Loc): void {
    this.add(NAME.exec(text)?.[0] ?? "", { version: ++this.changes, text, loc });
  }

  undefine(name: string): void {
    this.add(name, { version: ++this.changes });
  }

  private add(name: string, definition: Definition): void {
    const known = this.history.get(name);
    if (known) known.push(definition);
    else this.history.set(name, [definition]);
  }

  /** All that a table holds comes after what this one does. */
  append(table: MacroTable): void {
    this.appended.push({ after: this.changes, table });
    this.changes += table.changes;
  }

  private at(name: string, version: number): Definition | undefined {
    const own = this.history.get(name)?.findLast((definition) => definition.version <= version);
    const later = this.appended.filter(({ after }) => after < version && after >= (own?.version ?? 0));
    for (const { after, table } of later.reverse()) {
      const found = table.at(name, version - after);
      if (found) return found;
    }
    return own;
  }

  /** `#pragma push_macro("name")`. */
  push(name: string): void {
    const stack = this.saved.get(name) ?? [];
    stack.push(this.at(name, this.changes));
    this.saved.set(name, stack);
  }

  /** `#pragma pop_macro("name")`. */
  pop(name: string): void {
    const stack = this.saved.get(name);
    if (!stack || stack.length === 0) return;
    this.add(name, { ...stack.pop(), version: ++this.changes });
  }

  /** The macro as of `version`. */
  lookup(name: string, version: number, relex: Relex): Macro | undefined {
    const definition = this.at(name, version);
    if (definition?.text === undefined || !definition.loc) return undefined;
    definition.macro ??= parseDefinition(definition.text, definition.loc, relex);
    return definition.macro;
  }
}

const NAME = /^[\w$\u0080-\uffff]*/;

/** definition = name ("(" params ")")? replacement */
function parseDefinition(text: string, loc: Loc, relex: Relex): Macro | undefined {
  const head = HEAD.exec(text);
  if (!head?.[1]) return undefined;
  const body = relex(text.slice(head[0].length), loc);
  if (head[2] === undefined) return { name: head[1], body };
  const names = (head[3] ?? "")
    .split(",")
    .map((param) => param.trim())
    .filter((param) => param !== "");
  const last = names[names.length - 1];
  if (!last?.endsWith("...")) return { name: head[1], params: names, body };
  const rest = last.slice(0, -3).trim() || "__VA_ARGS__";
  return { name: head[1], params: names.slice(0, -1), rest, body };
}

/** The macros in force at one place. */
export interface MacroView {
  readonly table: MacroTable;
  readonly version: number;
  readonly relex: Relex;
}
