/** Units of random IR: every kind of node with every property, around random statements. */
import fc from "fast-check";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { type Idiom, idiom } from "../../../core/ir/model/idioms.ts";
import {
  type Atomic,
  accesses,
  type DataItem,
  type Declare,
  extStmt,
  type FixedPoint,
  type IrNode,
  type LoopHeader,
  mappings,
  type Reduction,
  type SpmdHints,
  sharings,
} from "../../../core/ir/model/ir.ts";
import { node } from "../../../core/ir/model/node-shapes.ts";
import type { Program, Routine } from "../../../core/ir/model/program.ts";
import {
  type Expr,
  type FunctionDef,
  INT,
  LONG,
  NOWHERE,
  parse,
  type Stmt,
  type Symbol,
} from "../../../core/lang/index.ts";
import {
  assign,
  binary,
  cast,
  compound,
  cond,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  member,
  stripImplicit,
  unary,
} from "../../../core/lang/tree/build.ts";

const prelude = `
struct pair { double first; double *list; };
double table[100];
int g(int v) { return v + 1; }
void f(int n, double *x, struct pair p) {
  int i, j, k, s, m[64];
  double t, w[9];
}`;

/** The frame of random code. A new unit each time, since reading completes symbols in place. */
function subject() {
  const { unit } = parse(prelude, { file: "random.c" });
  const [, , g, f] = unit.externals as [unknown, unknown, FunctionDef, FunctionDef];
  const known = new Map<string, Symbol>(f.params.map((sym) => [sym.name, sym]));
  for (const s of f.body.body) if (s.kind === "decl") for (const { sym } of s.decls) known.set(sym.name, sym);
  const table = unit.scope.lookup("table") as Symbol;
  const sym = (name: string): Symbol => known.get(name) as Symbol;
  return { unit, f, g, table, sym };
}

type Subject = ReturnType<typeof subject>;

const site = { loc: NOWHERE.start, what: "node" };
const { loc } = site;

// What fast-check draws are functions of the subject and of the variables in scope.
type Made<T> = (at: Subject) => T;

const from = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const integer: fc.Arbitrary<Made<Expr>> = fc.letrec<{ e: Made<Expr> }>((tie) => ({
  e: fc.oneof(
    { maxDepth: 3 },
    fc.integer({ min: -9, max: 99 }).map((v) => (): Expr => intLit(v)),
    from("n", "i", "j", "k", "s").map(
      (name) =>
        ({ sym }: Subject): Expr =>
          ident(sym(name)),
    ),
    fc.tuple(from("+", "-", "*", "/", "%", "<", "==", "&&", "|", "<<"), tie("e"), tie("e")).map(
      ([op, a, b]) =>
        (at: Subject): Expr =>
          binary(op, a(at), b(at)),
    ),
    tie("e").map(
      (e) =>
        (at: Subject): Expr =>
          unary("-", e(at)),
    ),
    tie("e").map(
      (e) =>
        (at: Subject): Expr =>
          index(ident(at.sym("m")), e(at)),
    ),
    fc.tuple(tie("e"), tie("e"), tie("e")).map(
      ([a, b, c]) =>
        (at: Subject): Expr =>
          cond(a(at), b(at), c(at)),
    ),
    tie("e").map(
      (e) =>
        (at: Subject): Expr =>
          cast(INT, cast(LONG, e(at))),
    ),
  ),
})).e;

const real: fc.Arbitrary<Made<Expr>> = fc.oneof(
  integer.map(
    (e) =>
      (at: Subject): Expr =>
        index(ident(at.sym("x")), e(at)),
  ),
  fc.constant(({ sym }: Subject): Expr => member(ident(sym("p")), "first", false) as Expr),
  fc.tuple(integer, from("+", "*")).map(
    ([e, op]) =>
      ({ sym, ...at }: Subject): Expr =>
        binary(op, ident(sym("t")), e({ sym, ...at })),
  ),
);

const maybe = <T>(arb: fc.Arbitrary<Made<T>>): fc.Arbitrary<Made<T | undefined>> =>
  fc.option(arb, { nil: undefined }).map((made) => (at) => made?.(at));

