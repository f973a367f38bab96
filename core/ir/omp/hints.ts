/** Clauses that change when or how fast code runs, but not its results: reported where they have no effect. */
import { evaluateInteger } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { type Clause, clause, type Directive } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import { ruleOf } from "./directive/parse.ts";
import { asksUnderStatic } from "./parallel/chunks.ts";
import { isIfOfTeams, leagueSize } from "./sizes/league.ts";

const hints: Readonly<Record<string, string>> = {
  allocate: "variables stand in registers or in the memory of their team",
  depend: "constructs run one after the other, in the order in which they stand",
  hint: "updates are made the same way whatever it says",
  nontemporal: "caches are left to the device",
  nowait: "the program goes on when the construct is done",
  proc_bind: "threads of a device have no places",
  grainsize: "tasks run where they stand",
  num_tasks: "tasks run where they stand",
  priority: "it only advises which tasks run first",
  replayable: "tasks are created each time",
  threadset: "tasks run where they stand",
  transparent: "tasks run where they stand, one after the other",
  simdlen: "the number of lanes is that of the device, or of num_threads",
  uses_allocators: "variables stand in registers or in the memory of their team",
};

/** `if` clauses of constructs inside a region: with fewer threads the result is the same. */
const insideRegion = ["parallel", "simd", "teams", "for", "distribute", "loop"];

/** The same for whole directives. */
const directives: Readonly<Record<string, string>> = {
  allocate: "variables stand where they are declared",
  cancel: "cancellation is off on devices",
  cancellation: "cancellation is off on devices",
};

/** For loop transformations that are not applied. */
const transformations = {
  tile: "tiles are made of nests that declare their variables and count with constant steps, and sizes must be numbers",
  unroll: "loops are unrolled by what suits the device; `full` needs a constant number of iterations",
  strips:
    "threads share loops unrolled by parts if these declare their variable and count with a constant step",
};

export function noteKept(
  reading: Reading,
  { name, loc }: Directive,
  what: keyof typeof transformations,
): void {
  const message = `'${name}' has no effect: ${transformations[what]}`;
  reading.diagnostics.push({ severity: "note", code: "no-effect", loc, message });
}

/** Of a loop whose chunks are not kept. */
export function noteSchedule(reading: Reading, d: Directive, body: Stmt): void {
  for (const c of d.clauses) {
    const { name, loc } = c;
    if (!name.endsWith("schedule")) continue;
    const message = `'${name}' has no effect: iterations are shared out by what suits the device`;
    if (isSeen(d, c, body))
      reading.diagnostics.push({
        severity: "warning",
        code: "schedule-seen",
        loc,
        message,
        why: "the loop asks for the number of its thread, which is not always the one that the schedule says (OpenMP 5.2, section 11.5.3)",
        remedy: "take the number from the iteration: (i / chunk) % threads",
      });
    else reading.diagnostics.push({ severity: "note", code: "no-effect", loc, message });
  }
}

/** `static` says which thread runs an iteration, and the program may see whether it does. */
function isSeen(d: Directive, { name, exprs }: Clause, body: Stmt): boolean {
  const [chunk] = exprs;
  const isOne = chunk !== undefined && chunk !== "*" && evaluateInteger(chunk) === 1n;
  return name === "schedule" && !isOne && asksUnderStatic(d, body);
}

export function noteHints(reading: Reading, d: Directive): void {
  const note = (at: { readonly loc: Directive["loc"] }, message: string): void => {
    reading.diagnostics.push({ severity: "note", code: "no-effect", loc: at.loc, message });
  };
  const none = directives[d.name.split(" ")[0] ?? ""];
  if (none !== undefined) note(d, `'${d.name}' has no effect: ${none}`);
  for (const c of d.clauses) {
    const why = hints[c.name];
    const ofTask =
      (reading.hostThreads && ["nowait", "depend", "priority"].includes(c.name)) ||
      (c.name === "depend" && reading.runsTasks());
    if (why !== undefined && !ofTask && !(c.name === "nowait" && !d.name.startsWith("target")))
      note(c, `'${c.name}' has no effect: ${why}`);
    const [construct] = c.names;
    // With shuffles, the number of threads affects results.
    const alike = !clause(d, "shuffle") && !(isIfOfTeams(c, d) && leagueSize(d));
    if (c.name === "if" && alike && isIfOfTeams(c, d) && ruleOf(d).extent === "block")
      warnOfTeams(reading, c);
    else if (
      c.name === "if" &&
      alike &&
      (insideRegion.includes(construct ?? "") || !d.name.includes("target"))
    )
      note(c, "'if' has no effect here: one thread would compute the same as all of them");
  }
}

/** The number of teams that run a block is then the device's, which the program may see. */
function warnOfTeams(reading: Reading, { loc, exprs: [condition] }: Clause): void {
  if (condition !== undefined && condition !== "*" && evaluateInteger(condition) !== undefined) return;
  reading.diagnostics.push({
    severity: "warning",
    code: "teams-if",
    loc,
    message: "'if' has no effect: how many teams there are is left to the device",
    why: "where it does not hold there is to be one (OpenMP 5.2, section 10.2)",
    remedy: "write num_teams, too",
  });
}

/** Why a construct has fewer teams or threads than it might have. */
function noteNarrow(
  reading: Reading,
  { name, loc }: Directive,
  code: string,
  why: string,
  remedy: string,
): void {
  reading.diagnostics.push({ severity: "note", code, loc, message: `'${name}' ${why}`, remedy });
}

export const noteOneTeam = (reading: Reading, d: Directive, callee: string): void =>
  noteNarrow(
    reading,
    d,
    "one-team",
    `has one team, as 'target' without 'teams' has, because '${callee}' of another file may ask which thread runs it`,
    "write 'target teams distribute parallel for' if it does not ask",
  );

export const noteOneThread = (reading: Reading, d: Directive): void =>
  noteNarrow(
    reading,
    d,
    "one-thread",
    "has teams of one thread: the program computes how many threads they have at most, and the loop asks for them",
    "write a constant for the number of threads",
  );

export function checkDevice(reading: Reading, d: Directive): void {
  for (const { names, loc } of d.clauses.filter((c) => c.name === "device")) {
    if (names[0] === "ancestor")
      reading.report(
        "unsupported-clause",
        loc,
        "'device(ancestor: ...)' is not honoured: code on a device cannot start code on the host (OpenMP 5.2, section 13.2)",
        "end the region, and do on the host what the host is to do",
      );
  }
}
