/** What is known of a design: from arc's own schedule, or a vendor's compiler, before place and route or after it. */
export interface LoopReport {
  readonly name: string;
  /** The line of the kernel text. */
  readonly line?: number;
  readonly pipelined?: boolean;
  /** Initiation interval in cycles. */
  readonly ii?: number;
  readonly details?: string;
  /** The line of the source that it begins at. */
  readonly source?: SourcePlace;
  /** Iterations of one run, where they are known before it. */
  readonly trips?: number;
  /** Cycles that each run takes beyond an interval per iteration, to fill and to drain. */
  readonly fill?: number;
  /** It runs again in every iteration of a loop around it. */
  readonly repeated?: true;
  readonly schedule?: LoopSchedule;
}

/** One iteration of a pipelined loop, cycle by cycle. */
export interface LoopSchedule {
  readonly interval: number;
  /**
   * In the order of their starts. Steps of a `stage` count their cycles from its own start: what asks memory runs ahead of
   * what computes, which is the last.
   */
  readonly steps: readonly ScheduledStep[];
  /** So many more are left out, of those that nothing waits for. */
  readonly more?: number;
}

export interface ScheduledStep {
  /** `+`, `load image`. */
  readonly what: string;
  readonly source?: SourcePlace;
  readonly stage: number;
  readonly start: number;
  /** Cycles until its result is there; 0: within the cycle of its start. */
  readonly cycles: number;
  /** By so many cycles it could come later without an iteration taking longer. */
  readonly slack: number;
  /** It is one of those that limit the interval. */
  readonly limits?: true;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

export interface Rescheduled {
  /** What was asked for, in MHz. */
  readonly clock: number;
  /** What the first layout reached, in MHz. */
  readonly reached: number;
  /** The second schedule took delays for so many times as long; absent: there is none that differs. */
  readonly margin?: number;
  readonly slower: readonly SlowerLoop[];
}

/** A loop whose iterations start less often than in the first schedule. */
export interface SlowerLoop {
  readonly source: SourcePlace;
  readonly from: number;
  readonly to: number;
}

/** Amounts, or percent of what the device has, by the vendor's words: `aluts`, `luts`, `dsps`, `rams`. */
export type Resources = Readonly<Record<string, number>>;

/** As people read them, in the order of tables. */
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
  /** Estimated, or of the fitted design where place and route has run. */
  readonly resources: Resources;
  /** Share of the device in percent. */
  readonly percent: Resources;
  /** In MHz: estimated, or of the fitted design. */
  readonly fmax?: number;
  /** What was counted: a netlist that nobody has placed. */
  readonly only?: "synthesis";
  /** Why there is no more: the tool that is not here, and how to get it. */
  readonly lacks?: string;
  /** Of the resources, what connects the kernel to pins or a host. */
  readonly wrapper?: Resources;
  /** The slowest path from register to register. */
  readonly critical?: CriticalPath;
  /** What the kernel's lines take, the largest first; what belongs to no line is left out. */
  readonly lines?: readonly (SourcePlace & { readonly resources: Resources })[];
  /** Cycles of a launch under an ideal memory, where its loops' trips are known. */
  readonly cycles?: number;
  /** The clock was missed, and the design scheduled again before this one was made. */
  readonly rescheduled?: Rescheduled;
  /** Files that could not be read, and why. */
  readonly problems: readonly string[];
}

export interface CriticalPath {
  readonly nanoseconds: number;
  /** From its start; neighbours of one line are one step. */
  readonly steps: readonly {
    readonly source?: SourcePlace;
    /** The last signal of the step. */
    readonly signal: string;
    readonly nanoseconds: number;
  }[];
}

/** What arc itself knows of a design that a tool places: in no tool's input, for its lines move with every edit. */
export interface DesignFacts {
  readonly loops: readonly LoopReport[];
  readonly cycles?: number;
  /** Roughly: it says which of two designs is larger, before any tool runs. */
  readonly cells?: number;
  /** Signals of the kernel, by name, with the lines of the source that make them. */
  readonly signals: readonly (readonly [signal: string, file: string, line: number])[];
}

export const noFacts: DesignFacts = { loops: [], signals: [] };

/** Beside what tools leave, a kind's reader gets these: the facts, and what the device has where no tool says it. */
export const factsFile = "facts.json";
export const availableFile = "available.json";
