/**
 * A block's threads as loops: the code between two barriers becomes one loop over the threads, so that all have
 * finished it before the next begins. Statements around barriers, where all threads of a block take the same path, run
 * once per block. A variable that is live across a barrier is recomputed if it only names indices, or else becomes an
 * array with an element per thread.
 */
import { entryOf, firstOf, itemAt, lastOf } from "../../checked/access.ts";
import { hasBarrier, isBarrier, isShared } from "./barriers.ts";
import type { Dimension } from "./functions.ts";
import type { Names } from "./geometry.ts";
import type { Macros } from "./macros.ts";
import { cut, generated, type Piece, type Replacement, rename, replace, shifted } from "./pieces.ts";
import { type Declared, declaredBy, everyStatement, type Statement } from "./statements.ts";
import type { SourceLocations, Token } from "./tokens.ts";
import { type Body, isRecomputed, isUniform, setsOne, type Variable, variablesOf } from "./variables.ts";

interface PhaseContext {
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly locations: SourceLocations;
  readonly edits: readonly Replacement[];
  readonly names: Names;
  readonly macros: Macros;
  /** Innermost last. */
  readonly ranks: readonly Dimension[];
  /** The block size in each dimension, if all launches use the same constants. */
  readonly blockSize: readonly string[] | undefined;
}

/** Number of spaces at the start of the line of `at`. */
const columnOf = (source: string, at: number): number =>
  /^[ \t]*/.exec(source.slice(source.lastIndexOf("\n", at - 1) + 1))?.[0].length ?? 0;

/** Length of the comment between `at` and the end of its line. */
const sameLine = (source: string, at: number): number =>
  /^[ \t]*(\/\/[^\n]*|\/\*[^\n]*?\*\/(?=[ \t]*\n))/.exec(source.slice(at, at + 400))?.[0].length ?? 0;

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(" ");

/** The statements of one block, indented by `indent`. */
export function phases(body: Body, context: PhaseContext, indent: string): readonly Piece[] {
  return new Phases(body, context).all(indent);
}

class Phases {
  private readonly body: Body;
  private readonly context: PhaseContext;
  private readonly variables: ReadonlyMap<string, Variable>;
  /** Variables with an element per thread. */
  private readonly spilled = new Map<string, Variable>();

  constructor(body: Body, context: PhaseContext) {
    this.body = body;
    this.context = context;
    this.variables = variablesOf(body, context.tokens, context.locations, context.macros);
  }

  all(indent: string): readonly Piece[] {
    const { tokens } = this.context;
    const shared = everyStatement(this.body.statements).filter((s) => isShared(tokens, s));
    const inside = this.list(this.body.statements, indent);
    return [
      ...shared.flatMap((s) => this.sharedDeclaration(s, indent)),
      ...[...this.spilled].map(([name, { declared, statement }]) =>
        generated(
          `${indent}${declared.type.includes("*") ? declared.type : declared.type.replace(/\bconst\b ?/, "")} ${this.elements(name)}${this.extent(declared)};\n`,
          this.startOf(statement),
        ),
      ),
      ...inside,
    ];
  }

  private startOf = ({ from }: Statement): number => itemAt(this.context.tokens, from).start;

  private sharedDeclaration(s: Statement, indent: string): readonly Piece[] {
    const { tokens, locations, source, edits } = this.context;
    const outside = tokens.slice(s.from, s.to).find(({ text }) => text === "extern");
    if (outside)
      locations.refuse(
        outside,
        "shared memory whose size the launch says is not read",
        "give the array a constant size",
      );
    const word = tokens.slice(s.from, s.to).find(({ text }) => text === "__shared__") as Token;
    const end = itemAt(tokens, s.to - 1).end;
    const next = itemAt(tokens, tokens.indexOf(word) + 1);
    const removal = replace(word.start, next.start, "");
    return [
      generated(indent, this.startOf(s)),
      ...cut(source, this.startOf(s), end, [...edits, removal]),
      generated("\n", end),
    ];
  }

  // ---------------------------------------------------------------- statements

  private list(list: readonly Statement[], indent: string): readonly Piece[] {
    const { tokens } = this.context;
    const found: Piece[] = [];
    let run: Statement[] = [];
    const flush = (): void => {
      if (run.length > 0) found.push(...this.loop(run, indent));
      run = [];
    };
    for (const s of list) {
      if (isShared(tokens, s)) continue;
      if (isBarrier(tokens, s)) flush();
      else if (hasBarrier(tokens, s)) {
        flush();
        found.push(...this.around(s, indent));
      } else if (this.isBlocks(s)) {
        flush();
        found.push(...this.stretch(s.from, s.to, [], indent));
      } else run.push(s);
    }
    flush();
    return found;
  }

  /** Sets only uniform variables, so it runs once per block. */
  private isBlocks(s: Statement): boolean {
    const { tokens } = this.context;
    if (s.kind === "declaration")
      return declaredBy(tokens, s).every(({ name }) => this.variables.get(name.text)?.isUniform);
    const target = setsOne(tokens, s);
    return target !== undefined && this.variables.get(target)?.isUniform === true;
  }

