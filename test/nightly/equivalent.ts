/**
 * Programs that must do what another one does (equivalence modulo inputs): regions that never run, conditions that always
 * hold, clauses in another order, data regions around what needs none.
 */
import type { Source } from "../targets/fuzz/build.ts";
import { Tape } from "../targets/fuzz/tape.ts";

/** Values that compilers do not know. */
const NAMES = "static volatile int arc_yes = 1, arc_no = 0;\n";

const DEAD = [
  "if (arc_no) {",
  "int arc_dead[5];",
  "#pragma acc parallel loop copyout(arc_dead)",
  "for (int k = 0; k < 5; k++) arc_dead[k] = k / arc_no;",
  "}",
];

export function equivalent(sources: readonly Source[], choices: readonly number[]): readonly Source[] {
  const tape = new Tape(choices);
  return sources.map(({ file, text }) => ({ file, text: rewritten(text, tape) }));
}

function rewritten(text: string, tape: Tape): string {
  const lines = text.split("\n");
  const out: string[] = [];
  let closes = new Map<number, string>();
  for (const [k, line] of lines.entries()) {
    const directive = /^#pragma acc (parallel|kernels|serial|loop|data)\b(?! loop)(.*)$/.exec(line);
    const close = closes.get(k);
    if (!directive) {
      out.push(line, ...(close === undefined ? [] : [close]));
      continue;
    }
    const [, word = "", rest = ""] = directive;
    const construct = word !== "loop" && lines[k + 1] === "{";
    if (construct && tape.once(4)) out.push(...DEAD);
    if (construct && tape.once(3)) {
      // A separate region, whose end follows the construct's.
      out.push(
        "{",
        "int arc_beside[3] = {1, 2, 3};",
        `#pragma acc data ${tape.of(["create", "copyin", "copy"])}(arc_beside)`,
        "{",
      );
      closes = new Map([...closes, [endOf(lines, k + 1), "}}"]]);
    }
    const clauses = clausesOf(rest);
    const free = construct && !clauses.some((c) => /^(if|self)\b/.test(c));
    if (free && tape.once(3)) clauses.push(tape.of(["if(1)", "if(arc_yes)", "if(!arc_no)"]));
    out.push(`#pragma acc ${word} ${permuted(clauses, tape).join(" ")}`);
  }
  return NAMES + out.join("\n");
}

/** The line that closes the block that opens at a line. */
function endOf(lines: readonly string[], from: number): number {
  let depth = 0;
  for (let k = from; k < lines.length; k++) {
    for (const c of lines[k] as string) depth += c === "{" ? 1 : c === "}" ? -1 : 0;
    if (depth === 0) return k;
  }
  throw new Error(`nothing closes line ${from}`);
}

/** Words with their parenthesised arguments. */
function clausesOf(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let word = "";
  for (const c of text) {
    if (c === " " && depth === 0) {
      if (word) found.push(word);
      word = "";
      continue;
    }
    depth += c === "(" ? 1 : c === ")" ? -1 : 0;
    word += c;
  }
  return word ? [...found, word] : found;
}

const DATA = /^(copy|copyin|copyout|create|present|delete)\(/;

/** In another order; data clauses keep theirs, as what holds a pointer comes before what it points to. */
function permuted(clauses: readonly string[], tape: Tape): readonly string[] {
  const order = clauses.map((_, k) => k);
  for (let k = order.length - 1; k > 0; k--) {
    const other = tape.below(k + 1);
    [order[k], order[other]] = [order[other] as number, order[k] as number];
  }
  const shuffled = order.map((k) => clauses[k] as string);
  const data = clauses.filter((c) => DATA.test(c));
  return shuffled.map((c) => (DATA.test(c) ? (data.shift() as string) : c));
}
