/**
 * C statements to one dataflow graph. Choices become predicates and multiplexers, small loops with constant
 * trip counts are unrolled, calls are inlined. What cannot be one graph throws `NotStraight`.
 */

import { countedHeader } from "../ir/counted.ts";
import { asIdiom, type DelayLine } from "../ir/idioms.ts";
import type { CType, Expr, ForStmt, Loc, Stmt, Symbol } from "../lang/ast.ts";
import {
  canonical,
  elementType,
  evaluateInteger,
  fieldOffset,
  isDiagnostic,
  isPointer,
  sizeOf,
} from "../lang/index.ts";
import { affineForm, constantDifference } from "./affine.ts";
import {
  BIT,
  Graph,
  interpret,
  type MemoryReference,
  type Op,
  type Shape,
  type Value,
  type Variable,
} from "./graph.ts";
import { noOperator, unsupportedExpression, unsupportedStatement } from "./refusals.ts";
import { NotStraight, Unsupported } from "./region.ts";
import type { Line, Scope } from "./scope.ts";
import { shapeOf } from "./shapes.ts";
import { calleeOf } from "./signature.ts";
import { nameOf, stripped, unrollOf } from "./syntax.ts";

/** Iterations that an inner loop without a directive may have to be unrolled, and values that this may make. */
const MOST_UNROLLED = 32;
const MOST_UNROLLED_VALUES = 1000;
/** Values of one graph: beyond this the hardware would not fit anywhere. */
const MOST_VALUES = 20_000;

/** A construct that control may leave early: its iterations, copies or calls are separate levels. */
interface Level {
  readonly kind: "loop" | "function";
  /** One bit each: control has left this pass through the level; and all passes to come. */
  passed: Value;
  ended: Value;
  result?: Value;
}

/** What a delay line holds after its step in this iteration: the newest values, lane by lane. */
interface LineState {
  readonly line: Line;
  readonly lanes: readonly Value[];
}

type Target =
  | { readonly kind: "register"; readonly variable: Variable }
  | { readonly kind: "elements"; readonly elements: readonly Variable[]; readonly at: Value }
  | { readonly kind: "memory"; readonly address: Value; readonly memory: MemoryReference };

export class Block {
  readonly graph = new Graph();
  readonly scope: Scope;
  /** After `iteration`: one bit, a `break` has ended the loop. */
  ended: Value = this.graph.constant(0, BIT);
  /** The variables' values on the path that is being built. */
  private current = new Map<Variable, Value | "undefined">();
  private readonly levels: Level[] = [];
  private readonly lines = new Map<Line, LineState>();
  /** The step of an unrolled loop happens in every copy: its counter must stay constant. */
  private ignoringExits = false;
  private readonly yes = this.graph.constant(1, BIT);
  private readonly no = this.graph.constant(0, BIT);

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Straight code. */
  straight(statements: readonly Stmt[]): this {
    for (const s of statements) this.statement(s, this.yes);
    return this;
  }

  /** One iteration of a loop: `copies` times the body, each but the first only if `more` still holds. */
  iteration(body: Stmt, step: Expr | undefined, copies: number, more: (copy: number) => Value): void {
    const level = this.enter("loop");
    for (let k = 0; k < copies; k++) {
      level.passed = this.no;
      if (k > 0) level.ended = this.graph.or(level.ended, this.graph.not(more(k)));
      this.statement(body, this.yes);
      level.passed = this.no;
      if (step) this.effect(step, this.yes);
    }
    this.ended = level.ended;
    this.levels.pop();
  }

  /** Whether `test` holds for the variables as they are now. */
  test(test: Expr): Value {
    return this.truth(test, this.yes);
  }

  /** The value of an expression now. */
  now(e: Expr): Value {
    return this.value(e, this.yes);
  }

  set(variable: Variable, value: Value): void {
    this.current.set(variable, value);
    if (!this.graph.names.has(value)) this.graph.names.set(value, variable.name);
  }

  get(variable: Variable): Value {
    const value = this.current.get(variable);
    return value === undefined || value === "undefined" ? this.graph.read(variable) : value;
  }

  /** Settles what the variables are afterwards. */
  finish(): Graph {
    for (const [variable, value] of this.current) {
      if (value === "undefined" || (value.op === "read" && value.variable === variable))
        this.graph.updates.delete(variable);
      else this.graph.updates.set(variable, value);
    }
    return this.graph;
  }

  // ---------------------------------------------------------------- control

  private enter(kind: Level["kind"]): Level {
    const level: Level = { kind, passed: this.no, ended: this.no };
    this.levels.push(level);
    return level;
  }

