/** Durations with units: `30 d`, `1.5 h`, `10 min`, `45 s`; a bare number means seconds. */
const unitSeconds = { s: 1, min: 60, h: 3600, d: 86_400 } as const;

/** Pattern for a JSON Schema. */
export const durationPattern = "^\\d+(\\.\\d+)? ?(s|min|h|d)$";

/** The duration in seconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?) ?(s|min|h|d)?$/.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * unitSeconds[unit as keyof typeof unitSeconds];
}
