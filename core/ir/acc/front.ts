/** The OpenACC front end of the walk over a unit. */
import type { External, FunctionDef, Pragma, Stmt } from "../../lang/tree/ast.ts";
import { readAtomic } from "../directives/atomic.ts";
import { wholeOnly } from "../directives/clause-checks.ts";
import { deviceAddresses } from "../directives/device-addresses.ts";
import { clause, type Directive, type Extent, exprOf, site } from "../directives/directive.ts";
import type { Construct, Front } from "../directives/front.ts";
import { oneElement } from "../directives/one-element.ts";
import type { Around, Reading } from "../directives/read-state.ts";
import { Reductions } from "../directives/reductions.ts";
import type { Routines } from "../directives/routines.ts";
import { type DataRegion, extStmt, type HostData, type IrNode } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { inside } from "./around.ts";
import { checkDirective } from "./check.ts";
import { queueing } from "./clauses.ts";
import { task } from "./compute.ts";
import { declare, items } from "./data.ts";
import { directives } from "./grammar.ts";
import { distributed, leftInOrder, loop } from "./loops.ts";
import { isAcc, parseDirective } from "./parse.ts";
import { pointerElements } from "./pointer-elements.ts";
import { standalone } from "./standalone.ts";

export class AccFront implements Front {
  private readonly reading: Reading;
  private readonly routines: Routines;
  private readonly reductions: Reductions;
  /** A routine directive that is waiting for the next function. */
  private pending: Directive | undefined;

  constructor(reading: Reading, routines: Routines) {
    this.reading = reading;
    this.routines = routines;
    this.reductions = new Reductions(reading, true);
  }

  owns(pragma: Pragma): boolean {
    return isAcc(pragma);
  }

  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined {
    const { directive } = parseDirective(pragma);
    return directive && { directive, extent: extentOf(directive) };
  }

  aroundBody(): Around {
    return {};
  }

  atFileScope(pragma: Pragma, externals: readonly External[]): void {
    const directive = this.directive(pragma);
    if (!directive) return;
    if (directive.name === "declare") {
      this.reading.diagnostics.push(...directive.clauses.flatMap(wholeOnly));
      this.reading.declares.push(declare(directive));
    } else if (directive.name !== "routine")
      this.reading.report(
        "directive-outside-function",
        directive.loc,
        `'${directive.name}' must stand inside a function`,
        "move it into the function that is to execute it",
      );
    else if (directive.argument) this.routines.named(directive, externals);
    else this.pending = directive;
  }

  ofFunction(pragma: Pragma, def: FunctionDef): void {
    const directive = this.directive(pragma);
    if (directive?.name === "routine") this.routines.add(def.sym, directive);
  }

  declared(external: External | undefined): void {
    if (this.pending) this.routines.attach(this.pending, external);
    this.pending = undefined;
  }

  construct(pragma: Pragma): Construct | undefined {
    const directive = this.directive(pragma);
    if (!directive) return undefined;
    const { region, omp } = this.reading.around;
    if (region === "omp" && !omp?.routine) {
      this.reading.report(
        "mixed-models",
        directive.loc,
        `OpenACC's '${directive.name}' stands inside a region of OpenMP's`,
        "write the whole region in one of the two",
      );
      return undefined;
    }
    return {
      directive,
      extent: extentOf(directive),
      inside: (around) => inside(around, directive),
      construct: (body, source) => this.node(directive, body, source),
      standalone: () => this.standalone(directive),
    };
  }

  private directive(pragma: Pragma): Directive | undefined {
    const { directive, diagnostics } = parseDirective(pragma);
    this.reading.diagnostics.push(...diagnostics);
    // If a clause was rejected, errors about clauses missing beside it would be misleading.
    if (directive && diagnostics.every((d) => d.severity !== "error"))
      this.reading.diagnostics.push(
        ...checkDirective(directive, this.reading.keepsSize),
        ...pointerElements(directive),
      );
    return directive;
  }

  private node(d: Directive, body: Stmt, source: Stmt): IrNode | Stmt | undefined {
    if (d.name !== "loop" && d.name !== "atomic") this.reading.diagnostics.push(...oneElement(d, source));
    switch (d.name) {
      case "parallel":
      case "serial":
      case "kernels":
        return task(this.reading, this.reductions, d, body, source);
      case "parallel loop":
      case "serial loop":
      case "kernels loop": {
        const asIs = leftInOrder(this.reading, d, body);
        if (asIs) return task(this.reading, this.reductions, d, asIs, source, { asIs: true });
        const shared = distributed(this.reading, this.reductions, d, body, source);
        return shared && task(this.reading, this.reductions, d, extStmt(shared, body.span), source);
      }
      case "loop":
        return loop(this.reading, this.reductions, d, body, source);
      case "data":
        return node<DataRegion>({
          kind: "data",
          site: site(d, source),
          ...queueing(this.reading, d),
          items: items(d),
          body,
        });
      case "host_data": {
        const condition = exprOf(clause(d, "if"));
        return node<HostData>({
          kind: "host-data",
          site: site(d, source),
          ...(condition && { condition }),
          ifPresent: clause(d, "if_present") !== undefined,
          ...deviceAddresses(
            d.clauses.filter((c) => c.name === "use_device").flatMap((c) => c.vars),
            body,
          ),
        });
      }
      default: {
        const what = (["read", "write", "capture"] as const).find((w) => clause(d, w)) ?? "update";
        const atomic = readAtomic(what, body, site(d, source));
        if (!("severity" in atomic)) return atomic;
        this.reading.diagnostics.push(atomic);
        return undefined;
      }
    }
  }

  private standalone(d: Directive): IrNode | undefined {
    if (d.name !== "routine") return standalone(this.reading, d);
    if (d.argument) this.routines.named(d, []);
    else this.routines.attach(d, undefined);
    return undefined;
  }
}

const extentOf = ({ name }: Directive): Extent => (directives[name] as (typeof directives)[string]).extent;