  /** `base`, and control has not left. */
  private effective(base: Value): Value {
    let guard = base;
    for (const level of this.levels) {
      guard = this.graph.and(guard, this.graph.not(level.passed));
      guard = this.graph.and(guard, this.graph.not(level.ended));
    }
    return guard;
  }

  private statement(s: Stmt, base: Value): void {
    if (this.graph.values.length > MOST_VALUES)
      throw new Unsupported(
        "too-large",
        s.span.start,
        `one iteration has more than ${MOST_VALUES} operations`,
        "each of them is a circuit",
        "unroll less",
      );
    const at = s.span.start;
    switch (s.kind) {
      case "expr":
        if (s.expr) this.effect(s.expr, base);
        return;
      case "compound":
        for (const child of s.body) this.statement(child, base);
        return;
      case "decl":
        this.declaration(s, base);
        return;
      case "if": {
        const test = this.truth(s.test, this.effective(base));
        const other = s.else;
        this.branch(
          test,
          () => this.statement(s.then, this.graph.and(base, test)),
          () => other && this.statement(other, this.graph.and(base, this.graph.not(test))),
        );
        return;
      }
      case "for":
        this.unrolled(s, base);
        return;
      case "do":
        if (evaluateInteger(s.test) !== 0n) throw new NotStraight("a loop stands in it", at);
        this.enter("loop");
        this.statement(s.body, base);
        this.levels.pop();
        return;
      case "while":
        throw new NotStraight("a loop stands in it", at);
      case "continue":
      case "break": {
        const level = this.innermost("loop");
        if (!level) throw new NotStraight(`'${s.kind}' leaves a loop that is not pipelined`, at);
        const leaves = this.effective(base);
        if (s.kind === "continue") level.passed = this.graph.or(level.passed, leaves);
        else level.ended = this.graph.or(level.ended, leaves);
        return;
      }
      case "return": {
        const level = this.innermost("function");
        if (!level)
          throw new Unsupported(
            "control-flow",
            at,
            "'return' leaves the region",
            "a region ends at its end",
            "guard what follows by a condition instead",
          );
        const leaves = this.effective(base);
        if (s.value) {
          const value = this.value(s.value, leaves);
          level.result = level.result ? this.graph.mux(leaves, value, level.result) : value;
        }
        level.ended = this.graph.or(level.ended, leaves);
        return;
      }
      case "ext": {
        const line = asIdiom(s, "delayline");
        if (line) return this.step(line, at);
        const accumulator = asIdiom(s, "accumulator");
        if (accumulator) throw new NotStraight("a reduction stands in it", at);
        const accumulate = asIdiom(s, "accumulate");
        if (accumulate) return this.accumulate(accumulate, base);
        throw unsupportedStatement(s.ext.kind, at);
      }
      case "static-assert":
      case "local-labels":
        return;
      default:
        throw unsupportedStatement(s.kind, at);
    }
  }

  /** Both ways of a choice, each on variables of its own; afterwards the test chooses between them. */
  private branch<T>(test: Value, then: () => T, otherwise: () => T): { then: T; otherwise: T } {
    const before = this.current;
    this.current = new Map(before);
    const a = then();
    const taken = this.current;
    this.current = new Map(before);
    const b = otherwise();
    const passed = this.current;
    for (const variable of new Set([...taken.keys(), ...passed.keys()])) {
      const [x, y] = [taken.get(variable), passed.get(variable)];
      if (x === y) continue;
      const here = (v: Value | "undefined" | undefined) =>
        v === undefined || v === "undefined" ? this.graph.read(variable) : v;
      // A path on which it is not set yet is one on which no one reads it.
      const merged = y === "undefined" ? x : x === "undefined" ? y : this.graph.mux(test, here(x), here(y));
      this.current.set(variable, merged as Value);
    }
    return { then: a, otherwise: b };
  }

  private innermost(kind: Level["kind"]): Level | undefined {
    for (let k = this.levels.length - 1; k >= 0; k--) {
      const level = this.levels[k] as Level;
      if (level.kind === kind) return level;
      if (level.kind === "function") return undefined;
    }
    return undefined;
  }

