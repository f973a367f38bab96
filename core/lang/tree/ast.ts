/**
 * The typed syntax tree of preprocessed C11 with the GNU extensions that system headers use.
 *
 * Nodes are plain, immutable data: transformations build new nodes and share the rest. Every
 * expression carries the type it has in C *before* the conversions its context applies; the parser
 * makes implicit conversions explicit only where `Cast.implicit` says so (array and function decay,
 * usual arithmetic conversions, assignment, argument passing). Printing leaves implicit casts out.
 * Two designators stay as they are: the base of `index` keeps its array type, the callee of `call`
 * its function type.
 */

/** A position in a file as the user knows it, after line markers. `col` counts bytes from 1. */
export interface Loc {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

/** First token to last token. `macro` is true where either end may come from a macro expansion. */
export interface Span {
  readonly start: Loc;
  /** One past the last byte of the last token. */
  readonly end: Loc;
}

// ---------------------------------------------------------------- types

export interface Quals {
  readonly const?: true;
  readonly volatile?: true;
  readonly restrict?: true;
  readonly atomic?: true;
}

export type IntKind =
  | "bool"
  | "char"
  | "schar"
  | "uchar"
  | "short"
  | "ushort"
  | "int"
  | "uint"
  | "long"
  | "ulong"
  | "llong"
  | "ullong"
  | "int128"
  | "uint128";
export type FloatKind =
  | "float16"
  | "bfloat16"
  | "float"
  | "double"
  | "ldouble"
  | "float128"
  | "float32"
  | "float64"
  | "float32x"
  | "float64x";

export type CType =
  | { readonly kind: "void"; readonly quals?: Quals }
  | { readonly kind: "int"; readonly name: IntKind; readonly quals?: Quals }
  | { readonly kind: "float"; readonly name: FloatKind; readonly quals?: Quals }
  | { readonly kind: "complex"; readonly name: FloatKind; readonly quals?: Quals }
  /** GNU vector_size; `bytes` is the whole vector. */
  | { readonly kind: "vector"; readonly of: CType; readonly bytes: number; readonly quals?: Quals }
  | { readonly kind: "pointer"; readonly to: CType; readonly quals?: Quals }
  | ArrayType
  | FunctionType
  | { readonly kind: "record"; readonly decl: RecordDecl; readonly quals?: Quals }
  | { readonly kind: "enum"; readonly decl: EnumDecl; readonly quals?: Quals }
  /** Keeps the user's spelling; `canonical()` in types.ts looks through it. */
  | { readonly kind: "typedef"; readonly sym: Symbol; readonly quals?: Quals }
  /** `typeof(expr)`, `typeof(type)` or, with neither, `__auto_type`; `is` is the resolved type. */
  | {
      readonly kind: "typeof";
      readonly expr?: Expr;
      readonly of?: CType;
      readonly is: CType;
      readonly quals?: Quals;
    };

export interface ArrayType {
  readonly kind: "array";
  readonly of: CType;
  /** Number of elements: a constant, a run-time expression (VLA), "*" in prototypes, or absent. */
  readonly size?: number | Expr | "*";
  /** Source form of a constant size, for printing (`[N*2]` after macro expansion). */
  readonly sizeExpr?: Expr;
  /** `[static n]` and qualifiers inside the brackets of a parameter. */
  readonly static?: true;
  readonly quals?: Quals;
}

export interface FunctionType {
  readonly kind: "function";
  readonly ret: CType;
  readonly params: readonly Param[];
  readonly variadic: boolean;
  /** `f()` without a prototype. */
  readonly unprototyped?: true;
  readonly quals?: Quals;
}

export interface Param {
  readonly sym?: Symbol;
  readonly name?: string;
  /** As adjusted (arrays and functions to pointers). */
  readonly type: CType;
  /** As written, when adjustment changed it. */
  readonly written?: CType;
  readonly attrs?: readonly Attribute[];
}

/** GNU `__attribute__((name(args)))` or C11 `_Alignas`; args kept as text for printing. */
export interface Attribute {
  readonly name: string;
  readonly args?: string;
  /** The first argument where it is a constant (`aligned(16)`): layout needs it. */
  readonly value?: number;
}

/** A struct or union. Identity is the object; the parser completes it in place (`fields`). */
export interface RecordDecl {
  readonly kind: "record-decl";
  readonly id: number;
  readonly union: boolean;
  readonly tag?: string;
  fields?: readonly Field[];
  /** The `#pragma pack` limit in force at the definition, in bytes. */
  pack?: number;
  attrs?: readonly Attribute[];
  span: Span;
}

export interface Field {
  readonly name?: string; // absent: anonymous struct/union or unnamed bit-field
  readonly type: CType;
  readonly bits?: Expr;
  /** The value of `bits`. */
  readonly width?: number;
  readonly attrs?: readonly Attribute[];
  readonly span: Span;
}

export interface EnumDecl {
  readonly kind: "enum-decl";
  readonly id: number;
  readonly tag?: string;
  items?: readonly { readonly sym: Symbol; readonly value: bigint; readonly expr?: Expr }[];
  attrs?: readonly Attribute[];
  /** `enum e : unsigned char`: the type that represents it. */
  fixed?: CType;
  span: Span;
}

// ---------------------------------------------------------------- symbols

export type Storage = "extern" | "static" | "auto" | "register" | "typedef" | "none";

/** One declared entity. Identity is the object; `id` is unique within a process run. */
export interface Symbol {
  readonly id: number;
  readonly name: string;
  readonly kind: "var" | "param" | "function" | "typedef" | "enumerator";
  type: CType;
  storage: Storage;
  readonly scope: "file" | "block" | "prototype";
  threadLocal?: true;
  inline?: true;
  noreturn?: true;
  attrs?: readonly Attribute[];
  /** `asm("name")` label. */
  asmLabel?: string;
  /** Enumerators only. */
  value?: bigint;
  /** The value of a constant integer variable. */
  constant?: bigint;
  /** Parameters only: the array type that `type` was adjusted from. */
  asArray?: ArrayType;
  span: Span;
  /** Functions only: the definition in this unit; tree/functions.ts sets it. */
  readonly definition?: FunctionDef;
}

// ---------------------------------------------------------------- expressions

interface ExprBase {
  readonly type: CType;
  readonly span: Span;
  /** Records and enums that a type name in this expression defines: `sizeof(struct { int a; })`. */
  readonly defines?: readonly (RecordDecl | EnumDecl)[];
}

export type BinaryOp =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "<<"
  | ">>"
  | "&"
  | "|"
  | "^"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "&&"
  | "||";
export type AssignOp = "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "<<=" | ">>=" | "&=" | "|=" | "^=";
export type UnaryOp = "+" | "-" | "~" | "!" | "*" | "&" | "__real__" | "__imag__" | "__extension__";

export type Expr =
  | (ExprBase & { readonly kind: "ident"; readonly sym: Symbol })
  /** `text` is the user's spelling; `value` the value in `type`. */
  | (ExprBase & { readonly kind: "int"; readonly value: bigint; readonly text: string })
  | (ExprBase & { readonly kind: "float"; readonly value: number; readonly text: string })
  | (ExprBase & { readonly kind: "char"; readonly value: bigint; readonly text: string })
  /** Adjacent literals stay separate pieces, spelled as written. */
  | (ExprBase & { readonly kind: "string"; readonly pieces: readonly string[] })
  | (ExprBase & { readonly kind: "unary"; readonly op: UnaryOp; readonly arg: Expr })
  | (ExprBase & {
      readonly kind: "incdec";
      readonly op: "++" | "--";
      readonly prefix: boolean;
      readonly arg: Expr;
    })
  | (ExprBase & { readonly kind: "binary"; readonly op: BinaryOp; readonly left: Expr; readonly right: Expr })
  | (ExprBase & { readonly kind: "assign"; readonly op: AssignOp; readonly left: Expr; readonly right: Expr })
  /** `then` absent: GNU `a ?: b`. */
  | (ExprBase & { readonly kind: "cond"; readonly test: Expr; readonly then?: Expr; readonly else: Expr })
  | (ExprBase & { readonly kind: "comma"; readonly left: Expr; readonly right: Expr })
  | (ExprBase & { readonly kind: "call"; readonly callee: Expr; readonly args: readonly Expr[] })
  | (ExprBase & { readonly kind: "index"; readonly base: Expr; readonly index: Expr })
  | (ExprBase & {
      readonly kind: "member";
      readonly base: Expr;
      readonly arrow: boolean;
      readonly name: string;
      readonly field?: Field;
    })
  | (ExprBase & { readonly kind: "cast"; readonly to: CType; readonly arg: Expr; readonly implicit?: true })
  | (ExprBase & { readonly kind: "compound"; readonly of: CType; readonly init: Init })
  | (ExprBase & { readonly kind: "sizeof" | "alignof"; readonly arg?: Expr; readonly of?: CType })
  | (ExprBase & {
      readonly kind: "generic";
      readonly control: Expr;
      readonly assocs: readonly { readonly of?: CType; readonly value: Expr }[];
      readonly chosen: number;
    })
  | (ExprBase & { readonly kind: "stmt-expr"; readonly body: Compound })
  | (ExprBase & { readonly kind: "label-addr"; readonly label: string })
  /** The builtins that take types: `__builtin_va_arg`, `__builtin_offsetof` and the like; `__builtin_choose_expr`. */
  | (ExprBase & {
      readonly kind: "builtin";
      readonly name: string;
      readonly args: readonly (Expr | CType | OffsetPath)[];
    });

export interface OffsetPath {
  readonly kind: "offset-path";
  readonly parts: readonly (string | Expr)[];
}

export type Init =
  | { readonly kind: "expr"; readonly expr: Expr }
  | { readonly kind: "list"; readonly items: readonly InitItem[]; readonly span: Span };

export interface InitItem {
  readonly designators: readonly Designator[];
  readonly init: Init;
}

export type Designator =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: Expr; readonly to?: Expr };

