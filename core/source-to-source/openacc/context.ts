/** Context of a translation from OpenMP to OpenACC. */
import type { External } from "../../lang/tree/ast.ts";
import type { Facts } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";
import type { Dependences } from "./dependences.ts";

export interface ToOpenAcc {
  readonly facts: Facts;
  readonly sites: readonly Site[];
  readonly dependences: Dependences;
  readonly externals: readonly External[];
  readonly file: string;
}