  private declaration(s: Stmt & { readonly kind: "decl" }, base: Value): void {
    for (const { sym, init, span } of s.decls) {
      if (sym.kind !== "var" || sym.storage === "extern") continue;
      const storage = this.scope.of(sym, span.start);
      if (storage.kind === "line") {
        if (init) throw unsupportedStatement("initialised delay line", span.start);
        continue;
      }
      const registers = storage.kind === "register" ? [storage.variable] : storage.elements;
      // No one reads a variable before it is set: what an earlier iteration left in it does not matter.
      for (const variable of registers) this.current.set(variable, "undefined");
      if (!init) continue;
      if (storage.kind === "register") {
        const expr = init.kind === "expr" ? init.expr : undefined;
        if (!expr) throw unsupportedStatement("braced initialiser", span.start);
        this.set(storage.variable, this.converted(expr, sym.type, this.effective(base)));
        continue;
      }
      if (init.kind === "expr" || storage.strides.length > 1 || init.items.some((i) => i.designators.length))
        throw unsupportedStatement("initialiser of this form", span.start);
      registers.forEach((variable, k) => {
        const item = init.items[k]?.init;
        if (item?.kind === "list") throw unsupportedStatement("nested initialiser", span.start);
        const value = item
          ? this.converted(item.expr, storage.element, this.effective(base))
          : this.graph.constant(0, variable.shape);
        this.set(variable, value);
      });
    }
  }

  // ---------------------------------------------------------------- loops

  private unrolled(loop: ForStmt, base: Value): void {
    const at = loop.span.start;
    const header = countedHeader(loop);
    if (isDiagnostic(header))
      throw new NotStraight("a loop whose iterations are not counted stands in it", at);
    const asked = unrollOf(loop);
    // Outside of a pipeline a loop is a pipeline itself.
    if (asked !== 0 && !this.innermost("loop")) throw new NotStraight("a loop stands in it", at);
    const body = { kind: "compound", body: [loop.body], span: loop.span } as const;
    const storage = this.scope.of(header.var, at);
    if (storage.kind !== "register") throw new NotStraight("its counter is no scalar", at);
    const { variable } = storage;
    if (loop.init?.kind === "decl") this.statement(loop.init, base);
    else if (loop.init) this.effect(loop.init, base);
    const level = this.enter("loop");
    for (let k = 0; ; k++) {
      level.passed = this.no;
      const more = loop.test ? this.truth(loop.test, this.effective(base)) : this.yes;
      if (more.op !== "const")
        throw new NotStraight(`a loop stands in it whose number of iterations is not constant`, at);
      if (more.constant === 0n) break;
      if (asked !== 0 && (k >= MOST_UNROLLED || this.graph.values.length > MOST_UNROLLED_VALUES))
        throw new NotStraight(`a loop with many iterations or a large body stands in it`, at);
      this.statement(body, base);
      level.passed = this.no;
      // The counter goes on whether or not this iteration counts: it must stay constant.
      const counter = this.get(variable);
      if (loop.step) this.effect(loop.step, this.yes, true);
      if (this.get(variable) === counter)
        throw new NotStraight("a loop stands in it that does not advance", at);
    }
    this.levels.pop();
  }

  // ---------------------------------------------------------------- idioms

  private step(node: DelayLine, at: Loc): void {
    const line = this.lineOf(node.line);
    if (!line) throw unsupportedStatement("delay line", at);
    if (this.lines.has(line)) throw new NotStraight(`the delay line '${line.name}' moves twice`, at);
    const shape = shapeOf(line.element, this.scope.addressBits, at);
    const lanes = Array.from({ length: node.shift }, (_, lane): Value => {
      if (node.lane)
        this.set(this.scope.register(node.lane, at), this.graph.constant(lane, { bits: 32, signed: true }));
      const guard = node.guard ? this.truth(node.guard, this.yes) : this.yes;
      const value = this.graph.resize(this.value(node.value, guard), shape);
      if (guard.op === "const") return value;
      // Keeps the newest place of the line where the step does not set it.
      const held = this.scope.hidden(`${line.name}_newest${lane}`, shape);
      const kept = this.graph.mux(guard, value, this.graph.read(held));
      this.set(held, kept);
      return kept;
    });
    this.lines.set(line, { line, lanes });
  }

  private lineOf(e: Expr): Line | undefined {
    const bare = stripped(e);
    if (bare.kind !== "ident") return undefined;
    const storage = this.scope.of(bare.sym, e.span.start);
    return storage.kind === "line" ? storage.line : undefined;
  }

  /** The value at a place of a delay line. */
  private tap(line: Line, place: bigint, at: Loc): Value {
    const state = this.lines.get(line);
    if (!state) throw new NotStraight(`the delay line '${line.name}' is read before it moves`, at);
    if (place < 0n || place >= BigInt(line.length))
      throw new NotStraight(`the delay line '${line.name}' has no place ${place}`, at);
    const back = line.length - 1 - Number(place);
    const count = state.lanes.length;
    const lane = state.lanes[count - 1 - (back % count)] as Value;
    return this.graph.delay(lane, Math.floor(back / count));
  }

