/** What the C compiler's macros say of the machine that host code is for, for selectors of `arch` and `isa`. */
import { outermostScope } from "../../../lang/index.ts";
import type { Scope } from "../../../lang/tree/ast.ts";

export interface Machine {
  /** Names as gcc has them in selectors. */
  readonly architectures: readonly string[];
  hasIsa(name: string): boolean;
}

const architectures: readonly (readonly [macro: string, names: readonly string[]])[] = [
  ["__x86_64__", ["x86", "x86_64"]],
  ["__i386__", ["x86", "i386", "ia32"]],
  ["__aarch64__", ["aarch64"]],
  ["__arm__", ["arm"]],
  ["__powerpc64__", ["powerpc", "powerpc64", "ppc64"]],
  ["__riscv", ["riscv"]],
];

const machines = new WeakMap<Scope, Machine>();

/** Notes the machine of a unit with this scope; `text`: the unit, preprocessed with its macros (`cc -E -dD`). */
export function noteMachine(scope: Scope, text: string): void {
  const has = (macro: string): boolean => new RegExp(`^#define ${macro}\\b`, "m").test(text);
  const [, names] = architectures.find(([macro]) => has(macro)) ?? [];
  if (!names) return;
  const hasIsa = (name: string): boolean => has(`__${name.toUpperCase().replaceAll(/\W/g, "_")}__`);
  machines.set(outermostScope(scope), { architectures: names, hasIsa });
}

/** Undefined for text without the compiler's macros. */
export const machineOf = (scope: Scope): Machine | undefined => machines.get(outermostScope(scope));
