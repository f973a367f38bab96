/**
 * Kernels of one group become the end of the kernel in front of them: the last of its groups runs them. A launch less,
 * and groups need not wait for each other, since each only counts itself when it ends.
 *
 *     kernel w, all groups:  ...                 kernel w:  ...
 *     kernel s, one group:   ...         =>                 fence; if (groups counted so far == all) { fence; s }
 *                                                kernel s:  where w has many groups
 *
 * At the end of a loop that the launch repeats, the last group also runs what the next iteration begins with, which the
 * launch then starts in the first iteration alone.
 *
 * Memory: each item fences what it stored before its group counts itself, and each item of the last group fences before
 * it loads. The counter is memory of the launch, of which there is one for each queue. It is zero before the first
 * launch, and the last group sets it to zero again.
 */
import { itemAt } from "../../../../core/checked/access.ts";
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { type Atomic, extStmt } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import { INT, LONG, NOWHERE, pointerTo, sizeOf, substitute, UINT } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  deref,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { escapes } from "../../device/control.ts";
import {
  barrier,
  deviceFence,
  isFirstItem,
  type Kernel,
  type KernelParam,
  type LoweredRegion,
  lastGroup,
  type ParamSource,
  workItemId,
  workItemIdOf,
} from "../../device/device.ts";

/** Bytes of group memory that every device has (OpenCL 1.2, table 4.3). */
const ROOM = 32 << 10;

/** Up to `most` groups for each compute unit; `onSome`: only some compilers take the code, and the launch asks. */
export interface Limits {
  readonly most: number;
  readonly onSome?: true;
}

/** A kernel of one group that the last group of another one runs. */
interface Tail {
  readonly kernel: number;
  /** It is the next iteration's, of the loop of this depth and count. */
  readonly next?: { readonly depth: number; readonly count: string };
}

interface Joined {
  readonly region: LoweredRegion;
  /** Kernels that others may run. */
  readonly tails: number;
}

export function withTails(region: LoweredRegion, limits: Limits): Joined {
  const counter = region.scratch.length;
  const kernels = [...region.kernels];
  let tails = 0;
  for (const [n, own] of region.kernels.entries()) {
    const following = tailsOf(region, n);
    if (following.length === 0) continue;
    const few = fewGroups(own, limits);
    kernels[n] = withTail(region, own, following, { counter, few });
    for (const { kernel, next } of following) {
      const isDone = next ? `n${next.depth} ${few} *` : few;
      kernels[kernel] = { ...itemAt(kernels, kernel), grid: [`${isDone} 0 1 ?`, "1"] };
    }
    tails += following.length;
  }
  if (tails === 0) return { region, tails };
  return { region: { ...region, kernels, scratch: [...region.scratch, "4"], zeroed: counter }, tails };
}

/** Positive if counting the kernel's groups costs little: an expression of the image file. */
const fewGroups = ({ grid: [x, y] }: Kernel, { most, onSome }: Limits): string =>
  `${onSome ? "lg " : ""}cu ${most} * ${x} ${y} * /${onSome ? " *" : ""}`;

// ---------------------------------------------------------------- which kernels

/** `min` with the largest grid changes nothing. */
const isOneGroup = ({ grid: [x, y] }: Kernel): boolean => /^1( \d+ min)?$/.test(x) && y === "1";

function tailsOf(region: LoweredRegion, host: number): readonly Tail[] {
  const { kernels, loops = [] } = region;
  const own = itemAt(kernels, host);
  // Groups that depend on the iteration would have to be counted as the iteration before did.
  if (isOneGroup(own) || own.grid.some((e) => /\bn\d/.test(e)) || escapes(compound(own.body))) return [];
  const around = (k: number) => loops.filter((l) => l.first <= k && k < l.end);
  const inner = around(host).at(-1);
  const found: Tail[] = [];
  const fits = (k: number): boolean => {
    const at = kernels[k];
    const all = [...found.map((t) => kernels[t.kernel]), own, at] as Kernel[];
    return (
      at !== undefined &&
      around(k).at(-1) === inner &&
      isOneGroup(at) &&
      [1, items(own)].includes(items(at)) &&
      !escapes(compound(at.body)) &&
      bytesOf(new Set(all.flatMap((kernel) => kernel.shared))) <= ROOM
    );
  };
  let k = host + 1;
  for (; fits(k); k++) found.push({ kernel: k });
  if (!inner || k !== inner.end) return found;
  const next = { depth: around(host).length - 1, count: inner.count };
  for (let first = inner.first; first < host && fits(first); first++) found.push({ kernel: first, next });
  return found;
}

const items = ({ group: [x, y] }: Kernel): number => x * y;

const bytesOf = (shared: ReadonlySet<Symbol>): number =>
  [...shared].reduce((sum, { type }) => sum + (sizeOf(type) ?? ROOM), 0);

// ---------------------------------------------------------------- the kernel

