/** What a vendor's compiler says of a design, before place and route or after it. */
export interface LoopReport {
  readonly name: string;
  /** The line of the kernel text. */
  readonly line?: number;
  readonly pipelined?: boolean;
  /** Initiation interval in cycles. */
  readonly ii?: number;
  readonly details?: string;
}

/** Amounts, or percent of what the device has, by the vendor's words: `aluts`, `luts`, `dsps`, `rams`. */
export type Resources = Readonly<Record<string, number>>;

export interface Report {
  readonly loops: readonly LoopReport[];
  /** Estimated, or of the fitted design where place and route has run. */
  readonly resources: Resources;
  /** Share of the device in percent. */
  readonly percent: Resources;
  /** In MHz: estimated, or of the fitted design. */
  readonly fmax?: number;
  /** Files that could not be read, and why. */
  readonly problems: readonly string[];
}
