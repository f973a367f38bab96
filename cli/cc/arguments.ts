/** Parses a C compiler's command line as far as arc has to understand it. */
import { readFileSync } from "node:fs";

type Stage = "preprocess" | "assembly" | "object" | "link";

export interface CompilerCall {
  /** `-acc` or `-omp` was given in either spelling, or what makes no sense without: arc honours all directives that it knows. */
  readonly directives: boolean;
  /** `-omp` was given: `_OPENMP` is defined. */
  readonly openmp: boolean;
  /** `-fopenmp` was given: the C compiler handles directives for the host's threads, and defines `_OPENMP` itself. */
  readonly hostOpenMp: boolean;
  /** `-check`: the program can be checked with `ARC_CHECK`. */
  readonly check: boolean;
  /** Values of `-target`, in order; empty if there were none. */
  readonly targets: readonly string[];
  readonly stage: Stage;
  readonly output?: string;
  /** All options and inputs that are not arc's own, in order. */
  readonly words: readonly Word[];
}

export interface Word {
  /** An option with its value, or one input. */
  readonly text: readonly string[];
  readonly kind: "option" | "source" | "foreign" | "input" | "dependencies";
}

/** Sources that the C compiler accepts and arc does not read: other languages, and preprocessed text. */
const foreign =
  /\.(cc|cp|cxx|cpp|CPP|c\+\+|C|ii?|mm?|mii?|f|for|ftn|f90|f95|f03|f08|F|FOR|FTN|F90|F95|F03|F08)$/;

/** Options whose value is the next argument. */
const takesNext = new Set(
  (
    "-I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -isysroot -A -L -l -T -u -z -e -h " +
    "-Xlinker -Xassembler -Xpreprocessor -x --param -aux-info -MF -MT -MQ -wrapper -specs -B -dumpbase -soname"
  ).split(" "),
);

const dependencyOption = /^-M(M?D?|P|F|T|Q)$|^-M[FTQ].|^-Wp,-M/;

/** Options that do no more than make arc honour directives. */
const directiveSwitches: readonly string[] = ["-acc", "-fopenacc", "-omp", "-fopenmp"];

/** Makes a program that can be checked with `ARC_CHECK`. */
const checkSwitch = "-check";

/** Options whose value is a kind of target. */
const targetOptions = ["-target", "--target-kind"];

/** The words of a call that the C compiler knows, as they were given: also `-fopenmp`, which is for the host's threads. */
export function plainWords(args: readonly string[]): readonly string[] {
  const isArcs = (arg: string) =>
    arg === checkSwitch ||
    arg.startsWith("-target=") ||
    (arg !== "-fopenmp" && directiveSwitches.includes(arg));
  return args.filter(
    (arg, i) => !isArcs(arg) && !targetOptions.includes(arg) && !targetOptions.includes(args[i - 1] ?? ""),
  );
}

/** Throws UsageError for a response file that cannot be read. */
export function parseCompilerCall(args: readonly string[]): CompilerCall {
  const words: Word[] = [];
  const targets: string[] = [];
  const switches = new Set<string>();
  let stage: Stage = "link";
  let output: string | undefined;
  let language: string | undefined;
  const queue = expandResponseFiles(args, 0);
  for (let i = 0; i < queue.length; i++) {
    const arg = queue[i] ?? "";
    const next = (): string => queue[++i] ?? "";
    if (directiveSwitches.includes(arg) || arg === checkSwitch) switches.add(arg);
    else if (targetOptions.includes(arg)) targets.push(...next().split(","));
    else if (arg.startsWith("-target=")) targets.push(...arg.slice("-target=".length).split(","));
    else if (arg === "-o") output = next();
    else if (arg.startsWith("-o") && arg.length > 2) output = arg.slice(2);
    else if (arg === "-c") stage = stageOf(stage, "object");
    else if (arg === "-E" || arg === "-M" || arg === "-MM") {
      stage = "preprocess";
      words.push({ kind: "option", text: [arg] });
    } else if (arg === "-S") {
      stage = stageOf(stage, "assembly");
    } else {
      const text = takesNext.has(arg) ? [arg, next()] : [arg];
      if (arg === "-x") language = text[1] === "none" ? undefined : text[1];
      const kind = dependencyOption.test(arg)
        ? "dependencies"
        : arg.startsWith("-") && arg !== "-"
          ? "option"
          : inputKind(arg, language);
      words.push({ kind, text });
    }
  }
  return {
    directives: switches.size > 0 || targets.length > 0,
    check: switches.has(checkSwitch),
    openmp: switches.has("-omp"),
    hostOpenMp: switches.has("-fopenmp"),
    targets,
    stage,
    words,
    ...(output === undefined ? {} : { output }),
  };
}

/** Of two stages at which to stop, the earlier one wins. */
function stageOf(now: Stage, requested: Stage): Stage {
  const order: readonly Stage[] = ["preprocess", "assembly", "object", "link"];
  return order.indexOf(requested) < order.indexOf(now) ? requested : now;
}

function inputKind(file: string, language: string | undefined): "source" | "foreign" | "input" {
  if (language !== undefined)
    return language === "c" ? "source" : language.startsWith("assembler") ? "input" : "foreign";
  return file.endsWith(".c") ? "source" : foreign.test(file) ? "foreign" : "input";
}

/** Replaces `@file` by the arguments in the file: words with quotes and backslashes as gcc reads them. */
function expandResponseFiles(args: readonly string[], depth: number): readonly string[] {
  return args.flatMap((arg) => {
    if (!arg.startsWith("@") || depth > 20) return [arg];
    let text: string;
    try {
      text = readFileSync(arg.slice(1), "utf8");
    } catch {
      // As in gcc, `@name` without such a file is an ordinary argument.
      return [arg];
    }
    return expandResponseFiles(splitWords(text), depth + 1);
  });
}

function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [match] of text.matchAll(
    /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')+/g,
  )) {
    words.push(
      match.replace(
        /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'/g,
        (_, escaped, double, single) =>
          escaped !== undefined ? escaped : String(double ?? single).replace(/\\([\s\S])/g, "$1"),
      ),
    );
  }
  return words;
}
