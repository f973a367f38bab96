/** A translation unit with its directives read: the readers' result and the input of everything later. */
import type {
  DeclStmt,
  Diagnostic,
  Expr,
  FunctionDef,
  Loc,
  Pragma,
  Symbol,
  TranslationUnit,
} from "../../lang/tree/ast.ts";
import type { Declare, Level, Site, TaskTraits } from "./ir.ts";
import type { Pointed } from "./pointed.ts";

/** A function that device code may call. */
export interface Routine {
  readonly sym: Symbol;
  /** The outermost level that its loops use. */
  readonly level: Level | "seq";
  /** The name that device code calls instead. */
  readonly bind?: string;
  /** Device code may call it through pointers that come from elsewhere. */
  readonly indirect?: true;
  readonly loc: Loc;
}

/** A kernel written by the program's author in place of a function's body. */
export interface TaskKernel {
  readonly device: "opencl" | "cuda" | "hip";
  readonly name: string;
  readonly file: string;
  /**
   * The file's path; absent: the kernel is in the program's own file, and line markers in its text give the location.
   */
  readonly place?: string;
  readonly source: string;
  /** The image that contains the text; absent: the host code contains it. */
  readonly image?: string;
  /** Number of work-items: one to three sizes. */
  readonly global: readonly Expr[];
  /** Work-group size, as many values; empty: the runtime chooses. */
  readonly local: readonly Expr[];
  /** Bytes of group memory: one per pointer without a section, in order; except for OpenCL, at most one. */
  readonly shared: readonly Expr[];
  /** The device number among devices of its kind; absent: the runtime chooses. */
  readonly onto?: Expr;
}

/** A function whose calls by the host are tasks. Its clauses name its parameters. */
export interface TaskFunction extends TaskTraits {
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
  readonly site: Site;
  readonly kernel?: TaskKernel;
  /** Without a kernel: the kind of device for which the regions in its body are. */
  readonly device?: "opencl" | "cuda" | "hip" | "fpga";
  /** The task that it is an alternative version of, with the same accesses. */
  readonly implements?: Symbol;
}

/** Host code keeps the variables where they are written. */
export interface MovedStatics {
  /** What they are at file scope. */
  readonly moved: ReadonlyMap<Symbol, Symbol>;
  /** By the functions that they stand in front of. */
  readonly before: ReadonlyMap<Symbol, readonly DeclStmt[]>;
  /** Functions that had such variables, as they are written. */
  readonly onHost: ReadonlyMap<Symbol, FunctionDef>;
}

export interface Program {
  /** Distinguishes units of a program that have static variables of the same name. */
  readonly identity?: string;
  /** Function bodies hold IR nodes. */
  readonly unit: TranslationUnit;
  readonly routines: ReadonlyMap<Symbol, Routine>;
  /** In the order of their directives. */
  readonly taskFunctions?: ReadonlyMap<Symbol, TaskFunction>;
  /** Declare directives at file scope. */
  readonly declares: readonly Declare[];
  readonly diagnostics: readonly Diagnostic[];
  /** The directive that requires devices to share the program's memory. */
  readonly sharedRequired?: Site;
  /** The first OpenMP directive for the host's own threads, which is left to the C compiler. */
  readonly hostThreads?: Pragma;
  /** For calls through pointers in device code. */
  readonly pointed?: Pointed;
  /** Variables of device code that are static in a block, as devices have them: at file scope. */
  readonly statics?: MovedStatics;
  /** Where host code differs from the file, so that it must be printed and cannot be edited. */
  readonly restated?: Loc;
  /** Directives of statements that other directives offload: the C compiler is not to read them. */
  readonly unread?: ReadonlySet<Pragma>;
  /** The source forbids to make one operation of a product and a sum. */
  readonly apart?: true;
  /** Options of its C compiler that change what it means. */
  readonly dialect?: readonly string[];
}
