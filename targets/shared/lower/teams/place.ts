/** The place of the value that a team looks for (mapping/positions.ts): lanes with other values have none. */
import { identity } from "../../../../core/ir/model/identity.ts";
import { LONG } from "../../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
} from "../../../../core/lang/tree/build.ts";
import type { Position } from "../../mapping/positions.ts";
import type { Row } from "./row.ts";

export class Place {
  private readonly position: Position;
  private readonly row: Row;
  /** The lane's own value. */
  private readonly own: Symbol;

  constructor(position: Position, row: Row) {
    this.position = position;
    this.row = row;
    this.own = freshSymbol(`${position.value.name}_own`, position.value.type);
  }

  /** Keeps the lane's value, before the team's takes its place. */
  held(): Stmt {
    return declare(this.own, ident(this.row.laneOf(this.position.value)));
  }

  /** Gives up the lane's place if the team's value is another one. */
  given(): Stmt {
    const { at, value, reductions } = this.position;
    const op = reductions.find(({ sym }) => sym === at)?.op ?? "min";
    const other = binary("!=", ident(this.own), ident(this.row.laneOf(value)));
    return ifStmt(other, exprStmt(assign(ident(this.row.laneOf(at)), identity(op, LONG))));
  }
}
