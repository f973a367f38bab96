/** Binary operators and how tightly they bind: `||` least. Parser and printer share it. */
export const BINARY_PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", ">", "<=", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
  ].flatMap((operators, level) => operators.map((op) => [op, level + 1] as [string, number])),
);
