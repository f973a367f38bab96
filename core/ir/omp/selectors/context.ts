/** Context selectors (OpenMP 5.2, section 7.1): they decide which of several directives or functions applies. */

import { evaluateInteger } from "../../../lang/index.ts";
import type { Diagnostic, Expr, Loc, PragmaToken } from "../../../lang/tree/ast.ts";
import { binary } from "../../../lang/tree/build.ts";
import { DirectiveParser } from "../../directives/parser.ts";
import type { Around } from "../../directives/read-state.ts";
import { type ImageDevice, inImageFor } from "./image-traits.ts";
import { type Machine, machineOf } from "./machine.ts";
import { targetHolds } from "./target-device.ts";

export interface Context {
  /** The code runs in a region, that is, on a device as far as the program can tell. */
  readonly device: boolean;
  /** Enclosing constructs, outermost first. */
  readonly constructs: readonly string[];
  /** The host chooses, before it starts the region, by the device that the region is for. */
  readonly chooser?: Chooser;
}

interface Chooser {
  /** Of the `device` clause. */
  readonly number: Expr | undefined;
}

export const onHost: Context = { device: false, constructs: [] };
/** The context in a function that regions call. */
export const inRegion: Context = { device: true, constructs: ["target"] };

export function contextOf({ region, omp }: Around): Context {
  if (region !== "omp") return onHost;
  return { device: true, constructs: omp?.constructs ?? inRegion.constructs };
}

/** Undefined: unknown at compile time. An expression: each image has its own value for it. */
type Truth = boolean | undefined | Expr;

export interface Selected {
  readonly holds: boolean;
  readonly score: bigint;
  readonly traits: readonly string[];
  /** It applies if this condition holds at run time, or in an image. */
  readonly condition?: Condition;
}

export interface Condition {
  /** Empty if not all of the condition is written: some follows from traits of the image, or is asked of the runtime. */
  readonly tokens: readonly PragmaToken[];
  readonly expr: Expr;
}

const outer = ["host", "cpu"];

/** The best candidate, and the next best ones while its condition may not hold. */
export function ranked<T extends { readonly selected: Selected }>(candidates: readonly T[]): readonly T[] {
  const first = best(candidates);
  if (!first?.selected.condition) return first ? [first] : [];
  return [first, ...ranked(candidates.filter((one) => one !== first))];
}

/** The matching candidate with the highest score; a selector that is a subset of another yields to it. */
function best<T extends { readonly selected: Selected }>(candidates: readonly T[]): T | undefined {
  const matching = candidates.filter(({ selected }) => selected.holds);
  const isLess = (a: Selected, b: Selected) =>
    a.traits.length < b.traits.length && a.traits.every((trait) => b.traits.includes(trait));
  const mostSpecific = matching.filter((a) => !matching.some((b) => isLess(a.selected, b.selected)));
  return mostSpecific.reduce<T | undefined>(
    (most, one) => (most && most.selected.score >= one.selected.score ? most : one),
    undefined,
  );
}

export class ContextParser extends DirectiveParser {
  /** Whether conditions evaluated at run time are allowed in a selector. */
  protected readonly ofRun: boolean = false;

