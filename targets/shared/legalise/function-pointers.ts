/**
 * Pointers to functions for languages that have none: numbers of their size. Device code compares and stores them and
 * gives them to functions; it calls nothing through them.
 */
import { isDispatcher } from "../../../core/ir/model/pointed.ts";
import {
  CHAR,
  canonical,
  isFunctionPointer,
  isPointer,
  leadsToFunction,
  makeSymbol,
  mapStmt,
  NOWHERE,
  pointerTo,
  qualify,
  type RecordBody,
  ULONG,
  unqualified,
  VOID,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr, Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { call, compound, ident, intLit } from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";
import type { Kernel, KernelFunction, LoweredRegion } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";

/** What a device does where a pointer leads to no function that it has: it ends the program, or goes on. */
type Otherwise = "ends" | "goes-on";

export function withoutFunctionPointers(region: LoweredRegion, otherwise: Otherwise): LoweredRegion {
  const numbers = new Numbers(otherwise);
  return {
    ...region,
    functions: region.functions.map((f) => numbers.function(f)),
    kernels: region.kernels.map((k) => numbers.kernel(k)),
  };
}

/** A region whose calls through pointers say so before they end the program, on this machine's processor. */
export const sayingWhyTheyEnd = (region: LoweredRegion): LoweredRegion => ({
  ...region,
  functions: region.functions.map((f) =>
    isDispatcher(f.sym) ? { ...f, body: saidBeforeEnd(f.body, region.region) } : f,
  ),
});

const saidBeforeEnd = (body: Stmt, region: string): Stmt =>
  mapStmt(body, {
    expr: (e) =>
      e.kind === "call" && calledFunction(e) === "abort"
        ? call(ident(noFunction), [stringLiteral(complaintOf(region))])
        : e,
  });

/**
 * Warns of calls through pointers where the device neither ends the program nor says that one led to no function: at the
 * first of each dispatcher.
 */
export function uncheckedCalls({ functions, kernels, site }: LoweredRegion): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  const visit = {
    expr(e: Expr): void {
      if (e.kind !== "call" || e.callee.kind !== "ident" || !isDispatcher(e.callee.sym)) return;
      const { name } = e.callee.sym;
      const reached = functions.find((f) => f.sym.name === name);
      const loc = e.span.start.line > 0 ? e.span.start : { ...site, col: 1 };
      if (reached && !found.has(name)) found.set(name, unchecked(loc, reached.body));
    },
  };
  for (const f of functions) walkStmt(f.body, visit);
  for (const k of kernels) for (const s of k.body) walkStmt(s, visit);
  return [...found.values()];
}

function unchecked(loc: Loc, dispatcher: Stmt): Diagnostic {
  const names = new Set<string>();
  walkStmt(dispatcher, {
    expr(e) {
      const name = e.kind === "call" && e.callee.kind === "ident" ? e.callee.sym.name : "abort";
      if (!/abort$|^printf$/.test(name)) names.add(`'${name}'`);
    },
  });
  return {
    severity: "warning",
    code: "unchecked-call",
    loc,
    message: `if this pointer leads to another function than ${[...names].join(", ")}, the call does nothing and its value is zero`,
    why: "an FPGA's kernel cannot end the program",
    remedy:
      "have the host see to it that the pointer leads to one of these, or add '#pragma omp declare target indirect' to the others",
  };
}

/** Whether values of the type hold addresses of functions, which a kernel cannot have as constants. */
export function holdsFunctionPointers(type: CType): boolean {
  const seen = canonical(type);
  if (seen.kind === "record") return (seen.decl.fields ?? []).some((f) => holdsFunctionPointers(f.type));
  return seen.kind === "array" ? holdsFunctionPointers(seen.of) : isFunctionPointer(seen);
}

/** A record whose members are numbers where they are such pointers. */
export function withNumbers(body: RecordBody | undefined): RecordBody | undefined {
  if (!body?.fields?.some((f) => leadsToFunction(f.type))) return body;
  return { ...body, fields: body.fields.map((f) => ({ ...f, type: asNumbers(f.type) })) };
}

