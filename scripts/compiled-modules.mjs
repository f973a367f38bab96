/**
 * Node ends a snapshot with its own modules in V8's compiled form. Each start reads and copies them all, half of the
 * file, for a program that has those that it needs in its memory; what is missing then is compiled from its source.
 */

/** As the file has it: numbers of 8 bytes; first how many, then each one's name and its code, both behind their lengths. */
const NUMBER = 8;
/** Fewer would be something else. */
const FEWEST = 100;

/** The snapshot without them; undefined where they are not found at its end. */
export function withoutCompiledModules(snapshot) {
  // For each place from which names and codes lead to the end, how many.
  const countFrom = new Map([[snapshot.length, 0]]);
  for (let at = snapshot.length - 2 * NUMBER; at >= NUMBER; at -= 1) {
    const name = numberAt(snapshot, at);
    if (name === 0 || name > 255) continue;
    const code = at + NUMBER + name;
    const after = countFrom.get(code + NUMBER + numberAt(snapshot, code));
    if (after === undefined) continue;
    countFrom.set(at, after + 1);
    if (after + 1 < FEWEST || numberAt(snapshot, at - NUMBER) !== after + 1) continue;
    return Buffer.concat([snapshot.subarray(0, at - NUMBER), Buffer.alloc(NUMBER)]);
  }
  return undefined;
}

/** NaN for what is too large, or beyond the end. */
function numberAt(bytes, at) {
  return at + NUMBER <= bytes.length && bytes.readUInt32LE(at + 4) === 0
    ? bytes.readUInt32LE(at)
    : Number.NaN;
}
