/** Shared code of the rules on data and queues. */
import { printExpr } from "../../../lang/index.ts";
import type { Edit, Finding, Subject } from "../../model/finding.ts";
import type { Fault, Kind } from "../../transfers/fault.ts";
import { transferFaults } from "../../transfers/find.ts";

interface Report {
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
  /** Describes the other location. */
  readonly note?: string;
  readonly fix?: readonly Edit[];
}

export function transferring(
  kind: Kind,
  say: (fault: Fault) => Report,
): (subject: Subject) => readonly Finding[] {
  return (subject) =>
    transferFaults(subject)
      .filter((fault) => fault.kind === kind)
      .map((fault) => {
        const { note, fix, ...report } = say(fault);
        const at = fault.other?.loc ?? fault.mapped?.loc ?? fault.construct.directive.loc;
        return {
          severity: "warning",
          code: kind,
          certainty: fault.certainty,
          loc: fault.loc,
          ...(fault.end && { end: fault.end }),
          ...report,
          ...(note !== undefined && { notes: [{ message: note, loc: at }] }),
          ...(fix && { fix }),
        };
      });
}

export const accessed = ({ access, sym }: Fault): string => `'${access ? printExpr(access.expr) : sym.name}'`;

export const otherOf = ({ other, sym }: Fault): string =>
  `'${other?.expr ? printExpr(other.expr) : sym.name}'`;

/** `copyin(a[0:n])`. */
/** The clause that ends the data's lifetime on the device. */
export const lastClause = ({ mapped }: Fault): string => {
  const clause = mapped?.until ?? mapped;
  return clause === undefined ? "" : `'${clause.clause}(${clause.text})'`;
};

export const clauseText = ({ mapped }: Fault): string =>
  mapped === undefined ? "" : `'${mapped.clause}(${mapped.text})'`;
