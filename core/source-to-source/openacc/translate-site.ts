/** Translates one OpenMP device directive to OpenACC. */
import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { refuseOtherDevice } from "../sites/device-numbers.ts";
import { CannotSay, directive, put, type Rewrite } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { combinedIn } from "./array-reductions.ts";
import { inner, target } from "./compute.ts";
import type { ToOpenAcc } from "./context.ts";
import { enterOrExit, targetData, update } from "./data.ts";
import { declareTarget } from "./declare.ts";

/** Throws `CannotSay`. */
export function toOpenAcc(site: Site, context: ToOpenAcc): Rewrite {
  const { directive: d } = site;
  refuseOtherDevice(site, context.deviceRole, context.choosesDevice);
  switch (d.name) {
    case "target data":
      return targetData(site, context);
    case "target enter data":
    case "target exit data":
      return enterOrExit(site, context);
    case "target update":
      return update(site, context);
    case "taskwait":
      return { directives: [directive(context.dependences.wait(site))] };
    case "task":
      return context.dependences.emptyTask(site);
    case "critical":
      return critical(site, context);
    case "atomic":
      return atomic(site);
    case "declare target":
    case "begin declare target":
    case "end declare target":
      return declareTarget(site, context);
    default: {
      const [first] = ruleOf(d).leaves;
      if (first === "target") return target(site, context);
      if (first) return inner(site, context);
      throw new CannotSay(
        d.loc,
        `'${d.name}' has no counterpart in OpenACC`,
        "share the work out by loops; code outside of them runs once in each gang",
      );
    }
  }
}

const inBoth: ReadonlySet<string> = new Set(["read", "write", "update", "capture", "relaxed", "hint"]);

/** The loops around it say what it says. */
function critical(site: Site, context: ToOpenAcc): Rewrite {
  const names = new Set(combinedIn(site, context).map(({ sym }) => `'${sym.name}'`));
  return { directives: [], because: [`a reduction of ${[...names].join(", ")} by the loops around it`] };
}

/** Both languages use the same keywords; OpenACC's atomics are relaxed, and compare nothing. */
function atomic(site: Site): Rewrite {
  const more = site.written.clauses.find(({ name }) => !inBoth.has(name));
  if (more)
    throw new CannotSay(
      site.directive.loc,
      `'${more.name}' of 'atomic' has no counterpart in OpenACC`,
      more.name === "compare"
        ? "reduce by max or min, or store the values and choose among them in a loop of their own"
        : "leave it out, where nothing depends on the order of other accesses",
    );
  const own = site.written.clauses.filter(({ name }) => name !== "relaxed" && name !== "hint");
  return {
    directives: [
      directive(
        "atomic",
        own.map((from) => put(from.name, from)),
      ),
    ],
  };
}
