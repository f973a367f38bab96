/** What the readers of directives share: what they found wrong, and where the directive at hand stands. */
import type { Diagnostic, Loc } from "../../lang/ast.ts";
import type { Task } from "../ir.ts";
import { clause } from "./clauses.ts";
import type { Directive } from "./parse.ts";

/** What the constructs around a statement decide for it. */
export interface Around {
  readonly construct?: Task["construct"];
  readonly defaultData?: "none" | "present";
}

export class Reading {
  readonly diagnostics: Diagnostic[] = [];
  around: Around = {};

  report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }
}

export function defaultOf(d: Directive): "none" | "present" | undefined {
  return clause(d, "default")?.names[0] as "none" | "present" | undefined;
}

/** The surroundings of a directive's statement. */
export function inside(around: Around, d: Directive): Around {
  const defaultData = defaultOf(d) ?? around.defaultData;
  const compute = d.name.match(/^(parallel|serial|kernels)/)?.[0] as Task["construct"] | undefined;
  const construct = compute ?? around.construct;
  return { ...(construct && { construct }), ...(defaultData && { defaultData }) };
}