  /** selector = set "=" "{" trait { "," trait } "}" { "," selector } */
  protected selector(context: Context): Selected {
    const traits: string[] = [];
    const constructs: string[] = [];
    let score = 0n;
    let holds = true;
    let unknown: { readonly loc: Loc; readonly trait: string } | undefined;
    let condition: Condition | undefined;
    let asked: Condition | undefined;
    const open: Diagnostic[] = [];
    const machine = machineOf(this.pragma.scope);
    const add = (truth: Truth, set: string, name: string, loc: Loc, properties: Properties): void => {
      if (truth === false) holds = false;
      else if (truth !== true && truth !== undefined)
        condition = both(condition, { tokens: [], expr: truth });
      else if (truth === undefined && properties.condition && this.ofRun && !asked) {
        asked = properties.condition;
        condition = both(condition, asked);
      } else if (truth === undefined && set === "user") unknown ??= { loc, trait: name };
      else if (truth === undefined) {
        holds = false;
        open.push(undefinedTrait(loc, set, name));
      }
    };
    do {
      const set = this.word(["construct", "device", "target_device", "implementation", "user"]);
      this.punctuation("=");
      this.punctuation("{");
      const ofTarget: { readonly name: string; readonly loc: Loc; readonly properties: Properties }[] = [];
      do {
        const { loc, position } = this.p;
        const name = this.word();
        const properties = this.properties(set, name);
        score += properties.score;
        traits.push(
          `${set} ${this.tokens
            .slice(position, this.p.position)
            .map((t) => t.text)
            .join(" ")}`,
        );
        if (set === "construct") {
          constructs.push(name);
          score += 2n ** BigInt(Math.max(0, context.constructs.indexOf(name)));
          continue;
        }
        if (set === "device") score += deviceScore(name, context);
        if (set === "target_device") ofTarget.push({ name, loc, properties });
        else add(holdsFor(set, name, properties, context, machine), set, name, loc, properties);
      } while (this.p.accept(","));
      this.punctuation("}");
      // The number of the device is for all traits of the set.
      const { number } = ofTarget.find(({ name }) => name === "device_num")?.properties ?? {};
      for (const { name, loc, properties } of ofTarget)
        if (name !== "device_num") {
          const asks = { trait: name, words: properties.words };
          const inRegion = context.device && !context.chooser;
          add(targetHolds(asks, number, inRegion, machine), "target_device", name, loc, properties);
        }
    } while (this.p.accept(","));
    if (!inOrder(constructs, context.constructs)) holds = false;
    this.diagnostics.push(...open);
    if (holds && unknown)
      this.refuse(
        "unknown-context",
        unknown.loc,
        `whether '${unknown.trait}' holds here is not known when arc compiles`,
        "write an 'if' around two statements, each with its directive",
      );
    return { holds, score, traits, ...(condition && { condition }) };
  }

  private properties(set: string, name: string): Properties {
    if (this.p.peek()?.text !== "(") return { score: 0n, words: [] };
    const from = this.p.position;
    this.p.next();
    let score = 0n;
    if (this.p.at("score")) {
      this.p.next();
      this.punctuation("(");
      score = evaluateInteger(this.expr()) ?? 0n;
      this.punctuation(")");
      this.punctuation(":");
    }
    if (set === "user" && name === "condition") {
      const start = this.p.position;
      const expr = this.expr();
      const value = evaluateInteger(expr);
      const condition: Condition = { tokens: this.tokens.slice(start, this.p.position), expr };
      this.punctuation(")");
      return { score, words: [], condition, ...(value !== undefined && { value: value !== 0n }) };
    }
    if (set === "target_device" && name === "device_num") {
      const number = this.expr();
      this.punctuation(")");
      return { score, words: [], number };
    }
    const start = this.p.position;
    this.p.seek(from);
    this.skipArgument();
    const words = this.tokens.slice(start, this.p.position - 1).filter((t) => t.kind !== "punct");
    return { score, words: words.map((t) => (t.kind === "string" ? t.text.slice(1, -1) : t.text)) };
  }

  protected punctuation(text: string): void {
    const { loc } = this.p;
    const token = this.p.peek();
    if (!this.p.accept(text))
      this.refuse(
        "context-selector",
        loc,
        `expected '${text}' in a context selector${token ? ` before '${token.text}'` : ""}`,
        "write a selector as device={kind(nohost)}",
      );
  }

  /** The tokens up to the enclosing closing parenthesis. */
  protected untilClosed(): readonly PragmaToken[] {
    const start = this.p.position;
    for (let depth = 0; ; this.p.next()) {
      const text = this.p.peek()?.text;
      if (text === undefined || (text === ")" && depth === 0)) break;
      if (text === "(") depth++;
      if (text === ")") depth--;
    }
    return this.tokens.slice(start, this.p.position);
  }
}

