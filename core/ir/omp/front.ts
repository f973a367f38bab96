/**
 * OpenMP's device constructs as the walk over a unit reads them. Host code's own directives (`parallel for`, `task`)
 * stay pragmas for the C compiler; inside a region, and in functions that regions call, every directive is arc's.
 */
import type { External, FunctionDef, Pragma, Stmt, TranslationUnit } from "../../lang/tree/ast.ts";
import { readAtomic } from "../directives/atomic.ts";
import { clause, type Directive, site } from "../directives/directive.ts";
import type { Construct, Front } from "../directives/front.ts";
import type { Around, Reading } from "../directives/read-state.ts";
import { Reductions } from "../directives/reductions.ts";
import type { Routines } from "../directives/routines.ts";
import type { IrNode } from "../model/ir.ts";
import { inside } from "./around.ts";
import { checkDirective } from "./check.ts";
import { compute } from "./compute.ts";
import { contextOf } from "./context.ts";
import { move, region } from "./data.ts";
import { DeclareTarget } from "./declare-target.ts";
import { deviceFunctions, offloads } from "./device-functions.ts";
import { checkDevice, noteHints } from "./hints.ts";
import { meant } from "./metadirective.ts";
import { isOmp, parseDirective, ruleOf } from "./parse.ts";
import { barrier, ofOneThread } from "./threads.ts";
import { isVariant, type Variants, variantsOf } from "./variants.ts";

/** What concerns the device wherever it stands. */
const ofDevice = /^(target|(begin |end )?declare (target|variant)|declare mapper|requires)\b/;

export class OmpFront implements Front {
  private readonly reading: Reading;
  private readonly reductions: Reductions;
  private readonly declareTarget: DeclareTarget;
  private readonly onDevice: ReadonlySet<FunctionDef>;
  private readonly variants: Variants;

  constructor(reading: Reading, routines: Routines, unit: TranslationUnit) {
    this.reading = reading;
    this.reductions = new Reductions(reading);
    this.declareTarget = new DeclareTarget(reading, routines);
    this.variants = variantsOf(unit.externals);
    this.onDevice = deviceFunctions(unit, this.variants);
  }

  /** Where OpenACC offloads the same statement, its directive is the one that is read. */
  owns(written: Pragma, around: Around, beside: readonly Pragma[]): boolean {
    if (!isOmp(written)) return false;
    if (around.region === "omp") return true;
    const { pragma, diagnostics } = meant(written, contextOf(around));
    if (!pragma) return diagnostics.length > 0;
    const words = pragma.tokens
      .slice(1, 4)
      .map((t) => t.text)
      .join(" ");
    return ofDevice.test(words) && !(offloads(pragma) && beside.some(isAccCompute));
  }

  glance(pragma: Pragma): Pick<Construct, "directive" | "extent"> | undefined {
    const { pragma: selected } = meant(pragma, contextOf(this.reading.around));
    const { directive } = selected ? parseDirective(selected) : {};
    return directive && { directive, extent: ruleOf(directive).extent };
  }

  atFileScope(pragma: Pragma, externals: readonly External[]): void {
    if (isVariant(pragma)) return;
    const d = this.directive(pragma);
    if (!d) return;
    if (d.name.endsWith("declare target")) this.declareTarget.directive(d, externals);
    else
      this.reading.report(
        "directive-outside-function",
        d.loc,
        `'${d.name}' must stand inside a function`,
        "move it into the function that is to execute it",
      );
  }

  ofFunction(pragma: Pragma, def: FunctionDef): void {
    this.atFileScope(pragma, [def]);
  }

  declared(external: External | undefined): void {
    this.declareTarget.declared(external);
    if (!external) this.reading.diagnostics.push(...this.variants.complaints());
  }

  aroundBody(def: FunctionDef): Around {
    if (this.onDevice.has(def)) this.variants.inFunction(def.body);
    return this.onDevice.has(def) ? { region: "omp", omp: { routine: true } } : {};
  }

  construct(pragma: Pragma): Construct | undefined {
    const d = this.directive(pragma);
    if (!d) return undefined;
    return {
      directive: d,
      extent: ruleOf(d).extent,
      inside: (around) => inside(around, d),
      construct: (body, source) => this.node(d, body, source),
      standalone: () => this.standalone(d),
    };
  }

  private directive(written: Pragma): Directive | undefined {
    const { pragma, diagnostics: ofContext } = meant(written, contextOf(this.reading.around));
    this.reading.diagnostics.push(...ofContext);
    if (!pragma) return undefined;
    const { directive, diagnostics } = parseDirective(pragma);
    this.reading.diagnostics.push(...diagnostics);
    // With a clause missing because it is wrong, what the others lack means nothing.
    if (!directive || diagnostics.some((found) => found.severity === "error")) return directive;
    checkDevice(this.reading, directive);
    noteHints(this.reading, directive);
    this.reading.diagnostics.push(...checkDirective(directive));
    return directive;
  }

  private node(d: Directive, written: Stmt, source: Stmt): IrNode | Stmt | undefined {
    const { reading, reductions } = this;
    const around = inside(reading.around, d);
    const body = around.region === "omp" ? this.variants.inCode(written, contextOf(around)) : written;
    if (d.name === "target data") return region(reading, d, body, source);
    if (["single", "master", "masked"].includes(d.name)) return ofOneThread(reading, d, body, source);
    if (d.name !== "atomic") {
      const declared = (sym: Parameters<DeclareTarget["has"]>[0]) => this.declareTarget.has(sym);
      return compute({ reading, reductions, around: reading.around, declared }, d, body, source);
    }
    const what = (["read", "write", "capture"] as const).find((w) => clause(d, w)) ?? "update";
    const atomic = readAtomic(what, body, site(d, source));
    if (!("severity" in atomic)) return atomic;
    reading.diagnostics.push(atomic);
    return undefined;
  }

  private standalone(d: Directive): IrNode | undefined {
    if (d.name === "barrier") return barrier(this.reading, d);
    if (ruleOf(d).extent === "standalone") return move(this.reading, d);
    this.reading.report(
      "directive-inside-function",
      d.loc,
      `'${d.name}' stands inside a function`,
      "move it before the function",
    );
    return undefined;
  }
}

/** `acc parallel`, `acc kernels` and `acc serial`, with or without a loop. */
function isAccCompute({ tokens }: Pragma): boolean {
  const [space, name] = tokens.map((t) => t.text);
  return space === "acc" && ["parallel", "kernels", "serial"].includes(name ?? "");
}
