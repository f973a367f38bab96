/** What is made when it is seen, and has to be there before the page is printed. */

const waiting = new Set<() => void>();

/** Returns what takes it back. */
export function whenPrinted(make: () => void): () => void {
  waiting.add(make);
  return () => waiting.delete(make);
}

/** To be called where drawing follows at once. */
export function makeForPrint(): void {
  for (const make of [...waiting]) make();
}
