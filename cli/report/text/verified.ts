/** The final table of `arc verify`: which runs match, the largest error and its position, and how long they took. */
import { fitted, withoutEmptyColumns } from "../../show/fit.ts";
import { plural, seconds } from "../../show/words.ts";
import type { RunReport } from "../model/report.ts";
import { figureText } from "./figure.ts";

export interface VerifiedRun extends RunReport {
  /** `target:variant`. */
  readonly variant: string;
  /** Its time is that of a simulation, which says nothing about the program. */
  readonly simulated: boolean;
}

/** Empty if nothing was compared. `width`: in characters. */
export function verifiedTable(runs: readonly VerifiedRun[], width: number): string {
  const compared = runs.filter(({ result }) => result !== "not run");
  if (compared.length === 0) return "";
  const header = ["variant", "run", "", "compared", "worst error", "at", "serial", "took", "speed-up"];
  const agreed = compared.filter(({ result }) => result === "same").length;
  const rest = runs.length - compared.length;
  const left = rest === 0 ? "" : `; ${rest} not run`;
  return `${fitted(withoutEmptyColumns([header, ...compared.map(lineOf)]), width)}${agreed} of ${plural(compared.length, "run")} agreed with the serial program${left}\n`;
}

function lineOf({
  run,
  variant,
  result,
  values,
  worst,
  worstAt,
  serial,
  seconds: took,
  simulated,
}: VerifiedRun): readonly string[] {
  const speedUp =
    serial === undefined || took === undefined || took === 0 || simulated ? undefined : serial / took;
  return [
    variant,
    run,
    result,
    values === undefined ? "" : plural(values, "value"),
    worst === undefined ? "" : worstWords(worst, worstAt),
    worstAt ?? "",
    serial === undefined ? "" : seconds(serial),
    took === undefined ? "" : `${seconds(took)}${simulated ? " simulated" : ""}`,
    figureText(speedUp, { unit: "times" }),
  ];
}

const worstWords = (worst: number, at: string | undefined): string =>
  worst > 0 ? worst.toExponential(1) : at === undefined ? "none" : "where serial is 0";