  private accumulate(
    node: { readonly register: Expr; readonly depth: number; readonly partial: Symbol; readonly body: Stmt },
    base: Value,
  ): void {
    const at = node.register.span.start;
    const bare = stripped(node.register);
    const storage = bare.kind === "ident" ? this.scope.of(bare.sym, at) : undefined;
    if (storage?.kind !== "registers") throw unsupportedStatement("accumulator", at);
    const { elements } = storage;
    const partial = this.scope.register(node.partial, at);
    this.set(partial, this.get(elements[0] as Variable));
    this.statement(node.body, base);
    const shifted = elements.map((_, k) =>
      k < node.depth - 1 ? this.get(elements[k + 1] as Variable) : undefined,
    );
    const newest = this.get(partial);
    elements.forEach((variable, k) => {
      if (k < node.depth) this.set(variable, shifted[k] ?? newest);
    });
  }

  // ---------------------------------------------------------------- targets

  private target(
    e: Expr,
    guard: Value,
  ): Target | { readonly kind: "line"; readonly line: Line; readonly at: Value } {
    const at = e.span.start;
    switch (e.kind) {
      case "ident": {
        const storage = this.scope.of(e.sym, at);
        if (storage.kind !== "register") throw unsupportedExpression("an array as a whole", at);
        return { kind: "register", variable: storage.variable };
      }
      case "index": {
        const subscripts: Expr[] = [];
        let base: Expr = e;
        while (base.kind === "index") {
          subscripts.unshift(base.index);
          base = stripped(base.base);
        }
        const storage =
          base.kind === "ident" && canonical(base.type).kind === "array"
            ? this.scope.of(base.sym, at)
            : undefined;
        if (storage?.kind === "registers") return this.element(storage, subscripts, guard, at);
        if (storage?.kind === "line")
          return { kind: "line", line: storage.line, at: this.value(subscripts[0] as Expr, guard) };
        return this.memory(e, this.address(e, guard));
      }
      case "unary":
        if (e.op === "*") {
          const inner = stripped(e.arg);
          if (inner.kind === "unary" && inner.op === "&") return this.target(inner.arg, guard);
          return this.memory(e, this.value(e.arg, guard));
        }
        if (e.op === "__extension__") return this.target(e.arg, guard);
        break;
      case "member":
        return this.memory(e, this.address(e, guard));
      case "cast":
        if (e.implicit) return this.target(e.arg, guard);
        break;
    }
    throw unsupportedExpression(e.kind, at);
  }

  private element(
    storage: { readonly elements: readonly Variable[]; readonly strides: readonly number[] },
    subscripts: readonly Expr[],
    guard: Value,
    at: Loc,
  ): Target {
    if (subscripts.length !== storage.strides.length) throw unsupportedExpression("part of an array", at);
    const wide: Shape = { bits: 32, signed: true };
    let sum = this.graph.constant(0, wide);
    subscripts.forEach((subscript, k) => {
      const by = this.graph.constant(storage.strides[k] as number, wide);
      const value = this.graph.resize(this.value(subscript, guard), wide);
      sum = this.graph.make("add", wide, [sum, this.graph.make("mul", wide, [value, by])]);
    });
    return { kind: "elements", elements: storage.elements, at: sum };
  }

  private memory(e: Expr, address: Value): Target {
    const bytes = sizeOf(e.type);
    if (bytes === undefined) throw unsupportedExpression("an access of unknown size", e.span.start);
    const pointer = e.kind === "unary" ? e.arg : e;
    return {
      kind: "memory",
      address,
      memory: { bytes, roots: this.scope.pointers.rootsOf(pointer), name: nameOf(e), loc: e.span.start },
    };
  }

  /** The address of an lvalue in memory. */
  private address(e: Expr, guard: Value): Value {
    const at = e.span.start;
    const pointer: Shape = { bits: this.scope.addressBits, signed: false };
    switch (e.kind) {
      case "index": {
        const base = stripped(e.base);
        const from =
          canonical(base.type).kind === "array" && base.kind !== "ident"
            ? this.address(base, guard)
            : this.value(base, guard);
        return this.moved(from, this.value(e.index, guard), sizeOf(e.type), at);
      }
      case "unary":
        if (e.op === "*") return this.value(e.arg, guard);
        break;
      case "cast":
        if (e.implicit) return this.address(e.arg, guard);
        break;
      case "member": {
        const record = canonical(e.arrow ? (elementType(e.base.type) as CType) : e.base.type);
        const offset = record.kind === "record" ? fieldOffset(record.decl, e.name) : undefined;
        if (offset === undefined || e.field?.bits) throw unsupportedExpression("a bit-field", at);
        const from = e.arrow ? this.value(e.base, guard) : this.address(e.base, guard);
        return this.graph.make("add", pointer, [from, this.graph.constant(offset, pointer)]);
      }
      case "ident":
        if (canonical(e.type).kind === "pointer") return this.value(e, guard);
        break;
    }
    throw unsupportedExpression("the address of a variable in a register", at);
  }