/** The type with numbers for pointers to functions; the same object if it has none. Members of records stay. */
function asNumbers(type: CType): CType {
  const seen = canonical(type);
  if (isFunctionPointer(seen)) return qualify(ULONG, seen.quals);
  if (seen.kind === "pointer") {
    const to = asNumbers(seen.to);
    return to === seen.to ? type : { ...seen, to };
  }
  if (seen.kind === "array") {
    const of = asNumbers(seen.of);
    return of === seen.of ? type : { ...seen, of };
  }
  if (seen.kind !== "function") return type;
  const ret = asNumbers(seen.ret);
  const params = seen.params.map((p) => {
    const own = asNumbers(p.type);
    return own === p.type ? p : { type: own };
  });
  return ret === seen.ret && params.every((p, k) => p === seen.params[k]) ? type : { ...seen, ret, params };
}

class Numbers {
  private readonly otherwise: Otherwise;
  private readonly symbols = new Map<Symbol, Symbol>();

  constructor(otherwise: Otherwise) {
    this.otherwise = otherwise;
  }

  function(f: KernelFunction): KernelFunction {
    return {
      sym: this.symbol(f.sym),
      params: f.params.map((p) => ({ ...p, sym: this.symbol(p.sym) })),
      def: this.symbol(f.def.sym) === f.def.sym ? f.def : { ...f.def, sym: this.symbol(f.def.sym) },
      body: this.code(isDispatcher(f.sym) ? this.withEnd(f.body) : f.body),
    };
  }

  /** A dispatcher with what the device can do in place of ending the program. */
  private withEnd(body: Stmt): Stmt {
    if (this.otherwise === "ends") return body;
    return mapStmt(body, {
      expr: (e) => (e.kind === "call" && calledFunction(e) === "abort" ? intLit(0) : e),
    });
  }

  kernel(k: Kernel): Kernel {
    return {
      ...k,
      params: k.params.map((p) => ({ ...p, sym: this.symbol(p.sym) })),
      shared: k.shared.map((sym) => this.symbol(sym)),
      body: flat(this.code(compound(k.body))),
    };
  }

  private symbol(sym: Symbol): Symbol {
    const known = this.symbols.get(sym);
    if (known) return known;
    const type = asNumbers(sym.type);
    const { definition } = sym;
    const changed = makeSymbol(sym.name, sym.kind, type, sym.scope, sym.span);
    const own = type === sym.type ? sym : { ...changed, ...(definition && { definition }) };
    this.symbols.set(sym, own);
    return own;
  }

  private code(s: Stmt): Stmt {
    return mapStmt(s, {
      declared: (sym) => this.symbol(sym),
      named: (sym) => this.symbol(sym),
      expr: (e) => this.expression(e),
    });
  }

  private expression(e: Expr): Expr {
    const type = asNumbers(e.type);
    if (e.kind === "ident") {
      const sym = this.symbol(e.sym);
      return sym === e.sym ? e : { ...e, sym, type };
    }
    if (e.kind === "cast") {
      const to = asNumbers(e.to);
      // Integers and pointers do not convert to each other without a cast.
      const crosses = isPointer(e.arg.type) !== isPointer(to);
      if (to === e.to) return e;
      const { implicit, ...explicit } = e;
      return { ...explicit, ...(implicit && !crosses && { implicit }), to: unqualified(to), type };
    }
    if (e.kind === "compound" || e.kind === "sizeof") {
      const of = e.of && asNumbers(e.of);
      if (of && of !== e.of) return { ...e, of, type };
    }
    return type === e.type ? e : { ...e, type };
  }
}

/** Without the place in the source: the same region is the same kernel wherever its file is. */
const complaintOf = (region: string): string =>
  `arc: ${region} calls through a pointer that leads to no function for devices\\n`;

const stringLiteral = (text: string): Expr => ({
  kind: "string",
  pieces: [`"${text}"`],
  type: { kind: "array", of: CHAR, size: text.length },
  span: NOWHERE,
});

/** Of arc_host_kernel.h: it does not return. */
const noFunction = makeSymbol(
  "arc_no_function",
  "function",
  { kind: "function", ret: VOID, params: [{ type: pointerTo(CHAR) }], variadic: false },
  "file",
);
