/**
 * Calls through pointers to functions that the device does not have, where a kernel cannot end the program: the kernel
 * leaves the number of the call, from 1, in a word that the runtime looks at after the launch and that ends the program
 * there. Until then the call's value is zero.
 */
import { isDispatcher } from "../../../core/ir/model/pointed.ts";
import { INT, mapStmt, pointerTo, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, compound, deref, freshSymbol, ident, intLit } from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";
import type { Kernel, KernelFunction, LoweredRegion } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";

export function withStrayCalls(region: LoweredRegion): LoweredRegion {
  if (!region.functions.some(isOpen)) return region;
  const watch = new Watch(region);
  const functions = region.functions.map((f) => watch.function(f));
  const kernels = region.kernels.map((k) => watch.kernel(k));
  // Launches of several time steps have no memory of their own.
  const { steps: _, ...rest } = region;
  const { scratch } = region;
  return {
    ...rest,
    functions,
    kernels,
    scratch: [...scratch, "4"],
    strays: { scratch: scratch.length, calls: watch.calls },
  };
}

const isOpen = (f: KernelFunction): boolean => isDispatcher(f.sym) && mayAbort(f.body);

const isAbort = (e: Expr): boolean => e.kind === "call" && calledFunction(e) === "abort";

function mayAbort(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    expr(e) {
      found ||= isAbort(e);
    },
  });
  return found;
}

class Watch {
  readonly calls: Loc[] = [];
  private readonly site: Loc;
  private readonly scratch: number;
  /** Functions that are passed the word. Callees come first, and none calls itself. */
  private readonly told = new Set<Symbol>();

  constructor({ site, scratch }: LoweredRegion) {
    this.site = { file: site.file, line: site.line, col: 1 };
    this.scratch = scratch.length;
  }

  function(f: KernelFunction): KernelFunction {
    if (!isOpen(f)) {
      const word = wordSymbol();
      const body = this.passedOn(f.body, word);
      if (body === f.body) return f;
      this.told.add(f.sym);
      return { ...f, body, params: [...f.params, { sym: word, pointer: true }] };
    }
    this.told.add(f.sym);
    const [word, place] = [wordSymbol(), freshSymbol("arc_call", INT)];
    const note = assign(deref(ident(word)), ident(place));
    return {
      ...f,
      params: [...f.params, { sym: word, pointer: true }, { sym: place, pointer: false }],
      body: mapStmt(f.body, { expr: (e) => (isAbort(e) ? note : e) }),
    };
  }

  kernel(k: Kernel): Kernel {
    const word = wordSymbol();
    const before = compound(k.body);
    const body = this.passedOn(before, word);
    if (body === before) return k;
    const param = { sym: word, pointer: true, source: { from: "scratch", index: this.scratch } } as const;
    return { ...k, params: [...k.params, param], body: flat(body) };
  }

  private passedOn(body: Stmt, word: Symbol): Stmt {
    return mapStmt(body, {
      expr: (e) => {
        if (e.kind !== "call" || e.callee.kind !== "ident" || !this.told.has(e.callee.sym)) return e;
        const more = isDispatcher(e.callee.sym) ? [intLit(this.numberOf(e))] : [];
        return { ...e, args: [...e.args, ident(word), ...more] };
      },
    });
  }

  private numberOf({ span: { start } }: Expr): number {
    this.calls.push(start.line > 0 ? start : this.site);
    return this.calls.length;
  }
}

const wordSymbol = (): Symbol => freshSymbol("arc_stray", pointerTo(INT));
