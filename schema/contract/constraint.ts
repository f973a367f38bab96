/**
 * Constraints between axes, as written in `require:` of arc.yaml: `unroll <= window`, `model == swi => window >= 2`.
 *
 *   constraint = either [ "=>" constraint ]
 *   either     = both { "or" both }             both    = term { "and" term }
 *   term       = "not" term | compared          compared = sum [ ("==" | "!=" | "<=" | "<" | ">=" | ">") sum ]
 *   sum        = product { ("+" | "-") product } product = atom { ("*" | "/" | "%") atom }
 *   atom       = number | word | "(" constraint ")"
 *
 * A word is an axis, or a value of an axis. Words have no size: `auto < 4` is neither true nor false (Kleene,
 * Introduction to Metamathematics, 1952, section 64), and a variant is left out only if a constraint is certainly
 * false.
 */
import { type Assignment, type Axis, isListed, spelled } from "../document/axis.ts";
import type { Scalar } from "../document/json-schema.ts";
import { nearest } from "../document/nearest.ts";

export interface Constraint {
  readonly text: string;
  /** Keys of the axes that it mentions. */
  readonly axes: readonly string[];
  /** Undefined if words are used as sizes. An axis without a value has its default. */
  holds(assignment: Assignment): boolean | undefined;
}

interface ConstraintError {
  readonly error: string;
  readonly remedy: string;
}

type Value = Scalar | undefined;

/** A part of a constraint: an axis, a word, or an expression of other parts. */
interface Part {
  readonly evaluate: (assignment: Assignment) => Value;
  readonly isTruth: boolean;
  readonly axis?: Axis;
  /** Set for a word that is not an axis: a value of the axis that it is compared with. */
  readonly word?: string;
}

/** The constraint, or the error in the text. */
export function parseConstraint(text: string, axes: readonly Axis[]): Constraint | ConstraintError {
  try {
    const parser = new Parser(text, axes);
    const { evaluate } = parser.whole();
    return { text, axes: [...parser.mentioned], holds: (assignment) => truth(evaluate(assignment)) };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message, remedy: error.remedy };
    throw error;
  }
}

export const isConstraint = (parsed: Constraint | ConstraintError): parsed is Constraint => "holds" in parsed;

class Refusal extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** Names may contain hyphens, so a difference needs spaces around its sign. */
const token = /\d+(?:\.\d+)?|[A-Za-z][\w.]*(?:-[A-Za-z0-9]+)*|=>|[=!<>]=|[<>+\-*/%()]|\S/g;
const example = "write for example `unroll <= window` or `model == swi => window >= 2`";
const switches: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