// ---------------------------------------------------------------- pragmas

/** A token of a pragma line after macro expansion. */
export interface PragmaToken {
  readonly kind: "ident" | "number" | "char" | "string" | "punct";
  readonly text: string;
  readonly loc: Loc;
  /** White space stands before it. */
  readonly spaced?: true;
}

/**
 * `#pragma ...` or `_Pragma("...")`. Inside functions a pragma is attached to the statement or declaration that follows
 * it (`Stmt.pragmas`), or to an empty statement at the end of a block. Between functions it is an external of the
 * translation unit. Binding directives to statements is left to the directive readers.
 */
export interface Pragma {
  readonly kind: "pragma";
  /** All tokens after `pragma`, macros expanded where the namespace asks for it (see parse options). */
  readonly tokens: readonly PragmaToken[];
  /** The variables, functions and types visible here, for parsing clause expressions. */
  readonly scope: Scope;
  readonly span: Span;
  /** `_Pragma` form. */
  readonly operator?: true;
  /** What of it stands in another file than the source, where its tokens have their places. */
  readonly added?: Added;
}

/** A whole directive that is not in the source, or clauses of one that is. */
export type Added = "directive" | "clauses";

/** A lexical scope: names to symbols, tags to records and enums. */
export interface Scope {
  readonly parent?: Scope;
  lookup(name: string): Symbol | undefined;
  lookupTag(tag: string): RecordDecl | EnumDecl | undefined;
}

