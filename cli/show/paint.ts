/** The few terminal colours that arc uses. */
export type Paint = (text: string) => string;

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export function paint(on: boolean): Readonly<Record<keyof typeof codes, Paint>> {
  const make = ([start, end]: readonly [number, number]): Paint =>
    on ? (text) => `\u001b[${start}m${text}\u001b[${end}m` : (text) => text;
  return {
    bold: make(codes.bold),
    dim: make(codes.dim),
    red: make(codes.red),
    green: make(codes.green),
    yellow: make(codes.yellow),
    cyan: make(codes.cyan),
  };
}
