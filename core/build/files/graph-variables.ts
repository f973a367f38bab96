/**
 * Variables of the environment that decide a project's graph or keys, beside those of its kind of call: a stamp file has
 * their names and values, so that no build with other values is answered from memory. The native launcher reads the text,
 * too: `NAME=value` for each, and `NAME` for one that was not set, joined by line feeds.
 */

type Environment = Readonly<Record<string, string | undefined>>;

export function variablesText(variables: ReadonlyMap<string, string | undefined>): string {
  return [...variables]
    .map(([name, value]) => (value === undefined ? name : `${name}=${written(value)}`))
    .sort()
    .join("\n");
}

/** A value that would break the lines is replaced by text that no variable has, so that it is never taken for known. */
const written = (value: string): string => (/[\n\0]/.test(value) ? "\n=" : value);

/** Whether an environment has the values of such a text. */
export function haveValues(text: string, environment: Environment): boolean {
  if (text === "") return true;
  return text.split("\n").every((line) => {
    const at = line.indexOf("=");
    return at < 0 ? environment[line] === undefined : environment[line.slice(0, at)] === line.slice(at + 1);
  });
}
