/** Rebuilding trees. Nodes are immutable: what does not change is shared. */
import type {
  ArrayType,
  Compound,
  CType,
  Declarator,
  DeclStmt,
  Expr,
  ExtNode,
  Init,
  InitItem,
  OffsetPath,
  Param,
  Stmt,
  Symbol,
} from "./ast.ts";
import { isExpr } from "./walk.ts";

/** Called on each node after its parts were mapped; returning the node itself changes nothing. */
export interface Mapper {
  readonly expr?: (expr: Expr) => Expr;
  /** An array replaces the statement by several, in a block where only one statement is allowed. */
  readonly stmt?: (stmt: Stmt) => Stmt | readonly Stmt[];
  /** Replaces a declared symbol. Uses are replaced by `expr`. */
  readonly declared?: (sym: Symbol) => Symbol;
  /** Replaces a variable that an extension node names outside its expressions, as clauses do. */
  readonly named?: (sym: Symbol) => Symbol;
}

/** The same array if no element changed. */
function mapAll<T>(items: readonly T[], f: (item: T) => T): readonly T[] {
  let changed = false;
  const mapped = items.map((item) => {
    const mapped = f(item);
    if (mapped !== item) changed = true;
    return mapped;
  });
  return changed ? mapped : items;
}

/** `node` with the parts that differ replaced; `node` itself when none does. */
function rebuilt<T extends object>(node: T, parts: Partial<T>): T {
  for (const key of Object.keys(parts) as (keyof T)[]) {
    if (parts[key] !== node[key]) return { ...node, ...parts };
  }
  return node;
}

const maybe = <T>(value: T | undefined, f: (value: T) => T): T | undefined =>
  value === undefined ? undefined : f(value);

export function mapExpr(expr: Expr, mapper: Mapper): Expr {
  const mapped = mapParts(expr, mapper);
  return mapper.expr ? mapper.expr(mapped) : mapped;
}

function mapParts(expr: Expr, mapper: Mapper): Expr {
  const map = (part: Expr): Expr => mapExpr(part, mapper);
  switch (expr.kind) {
    case "unary":
    case "incdec":
      return rebuilt(expr, { arg: map(expr.arg) });
    case "binary":
    case "assign":
    case "comma":
      return rebuilt<typeof expr>(expr, { left: map(expr.left), right: map(expr.right) });
    case "cond": {
      const test = map(expr.test);
      const then = maybe(expr.then, map);
      return rebuilt(expr, { test, ...(then && { then }), else: map(expr.else) });
    }
    case "call":
      return rebuilt(expr, { callee: map(expr.callee), args: mapAll(expr.args, map) });
    case "index":
      return rebuilt(expr, { base: map(expr.base), index: map(expr.index) });
    case "member":
      return rebuilt(expr, { base: map(expr.base) });
    case "cast":
      return rebuilt(expr, { to: mapType(expr.to, mapper), arg: map(expr.arg) });
    case "compound":
      return rebuilt(expr, { of: mapType(expr.of, mapper), init: mapInit(expr.init, mapper) });
    case "sizeof":
    case "alignof": {
      const arg = maybe(expr.arg, map);
      const of = maybe(expr.of, (type) => mapType(type, mapper));
      return rebuilt(expr, { ...(arg && { arg }), ...(of && { of }) });
    }
    case "generic":
      return rebuilt(expr, {
        control: map(expr.control),
        assocs: mapAll(expr.assocs, (assoc) => rebuilt(assoc, { value: map(assoc.value) })),
      });
    case "stmt-expr":
      return rebuilt(expr, { body: asCompound(mapStmt(expr.body, mapper)) });
    case "builtin":
      return rebuilt(expr, { args: mapAll(expr.args, (arg) => mapBuiltinArgument(arg, mapper)) });
    default:
      return expr;
  }
}

function mapBuiltinArgument(arg: Expr | CType | OffsetPath, mapper: Mapper): Expr | CType | OffsetPath {
  if (arg.kind === "offset-path") {
    const parts = mapAll(arg.parts, (part) => (typeof part === "string" ? part : mapExpr(part, mapper)));
    return rebuilt(arg, { parts });
  }
  return isExpr(arg) ? mapExpr(arg, mapper) : mapType(arg, mapper);
}

/** Maps run-time array sizes and typeof operands. */
export function mapType(type: CType, mapper: Mapper): CType {
  switch (type.kind) {
    case "pointer":
      return rebuilt(type, { to: mapType(type.to, mapper) });
    case "array": {
      const size: ArrayType["size"] = typeof type.size === "object" ? mapExpr(type.size, mapper) : type.size;
      return rebuilt<ArrayType>(type, { of: mapType(type.of, mapper), ...(size !== undefined && { size }) });
    }
    case "function":
      return rebuilt(type, {
        ret: mapType(type.ret, mapper),
        params: mapAll(type.params, (param) => mapParam(param, mapper)),
      });
    case "typeof": {
      const expr = maybe(type.expr, (part) => mapExpr(part, mapper));
      const of = maybe(type.of, (part) => mapType(part, mapper));
      return rebuilt(type, { ...(expr && { expr }), ...(of && { of }) });
    }
    default:
      return type;
  }
}

function mapParam(param: Param, mapper: Mapper): Param {
  const written = maybe(param.written, (type) => mapType(type, mapper));
  return rebuilt(param, { type: mapType(param.type, mapper), ...(written && { written }) });
}