  private moved(from: Value, by: Value, bytes: number | undefined, at: Loc): Value {
    if (bytes === undefined) throw unsupportedExpression("a pointer to something of unknown size", at);
    const pointer: Shape = { bits: this.scope.addressBits, signed: false };
    const elements = this.graph.resize(by, pointer);
    const offset = this.graph.make("mul", pointer, [elements, this.graph.constant(bytes, pointer)]);
    return this.graph.make("add", pointer, [from, offset]);
  }

  private loaded(e: Expr, guard: Value): Value {
    const target = this.target(e, guard);
    const shape = shapeOf(e.type, this.scope.addressBits, e.span.start);
    switch (target.kind) {
      case "register":
        return this.get(target.variable);
      case "line": {
        const place = target.at;
        if (place.op !== "const")
          throw new NotStraight(
            `a place of the delay line '${target.line.name}' is not constant`,
            e.span.start,
          );
        return this.tap(target.line, interpret(place.constant as bigint, place.shape), e.span.start);
      }
      case "elements":
        return this.chosen(target, e.span.start);
      case "memory": {
        if (isPointer(e.type))
          throw new Unsupported(
            "pointer-chasing",
            e.span.start,
            "a pointer is read from memory",
            "pointers in memory are the host's, and each step of a chain waits for the one before",
            "use indices into arrays instead",
          );
        this.checkEarlierStores(target, e.span.start);
        const bits: Shape = {
          bits: target.memory.bytes * 8,
          signed: shape.signed,
          ...(shape.float && { float: true }),
        };
        const value = this.graph.load(target.memory, bits, target.address, guard);
        return shape.bits === 1 ? this.graph.resize(value, shape) : value;
      }
    }
  }

  private chosen({ elements, at }: { elements: readonly Variable[]; at: Value }, loc: Loc): Value {
    if (at.op === "const") {
      const variable = elements[Number(interpret(at.constant as bigint, at.shape))];
      if (!variable) throw unsupportedExpression("an element outside of its array", loc);
      return this.get(variable);
    }
    return elements
      .map((variable, k) => ({ value: this.get(variable), k }))
      .reduceRight<Value | undefined>(
        (rest, { value, k }) => (rest ? this.graph.mux(this.isAt(at, k), value, rest) : value),
        undefined,
      ) as Value;
  }

  private isAt(at: Value, k: number): Value {
    return this.graph.make("eq", BIT, [at, this.graph.constant(k, at.shape)]);
  }

  /** In straight code memory is read before it is written: a load after a store needs a step of its own. */
  private checkEarlierStores(target: { address: Value; memory: MemoryReference }, at: Loc): void {
    for (const store of this.graph.stores) {
      if (!this.scope.pointers.mayAlias(store.memory.roots, target.memory.roots)) continue;
      const difference = constantDifference(affineForm(target.address), affineForm(store.address));
      const apart =
        difference !== undefined &&
        (difference >= BigInt(store.memory.bytes) || -difference >= BigInt(target.memory.bytes));
      if (!apart)
        throw new NotStraight(`'${target.memory.name}' is read after a store that may change it`, at);
    }
  }

  private assign(left: Expr, value: Value, guard: Value): void {
    const target = this.target(left, guard);
    switch (target.kind) {
      case "register":
        this.assignRegister(target.variable, value, this.yes);
        return;
      case "elements": {
        const { elements, at } = target;
        if (at.op === "const") {
          const variable = elements[Number(interpret(at.constant as bigint, at.shape))];
          if (!variable) throw unsupportedExpression("an element outside of its array", left.span.start);
          this.assignRegister(variable, value, this.yes);
        } else
          elements.forEach((variable, k) => {
            this.assignRegister(variable, value, this.isAt(at, k));
          });
        return;
      }
      case "line":
        throw new Unsupported(
          "window-in-place",
          left.span.start,
          `the window over '${target.line.name}' is written as well as read`,
          "delay lines of this target are not updated in place yet",
          "write to another array, or leave the window out with window: 0",
        );
      case "memory": {
        const bits: Shape = { bits: target.memory.bytes * 8, signed: value.shape.signed };
        const data = value.shape.float ? value : this.graph.resize(value, bits);
        this.graph.stores.push({ address: target.address, data, guard, memory: target.memory });
      }
    }
  }

