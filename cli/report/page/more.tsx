/** Long tables are drawn in parts: a browser takes seconds for ten thousand rows. */

/** Rows drawn at first. */
export const ROWS = 100;

interface Props {
  /** All rows that there are. */
  readonly of: number;
  readonly shown: number;
  readonly show: (rows: number) => void;
}

/** The button below a table that draws more of its rows; nothing where all are drawn. */
export function More({ of, shown, show }: Props) {
  if (of <= shown) return null;
  return (
    <p>
      <button type="button" onClick={() => show(shown + 10 * ROWS)}>
        show more of the other {of - shown}
      </button>
    </p>
  );
}
