/** Generated functions as one program. */
import { prelude } from "./prelude.ts";

/** `main` calls all of them, or only the one whose number is its argument. */
export function sourceOf(functions: readonly string[]): string {
  const names = functions.map((f) => /^static void (\w+)/m.exec(f)?.[1] as string);
  const calls = names.map(
    (n) => `  if (argc < 2 || atoi(argv[1]) == ${n.slice(1)}) ${n}();\n  fflush(stdout);`,
  );
  return `${prelude}${functions.join("\n")}int main(int argc, char **argv) {\n${calls.join("\n")}\n  return 0;\n}\n`;
}
