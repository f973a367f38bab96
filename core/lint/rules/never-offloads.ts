/** A region with a constant condition. */
import type { Rule } from "../model/finding.ts";
import { isCompute, placed } from "../read/constructs.ts";
import { clauseOf, numberOf } from "../read/directive.ts";

const name = "never-offloads";

export const neverOffloads: Rule = {
  name,
  severity: "warning",
  advice: true,
  summary: "a region never runs on the device, as its condition is a constant",
  page: {
    why: "The region is compiled for devices, and the host runs it.",
    bad: `void fill(double *a, int n) {
#pragma acc parallel loop copyout(a[0:n]) if(0)
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    good: `void fill(double *a, int n) {
#pragma acc parallel loop copyout(a[0:n]) if(n > 1000)
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    source: "OpenACC 3.3, section 2.5.6; OpenMP 5.2, section 13.8",
  },
  check: ({ functions }) =>
    functions.flatMap((def) =>
      placed(def).flatMap(({ directive }) => {
        if (!isCompute(directive)) return [];
        const off = clauseOf(directive, "if");
        const on = directive.language === "acc" ? clauseOf(directive, "self") : undefined;
        const words = off?.tokens.map((t) => t.text) ?? [];
        const ofTarget = words[1] !== ":" || words[0] === "target";
        const never = off && ofTarget && numberOf(directive, "if") === 0;
        const value = on && (on.tokens.length === 0 ? 1 : numberOf(directive, "self"));
        const clause = never ? off : value !== undefined && value !== 0 ? on : undefined;
        if (!clause) return [];
        return [
          {
            severity: "warning",
            code: name,
            certainty: "proved",
            advice: true,
            loc: clause.loc,
            message: `the host always runs this '${directive.name}' region`,
            why: `its '${clause.name}' clause never changes`,
            remedy: "remove the clause, or the directive",
          },
        ];
      }),
    ),
};
