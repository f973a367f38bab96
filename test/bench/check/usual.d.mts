export function usual(lines: number, includes?: readonly string[]): string;