/** Properties drawn one by one; those that come out undefined are absent. */
function record<T extends object>(
  parts: {
    readonly [K in keyof T]: fc.Arbitrary<Made<T[K] | undefined>>;
  },
): fc.Arbitrary<Made<T>> {
  return fc.record(parts as Record<string, fc.Arbitrary<Made<unknown>>>).map(
    (drawn) => (at) =>
      Object.fromEntries(
        Object.entries(drawn)
          .map(([key, made]) => [key, made(at)] as const)
          .filter(([, value]) => value !== undefined),
      ) as T,
  );
}

const fixed = <T>(value: T): fc.Arbitrary<Made<T>> => fc.constant(() => value);
const one = <T>(...values: readonly T[]): fc.Arbitrary<Made<T>> => from(...values).map((v) => () => v);
const yes = one<true | undefined>(true, undefined);
const count = fc.nat({ max: 9 });
const small = count.map((v) => () => v);
const numberFormats = fc.oneof(
  one<NonNullable<SpmdHints["format"]>>("f16", "bf16"),
  record<FixedPoint>({ whole: small, fractionBits: small }),
);
const list = <T>(arb: fc.Arbitrary<Made<T>>, minLength = 0): fc.Arbitrary<Made<T[]>> =>
  fc.array(arb, { minLength, maxLength: 3 }).map((made) => (at) => made.map((one) => one(at)));
const variables: fc.Arbitrary<Made<Symbol[]>> = fc.subarray(["i", "s", "t", "x", "m"]).map(
  (names) =>
    ({ sym }) =>
      names.map(sym),
);
const reductions: fc.Arbitrary<Made<Reduction[]>> = list(
  fc
    .tuple(from("+", "*", "max", "min", "&", "|", "^", "&&", "||"), from("s", "k"))
    .map(([op, name]) => ({ sym }) => ({ op, sym: sym(name), loc })),
);
const extensions = one(
  undefined,
  undefined,
  [{ key: "metadirective", value: "when(device: 3)" }],
  [{ key: "vendor-hint" }, { key: "empty", value: "" }],
);
const queueing = {
  condition: maybe(integer),
  async: fc.oneof(maybe<Expr | "default">(integer), one<Expr | "default" | undefined>("default", undefined)),
  wait: maybe(record({ queues: list(integer), loc: fixed(loc) })),
};
const self = fc.oneof(maybe<Expr | "always">(integer), one<Expr | "always" | undefined>("always", undefined));

// ---------------------------------------------------------------- data items

const vis = from("explicit" as const, "implicit" as const);

const object: fc.Arbitrary<Made<Pick<DataItem, "object" | "sym">>> = from(
  "x",
  "m",
  "t",
  "p",
  "first",
  "list",
).map((what) => (at) => {
  if (what !== "first" && what !== "list") return { object: ident(at.sym(what)), sym: at.sym(what) };
  return { object: member(ident(at.sym("p")), what, false) as Expr, sym: at.sym("p") };
});

const item: fc.Arbitrary<Made<DataItem>> = fc
  .record({
    of: object,
    section: list(record({ start: maybe(integer), length: maybe(integer) })),
    sharing: fc.record({ is: from(...sharings), vis }),
    is: from(...mappings),
    mappingVis: vis,
    flags: fc.subarray(["zero", "readonly", "finalize", "ifPresent", "alwaysIn", "alwaysOut", "capture"]),
    pipe: from(undefined, "buffer", "in", "out"),
    access: from(...accesses),
  })
  .map(({ of, section, sharing, is, mappingVis, flags, pipe, access }) => (at) => ({
    ...of(at),
    section: section(at),
    written: "",
    sharing,
    mapping: {
      is,
      vis: mappingVis,
      ...Object.fromEntries(flags.map((f) => [f, true])),
      ...(pipe && { pipe }),
    },
    access,
    loc,
  }));

