/** Column titles of a table; `numbers` come last, aligned right like their figures. */
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
