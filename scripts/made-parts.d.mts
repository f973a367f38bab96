export interface MadePart {
  readonly page: string;
  readonly command: string;
  readonly inputs: readonly string[];
  /** That it has, and that it should have. */
  readonly digest: string;
  readonly right: string;
  readonly text: string;
}

export function madeParts(): readonly MadePart[];
export function writeMade(command: string, text: string): void;
