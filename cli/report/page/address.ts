/** Stores the current view in the page's address, so that a link in a review comment leads to the same view. */
import { useEffect, useState } from "preact/hooks";

export type Choice = Readonly<Record<string, string>>;

const read = (): Choice => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** An empty string removes a key. */
function addressOf(choice: Choice): string {
  const kept = Object.entries(choice).filter(([, value]) => value !== "");
  return `#${new URLSearchParams(kept)}`;
}

/** The choices in the address, and a function that changes some without adding an entry to the browser's history. */
export function useAddress(): readonly [Choice, (change: Choice) => void] {
  const [choice, setChoice] = useState(read);
  useEffect(() => {
    const onChange = (): void => setChoice(read());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  const change = (part: Choice): void => {
    const next = { ...read(), ...part };
    history.replaceState(null, "", addressOf(next));
    setChoice(read());
  };
  return [choice, change];
}
