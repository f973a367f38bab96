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
  if (precedingOption?.value !== undefined) return { words: [], files: true };
  if (typed.startsWith("-"))
    return { words: fitting(options.map(({ name, help }) => ({ word: `--${name}`, help }))), files: false };
  return argumentsOf(known, before, names, fitting);
}

function argumentsOf(
  { name, arguments: takes }: CommandSpec,
  before: readonly string[],
  names: () => Names,
  fitting: (all: readonly Offer[]) => readonly Offer[],
): Offers {
  const typed = before.slice(before.indexOf(name) + 1).filter((word) => !word.startsWith("-"));
  if (typed.length > 0 && takes.includes("RUN")) return { words: fitting(names().runs), files: false };
  if (takes.includes("ADDRESS")) return { words: fitting(names().targets), files: false };
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
  bash: `# eval "$(arc completion bash)" in ~/.bashrc
_arc() {
  local line word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      compopt -o default 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(arc completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _arc arc
`,
  zsh: `#compdef arc
# eval "$(arc completion zsh)" in ~/.zshrc, behind compinit
_arc() {
  local -a offers
  local line files=0
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
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
