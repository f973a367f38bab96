/** A shuffle in a team of one thread, which always gets its own value. */
import { UINT } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { binary, cast, exprStmt, ifStmt, intLit } from "../../lang/tree/build.ts";
import type { Shuffle } from "./ir.ts";

export const ofOneThread = ({ mask, assignment }: Shuffle): Stmt =>
  ifStmt(binary("&", cast(UINT, mask), intLit(1, UINT)), exprStmt(assignment));
