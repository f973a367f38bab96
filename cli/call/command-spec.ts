/** What the table of commands says of each command and option. */

export interface OptionSpec {
  /** `--json`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help: `DIR`; absent for a switch. */
  readonly value?: string;
  /** All values that there are, where they are words; shells complete them. */
  readonly words?: readonly string[];
  /** The value may be left out: `--compare`, and `--compare WITH`. An option or nothing follows then. */
  readonly optional?: true;
  /** It may be repeated: `Arguments.repeated` has all values. */
  readonly repeats?: true;
  /** The value names a file that the command writes. */
  readonly writes?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  /** Another name of it. */
  readonly also?: string;
  /** What follows the name in help: `[ADDRESS…]`. */
  readonly arguments: string;
  /** How many arguments it takes. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** More text for `arc NAME --help`: paragraphs, and lines of two columns. */
  readonly details?: string;
  /** Calls, and what each does. */
  readonly examples: readonly (readonly [call: string, meaning: string])[];
  /** The arguments belong to another program; arc parses no options of its own among them. */
  readonly verbatim?: true;
}

/** For commands that take addresses. */
export const addresses = `An ADDRESS is target[:variant][/kernel][#stage]; * and ? are wildcards. Without one, the first
variant of every target is meant.`;
