/** Code that one work-item runs by itself: inside item loops, or the whole code of a group of one item. */
import { objectOf } from "../../../core/ir/analysis/access.ts";
import { type Apart, type Atomic, asNode, type Loop } from "../../../core/ir/model/ir.ts";
import { ofOneThread } from "../../../core/ir/model/shuffle-alone.ts";
import { mapChildren } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { compound, declare } from "../../../core/lang/tree/build.ts";
import { containsAtomic, flat } from "../device/control.ts";
import { apartPragma, unrollPragma } from "../device/pragmas.ts";
import { sequentialNest } from "../loops/sequential.ts";
import { deviceDeclaration } from "./declarations.ts";
import { type Geometry, groupSize } from "./geometry/geometry.ts";
import { share } from "./geometry/work-distribution.ts";
import type { Parameters } from "./parameters.ts";
import { plainAtomic } from "./plain-atomic.ts";

interface ItemCodeInput {
  readonly geometry: Geometry;
  readonly parameters: Parameters;
  /** One item runs the whole region. */
  readonly serial: boolean;
  /** Variables of a group or of its items. */
  readonly own: ReadonlySet<Symbol>;
  /** Of these, the variables in group memory. */
  readonly shared: ReadonlySet<Symbol>;
}

export class ItemCode {
  private readonly input: ItemCodeInput;
  private readonly alone: boolean;

  constructor(input: ItemCodeInput) {
    this.input = input;
    this.alone = groupSize(input.geometry) === 1;
  }

  /** `s` with its loops shared among groups, or run in order. */
  of(s: Stmt): Stmt {
    if (s.kind === "decl") return deviceDeclaration(s);
    if (asNode(s, "cache") || (this.alone && asNode(s, "sync")?.name === "barrier"))
      return { kind: "expr", span: s.span };
    const atomic = asNode(s, "atomic");
    if (atomic && this.isPrivate(atomic)) return plainAtomic(atomic);
    const shuffle = asNode(s, "shuffle");
    if (shuffle) return ofOneThread(shuffle);
    const block = asNode(s, "threads");
    if (block) return this.of(block.body);
    const loop = asNode(s, "loop");
    if (!loop) return mapChildren(s, (child) => this.of(child));
    const inner = [...loop.privates.map((p) => declare(p)), ...flat(this.of(loop.body))];
    const body = compound(inner, loop.body.span);
    const kind = this.input.geometry.sharers(loop);
    if (this.alone && (kind === "groups" || kind === "groups+items"))
      return compound(share(this.input.geometry, loop, "groups", body), s.span);
    return this.sequential(loop, body);
  }

  /** The loop run in order with `body` as its body. */
  sequential(loop: Loop, body: Stmt): Stmt {
    // Atomic updates of one element are the only dependence between such iterations.
    const independent = loop.parallel.independence === "independent" && !containsAtomic(loop.body);
    const nest = sequentialNest(loop.headers, body, independent);
    const copies = loop.hints?.unroll ?? 1;
    const apart = this.apart(loop, copies);
    const pragmas = [
      ...(nest.pragmas ?? []),
      ...(apart.length > 0 ? [apartPragma(apart)] : []),
      ...(copies === 1 ? [] : [unrollPragma(copies)]),
    ];
    return pragmas.length > 0 ? { ...nest, pragmas } : nest;
  }

  /** No other work-item can access the object of the atomic access. */
  private isPrivate({ target, reduction }: Atomic): boolean {
    const { serial, own, shared } = this.input;
    if (serial && reduction) return true;
    const sym = objectOf(target);
    return sym !== undefined && own.has(sym) && (this.alone || !shared.has(sym));
  }

  /** Only kernel parameters. Vendors do not say whether distances count unrolled copies or iterations. */
  private apart({ hints, headers }: Loop, copies: number): readonly Apart[] {
    if (headers.length > 1) return [];
    const { parameters } = this.input;
    return (hints?.apart ?? []).filter((a) => {
      return parameters.has(a.array) && (a.distance === undefined || copies === 1);
    });
  }
}