  private around(s: Statement, indent: string): readonly Piece[] {
    const { tokens, macros } = this.context;
    const locations: SourceLocations = this.context.locations;
    const first = itemAt(tokens, s.from);
    if (s.kind === "block") {
      const [open, close] = [first, itemAt(tokens, s.to - 1)];
      return [
        generated(`${indent}{\n`, open.start),
        ...this.list(s.inside, `${indent}  `),
        generated(`${indent}}\n`, close.start),
      ];
    }
    const varying = new Set(
      [...this.variables].flatMap(([name, { isUniform }]) => (isUniform ? [] : [name])),
    );
    if (
      !s.head ||
      s.kind === "do" ||
      s.kind === "switch" ||
      !isUniform(tokens.slice(...s.head), varying, macros)
    ) {
      const head = s.head ? tokens.slice(...s.head) : [];
      const hiding = head.find((token) => macros.has(token.text) && !isUniform([token], varying, macros));
      locations.refuse(
        first,
        s.kind === "do" || s.kind === "switch"
          ? `a barrier inside of '${s.kind}' is not read`
          : `a barrier stands in a statement that threads of a block may take differently${hiding ? `, as the macro '${hiding.text}' stands for '${textOf(macros.get(hiding.text) ?? [])}'` : ""}`,
        "let its condition depend on parameters, on the block and on what all threads compute alike",
      );
    }
    const [then, other] = s.inside as [Statement, Statement | undefined];
    const head = this.stretch(s.from, s.head[1] + 1, [], indent, " {\n");
    const inside = (one: Statement): readonly Piece[] =>
      this.list(one.kind === "block" ? one.inside : [one], `${indent}  `);
    const end = itemAt(tokens, s.to - 1).start;
    if (!other) return [...head, ...inside(then), generated(`${indent}}\n`, end)];
    return [
      ...head,
      ...inside(then),
      generated(`${indent}} else {\n`, this.startOf(other)),
      ...inside(other),
      generated(`${indent}}\n`, end),
    ];
  }

  private stretch(
    from: number,
    to: number,
    more: readonly Replacement[],
    indent: string,
    end = "\n",
  ): readonly Piece[] {
    const { tokens, source, edits } = this.context;
    const last = itemAt(tokens, to - 1);
    const start = this.withComments(from);
    const stop = last.end + (end === "\n" ? sameLine(source, last.end) : 0);
    const own = shifted(
      cut(source, start, stop, [...more, ...edits]),
      indent.length - columnOf(source, start),
    );
    return [generated(indent, start), ...own, generated(end, last.end)];
  }

  /**
   * Start of the comments before a statement; a comment after the previous statement on the same line belongs to that
   * one.
   */
  private withComments(from: number): number {
    const { tokens, source } = this.context;
    const before = itemAt(tokens, from - 1);
    const start = before.end + sameLine(source, before.end);
    return start + (/^\s*/.exec(source.slice(start))?.[0].length ?? 0);
  }

  // ---------------------------------------------------------------- one loop over the threads

  private loop(run: readonly Statement[], indent: string): readonly Piece[] {
    const { tokens, names, ranks } = this.context;
    const declaredHere = new Set(
      everyStatement(run).flatMap((s) =>
        s.kind === "declaration" ? declaredBy(tokens, s).map(({ name }) => name.text) : [],
      ),
    );
    const isName = (s: Statement): boolean =>
      s.kind === "declaration" && declaredBy(tokens, s).every((one) => this.isRecomputed(one.name.text));
    const own = run.filter((s) => !isName(s));
    if (own.length === 0) return [];
    for (const name of declaredHere)
      if (this.usedOutside(name, run) && !this.isRecomputed(name)) this.keep(name);
    const again = this.again(own);
    const at = this.startOf(firstOf(run));
    const inner = `${indent}${"  ".repeat(ranks.length)}`;
    const collapse = ranks.length > 1 ? ` collapse(${ranks.length})` : "";
    const heads = ranks.map((d, k) => {
      const name = names.threadAt(d);
      return `${indent}${"  ".repeat(k)}for (unsigned ${name} = 0; ${name} < ${names.block(d)}; ${name}++)${k === ranks.length - 1 ? " {" : ""}\n`;
    });
    return [
      generated(`#pragma acc loop vector${collapse}\n${heads.join("")}`, at),
      ...again.map((line) => generated(`${inner}${line}\n`, at)),
      ...own.flatMap((s) => this.stretch(s.from, s.to, this.ownEdits(s, run), inner)),
      generated(`${indent}${"  ".repeat(ranks.length - 1)}}\n`, itemAt(tokens, lastOf(run).to - 1).end),
    ];
  }