function withTail(
  region: LoweredRegion,
  own: Kernel,
  tails: readonly Tail[],
  { counter, few }: { readonly counter: number; readonly few: string },
): Kernel {
  const params = new Merged(own);
  const launch = (name: string, expr: string) =>
    params.of({ sym: freshSymbol(name, LONG), pointer: false, source: { from: "launch", expr } });
  const counts = launch("arc_counts", few);
  const arrived = params.of({
    sym: freshSymbol("arc_arrived", pointerTo(UINT)),
    pointer: true,
    source: { from: "scratch", index: counter },
  });
  const last = freshSymbol("arc_last", INT);
  const ofGroup = new Set([...own.shared, last]);
  const codes = tails.map(({ kernel, next }): { code: Stmt; next: Tail["next"] } => {
    const tail = itemAt(region.kernels, kernel);
    for (const sym of tail.shared) ofGroup.add(sym);
    const names = new Map<Symbol, Expr>(tail.params.map((p) => [p.sym, ident(params.of(later(p, next)))]));
    const code = asOnlyGroup(substitute(compound(tail.body), names));
    return { code: items(tail) < items(own) ? ifStmt(isFirstItem(), code) : code, next };
  });
  const again = codes.find((c) => c.next)?.next;
  const more = again && launch("arc_more", `${again.count} n${again.depth} 1 + - 0 max ${few} *`);
  const parts = (list: typeof codes) => list.flatMap(({ code }) => [barrier(), code]);
  const ofNext = parts(codes.filter((c) => c.next));
  const body: readonly Stmt[] = [
    compound(own.body),
    lastGroup(
      ifStmt(
        ident(counts),
        compound([
          deviceFence(),
          barrier(),
          ifStmt(isFirstItem(), counted(arrived, last)),
          barrier(),
          ifStmt(
            ident(last),
            compound([
              deviceFence(),
              ...parts(codes.filter((c) => !c.next)),
              ...(more ? [ifStmt(ident(more), compound(ofNext))] : []),
              ifStmt(isFirstItem(), exprStmt(assign(deref(ident(arrived)), intLit(0, UINT)))),
            ]),
          ),
        ]),
      ),
    ),
  ];
  const together = usesOf(...tails.flatMap(({ kernel }) => itemAt(region.kernels, kernel).body)).of;
  const alone = usesOf(...own.body).of;
  return {
    ...own,
    body,
    shared: [...ofGroup],
    params: params.all((sym, same) => !alone.has(sym) || !same.some((other) => together.has(other))),
  };
}

/** The group counts itself, and sets `last` if all others have. */
function counted(arrived: Symbol, last: Symbol): Stmt {
  const before = freshSymbol("arc_before", UINT);
  const count = node<Atomic>({
    kind: "atomic",
    what: "capture",
    op: "+",
    target: deref(ident(arrived)),
    value: intLit(1, UINT),
    captured: ident(before),
    site: { loc: NOWHERE.start, what: "loop" },
  });
  const isLast = binary("==", binary("+", cast(LONG, ident(before)), intLit(1, LONG)), workItemId("groups"));
  return compound([
    declare(before, intLit(0, UINT)),
    extStmt(count, NOWHERE),
    exprStmt(assign(ident(last), isLast)),
  ]);
}

/** A group's code where other groups have ended. */
function asOnlyGroup(s: Stmt): Stmt {
  const used = [...usesOf(s).of.keys()];
  const named = used.flatMap((sym): [Symbol, Expr][] => {
    const p = workItemIdOf(sym);
    if (!p || p.startsWith("item")) return [];
    return [[sym, intLit(p.startsWith("groups") ? 1 : 0, LONG)]];
  });
  return substitute(s, new Map(named));
}

/** A parameter as the next iteration would get it. */
function later(p: KernelParam, next: Tail["next"]): KernelParam {
  const { source } = p;
  if (!next || source.from !== "launch") return p;
  const own = `n${next.depth}`;
  const expr = source.expr
    .split(" ")
    .map((word) => (word === own ? `${own} 1 +` : word))
    .join(" ");
  return { ...p, source: { ...source, expr } };
}

/** Parameters of several kernels: what has the same source is passed once. */
class Merged {
  private readonly params = new Map<string, { param: KernelParam; same: Symbol[] }>();

  constructor({ params }: Kernel) {
    for (const param of params) this.params.set(keyOf(param.source), { param, same: [] });
  }

  of(p: KernelParam): Symbol {
    const key = keyOf(p.source);
    const known = this.params.get(key);
    if (!known) {
      const sym = freshSymbol(p.sym.name, p.sym.type);
      this.params.set(key, { param: { ...p, sym }, same: [p.sym] });
      return sym;
    }
    known.same.push(p.sym);
    if (known.param.unaliased && !p.unaliased) {
      const { unaliased: _, ...param } = known.param;
      known.param = param;
    }
    return known.param.sym;
  }

  /**
   * `isOfOne`: whether only one of the kernels uses it, by its symbol in the first one and in the others. Otherwise
   * compilers must not delay stores to it.
   */
  all(isOfOne: (own: Symbol, same: readonly Symbol[]) => boolean): readonly KernelParam[] {
    return [...this.params.values()].map(({ param, same }) => {
      const { unaliased, ...plain } = param;
      const isReadOnly = "argument" in param.source && param.source.argument.item.access === "read-only";
      return unaliased && (isReadOnly || isOfOne(param.sym, same)) ? param : plain;
    });
  }
}

function keyOf(source: ParamSource): string {
  switch (source.from) {
    case "argument":
    case "global":
    case "scratch":
      return `${source.from} ${source.index}`;
    case "overlap":
      return `overlap ${source.index} ${source.other}`;
    case "launch":
      return `launch ${source.expr}`;
  }
}
