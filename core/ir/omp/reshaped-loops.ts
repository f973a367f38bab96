/** Loops that `tile`, `unroll` and schedules have made others of, for the directives around them. */
import { evaluateInteger } from "../../lang/index.ts";
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import type { Directive } from "../directives/directive.ts";
import type { Reading } from "../directives/read-state.ts";
import { ruleOf } from "./directive/parse.ts";
import { noteKept, noteSchedule } from "./hints.ts";
import { areIndependent, blockOf, chunkOf, inChunks, showsThreads } from "./parallel/chunks.ts";
import { type Numbered, numbered } from "./parallel/numbered.ts";
import { strips, tiled, unrolled } from "./sizes/strips.ts";
import { dimensions, overTiles, sizesOf } from "./sizes/tiles.ts";

export class ReshapedLoops {
  private readonly reading: Reading;
  /** Nests whose `tile` is left to the mapping, and how many loops it would tile. */
  private readonly tiles = new WeakMap<Stmt, number>();
  /** Loops that `unroll partial` unrolls, each with the loop that threads share instead. */
  private readonly parts = new WeakMap<Stmt, { readonly d: Directive; readonly shared: Stmt | undefined }>();

  constructor(reading: Reading) {
    this.reading = reading;
  }

  tiled(d: Directive, body: Stmt): Stmt {
    const sizes = sizesOf(d);
    const result = sizes && tiled(this.sharedPart(body), sizes);
    if (result) return result;
    noteKept(this.reading, d, "tile");
    const untiled = { ...body };
    this.tiles.set(untiled, dimensions(d));
    return untiled;
  }

  unrolled(d: Directive, body: Stmt): Stmt {
    const partial = d.clauses.find((c) => c.name === "partial");
    const full = d.clauses.some((c) => c.name === "full");
    const copies = partial?.exprs[0] && Number(evaluateInteger(partial.exprs[0] as Expr) ?? 0n);
    const result = copies || full ? unrolled(body, copies || undefined) : undefined;
    if (!result) {
      noteKept(this.reading, d, "unroll");
      return body;
    }
    if (copies) this.parts.set(result, { d, shared: strips(body, copies) });
    return result;
  }

  /** What a directive that shares iterations among threads applies to, and that directive. */
  shared(asked: Directive, code: Stmt): { readonly d: Directive; readonly body: Stmt } {
    const { d, body: given } = this.byNumbers(asked, code);
    const body = ruleOf(d).extent === "loop" ? this.sharedPart(this.chunked(d, given)) : given;
    return { d: overTiles(d, this.tiles.get(body)), body };
  }

  /** The loop over parts, which directives around it apply to. */
  private sharedPart(body: Stmt): Stmt {
    const part = this.parts.get(body);
    if (part && !part.shared) noteKept(this.reading, part.d, "strips");
    return part?.shared ?? body;
  }

  /** Where tiles are not made, or loops are unrolled by parts, a directive speaks of other loops. */
  private isPlain(body: Stmt): boolean {
    return !this.tiles.has(body) && !this.parts.has(body);
  }

  /** A loop over the threads that the program asks for, where it computes how many these are. */
  private byNumbers(d: Directive, body: Stmt): Numbered {
    const isLoop = this.isPlain(body) && ruleOf(d).extent === "loop";
    return (isLoop && numbered(d, body, this.reading.around.omp ?? {})) || { d, body };
  }

  /** The loop over chunks that `schedule` asks for. */
  private chunked(d: Directive, body: Stmt): Stmt {
    const size = chunkOf(d) ?? blockOf(d, body);
    const isKept = this.isPlain(body) && (showsThreads(d, body) || !areIndependent(d, body));
    const result = size !== undefined && isKept ? inChunks(d, body, size) : undefined;
    if (!result) noteSchedule(this.reading, d, body);
    return result ?? body;
  }
}
