/** Completions for the word being typed, and the shell scripts that request them. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { commands, findCommand, globalOptions } from "./commands.ts";

interface Offer {
  readonly word: string;
  readonly help: string;
}

interface Offers {
  readonly words: readonly Offer[];
  /** File names are possible, too. */
  readonly files: boolean;
}

/** Names defined by a project. */
export interface Names {
  readonly targets: readonly Offer[];
  readonly runs: readonly Offer[];
  /** `target:variant`, as many as a shell can list. */
  readonly variants: (target: string) => readonly Offer[];
  /** By which variants are compared. */
  readonly figures: readonly Offer[];
}

/** `words`: the words after `arc`; the last one is being typed. */
export function offersFor(words: readonly string[], names: () => Names): Offers {
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const known = before.map((word) => findCommand(word)).find((found) => found !== undefined);
  const fitting = (all: readonly Offer[]): readonly Offer[] =>
    all.filter(({ word }) => word.startsWith(typed));
  if (known === undefined)
    return {
      words: fitting(commands.map(({ name, summary }) => ({ word: name, help: summary }))),
      files: false,
    };
  if (known.verbatim || before.includes("--")) return { words: [], files: true };
  const options: readonly OptionSpec[] = [...known.options, ...globalOptions];
  const precedingOption = options.find(({ name, short }) =>
    [`--${name}`, ...(short === undefined ? [] : [`-${short}`])].includes(before.at(-1) ?? ""),
  );
  if (precedingOption?.value !== undefined) {
    const values = valuesOf(precedingOption, names);
    return values === undefined ? { words: [], files: true } : { words: fitting(values), files: false };
  }
  if (typed.startsWith("-"))
    return { words: fitting(options.map(({ name, help }) => ({ word: `--${name}`, help }))), files: false };
  return argumentsOf(known, before, typed, names, fitting);
}

/** Undefined where the value may be anything, such as a file. */
function valuesOf({ name, value, words }: OptionSpec, names: () => Names): readonly Offer[] | undefined {
  if (value === "FIGURE")
    return [...names().figures, ...(name === "best" ? [{ word: "pareto", help: "the front" }] : [])];
  return words?.map((word) => ({ word, help: "" }));
}

function argumentsOf(
  { name, arguments: takes }: CommandSpec,
  before: readonly string[],
  last: string,
  names: () => Names,
  fitting: (all: readonly Offer[]) => readonly Offer[],
): Offers {
  const typed = before.slice(before.indexOf(name) + 1).filter((word) => !word.startsWith("-"));
  const [, target] = /^([^:/#]+):[^/#]*$/.exec(last) ?? [];
  if (target !== undefined && takes.includes("ADDRESS"))
    return { words: fitting(names().variants(target)), files: false };
  if (typed.length > 0 && takes.includes("RUN")) {
    const { runs, targets } = names();
    return { words: fitting(takes.includes("…") ? [...runs, ...targets] : runs), files: false };
  }
  if (takes === "SHELL") return { words: fitting(shells.map((word) => ({ word, help: "" }))), files: false };
  if (/ADDRESS|TARGET/.test(takes)) return { words: fitting(names().targets), files: false };
  const alternatives = /^[a-z]+(\|[a-z]+)+/.exec(takes.replace(/^\[/, ""))?.[0].split("|");
  if (alternatives !== undefined && typed.length === 0)
    return { words: fitting(alternatives.map((word) => ({ word, help: "" }))), files: false };
  return { words: [], files: /FILE|DIR/.test(takes) };
}

export const shells = ["bash", "zsh", "fish"] as const;

/**
 * Each script calls `arc completion words -- WORD...`, which prints one candidate per line, with a tab before its
 * description, and `:files` where file names are possible.
 */
export const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  // Bash takes a colon for the end of a word, unless \`COMP_WORDBREAKS\` says otherwise: what it split is joined again,
  // and of an offer only what follows the last colon takes the place of the word being typed.
  bash: `# eval "$(arc completion bash)" in ~/.bashrc
_arc() {
  local line part i joined=() before= head=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    part=\${COMP_WORDS[i]}
    if [[ \${#joined[@]} -gt 0 && ( $part == : || $before == : ) ]]; then
      joined[\${#joined[@]}-1]+=$part
    else
      joined+=("$part")
    fi
    before=$part
  done
  part=\${joined[\${#joined[@]}-1]}
  if [[ $part == *:* && $COMP_WORDBREAKS == *:* ]]; then head=\${part%:*}:; fi
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      compopt -o default 2>/dev/null
    else
      line=\${line%%$'\\t'*}
      COMPREPLY+=("\${line#"$head"}")
    fi
  done < <(arc completion words -- "\${joined[@]}" 2>/dev/null)
}
complete -F _arc arc
`,
  zsh: `#compdef arc
# eval "$(arc completion zsh)" in ~/.zshrc, behind compinit
_arc() {
  local -a offers
  local line files=0
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else offers+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${(M)line%$'\\t'*}/$'\\t'/:}"); fi
  done < <(arc completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#offers} )) && _describe arc offers
  (( files )) && _files
}
compdef _arc arc
`,
  fish: `# arc completion fish | source, in ~/.config/fish/config.fish
function __arc_offers
  for line in (arc completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c arc -f -a '(__arc_offers)'
`,
};