interface Properties {
  readonly score: bigint;
  readonly words: readonly string[];
  /** The `condition` trait. */
  readonly condition?: Condition;
  /** The value of a constant condition. */
  readonly value?: boolean;
  /** Of `device_num`. */
  readonly number?: Expr;
}

/** Kinds, architectures and instruction sets outweigh constructs, in this order. */
function deviceScore(name: string, { constructs }: Context): bigint {
  const at = ["kind", "arch", "isa"].indexOf(name);
  return at < 0 ? 0n : 2n ** BigInt(constructs.length + at);
}

function holdsFor(
  set: string,
  name: string,
  { words, value }: Properties,
  context: Context,
  machine: Machine | undefined,
): Truth {
  if (set === "user") return value;
  if (set === "implementation") {
    if (name === "vendor") return words.includes("arc");
    return name === "extension" && words.every((word) => word === "match_all") ? true : undefined;
  }
  const truths = words.map((word): Truth => {
    const { chooser } = context;
    if (chooser && !/^(any|host|nohost)$/.test(word))
      return targetHolds({ trait: name, words: [word] }, chooser.number, false, machine);
    if (name === "kind") return kindHolds(word, context);
    if (name === "arch") return archHolds(word, context, machine);
    return isaHolds(word, context, machine);
  });
  if (truths.includes(false)) return false;
  if (truths.includes(undefined)) return undefined;
  return truths.reduce<Truth>((all, one) => {
    if (typeof one !== "object") return all;
    return typeof all === "object" ? binary("&&", all, one) : one;
  }, true);
}

/** Names of architectures and the like are implementation-defined (OpenMP 5.2, section 7.1), and arc defines none. */
const undefinedTrait = (loc: Loc, set: string, trait: string): Diagnostic => ({
  severity: "warning",
  code: "context-not-taken",
  loc,
  message: `'${set}={${trait}(...)}' is taken as one that does not hold`,
  why: "arc has no name for it here: in regions, images differ by kind(gpu), kind(cpu), kind(fpga), arch and the host's isa",
  remedy: "select by device={kind(host)}, device={kind(nohost)} or construct={target}",
});

function kindHolds(kind: string, { device }: Context): Truth {
  if (kind === "any") return true;
  if (kind === "host" || kind === "nohost") return device === (kind === "nohost");
  if (!device) return outer.includes(kind);
  if (kind === "gpu") return inImageFor("nvidia", "radeon");
  if (kind === "fpga") return inImageFor("fpga");
  return kind === "cpu" ? inImageFor("host") : undefined;
}

const gpuArchitectures: readonly (readonly [RegExp, ImageDevice])[] = [
  [/^(nvptx|sm_)/, "nvidia"],
  [/^(amdgcn|amdgpu|gcn|gfx)/, "radeon"],
  [/^spir/, "opencl"],
];

function archHolds(name: string, { device }: Context, machine: Machine | undefined): Truth {
  const [, gpu] = gpuArchitectures.find(([names]) => names.test(name)) ?? [];
  if (gpu) return device ? inImageFor(gpu) : false;
  const isHosts = machine?.architectures.includes(name);
  return device && isHosts ? inImageFor("host") : isHosts;
}

/** Instruction sets of the host's machine. Which GPU an image is for, only its compiler knows. */
function isaHolds(name: string, { device }: Context, machine: Machine | undefined): Truth {
  const known = machine?.hasIsa(name);
  if (!device || known === undefined) return known;
  if (known) return inImageFor("host");
  return /^(sm_?\d|ptx|gfx)/.test(name) ? undefined : false;
}

function both(a: Condition | undefined, b: Condition): Condition {
  if (!a) return b;
  return { tokens: [], expr: binary("&&", a.expr, b.expr) };
}

/** Whether `some` is a subsequence of `all`. */
function inOrder(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === some[at]) at++;
  return at === some.length;
}