function mapInit(init: Init, mapper: Mapper): Init {
  if (init.kind === "expr") return rebuilt(init, { expr: mapExpr(init.expr, mapper) });
  return rebuilt(init, {
    items: mapAll(init.items, (item: InitItem) => rebuilt(item, { init: mapInit(item.init, mapper) })),
  });
}

/** Maps one statement; if `mapper.stmt` makes several of it, they are put in a block. */
export function mapStmt(stmt: Stmt, mapper: Mapper): Stmt {
  const mapped = mapToSome(stmt, mapper);
  if (!isList(mapped)) return mapped;
  const [only] = mapped;
  return mapped.length === 1 && only ? only : { kind: "compound", body: mapped, span: stmt.span };
}

const isList = (mapped: Stmt | readonly Stmt[]): mapped is readonly Stmt[] => Array.isArray(mapped);

function mapToSome(stmt: Stmt, mapper: Mapper): Stmt | readonly Stmt[] {
  const mapped = mapStmtParts(stmt, mapper);
  return mapper.stmt ? mapper.stmt(mapped) : mapped;
}

function asCompound(stmt: Stmt): Compound {
  return stmt.kind === "compound" ? stmt : { kind: "compound", body: [stmt], span: stmt.span };
}

/** Maps the expressions of a statement outside of the statements in it. */
export const mapOwnExpressions = (stmt: Stmt, f: (expr: Expr) => Expr): Stmt =>
  stmt.kind === "compound" || stmt.kind === "ext" ? stmt : mapStmtParts(stmt, { expr: f }, (part) => part);

function mapStmtParts(
  stmt: Stmt,
  mapper: Mapper,
  map: (part: Stmt) => Stmt = (part) => mapStmt(part, mapper),
): Stmt {
  const mapE = (part: Expr): Expr => mapExpr(part, mapper);
  switch (stmt.kind) {
    case "expr": {
      const expr = maybe(stmt.expr, mapE);
      return rebuilt(stmt, { ...(expr && { expr }) });
    }
    case "decl":
      return mapDecl(stmt, mapper);
    case "compound":
      return rebuilt(stmt, { body: mapBody(stmt.body, mapper) });
    case "if": {
      const otherwise = maybe(stmt.else, map);
      return rebuilt(stmt, {
        test: mapE(stmt.test),
        then: map(stmt.then),
        ...(otherwise && { else: otherwise }),
      });
    }
    case "switch":
    case "while":
      return rebuilt<typeof stmt>(stmt, { test: mapE(stmt.test), body: map(stmt.body) });
    case "do": {
      const body = map(stmt.body);
      return rebuilt(stmt, { body, test: mapE(stmt.test) });
    }
    case "for": {
      const init = maybe(stmt.init, (part) => (part.kind === "decl" ? mapDecl(part, mapper) : mapE(part)));
      const test = maybe(stmt.test, mapE);
      const step = maybe(stmt.step, mapE);
      return rebuilt(stmt, {
        ...(init && { init }),
        ...(test && { test }),
        ...(step && { step }),
        body: map(stmt.body),
      });
    }
    case "goto": {
      const target = maybe(stmt.target, mapE);
      return rebuilt(stmt, { ...(target && { target }) });
    }
    case "return": {
      const value = maybe(stmt.value, mapE);
      return rebuilt(stmt, { ...(value && { value }) });
    }
    case "label":
      return rebuilt(stmt, { body: map(stmt.body) });
    case "case": {
      const value = maybe(stmt.value, mapE);
      const to = maybe(stmt.to, mapE);
      return rebuilt(stmt, { ...(value && { value }), ...(to && { to }), body: map(stmt.body) });
    }
    case "ext": {
      const { stmts, exprs } = stmt.ext.shape.parts(stmt.ext);
      const madeExprs = mapAll(exprs, mapE);
      const madeStmts = mapAll(stmts, map);
      const same = madeExprs === exprs && madeStmts === stmts;
      const mapped: ExtNode = same ? stmt.ext : stmt.ext.shape.withParts(stmt.ext, madeStmts, madeExprs);
      const ext = mapper.named && mapped.shape.withSymbols ? renamed(mapped, mapper.named) : mapped;
      return ext === stmt.ext ? stmt : { ...stmt, ext };
    }
    default:
      return stmt;
  }
}

/** The node itself if `to` changes none of the variables it names. */
function renamed(node: ExtNode, to: (sym: Symbol) => Symbol): ExtNode {
  let changed = false;
  const watched = (sym: Symbol): Symbol => {
    const renamedSymbol = to(sym);
    if (renamedSymbol !== sym) changed = true;
    return renamedSymbol;
  };
  const mapped: ExtNode = node.shape.withSymbols?.(node, watched) ?? node;
  return changed ? mapped : node;
}

/** In a block, several statements replace one without a nested block. */
function mapBody(body: readonly Stmt[], mapper: Mapper): readonly Stmt[] {
  let changed = false;
  const mapped = body.flatMap((stmt) => {
    const mapped = mapToSome(stmt, mapper);
    if (mapped !== stmt) changed = true;
    return mapped;
  });
  return changed ? mapped : body;
}

function mapDecl(stmt: DeclStmt, mapper: Mapper): DeclStmt {
  const decls = mapAll(stmt.decls, (declarator: Declarator) => {
    const sym = mapper.declared ? mapper.declared(declarator.sym) : declarator.sym;
    const init = maybe(declarator.init, (part) => mapInit(part, mapper));
    return rebuilt(declarator, { sym, ...(init && { init }) });
  });
  return rebuilt(stmt, { decls });
}
