/** The titles above a table's columns; `numbers` stand behind the others, above their figures' ends. */
export function Headings({
  titles,
  numbers = [],
}: {
  readonly titles: readonly string[];
  readonly numbers?: readonly string[];
}) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
        {numbers.map((title) => (
          <th key={title} scope="col" class="number">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