/** Items of a region: some introduce a variable, whose name others may have. */
const ownItems: fc.Arbitrary<Made<DataItem[]>> = list(
  fc
    .tuple(item, from(undefined, undefined, "own", "x", "i"), fc.boolean())
    .map(([made, own, itself]) => (at) => {
      const plain = made(at);
      if (own === undefined) return plain;
      const sym = freshSymbol(own, stripImplicit(plain.object).type);
      return { ...plain, sym, own: true as const, ...(itself && { object: ident(sym) }) };
    }),
);

// ---------------------------------------------------------------- statements

const plain: fc.Arbitrary<Made<Stmt>> = fc.oneof(
  fc.tuple(integer, real).map(
    ([at, value]) =>
      (s: Subject): Stmt =>
        exprStmt(assign(index(ident(s.sym("x")), at(s)), value(s))),
  ),
  integer.map(
    (e) =>
      (s: Subject): Stmt =>
        exprStmt(assign(ident(s.sym("s")), e(s), "+=")),
  ),
);

const at = (ext: IrNode): Stmt => extStmt(ext, NOWHERE);
const asNode =
  (made: Made<object>): Made<Stmt> =>
  (s) =>
    at(node<IrNode>(made(s) as never));
const asIdiom =
  (made: Made<object>): Made<Stmt> =>
  (s) =>
    idiom<Idiom>(made(s) as never, { span: NOWHERE });

function header(
  name: string,
  asked: boolean,
  relation: LoopHeader["relation"],
  [lower, bound, step]: readonly [Expr, Expr, Expr],
  s: Subject,
): LoopHeader {
  // A loop whose range depends on its own variable is not counted.
  const declares = asked || usesOf(lower, bound, step).of.has(s.sym(name));
  const sym = declares ? freshSymbol(name, INT) : s.sym(name);
  return { var: sym, declares, lower, relation, bound, step, span: NOWHERE };
}

const headers: fc.Arbitrary<Made<LoopHeader[]>> = list(
  fc
    .tuple(from("i", "j", "k"), fc.boolean(), from("<", "<=", ">", ">=", "!="), integer, integer, integer)
    .map(
      ([name, declares, relation, lower, bound, step]) =>
        (s: Subject) =>
          header(name, declares, relation, [lower(s), bound(s), step(s)], s),
    ),
  1,
);

const place: fc.Arbitrary<Made<Expr>> = fc.oneof(
  fc.constant(({ sym }: Subject) => ident(sym("s"))),
  fc.integer({ min: 0, max: 9 }).map(
    (k) =>
      ({ sym }: Subject): Expr =>
        index(ident(sym("m")), intLit(k)),
  ),
);

const operand = fc.oneof(
  fc.integer({ min: 2, max: 9 }).map((v) => () => intLit(v)),
  fc.constant(({ sym }: Subject) => ident(sym("n"))),
);

const atomic: fc.Arbitrary<Made<Stmt>> = fc
  .record({
    what: from("read", "write", "update", "capture"),
    target: place,
    op: from("+", "-", "*", "/", "&", "|", "^", "<<", ">>", "=" as const),
    value: operand,
    reversed: fc.boolean(),
    captureNew: fc.boolean(),
    combination: from("+", "-", "*", "max", "min", "&&", "||" as const),
    reduction: fc.boolean(),
    extensions,
  })
  .map(({ what, target, op, value, reversed, captureNew, combination, reduction, extensions }) => (s) => {
    const [place, operand] = [target(s), value(s)];
    const change: Partial<Atomic> =
      what === "capture" && op === "="
        ? { op, value: operand, captureNew: false }
        : what === "update" && reduction
          ? { op: combination, value: operand, reduction }
          : {
              op: op === "=" ? "+" : op,
              value: operand,
              ...(reversed && { reversed }),
              ...(what === "capture" && { captureNew }),
            };
    const extra = extensions(s);
    return at(
      node<Atomic>({
        kind: "atomic",
        what,
        target: place,
        ...(what === "write" ? { value: operand } : what === "read" ? {} : change),
        ...((what === "read" || what === "capture") && { captured: ident(s.sym("k")) }),
        ...(extra && { extensions: extra }),
        site,
      }),
    );
  });

