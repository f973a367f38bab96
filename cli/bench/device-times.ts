/** What libarcrt's profile says of the device: seconds in launches and in transfers. */

export interface DeviceTimes {
  readonly launches: number;
  readonly transfers: number;
}

interface Profile {
  readonly rows: readonly { readonly kind: "launch" | "transfer"; readonly seconds: number }[];
}

/** Undefined of a text that is no profile: the program was stopped before it wrote it, or is none of arc's. */
export function deviceTimes(text: string): DeviceTimes | undefined {
  let rows: Profile["rows"];
  try {
    ({ rows } = JSON.parse(text) as Profile);
  } catch {
    return undefined;
  }
  const sum = (wanted: "launch" | "transfer"): number =>
    rows.reduce((total, { kind, seconds }) => (kind === wanted ? total + seconds : total), 0);
  return { launches: sum("launch"), transfers: sum("transfer") };
}