  /** Repeats, in order, declarations of names that this loop uses and an earlier loop made. */
  private again(run: readonly Statement[]): readonly string[] {
    const { tokens, source, edits } = this.context;
    const needed = new Set<string>();
    const need = (part: readonly Token[]): void => {
      for (const { text, kind } of part)
        if (kind === "name" && !needed.has(text) && this.isRecomputed(text)) {
          needed.add(text);
          need(this.variables.get(text)?.declared.init ?? []);
        }
    };
    for (const s of run) need(tokens.slice(s.from, s.to));
    return [...this.variables]
      .filter(([name, { statement }]) => needed.has(name) && !run.includes(statement))
      .map(([name, { declared }]) => {
        const init = declared.init as readonly Token[];
        const value = cut(source, firstOf(init).start, lastOf(init).end, edits)
          .map(({ text }) => text)
          .join("");
        return `${declared.type} ${name} = ${value};`;
      });
  }

  private isRecomputed(name: string): boolean {
    return isRecomputed(name, this.variables, this.body, this.context.tokens);
  }

  private usedOutside(name: string, run: readonly Statement[]): boolean {
    const [from, to] = [firstOf(run).from, lastOf(run).to];
    const inBlock = this.scopeOf(name);
    return this.context.tokens.some(
      ({ text }, k) =>
        text === name &&
        k >= inBlock[0] &&
        k < inBlock[1] &&
        (k < from || k >= to) &&
        !/^(\.|->)$/.test(this.context.tokens[k - 1]?.text ?? ""),
    );
  }

  /** Tokens of the block that declares it. */
  private scopeOf(name: string): readonly [number, number] {
    const statement = this.variables.get(name)?.statement;
    const blocks = everyStatement(this.body.statements).filter(
      (s) => s.kind === "block" && statement && s.inside.includes(statement),
    );
    const [own] = blocks;
    return own ? [own.from, own.to] : [this.body.from, this.body.to];
  }

  private keep(name: string): void {
    if (this.spilled.has(name)) return;
    const { locations, blockSize, tokens } = this.context;
    const variable = entryOf(this.variables, name);
    if (!blockSize)
      locations.refuse(
        variable.declared.name,
        `each thread keeps '${name}' over a barrier, and the number of threads in a block is not a constant that all launches name`,
        "launch the kernel with a constant, or declare __launch_bounds__(constant)",
      );
    if (isShared(tokens, variable.statement)) return;
    this.spilled.set(name, variable);
  }

  private elements(name: string): string {
    return `${name}_of`;
  }

  private extent({ dimensions }: Declared): string {
    const sizes = this.context.blockSize ?? [];
    const own = dimensions.map(({ text }) => text).join("");
    return `${[...sizes]
      .reverse()
      .map((size) => `[${size}]`)
      .join("")}${own}`;
  }

  /** Replaces variables with an element per thread; their declarations become assignments. */
  private ownEdits(s: Statement, run: readonly Statement[]): readonly Replacement[] {
    const { tokens, names, ranks } = this.context;
    for (const [name] of this.variables)
      if (
        this.variables.get(name)?.isUniform === false &&
        !this.isRecomputed(name) &&
        this.isFromBefore(name, s, run)
      )
        this.keep(name);
    const element = ranks.map((d) => `[${names.threadAt(d)}]`).join("");
    const found: Replacement[] = [];
    for (let k = s.from; k < s.to; k++) {
      const token = itemAt(tokens, k);
      if (!this.spilled.has(token.text) || /^(\.|->)$/.test(tokens[k - 1]?.text ?? "")) continue;
      found.push(rename(token, `${this.elements(token.text)}${element}`));
    }
    for (const inner of everyStatement([s])) {
      if (inner.kind !== "declaration") continue;
      const declared = declaredBy(tokens, inner);
      if (!declared.some(({ name }) => this.spilled.has(name.text))) continue;
      found.push(...this.assigned(inner, declared));
    }
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  /**
   * A declaration of which threads keep variables over a barrier: assignments to their elements, and declarations of the
   * others.
   *
   *     int x = 1, y, z = 2;      =>      x_of[thread] = 1; int z = 2;      (threads keep x and y)
   */
  private assigned(declaration: Statement, declared: readonly Declared[]): readonly Replacement[] {
    const found: Replacement[] = [];
    let from = this.startOf(declaration);
    let separator = "";
    for (const { name, type, dimensions, init } of declared) {
      const { end } = init ? lastOf(init) : (dimensions.at(-1) ?? name);
      const isKept = this.spilled.has(name.text);
      if (isKept && init === undefined) found.push(replace(from, end, ""));
      else {
        found.push(replace(from, name.start, `${separator}${isKept ? "" : `${type} `}`));
        separator = "; ";
      }
      from = end;
    }
    return found;
  }

  private isFromBefore(name: string, s: Statement, run: readonly Statement[]): boolean {
    const { tokens } = this.context;
    const { statement } = entryOf(this.variables, name);
    const [from, to] = [firstOf(run).from, lastOf(run).to];
    if (statement.from >= from && statement.from < to) return false;
    const scope = this.scopeOf(name);
    if (s.from < scope[0] || s.from >= scope[1]) return false;
    return tokens.slice(s.from, s.to).some(({ text }) => text === name);
  }
}