  /** On this path: what control has left keeps its value, and `when` says whether the rest takes the new one. */
  private assignRegister(variable: Variable, value: Value, when: Value): void {
    const guard = this.ignoringExits ? when : this.effective(when);
    if (guard.op === "const" && guard.constant === 0n) return;
    const plain = this.current.get(variable) === "undefined" || guard.op === "const";
    this.set(variable, plain ? value : this.graph.mux(guard, value, this.get(variable)));
  }

  // ---------------------------------------------------------------- expressions

  /** An expression for its effects; `unconditional`: control may have left, and yet it happens. */
  private effect(e: Expr, base: Value, unconditional = false): void {
    if (unconditional) {
      this.ignoringExits = true;
      this.effect(e, base);
      this.ignoringExits = false;
      return;
    }
    const guard = this.effective(base);
    if (e.kind === "comma") {
      this.effect(e.left, base);
      this.effect(e.right, base);
    } else if (e.kind === "assign") this.assignment(e, guard);
    else if (e.kind === "incdec") this.increment(e, guard);
    else this.value(e, guard, true);
  }

  private assignment(e: Expr & { readonly kind: "assign" }, guard: Value): Value {
    const left = stripped(e.left);
    if (e.op === "=") {
      const value = this.converted(e.right, e.left.type, guard);
      this.assign(left, value, guard);
      return value;
    }
    const old = this.loaded(left, guard);
    const op = e.op.slice(0, -1);
    const at = e.span.start;
    let result: Value;
    if (isPointer(left.type)) {
      const by = this.value(e.right, guard);
      const signedBy = op === "-" ? this.negated(by) : by;
      result = this.moved(old, signedBy, sizeOf(elementType(left.type) as CType), at);
    } else if (op === "<<" || op === ">>") {
      const promoted = promotedShape(old.shape);
      result = this.shift(op, this.graph.resize(old, promoted), this.value(e.right, guard));
    } else {
      const right = this.value(e.right, guard);
      const common = shapeOf(e.right.type, this.scope.addressBits, at);
      result = this.arithmetic(op, this.cast(old, common, at), right, common, at);
    }
    const value = this.cast(result, shapeOf(left.type, this.scope.addressBits, at), at);
    this.assign(left, value, guard);
    return value;
  }

  private increment(e: Expr & { readonly kind: "incdec" }, guard: Value): Value {
    const old = this.loaded(stripped(e.arg), guard);
    const at = e.span.start;
    let next: Value;
    if (isPointer(e.type)) {
      const by = this.graph.constant(e.op === "++" ? 1 : -1, { bits: this.scope.addressBits, signed: true });
      next = this.moved(old, by, sizeOf(elementType(e.type) as CType), at);
    } else {
      if (old.shape.float) throw unsupportedExpression("++ or -- of a floating-point variable", at);
      next = this.graph.make("add", old.shape, [old, this.graph.constant(e.op === "++" ? 1 : -1, old.shape)]);
    }
    this.assign(stripped(e.arg), next, guard);
    return e.prefix ? next : old;
  }

  private negated(value: Value): Value {
    return this.graph.make("sub", value.shape, [this.graph.constant(0, value.shape), value]);
  }

  /** One bit: whether the expression is not 0. */
  private truth(e: Expr, guard: Value): Value {
    const value = this.value(e, guard);
    if (!value.shape.float) return this.graph.truth(value);
    throw noOperator("a floating-point condition", e.span.start);
  }

  private converted(e: Expr, type: CType, guard: Value): Value {
    return this.cast(this.value(e, guard), shapeOf(type, this.scope.addressBits, e.span.start), e.span.start);
  }

  private cast(value: Value, to: Shape, at: Loc): Value {
    if (to.float && value.shape.float) return value;
    if (to.float) {
      if (value.op === "const")
        return this.graph.constant(floatBits(Number(interpret(value.constant as bigint, value.shape))), to);
      throw noOperator("a conversion from integer to floating point", at);
    }
    if (value.shape.float) throw noOperator("a conversion from floating point to integer", at);
    if (to.bits === 1 && value.shape.bits !== 1) return this.graph.truth(value);
    return this.graph.resize(value, to);
  }

