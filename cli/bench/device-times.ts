/** What libarcrt's timeline says of the device: seconds in launches and in transfers. */

export interface DeviceTimes {
  readonly launches: number;
  readonly transfers: number;
}

interface TraceEvent {
  readonly ph: string;
  readonly cat?: string;
  /** Microseconds. */
  readonly dur?: number;
}

/** Undefined of a text that is no timeline: the program was stopped while it wrote it, or is none of arc's. */
export function deviceTimes(text: string): DeviceTimes | undefined {
  let events: readonly TraceEvent[];
  try {
    events = JSON.parse(text) as readonly TraceEvent[];
  } catch {
    return undefined;
  }
  const sum = (category: string): number =>
    events.reduce(
      (total, { ph, cat, dur = 0 }) => (ph === "X" && cat === category ? total + dur / 1e6 : total),
      0,
    );
  return { launches: sum("launch"), transfers: sum("transfer") };
}
