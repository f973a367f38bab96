/** Position of the code that an action is for. */
import type { Action } from "../../core/build/model/action.ts";
import type { SourceLocation } from "../../core/build/model/finding.ts";

/** Falls back to the project for actions that belong to no source line. */
export const siteLocation = ({ site }: Pick<Action, "site">): SourceLocation => ({
  file: site?.file ?? "arc.yaml",
  line: site?.line ?? 1,
  col: 1,
});
