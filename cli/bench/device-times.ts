/**
 * What libarcrt's profile says about the device: seconds in launches and in transfers, for each kernel and variable.
 */

export interface DeviceTimes {
  readonly launches: number;
  readonly transfers: number;
  readonly rows: readonly ProfileRow[];
  /** Absent where the devices are none that are counted. */
  readonly gpu?: GpuEnergy;
}

/** What NVML counted from the first launch of a run to the end of the last one. */
export type GpuEnergy =
  | {
      readonly joules: number;
      readonly seconds: number;
      /** Seconds of the longer of the counter's steps at both ends. */
      readonly step: number;
    }
  | { readonly missing: string };

/** Launches of a kernel from one position in the source, or transfers of a variable. */
export interface ProfileRow {
  readonly kind: "launch" | "transfer";
  readonly device: string;
  readonly kernel?: string;
  readonly region?: string;
  readonly variable?: string;
  readonly direction?: string;
  readonly file?: string;
  readonly line?: number;
  /** For a kernel, the bytes of the arrays passed to it, as if each were touched once. */
  readonly bytes?: number;
  /** Peak memory bandwidth of the device in bytes per second. */
  readonly peak?: number;
  /** Floating-point operations of a kernel, where its launches could count them. */
  readonly operations?: number;
  /** Such operations per second that the device does at most, on numbers of the kernel's sizes. */
  readonly compute?: number;
  readonly count: number;
  readonly seconds: number;
}

/** Undefined if the text is not a profile: the program was stopped before it wrote one, or arc did not build it. */
export function deviceTimes(text: string): DeviceTimes | undefined {
  let rows: readonly ProfileRow[];
  let energy: readonly GpuEnergy[] | undefined;
  try {
    ({ rows, energy } = JSON.parse(text) as { rows: typeof rows; energy: typeof energy });
  } catch {
    return undefined;
  }
  const sum = (requestedKind: "launch" | "transfer"): number =>
    rows.reduce((total, { kind, seconds }) => (kind === requestedKind ? total + seconds : total), 0);
  const gpu = together(energy ?? []);
  return {
    launches: sum("launch"),
    transfers: sum("transfer"),
    rows: rows.map(profileRow),
    ...(gpu && { gpu }),
  };
}

/** Of all devices that launched something; undefined without any that could be counted. */
function together(energies: readonly GpuEnergy[]): GpuEnergy | undefined {
  const missing = energies.find((one) => "missing" in one);
  if (missing !== undefined) return { missing: missing.missing };
  const counted = energies.filter((one) => "joules" in one);
  if (counted.length === 0) return undefined;
  return {
    joules: counted.reduce((sum, { joules }) => sum + joules, 0),
    seconds: Math.max(...counted.map(({ seconds }) => seconds)),
    step: Math.max(...counted.map(({ step }) => step)),
  };
}

/** The fields of a row that reports show. */
const profileRow = ({
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
  operations,
  compute,
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
  ...(operations !== undefined && { operations }),
  ...(compute !== undefined && { compute }),
  count,
  seconds,
});