class Parser {
  readonly mentioned = new Set<string>();
  readonly #text: string;
  readonly #axes: readonly Axis[];
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string, axes: readonly Axis[]) {
    this.#text = text;
    this.#axes = axes;
    this.#tokens = text.match(token) ?? [];
  }

  whole(): Part {
    const read = this.#implication();
    if (this.#next !== undefined) throw this.#unexpected();
    const part = this.#truth(read);
    if (this.mentioned.size === 0) throw new Refusal(`\`${this.#text}\` speaks of no axis`, example);
    return part;
  }

  get #next(): string | undefined {
    return this.#tokens[this.#at];
  }

  #take(...expected: readonly string[]): string | undefined {
    const next = this.#next;
    if (next === undefined || !expected.includes(next)) return undefined;
    this.#at += 1;
    return next;
  }

  #unexpected(): Refusal {
    const found = this.#next === undefined ? "ends too early" : `cannot be read from \`${this.#next}\` on`;
    return new Refusal(`\`${this.#text}\` ${found}`, example);
  }

  #implication(): Part {
    const condition = this.#either();
    if (this.#take("=>") === undefined) return condition;
    const [first, then] = [this.#truth(condition), this.#truth(this.#implication())];
    return {
      isTruth: true,
      evaluate: (a) => or(not(truth(first.evaluate(a))), truth(then.evaluate(a))),
    };
  }

  #either(): Part {
    return this.#joined("or", or, () => this.#both());
  }

  #both(): Part {
    return this.#joined(
      "and",
      (a, b) => not(or(not(a), not(b))),
      () => this.#term(),
    );
  }

  #joined(word: string, join: typeof or, operand: () => Part): Part {
    let left = operand();
    while (this.#take(word) !== undefined) {
      const [first, second] = [this.#truth(left), this.#truth(operand())];
      left = {
        isTruth: true,
        evaluate: (a) => join(truth(first.evaluate(a)), truth(second.evaluate(a))),
      };
    }
    return left;
  }

  #term(): Part {
    if (this.#take("not") === undefined) return this.#compared();
    const { evaluate } = this.#truth(this.#term());
    return { isTruth: true, evaluate: (a) => not(truth(evaluate(a))) };
  }

  #compared(): Part {
    const left = this.#sum();
    const operator = this.#take("==", "!=", "<=", "<", ">=", ">");
    if (operator === undefined) return left;
    const right = this.#sum();
    this.#checkWord(left, right);
    this.#checkWord(right, left);
    return { isTruth: true, evaluate: (a) => compare(operator, left.evaluate(a), right.evaluate(a)) };
  }

  #sum(): Part {
    return this.#calculated(["+", "-"], () => this.#product());
  }

  #product(): Part {
    return this.#calculated(["*", "/", "%"], () => this.#atom());
  }

  #calculated(operators: readonly string[], operand: () => Part): Part {
    let left = operand();
    for (;;) {
      const operator = this.#take(...operators);
      if (operator === undefined) return left;
      // By an axis that is 0 in some variants it says nothing of them; by 0 itself, of none.
      if (/[/%]/.test(operator) && /^0+(\.0*)?$/.test(this.#next ?? ""))
        throw new Refusal(`\`${this.#text}\` divides by 0`, example);
      const [first, second] = [this.#number(left), this.#number(operand())];
      left = {
        isTruth: false,
        evaluate: (a) => calculate(operator, first.evaluate(a), second.evaluate(a)),
      };
    }
  }

  #atom(): Part {
    const next = this.#next;
    if (next === undefined || !/^[A-Za-z\d(]/.test(next)) throw this.#unexpected();
    this.#at += 1;
    if (next === "(") {
      const inner = this.#implication();
      if (this.#take(")") === undefined) throw this.#unexpected();
      return inner;
    }
    if (/^\d/.test(next)) return { isTruth: false, evaluate: () => Number(next) };
    const axis = this.#axes.find(({ key }) => key === next);
    if (axis !== undefined) {
      this.mentioned.add(axis.key);
      const isTruth = isListed(axis.values) && axis.values.includes(true);
      return { isTruth, axis, evaluate: (assignment) => assignment[axis.key] ?? axis.default };
    }
    const on = switches[next];
    if (on !== undefined) return { isTruth: true, evaluate: () => on };
    return { isTruth: false, word: next, evaluate: () => next };
  }

  #truth(part: Part): Part {
    if (part.isTruth) return part;
    if (part.word !== undefined) throw this.#unknown(part.word);
    const what = part.axis === undefined ? `\`${this.#text}\`` : `\`${part.axis.key}\` alone`;
    throw new Refusal(`${what} is a value, neither true nor false`, `compare it; ${example}`);
  }

  #number(part: Part): Part {
    if (part.word !== undefined) throw this.#unknown(part.word);
    if (part.isTruth) throw new Refusal(`\`${this.#text}\` calculates with what is true or false`, example);
    return part;
  }

  /** A word that is not an axis must be a value of the axis that it is compared with. */
  #checkWord({ word }: Part, { axis }: Part): void {
    if (word === undefined) return;
    if (axis === undefined) throw this.#unknown(word);
    const { key, values } = axis;
    const listed = isListed(values) ? values : "words" in values ? values.words : [];
    if (listed.includes(word) || ("words" in values && spelled(values).test(word))) return;
    throw new Refusal(
      `\`${word}\` is neither an axis nor a value of \`${key}\``,
      `\`${key}\` has ${listed.length > 0 ? listed.map((value) => `\`${value}\``).join(", ") : "numbers"}`,
    );
  }

  #unknown(word: string): Refusal {
    const keys = this.#axes.map(({ key }) => key);
    const near = nearest(word, keys);
    const remedy = near === undefined ? `axes are ${keys.join(", ")}` : `did you mean \`${near}\`?`;
    return new Refusal(`there is no axis \`${word}\``, remedy);
  }
}

const truth = (value: Value): boolean | undefined => (typeof value === "boolean" ? value : undefined);
const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);
const or = (a: boolean | undefined, b: boolean | undefined): boolean | undefined =>
  a === true || b === true ? true : a === undefined || b === undefined ? undefined : false;

function compare(operator: string, left: Value, right: Value): boolean | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function calculate(operator: string, left: Value, right: Value): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  if (right === 0) return undefined;
  return operator === "/" ? left / right : left % right;
}
