/** Properties of a design: from arc's schedule, or from a vendor's compiler before or after place and route. */
export interface LoopReport {
  readonly name: string;
  /** The line of the kernel text. */
  readonly line?: number;
  readonly pipelined?: boolean;
  /** Initiation interval in cycles. */
  readonly ii?: number;
  readonly details?: string;
  /** The source line where it begins. */
  readonly source?: SourceLine;
  /** Iterations of one run, if known in advance. */
  readonly trips?: number;
  /** Cycles of each run beyond one interval per iteration, to fill and drain. */
  readonly fill?: number;
  /** It runs again in every iteration of an enclosing loop. */
  readonly repeated?: true;
  readonly schedule?: LoopSchedule;
}

/** One iteration of a pipelined loop, cycle by cycle. */
export interface LoopSchedule {
  readonly interval: number;
  /**
   * In order of their starts. Cycles of a `stage` count from that stage's start: stages that request memory run ahead
   * of the one that computes, which is the last.
   */
  readonly steps: readonly ScheduledStep[];
  /** Number of further steps that are omitted because nothing waits for them. */
  readonly more?: number;
}

export interface ScheduledStep {
  /** `+`, `load image`. */
  readonly what: string;
  readonly source?: SourceLine;
  readonly stage: number;
  readonly start: number;
  /** Cycles until its result is available; 0: within its starting cycle. */
  readonly cycles: number;
  /** By how many cycles it could start later without lengthening the iteration. */
  readonly slack: number;
  /** It is one of the steps that limit the interval. */
  readonly limits?: true;
}

export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

export interface Rescheduled {
  /** Requested clock in MHz. */
  readonly clock: number;
  /** Clock of the first layout in MHz. */
  readonly reached: number;
  /** Factor on delays in the second schedule; absent if no schedule differs. */
  readonly margin?: number;
  readonly slower: readonly SlowerLoop[];
}

/** A loop with a longer interval than in the first schedule. */
export interface SlowerLoop {
  readonly source: SourceLine;
  readonly from: number;
  readonly to: number;
}

/** Amounts, or percentages of the device, under the vendor's names: `aluts`, `luts`, `dsps`, `rams`. */
export type Resources = Readonly<Record<string, number>>;

/** Their names for display, in the order of tables. */
export const resourceWords: Readonly<Record<string, string>> = {
  lcs: "LC",
  alms: "ALM",
  aluts: "ALUT",
  luts: "LUT",
  ffs: "FF",
  rams: "RAM",
  lrams: "LRAM",
  urams: "URAM",
  sprams: "SPRAM",
  dsps: "DSP",
};

export interface Report {
  readonly loops: readonly LoopReport[];
  /** Estimated, or those of the fitted design after place and route. */
  readonly resources: Resources;
  /** Share of the device in percent. */
  readonly percent: Resources;
  /** In MHz: estimated, or that of the fitted design. */
  readonly fmax?: number;
  /** The figures are for a netlist that was not placed. */
  readonly only?: "synthesis";
  /** Why there is no more: a missing tool, and how to install it. */
  readonly lacks?: string;
  /** The part of the resources that connects the kernel to pins or a host. */
  readonly wrapper?: Resources;
  /** The slowest path between registers. */
  readonly critical?: CriticalPath;
  /** Resources per source line, the largest first; those that belong to no line are left out. */
  readonly lines?: readonly (SourceLine & { readonly resources: Resources })[];
  /** Cycles of a launch with an ideal memory, if its loops' trip counts are known. */
  readonly cycles?: number;
  /** The clock was missed, so the design was scheduled again before this one was made. */
  readonly rescheduled?: Rescheduled;
  /** Unreadable files, and why. */
  readonly problems: readonly string[];
}

export interface CriticalPath {
  readonly nanoseconds: number;
  /** From its start; consecutive elements of one line are one step. */
  readonly steps: readonly {
    readonly source?: SourceLine;
    /** The last signal of the step. */
    readonly signal: string;
    readonly nanoseconds: number;
  }[];
}

/**
 * Facts that arc knows about a design placed by a tool. Not an input of any tool, since its lines move with every edit.
 */
export interface DesignFacts {
  readonly loops: readonly LoopReport[];
  readonly cycles?: number;
  /** A rough figure that shows which of two designs is larger before any tool runs. */
  readonly cells?: number;
  /** Signals of the kernel by name, with the source lines that compute them. */
  readonly signals: readonly (readonly [signal: string, file: string, line: number])[];
}

export const noFacts: DesignFacts = { loops: [], signals: [] };

/**
 * Files that a kind's reader gets besides the tools' outputs: the facts, and the device's resources if no tool reports
 * them.
 */
export const factsFile = "facts.json";
export const availableFile = "available.json";
