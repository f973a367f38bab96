/** Where the user wrote what an action is for. */
import type { Action } from "../../core/build/model/action.ts";
import type { Place } from "../../core/build/model/finding.ts";

/** A project asks for every action, if no line of a source does. */
export const sitePlace = ({ site }: Pick<Action, "site">): Place => ({
  file: site?.file ?? "arc.yaml",
  line: site?.line ?? 1,
  col: 1,
});