// ---------------------------------------------------------------- statements

interface StmtBase {
  readonly span: Span;
  readonly pragmas?: readonly Pragma[];
}

export type Stmt =
  /** `expr` absent: `;`. `attrs`: `__attribute__((fallthrough));`. */
  | (StmtBase & { readonly kind: "expr"; readonly expr?: Expr; readonly attrs?: readonly Attribute[] })
  | DeclStmt
  | Compound
  | (StmtBase & { readonly kind: "if"; readonly test: Expr; readonly then: Stmt; readonly else?: Stmt })
  | (StmtBase & { readonly kind: "switch"; readonly test: Expr; readonly body: Stmt })
  | (StmtBase & { readonly kind: "while"; readonly test: Expr; readonly body: Stmt })
  | (StmtBase & { readonly kind: "do"; readonly body: Stmt; readonly test: Expr })
  | ForStmt
  | (StmtBase & { readonly kind: "goto"; readonly label?: string; readonly target?: Expr })
  | (StmtBase & { readonly kind: "continue" | "break" })
  | (StmtBase & { readonly kind: "return"; readonly value?: Expr })
  | (StmtBase & {
      readonly kind: "label";
      readonly name: string;
      readonly attrs?: readonly Attribute[];
      readonly body: Stmt;
    })
  /** `case a:` or GNU `case a ... b:`; `value` absent: `default:`. */
  | (StmtBase & { readonly kind: "case"; readonly value?: Expr; readonly to?: Expr; readonly body: Stmt })
  | (StmtBase & { readonly kind: "asm"; readonly text: string })
  | (StmtBase & { readonly kind: "static-assert"; readonly text: string })
  /** GNU `__label__ a, b;` at the start of a block. */
  | (StmtBase & { readonly kind: "local-labels"; readonly names: readonly string[] })
  | ExtStmt;

