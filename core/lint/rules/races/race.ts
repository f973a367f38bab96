/** Shared code of the rules on data races. */
import { printExpr } from "../../../lang/index.ts";
import type { Access } from "../../memory/access.ts";
import type { Edit, Finding, Subject } from "../../model/finding.ts";
import { type Cause, causeOf } from "../../races/classify.ts";
import { type Race, racesOf } from "../../races/find.ts";

interface Report {
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
  readonly fix?: readonly Edit[] | undefined;
}

/** A finding for each race with one kind of cause. */
export function racing<K extends Cause["is"]>(
  rule: string,
  kind: K,
  say: (race: Race, cause: Extract<Cause, { is: K }>) => Report,
): (subject: Subject) => readonly Finding[] {
  return ({ unit, functions, pragmas, doubts }) =>
    racesOf(unit, functions, pragmas, doubts).flatMap((race) => {
      const cause = causeOf(race);
      if (cause.is !== kind) return [];
      const { fix, ...report } = say(race, cause as Extract<Cause, { is: K }>);
      const { write, other } = race;
      const same = other === write || printExpr(other.expr) === printExpr(write.expr);
      // The access that lacks what the other has.
      const [at, beside] = write.atomic && !other.atomic ? [other, write] : [write, other];
      return [
        {
          severity: "warning",
          code: rule,
          certainty: race.certainty,
          loc: at.loc,
          ...(at.loc === at.expr.span.start && { end: at.expr.span.end }),
          ...report,
          ...(same && beside.loc.line === at.loc.line
            ? {}
            : { notes: [{ message: `${text(beside)} is ${verb(beside)} here`, loc: beside.loc }] }),
          ...(fix && { fix }),
        },
      ];
    });
}

export const text = (access: Access): string => `'${printExpr(access.expr)}'`;
export const verb = (access: Access): string => (access.mode === "read" ? "read" : "written");

/** The name of the conflicting threads in messages. */
export function whoOf({ level }: Race): string {
  if (!level) return "tasks";
  if (level.exec.is === "loop") return "iterations";
  if (level.exec.is === "lanes") return "lanes";
  return level.kind === "teams" ? "teams" : level.kind === "gangs" ? "gangs" : "threads";
}