  private value(e: Expr, guard: Value, discarded = false): Value {
    const at = e.span.start;
    const shape = (): Shape => shapeOf(e.type, this.scope.addressBits, at);
    switch (e.kind) {
      case "int":
      case "char":
        return this.graph.constant(e.value, shape());
      case "float":
        return this.graph.constant(floatBits(e.value), shape());
      case "ident": {
        if (e.sym.kind === "enumerator") return this.graph.constant(e.sym.value as bigint, shape());
        const fixed = this.scope.kernel.constantOf(e.sym);
        return fixed === undefined ? this.loaded(e, guard) : this.graph.constant(fixed, shape());
      }
      case "index":
      case "member":
        return this.loaded(e, guard);
      case "sizeof":
      case "alignof": {
        const size = evaluateInteger(e);
        if (size === undefined) throw unsupportedExpression("a size known only at run time", at);
        return this.graph.constant(size, shape());
      }
      case "unary":
        return this.unary(e, guard);
      case "incdec":
        return this.increment(e, guard);
      case "assign":
        return this.assignment(e, guard);
      case "comma":
        this.effect(e.left, guard);
        return this.value(e.right, guard);
      case "binary":
        return this.binary(e, guard);
      case "cond": {
        const test = this.truth(e.test, guard);
        const to = shape();
        const arm = (of: Expr, when: Value) => this.cast(this.value(of, this.graph.and(guard, when)), to, at);
        const first = e.then;
        const { then, otherwise } = this.branch(
          test,
          () => (first ? arm(first, test) : this.cast(this.value(e.test, guard), to, at)),
          () => arm(e.else, this.graph.not(test)),
        );
        return this.graph.mux(test, then, otherwise);
      }
      case "cast": {
        if (canonical(e.to).kind === "void") {
          this.effect(e.arg, guard);
          return this.no;
        }
        if (e.implicit && canonical(e.arg.type).kind === "array") {
          const arg = stripped(e.arg);
          return arg.kind === "ident" ? this.loaded(arg, guard) : this.address(arg, guard);
        }
        if (e.arg.kind === "float" && canonical(e.to).kind === "float")
          return this.graph.constant(floatBits(e.arg.value), shape());
        return this.cast(this.value(e.arg, guard), shape(), at);
      }
      case "call":
        return this.call(e, guard, discarded);
      case "stmt-expr": {
        const { body } = e.body;
        body.forEach((s, k) => {
          if (k < body.length - 1) this.statement(s, guard);
        });
        const last = body.at(-1);
        if (last?.kind !== "expr" || !last.expr) throw unsupportedExpression("a statement expression", at);
        return this.value(last.expr, guard);
      }
      case "generic": {
        const chosen = e.assocs[e.chosen];
        if (chosen) return this.value(chosen.value, guard);
        break;
      }
    }
    throw unsupportedExpression(e.kind, at);
  }

  private unary(e: Expr & { readonly kind: "unary" }, guard: Value): Value {
    const at = e.span.start;
    switch (e.op) {
      case "+":
      case "__extension__":
        return this.value(e.arg, guard);
      case "-": {
        const value = this.value(e.arg, guard);
        if (!value.shape.float) return this.negated(value);
        const sign = this.graph.constant(1n << BigInt(value.shape.bits - 1), value.shape);
        return this.graph.make("xor", value.shape, [value, sign]);
      }
      case "~": {
        const value = this.value(e.arg, guard);
        return this.graph.make("not", value.shape, [value]);
      }
      case "!": {
        const not = this.graph.not(this.truth(e.arg, guard));
        return this.graph.resize(not, { bits: 32, signed: true });
      }
      case "*":
        return canonical(e.type).kind === "array" ? this.value(e.arg, guard) : this.loaded(e, guard);
      case "&":
        return this.address(stripped(e.arg), guard);
      default:
        throw unsupportedExpression("a complex number", at);
    }
  }

  private binary(e: Expr & { readonly kind: "binary" }, guard: Value): Value {
    const at = e.span.start;
    const int: Shape = { bits: 32, signed: true };
    if (e.op === "&&" || e.op === "||") {
      const left = this.truth(e.left, guard);
      const rest = this.graph.and(guard, e.op === "&&" ? left : this.graph.not(left));
      const [then, none] = [() => this.truth(e.right, rest), () => this.no];
      const isAnd = e.op === "&&";
      const right = isAnd ? this.branch(left, then, none).then : this.branch(left, none, then).otherwise;
      return this.graph.resize(e.op === "&&" ? this.graph.and(left, right) : this.graph.or(left, right), int);
    }
    const a = this.value(e.left, guard);
    const b = this.value(e.right, guard);
    if (e.op === "<<" || e.op === ">>") return this.shift(e.op, a, b);
    const [p, q] = [isPointer(e.left.type), isPointer(e.right.type)];
    if (p !== q && (e.op === "+" || e.op === "-")) {
      const [pointer, by] = p ? [a, b] : [b, a];
      const bytes = sizeOf(elementType(p ? e.left.type : e.right.type) as CType);
      return this.moved(pointer, e.op === "-" ? this.negated(by) : by, bytes, at);
    }
    if (p && q && e.op === "-") {
      const bytes = sizeOf(elementType(e.left.type) as CType) ?? 1;
      if ((bytes & (bytes - 1)) !== 0) throw unsupportedExpression("a difference of pointers", at);
      const signed: Shape = { bits: this.scope.addressBits, signed: true };
      const difference = this.graph.make("sub", signed, [
        this.graph.resize(a, signed),
        this.graph.resize(b, signed),
      ]);
      const by = this.graph.constant(Math.log2(bytes), signed);
      return this.graph.resize(this.graph.make("shr", signed, [difference, by]), { bits: 64, signed: true });
    }
    const compared = this.compared(e.op, a, b, at);
    if (compared) return this.graph.resize(compared, int);
    return this.arithmetic(e.op, a, b, shapeOf(e.type, this.scope.addressBits, at), at);
  }