/**
 * A statement of a layer above C: a parallel loop, an atomic update, a delay line. core/lang never
 * looks inside: it walks and maps through `shape` and prints through a hook of the printer, so that
 * control flow and directives nest freely and one set of traversals serves every layer.
 */
export type ExtStmt = StmtBase & { readonly kind: "ext"; readonly ext: ExtNode };

export interface ExtNode {
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: each layer types its own nodes
  readonly shape: ExtShape<any>;
}

/** How to traverse one kind of extension node. `withParts` takes what `parts` gave, mapped, in order. */
export interface ExtShape<N extends ExtNode> {
  parts(node: N): { readonly stmts: readonly Stmt[]; readonly exprs: readonly Expr[] };
  withParts(node: N, stmts: readonly Stmt[], exprs: readonly Expr[]): N;
  /**
   * The node with `to` applied to the variables that it names outside its statements and expressions (`private(t)`).
   */
  withSymbols?(node: N, to: (sym: Symbol) => Symbol): N;
}

export type Compound = StmtBase & { readonly kind: "compound"; readonly body: readonly Stmt[] };
export type ForStmt = StmtBase & {
  readonly kind: "for";
  readonly init?: Expr | DeclStmt;
  readonly test?: Expr;
  readonly step?: Expr;
  readonly body: Stmt;
};
/** One declaration: `static const int a = 1, *b;` has two declarators. */
export type DeclStmt = StmtBase & {
  readonly kind: "decl";
  readonly decls: readonly Declarator[];
  /** Records and enums this declaration defines, to be printed with their bodies here. */
  readonly defines: readonly (RecordDecl | EnumDecl)[];
  /** The declaration's base type when it has no declarators (`struct s { ... };`). */
  readonly bare?: CType;
  /** GNU C: the function that is defined here, inside another one; the declaration is its prototype. */
  readonly nested?: FunctionDef;
};

export interface Declarator {
  readonly sym: Symbol;
  readonly init?: Init;
  readonly span: Span;
  /** What this one declaration specifies, where its symbol has or may get several (linkage). */
  readonly declared?: Declared;
}

/** The specifiers of one declaration; the symbol holds the result of all of them together. */
export interface Declared {
  readonly type: CType;
  readonly storage: Storage;
  readonly threadLocal?: true;
  readonly inline?: true;
  readonly noreturn?: true;
  readonly attrs?: readonly Attribute[];
  readonly asmLabel?: string;
}

// ---------------------------------------------------------------- translation unit

export interface FunctionDef {
  readonly kind: "function";
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
  readonly body: Compound;
  /** K&R definitions keep their parameter declarations. */
  readonly oldStyle?: readonly DeclStmt[];
  readonly defines: readonly (RecordDecl | EnumDecl)[];
  readonly span: Span;
  readonly pragmas?: readonly Pragma[];
  readonly declared?: Declared;
}

export type External =
  | FunctionDef
  | DeclStmt
  | Pragma
  | { readonly kind: "static-assert"; readonly text: string; readonly span: Span }
  | { readonly kind: "asm"; readonly text: string; readonly span: Span };

export interface TranslationUnit {
  readonly externals: readonly External[];
  /** File scope at the end of the unit. */
  readonly scope: Scope;
  /** The main file's name as the first line marker gives it. */
  readonly file: string;
}

// ---------------------------------------------------------------- diagnostics

export interface Diagnostic {
  readonly severity: "error" | "warning" | "note";
  /** Stable, kebab-case: `unknown-directive`. */
  readonly code: string;
  readonly message: string;
  readonly loc: Loc;
  readonly end?: Loc;
  /** Why the rule exists, in one sentence. */
  readonly why?: string;
  /** What to write instead. */
  readonly remedy?: string;
  readonly notes?: readonly { readonly message: string; readonly loc?: Loc }[];
}
