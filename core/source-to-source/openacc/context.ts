/** Context of a translation from OpenMP to OpenACC. */
import type { External, Symbol } from "../../lang/tree/ast.ts";
import type { RoleOf } from "../sites/device-numbers.ts";
import type { Facts } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";
import type { Dependences } from "./dependences.ts";

export interface ToOpenAcc {
  readonly facts: Facts;
  readonly sites: readonly Site[];
  readonly dependences: Dependences;
  readonly externals: readonly External[];
  readonly file: string;
  /** By `declare target`. */
  readonly declared: ReadonlySet<Symbol>;
  readonly deviceRole: RoleOf;
  /** The source chooses a device by number. */
  readonly choosesDevice: boolean;
  /** The compiler knows `always` in data clauses (OpenACC 3.4). */
  readonly knowsAlways: boolean;
}
