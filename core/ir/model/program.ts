/** A translation unit with its directives read: what readers give and everything later takes. */
import type { Diagnostic, Expr, Loc, Pragma, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import type { Declare, Level, Site, TaskTraits } from "./ir.ts";

/** A function that device code may call. */
export interface Routine {
  readonly sym: Symbol;
  /** The outermost level its loops use. */
  readonly level: Level | "seq";
  /** The name that device code calls instead. */
  readonly bind?: string;
  readonly loc: Loc;
}

/** A kernel that the program's author wrote, in place of a function's body. */
export interface TaskKernel {
  readonly device: "opencl" | "cuda" | "hip";
  readonly name: string;
  readonly file: string;
  /** Where the file is; absent: the kernel stands in the program's own file, and its text says where its lines do. */
  readonly place?: string;
  readonly source: string;
  /** The image that holds the text; absent: the host code does. */
  readonly image?: string;
  /** Of work-items: one to three sizes. */
  readonly global: readonly Expr[];
  /** Of groups, as many; none: the runtime chooses. */
  readonly local: readonly Expr[];
  /** Bytes of a group's memory: for each pointer that no section belongs to, in order; one at most but for OpenCL. */
  readonly shared: readonly Expr[];
  /** The number of the device, among those of its kind; absent: the runtime chooses. */
  readonly onto?: Expr;
}

/** A function of which every call by the host is a task. Its clauses name its parameters. */
export interface TaskFunction extends TaskTraits {
  readonly sym: Symbol;
  readonly params: readonly Symbol[];
  readonly site: Site;
  readonly kernel?: TaskKernel;
  /** Without a kernel: the kind of device for which regions in its body are. */
  readonly device?: "opencl" | "cuda" | "hip" | "fpga";
  /** The task that it is another version of, with the same accesses. */
  readonly implements?: Symbol;
}

export interface Program {
  /** Tells the units of a program apart that have static variables of one name. */
  readonly identity?: string;
  /** Function bodies hold IR nodes. */
  readonly unit: TranslationUnit;
  readonly routines: ReadonlyMap<Symbol, Routine>;
  /** In the order of their directives. */
  readonly taskFunctions?: ReadonlyMap<Symbol, TaskFunction>;
  /** Declare directives at file scope. */
  readonly declares: readonly Declare[];
  readonly diagnostics: readonly Diagnostic[];
  /** Devices must share the program's memory: the directive that says so. */
  readonly sharedRequired?: Site;
  /** The first directive of OpenMP for the host's own threads, which is left to the C compiler. */
  readonly hostThreads?: Pragma;
  /** Where host code has other statements than the file, so that it is printed and not edited. */
  readonly restated?: Loc;
}
