/** Regions as text in which the two languages of directives agree: what only one of them can say is left out. */
import { type DataItem, extStmt, type Task } from "../../../core/ir/model/ir.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { tasksOf } from "../../../core/ir/normalise/normalise.ts";
import { regionText } from "../../../core/ir/text/print.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";

/** `strict`: both programs are OpenACC, which has a word for loops in order. */
export const regionsOf = (program: Program, strict = false): readonly string[] =>
  tasksOf(program).map(({ task }) => {
    const isOwn = ({ sharing }: DataItem): boolean => sharing.is === "private";
    const items = task.items
      .filter((i) => !isOwn(i))
      .map((i) => `${rootOf(i.written)} ${mappingOf(i, strict)} ${i.sharing.is}`);
    const own = new Set(task.items.filter(isOwn).map((i) => i.sym.name));
    const text = canonical(regionText(unwrapped(task), []), own, strict);
    return `${text}\n${items.sort().join("; ")}`;
  });

/** OpenMP takes an address of the device that no clause names as it is, and OpenACC has a clause for it. */
const mappingOf = ({ mapping }: DataItem, strict: boolean): string =>
  !strict && mapping.is === "deviceptr" ? "present" : mapping.is;

/** A variable without its section, which the region's text has. */
const rootOf = (written: string): string => written.replace(/\s*\[[^[\]]*:.*$/s, "");

/** Without braces around a region's one statement, which `kernels` loses. */
function unwrapped(task: Task): Task {
  const spmd = spmdOf(task);
  return { ...task, body: extStmt({ ...spmd, body: onlyStatement(spmd.body) }, task.body.span) };
}

function onlyStatement(body: Stmt): Stmt {
  const [only, ...more] = body.kind === "compound" ? body.body : [];
  return only && more.length === 0 && only.kind !== "decl" ? onlyStatement(only) : body;
}

/**
 * Loops in order have no directive in OpenMP; sizes stand at other constructs; workers and lanes of one loop are threads;
 * copies of scalars, the `own` ones among them, are said by clauses that OpenACC's rules make superfluous; what gangs'
 * loops reduce is reduced by OpenMP's teams; of what a pointer without a clause leads to, OpenACC names the first element
 * that is used.
 */
function canonical(text: string, own: ReadonlySet<string>, strict: boolean): string {
  const ofGangs = new Set(
    text.split("\n").flatMap((line) => (/upir loop .*levels\(gang/.test(line) ? reductionsIn(line) : [])),
  );
  const lines = text
    .replace(/ data\((\w+): private none [\w-]+\)/g, "")
    .replace(/(data\(\w+)\[(0?:1|\d+:1|\w+:\w+ > \w+)\](?=: shared present)/g, "$1")
    .replace(/: shared deviceptr /g, (item) => (strict ? item : ": shared present "))
    .replace(/^( *#pragma upir spmd.*) private\([^()]*\)/gm, "$1")
    .replace(/^ *#pragma upir spmd.*/gm, (line) =>
      line.replace(/ reduction\([^()]*\)/g, (one) => (ofGangs.has(one.trim()) ? "" : one)),
    )
    .replace(/^ *#pragma upir loop seq.*\n/gm, (line) => (strict ? line : ""))
    .replace(/(data\([\w.]+(?:\[[^\]]*\])*\[)0:/g, "$1:")
    .replace(/ (units|lanes|teams|workers|gangs|firstprivate)\([^()]*\)/g, "")
    .replace(/^( *#pragma upir loop .*) free\b/gm, "$1")
    .replace(/levels\((gang, )?(worker, vector|worker)\)/g, "levels($1vector)")
    .split("\n")
    .map((line) =>
      line.includes("upir task")
        ? line
            .split(/(?= data\()/)
            .sort()
            .join("")
        : line,
    );
  const at = lines.findIndex((line) => line.includes("#pragma"));
  const variables = lines.slice(0, at).filter((line) => !own.has(/(\w+)(\[.*)?$/.exec(line)?.[1] ?? ""));
  return [...variables.sort(), ...lines.slice(at)].join("\n");
}

const reductionsIn = (line: string): readonly string[] => line.match(/reduction\([^()]*\)/g) ?? [];
