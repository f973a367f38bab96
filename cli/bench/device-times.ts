/** What libarcrt's profile says of the device: seconds in launches and in transfers, of which kernels and variables. */

export interface DeviceTimes {
  readonly launches: number;
  readonly transfers: number;
  readonly rows: readonly ProfileRow[];
}

/** Launches of a kernel from one place, or transfers of a variable. */
export interface ProfileRow {
  readonly kind: "launch" | "transfer";
  readonly device: string;
  readonly kernel?: string;
  readonly region?: string;
  readonly variable?: string;
  readonly direction?: string;
  readonly file?: string;
  readonly line?: number;
  /** Of a kernel those of the arrays that it was passed, as if each were touched once. */
  readonly bytes?: number;
  /** Bytes per second that the device's memory moves at most. */
  readonly peak?: number;
  readonly count: number;
  readonly seconds: number;
}

/** Undefined of a text that is no profile: the program was stopped before it wrote it, or is none of arc's. */
export function deviceTimes(text: string): DeviceTimes | undefined {
  let rows: readonly ProfileRow[];
  try {
    ({ rows } = JSON.parse(text) as DeviceTimes);
  } catch {
    return undefined;
  }
  const sum = (wanted: "launch" | "transfer"): number =>
    rows.reduce((total, { kind, seconds }) => (kind === wanted ? total + seconds : total), 0);
  return { launches: sum("launch"), transfers: sum("transfer"), rows: rows.map(kept) };
}

/** What a report shows of a row. */
const kept = ({
  kind,
  device,
  kernel,
  region,
  variable,
  direction,
  file,
  line,
  bytes,
  peak,
  count,
  seconds,
}: ProfileRow): ProfileRow => ({
  kind,
  device,
  ...(kernel !== undefined && { kernel }),
  ...(region !== undefined && { region }),
  ...(variable !== undefined && { variable }),
  ...(direction !== undefined && { direction }),
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
  ...(bytes !== undefined && { bytes }),
  ...(peak !== undefined && { peak }),
  count,
  seconds,
});