/** Steps of array reductions. */
const combination: fc.Arbitrary<Made<Stmt>> = fc
  .tuple(place, from("+", "-", "*", "max", "min", "&", "|", "^", "&&", "||"), operand)
  .map(
    ([target, op, value]) =>
      (s) =>
        at(
          node<Atomic>({
            kind: "atomic",
            what: "update",
            reduction: true,
            target: target(s),
            op,
            value: value(s),
            site,
          }),
        ),
  );

const { statement } = fc.letrec<{ statement: Made<Stmt>; body: Made<Stmt>; spmd: Made<Stmt> }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    plain,
    fc.tuple(integer, tie("body"), fc.option(tie("body"), { nil: undefined })).map(
      ([test, then, otherwise]) =>
        (s: Subject): Stmt =>
          ifStmt(test(s), then(s), otherwise?.(s)),
    ),
    fc.tuple(integer, tie("body")).map(([bound, body]) => (s: Subject): Stmt => {
      const sym = freshSymbol("i", INT);
      const step = exprStmt(assign(ident(sym), intLit(2), "+="));
      return forStmt(
        declare(sym, intLit(0)),
        binary("<", ident(sym), bound(s)),
        step.kind === "expr" ? step.expr : undefined,
        body(s),
      );
    }),
    tie("body"),
    // Nodes
    record({
      kind: fixed("task"),
      flavour: fixed("offload"),
      construct: one("parallel", "kernels", "serial"),
      site: fixed(site),
      region: one(undefined, "f_0123abcd"),
      ...queueing,
      self,
      items: ownItems,
      defaultData: one(undefined, "none", "present"),
      extensions,
      body: tie("spmd"),
    }).map(asNode),
    record({
      kind: fixed("loop"),
      headers,
      parallel: record({
        levels: fc.subarray(["gang", "worker", "vector"]).map((levels) => () => levels),
        independence: one("independent", "auto", "seq"),
        gangs: maybe(integer),
        dimension: yes,
        workers: maybe(integer),
        lanes: maybe(integer),
        tile: fc
          .option(list(fc.oneof(integer, fixed<Expr | "*">("*")), 1), { nil: undefined })
          .map((made) => (s: Subject) => made?.(s)),
      }),
      privates: variables,
      reductions,
      hints: maybe(
        record({
          unroll: fc.oneof(small, fixed(undefined)),
          apart: maybe(
            list(
              fc.option(fc.nat(9), { nil: undefined }).map((distance) => ({ sym }: Subject) => ({
                array: sym("x"),
                ...(distance !== undefined && { distance }),
                ...(distance !== undefined && distance > 5 && { loadsFirst: true as const }),
              })),
              1,
            ),
          ),
          windows: maybe(
            list(
              fc.constant(({ sym }: Subject) => ({ input: sym("x"), outputs: [sym("m"), sym("w")], loc })),
              1,
            ),
          ),
        }),
      ),
      extensions,
      body: tie("body"),
      site: fixed(site),
    }).map(asNode),
    record({
      kind: fixed("data"),
      site: fixed(site),
      ...queueing,
      self,
      kernels: yes,
      items: ownItems,
      extensions,
      body: tie("body"),
    }).map(asNode),
    record({
      kind: fixed("data-move"),
      what: one("enter", "exit", "update"),
      site: fixed(site),
      ...queueing,
      items: list(item),
      extensions,
    }).map(asNode),
    record({ kind: fixed("declare"), site: fixed(site), items: list(item), extensions }).map(asNode),
    record({
      kind: fixed("host-data"),
      site: fixed(site),
      variables,
      condition: maybe(integer),
      ifPresent: one(true, false),
      extensions,
      body: tie("body"),
    }).map(asNode),
    record({
      kind: fixed("sync"),
      name: one("wait", "barrier"),
      site: fixed(site),
      condition: queueing.condition,
      async: queueing.async,
      queues: list(integer),
      extensions,
    }).map(asNode),
    record({
      kind: fixed("device-control"),
      what: one("init", "shutdown", "set"),
      site: fixed(site),
      condition: maybe(integer),
      deviceType: one(undefined, "nvidia", "*"),
      deviceNum: maybe(integer),
      defaultAsync: maybe(integer),
      extensions,
    }).map(asNode),
    record({ kind: fixed("cache"), site: fixed(site), items: list(item), extensions }).map(asNode),
    atomic,
    combination,
    // Idioms
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), list(small), fc.boolean(), maybe(integer), real, extensions)
      .map(([shift, taps, every, guard, value, extensions]) => (s: Subject) => {
        const lane = freshSymbol("lane", INT);
        const condition = guard(s);
        const element = value(s);
        const extra = extensions(s);
        return asIdiom(() => ({
          kind: "delayline",
          line: ident(s.sym("w")),
          type: element.type,
          length: 9,
          shift,
          taps: every ? "all" : taps(s),
          ...(every && { written: [8, 3] }),
          ...(shift > 1 && { lane }),
          ...(condition && { guard: condition }),
          value: shift > 1 ? index(ident(s.sym("x")), ident(lane)) : index(ident(s.sym("x")), intLit(1)),
          ...(extra && { extensions: extra }),
        }))(s);
      }),
    fc.tuple(from("+", "max", "&&"), count, count, real, tie("body")).map(
      ([op, lanes, depth, init, body]) =>
        (s: Subject) =>
          asIdiom(() => ({
            kind: "accumulator",
            op,
            type: ident(s.sym("t")).type,
            lanes,
            depth,
            register: ident(s.sym("w")),
            init: init(s),
            drain: ident(s.sym("t")),
            body: body(s),
          }))(s),
    ),
    fc.tuple(count, from("partial", "x"), tie("body")).map(
      ([depth, name, body]) =>
        (s: Subject) =>
          asIdiom(() => ({
            kind: "accumulate",
            register: ident(s.sym("w")),
            depth,
            partial: freshSymbol(name, s.sym("t").type),
            body: body(s),
          }))(s),
    ),
    real.map((value) => asIdiom((s) => ({ kind: "channel-write", channel: "c_channel", value: value(s) }))),
  ),
  body: fc
    .tuple(fc.array(tie("statement"), { maxLength: 3 }), fc.boolean())
    .map(([stmts, reads]) => (s: Subject): Stmt => {
      const into = freshSymbol("element", s.sym("t").type);
      const read = asIdiom(() => ({ kind: "channel-read", channel: "c_channel", into }));
      const use = exprStmt(assign(ident(s.sym("t")), ident(into)));
      return compound([...(reads ? [read(s), use] : []), ...stmts.map((made) => made(s))], NOWHERE);
    }),
  spmd: record({
    kind: fixed("spmd"),
    numTeams: maybe(integer),
    numUnits: maybe(integer),
    numLanes: maybe(integer),
    serial: yes,
    privates: variables,
    firstprivates: variables,
    reductions,
    hints: maybe(
      record({
        simd: small,
        computeUnits: small,
        exact: yes,
        flush: yes,
        format: maybe(numberFormats),
        operators: maybe(record({ fadd: small, fmul: small })),
      }),
    ),
    extensions,
    body: tie("body"),
  }).map(asNode),
}));

/** A function of random statements, with a routine and a declare directive beside it. */
export const programs: fc.Arbitrary<Program> = fc
  .record({
    stmts: fc.array(statement, { minLength: 1, maxLength: 3 }),
    level: from("gang", "worker", "vector", "seq" as const),
    bind: from(undefined, "other"),
    declared: item,
  })
  .map(({ stmts, level, bind, declared }) => {
    const s = subject();
    const body = { ...s.f.body, body: [...s.f.body.body, ...stmts.map((made) => made(s))] };
    const def: FunctionDef = { ...s.f, body };
    const routine: Routine = { sym: s.g.sym, level, ...(bind && { bind }), loc };
    const items = [{ ...declared(s), sym: s.table, object: ident(s.table), section: [] }];
    return {
      unit: { ...s.unit, externals: s.unit.externals.map((e) => (e === s.f ? def : e)) },
      routines: new Map([[s.g.sym, routine]]),
      declares: [node<Declare>({ kind: "declare", site, items })],
      diagnostics: [],
    };
  });
