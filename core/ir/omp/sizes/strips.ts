/**
 * The loops that `tile` and `unroll partial` make (OpenMP 5.2, sections 9.1 and 9.2), where a loop declares its variable and
 * counts with a constant step:
 *
 *     tile sizes(4)                              for (long i_tile = 0; i_tile < n; i_tile += 4)
 *     for (int i = 0; i < n; i++) BODY    =>       for (int i = i_tile; i < (i_tile + 4 < n ? i_tile + 4 : n); i++) BODY
 */
import {
  canonical,
  evaluateInteger,
  intKind,
  isSigned,
  LONG,
  NOWHERE,
  sizeOf,
  unqualified,
} from "../../../lang/index.ts";
import type {
  CType,
  Expr,
  ForStmt,
  Pragma,
  PragmaToken,
  Scope,
  Stmt,
  Symbol,
} from "../../../lang/tree/ast.ts";
import { assign, binary, cast, cond, declare, freshSymbol, ident, intLit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/counted.ts";
import type { LoopHeader } from "../../model/ir.ts";

/** Loops over tiles, and inside them those of a tile; undefined: the nest is none that they can be made of. */
export function tiled(nest: Stmt, sizes: readonly number[]): Stmt | undefined {
  const loops: { loop: ForStmt; strip: Strip }[] = [];
  let at: Stmt = nest;
  for (const size of sizes) {
    const loop: Stmt = alone(at);
    const strip = loop.kind === "for" ? stripOf(loop, size) : undefined;
    if (loop.kind !== "for" || !strip) return undefined;
    const bounds = usesOf(strip.header.lower, strip.header.bound).of;
    if (loops.some((around) => bounds.has(around.strip.header.var))) return undefined;
    loops.push({ loop, strip });
    at = loop.body;
  }
  const inner = loops.reduceRight((body, { loop, strip }) => ofTile(loop, strip, body), at);
  return loops.reduceRight((body, { loop, strip }) => overTiles(loop, strip, body), inner);
}

/** The loop unrolled by its compiler: as often as there are iterations, or `copies` times. */
export function unrolled(loop: Stmt, copies: number | undefined): Stmt | undefined {
  const only = alone(loop);
  if (only.kind !== "for") return undefined;
  const count = copies ?? tripsOf(only);
  return count === undefined || count > MOST ? undefined : { ...only, pragmas: [unroll(count)] };
}

/** One iteration for each `copies` of the loop's, which are unrolled. */
export function strips(loop: Stmt, copies: number): Stmt | undefined {
  const only = alone(loop);
  const strip = only.kind === "for" ? stripOf(only, copies) : undefined;
  if (only.kind !== "for" || !strip) return undefined;
  const inner = ofTile(only, strip, only.body);
  return overTiles(only, strip, { ...inner, pragmas: [unroll(copies)] });
}

/** What gcc takes at most. */
const MOST = 65534;

const alone = (s: Stmt): Stmt =>
  s.kind === "compound" && s.body.length === 1 ? alone(s.body[0] as Stmt) : s;

interface Strip {
  readonly header: LoopHeader;
  /** Of the loop over tiles: its variable never leaves what it can hold. */
  readonly tile: Symbol;
  readonly span: bigint;
}

function stripOf(loop: ForStmt, size: number): Strip | undefined {
  const header = countedHeader(loop);
  if ("severity" in header || !header.declares || !Number.isInteger(size) || size < 1) return undefined;
  const { var: sym, relation, bound, step } = header;
  const by = evaluateInteger(step);
  const [own, other] = [intKind(sym.type), intKind(bound.type)];
  if (by === undefined || by === 0n || own === undefined || other === undefined || relation === "!=")
    return undefined;
  const down = relation === ">" || relation === ">=";
  if (down !== by < 0n) return undefined;
  const wide = (sizeOf(sym.type) ?? 8) > 4;
  const natural = (evaluateInteger(bound) ?? -1n) >= 0n;
  const asItIs = isSigned(sym.type) === isSigned(bound.type) || (isSigned(sym.type) && natural);
  if (!asItIs || (sizeOf(bound.type) ?? 8) > (wide ? 8 : 4) || (wide && down && !isSigned(sym.type)))
    return undefined;
  const type = wide ? unqualified(canonical(sym.type)) : LONG;
  return {
    header,
    tile: freshSymbol(`${sym.name}_tile`, type),
    span: BigInt(size) * (down ? -by : by),
  };
}

const downwards = ({ relation }: LoopHeader): boolean => relation === ">" || relation === ">=";

function overTiles(loop: ForStmt, { header, tile, span }: Strip, body: Stmt): ForStmt {
  const { var: sym, lower, bound, relation } = header;
  const start = cast(tile.type, cast(unqualified(sym.type), lower));
  return {
    ...withoutPragmas(loop),
    init: declare(tile, start),
    test: binary(relation, ident(tile), cast(tile.type, bound)),
    step: assign(ident(tile), intLit(span, tile.type), downwards(header) ? "-=" : "+="),
    body,
  } as ForStmt;
}

function ofTile(loop: ForStmt, { header, tile, span }: Strip, body: Stmt): ForStmt {
  const { var: sym, bound, relation } = header;
  const end = cast(tile.type, bound);
  const by = intLit(relation.endsWith("=") ? span - 1n : span, tile.type);
  const near = binary(downwards(header) ? "-" : "+", ident(tile), by);
  const nearest = cond(binary(downwards(header) ? ">" : "<", near, end), near, end);
  return {
    ...withoutPragmas(loop),
    init: declare(sym, converted(tile, sym.type)),
    test: binary(relation, ident(sym), nearest),
    body,
  } as ForStmt;
}

function converted(tile: Symbol, to: CType): Expr {
  return cast(unqualified(to), ident(tile));
}

function withoutPragmas({ pragmas: _, ...loop }: ForStmt): ForStmt {
  return loop as ForStmt;
}

/** Iterations of a loop of constants. */
function tripsOf(loop: ForStmt): number | undefined {
  const header = countedHeader(loop);
  if ("severity" in header || header.relation === "!=") return undefined;
  const [from, to, by] = [header.lower, header.bound, header.step].map(evaluateInteger);
  if (from === undefined || to === undefined || !by || downwards(header) !== by < 0n) return undefined;
  const far = downwards(header) ? from - to : to - from;
  const step = by < 0n ? -by : by;
  const trips = header.relation.endsWith("=") ? far / step + 1n : (far + step - 1n) / step;
  return trips < 1n ? undefined : Number(trips);
}

const noNames: Scope = { lookup: () => undefined, lookupTag: () => undefined };

/** As programs write it for the compilers of their kernels. */
function unroll(copies: number): Pragma {
  const token = (kind: PragmaToken["kind"], text: string): PragmaToken => ({
    kind,
    text,
    loc: NOWHERE.start,
    spaced: true,
  });
  const tokens = [token("ident", "unroll"), token("number", `${copies}`)];
  return { kind: "pragma", tokens, scope: noNames, span: NOWHERE };
}