  private compared(op: string, a: Value, b: Value, at: Loc): Value | undefined {
    const { graph } = this;
    const less = (x: Value, y: Value) => graph.make("lt", BIT, [x, y], at);
    if (!["==", "!=", "<", ">", "<=", ">="].includes(op)) return undefined;
    if (a.shape.float) throw noOperator(`the floating-point operator ${op}`, at);
    switch (op) {
      case "==":
        return graph.make("eq", BIT, [a, b], at);
      case "!=":
        return graph.not(graph.make("eq", BIT, [a, b], at));
      case "<":
        return less(a, b);
      case ">":
        return less(b, a);
      case "<=":
        return graph.not(less(b, a));
      case ">=":
        return graph.not(less(a, b));
      default:
        return undefined;
    }
  }

  private shift(op: "<<" | ">>", a: Value, b: Value): Value {
    return this.graph.make(op === "<<" ? "shl" : "shr", a.shape, [a, b]);
  }

  private arithmetic(op: string, a: Value, b: Value, shape: Shape, at: Loc): Value {
    if (shape.float) throw noOperator(`the floating-point operator ${op}`, at);
    const ops: Readonly<Record<string, Op>> = {
      "+": "add",
      "-": "sub",
      "*": "mul",
      "/": "div",
      "%": "rem",
      "&": "and",
      "|": "or",
      "^": "xor",
    };
    const made = ops[op];
    if (!made) throw unsupportedExpression(`the operator ${op}`, at);
    return this.graph.make(made, shape, [a, b], at);
  }

  // ---------------------------------------------------------------- calls

  private call(e: Expr & { readonly kind: "call" }, guard: Value, discarded: boolean): Value {
    const at = e.span.start;
    const sym = calleeOf(e);
    if (!sym) throw unsupportedExpression("a call through a pointer", at);
    const known = sym && this.scope.kernel.functions.get(sym);
    if (known) return this.inlined(known.parameters, known.body, e, guard, discarded);
    const [x] = e.args;
    const name = sym.name.replace(/^__builtin_/, "");
    if (x && /^l?l?abs$/.test(name)) {
      const value = this.converted(x, e.type, guard);
      const negative = this.graph.make("lt", BIT, [value, this.graph.constant(0, value.shape)]);
      return this.graph.mux(negative, this.negated(value), value);
    }
    if (x && name === "fabsf") {
      const value = this.value(x, guard);
      const mask = this.graph.constant((1n << BigInt(value.shape.bits - 1)) - 1n, value.shape);
      return this.graph.make("and", value.shape, [value, mask]);
    }
    if (name === "expect" && x) return this.value(x, guard);
    throw noOperator(`'${sym.name}'`, at);
  }

  /** Routines do not call themselves: normalisation has seen to that. */
  private inlined(
    parameters: readonly Symbol[],
    body: Stmt,
    e: Expr & { readonly kind: "call" },
    guard: Value,
    discarded: boolean,
  ): Value {
    const at = e.span.start;
    const values = parameters.map((p, k) => this.converted(e.args[k] as Expr, p.type, guard));
    parameters.forEach((p, k) => {
      this.set(this.scope.register(p, at), values[k] as Value);
    });
    const level = this.enter("function");
    this.statement(body, guard);
    this.levels.pop();
    if (level.result) return this.cast(level.result, shapeOf(e.type, this.scope.addressBits, at), at);
    if (!discarded && canonical(e.type).kind !== "void")
      throw unsupportedExpression("a call without a result", at);
    return this.no;
  }
}

function promotedShape(shape: Shape): Shape {
  return shape.bits < 32 ? { bits: 32, signed: true } : shape;
}

/** Bits of a number rounded to binary32. */
export function floatBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
}
