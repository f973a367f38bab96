/** Constructs inside of others that may not hold them. */

import {
  CLOSE_NESTING,
  isForSomeThreads,
  needsWholeTeam,
  sharesOutItsTeam,
} from "../../ir/omp/parallel/close-nesting.ts";
import { mapChildren } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import type { Finding, Rule } from "../model/finding.ts";
import { isCompute } from "../read/constructs.ts";
import { clauseOf, type Directive, directivesOf } from "../read/directive.ts";

const name = "wrong-nesting";

export const wrongNesting: Rule = {
  name,
  severity: "warning",
  summary: "a construct stands inside of one that may not hold it",
  page: {
    why: "Levels nest from gangs over workers to vector lanes; the host moves data, not a region; and all threads of a team come to barriers and loops that they share. Compilers refuse such programs, or threads wait for each other forever.",
    bad: `void fill(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp barrier
  }
}`,
    good: `void fill(double *a, int n) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp barrier
  }
}`,
    source: `OpenACC 3.3, sections 2.5 and 2.9; ${CLOSE_NESTING}`,
  },
  check: ({ functions }) => functions.flatMap(({ body }) => nested(body, [])),
};

function nested(s: Stmt, outside: readonly Directive[]): readonly Finding[] {
  const found: Finding[] = [];
  let around = outside;
  for (const d of directivesOf(s)) {
    const wrong = d.language === "acc" ? inOpenAcc(d, around) : inOpenMp(d, around);
    if (wrong) found.push(finding(d, wrong));
    if (!standalone.test(d.name)) around = [...around, d];
  }
  mapChildren(s, (child) => {
    found.push(...nested(child, around));
    return child;
  });
  return found;
}

const standalone =
  /^(update|enter data|exit data|wait|init|shutdown|set|cache|declare|target update|target enter data|target exit data|barrier|taskwait|taskyield|flush|ordered depend|cancel|cancellation point|threadprivate)$/;

interface Wrong {
  readonly outer: Directive;
  readonly why: string;
  readonly remedy: string;
}

const levels = ["gang", "worker", "vector"] as const;

const levelsOf = (d: Directive): readonly number[] =>
  levels.flatMap((level, k) => (clauseOf(d, level) ? [k] : []));

function inOpenAcc(d: Directive, around: readonly Directive[]): Wrong | undefined {
  const of = around.filter(({ language }) => language === "acc");
  const region = of.findLast(isCompute);
  if (!region) return undefined;
  if (/^(update|enter data|exit data|data|host_data|wait|init|shutdown|set)$/.test(d.name))
    return {
      outer: region,
      why: "it is for the host, and this code runs on the device",
      remedy: "move it before or behind the region",
    };
  if (d.name !== "loop") return undefined;
  const own = levelsOf(d);
  const outer = of
    .slice(of.lastIndexOf(region))
    .findLast((one) => levelsOf(one).some((level) => own.some((mine) => mine < level)));
  return (
    outer && {
      outer,
      why: "gangs hold workers, and these hold vector lanes",
      remedy: "exchange the levels of the two loops, or write seq on one",
    }
  );
}

function inOpenMp(d: Directive, around: readonly Directive[]): Wrong | undefined {
  if (!needsWholeTeam(d.name)) return undefined;
  const of = around.filter(({ language }) => language === "omp");
  const team = of.findLastIndex(
    ({ words }) => words.has("parallel") || words.has("teams") || words.has("target"),
  );
  const binding = of[team];
  const inside = of.slice(team + 1);
  const outer =
    inside.find((one) => isForSomeThreads(one.name)) ??
    (binding && sharesOutItsTeam(binding.name) ? binding : undefined);
  return (
    outer && {
      outer,
      why: "all threads of a team must come to it, and here only some do, or not equally often",
      remedy:
        d.name === "barrier"
          ? "leave it out, or let the construct around end before it"
          : "leave it out, or write 'parallel' before it",
    }
  );
}

const finding = (d: Directive, { outer, why, remedy }: Wrong): Finding => ({
  severity: "warning",
  code: name,
  certainty: "proved",
  loc: d.loc,
  message: `'${d.name}' may not stand inside of '${outer.name}'`,
  why,
  remedy,
  notes: [{ message: `'${outer.name}' is here`, loc: outer.loc }],
});
