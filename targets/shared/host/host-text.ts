/** What the texts of all constructs in host code consist of: places, items, queues and devices as arguments of calls. */
import {
  type Async,
  type DataItem,
  isOpenMp,
  type Site,
  type Task,
  type WaitList,
} from "../../../core/ir/model/ir.ts";
import { printExpr } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr } from "../../../core/lang/tree/ast.ts";
import { forEach, isCounted } from "./counted-items.ts";
import type { HostNames } from "./host-names.ts";
import { itemText } from "./item-text.ts";
import type { PresentParts } from "./present-parts.ts";
import { type LaunchText, plainLaunch } from "./reference-run.ts";

/** Text that replaces a directive's pragma, and text after its statement. */
export interface Around {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The statement is replaced too: `before` contains everything. */
  readonly replaces: boolean;
}

export const indent = (lines: readonly string[]) =>
  lines.map((l) => (l.startsWith("#") || l === "" ? l : `  ${l}`));

export function when(condition: Expr | string | undefined, lines: readonly string[]): readonly string[] {
  if (condition === undefined) return lines;
  const text = typeof condition === "string" ? condition : printExpr(condition);
  return [`if (${text}) {`, ...indent(lines), "}"];
}

/** A node that may have a device number. */
export interface Placed {
  readonly device?: Expr;
  readonly condition?: Expr;
}

export class HostText {
  readonly names: HostNames;
  readonly diagnostics: Diagnostic[];
  readonly launch: LaunchText;
  readonly here: string;
  readonly itemList: string;

  /** The device clause's number. */
  readonly device: string;

  constructor(names: HostNames, diagnostics: Diagnostic[], launch: LaunchText = plainLaunch) {
    this.names = names;
    this.diagnostics = diagnostics;
    this.launch = launch;
    this.here = names("here");
    this.itemList = names("items");
    this.device = names("device");
  }

  /** The condition under which a construct runs on the device, if its clauses give one. */
  onDevice(n: Placed & { readonly self?: Task["self"] }): string | undefined {
    const self = n.self === undefined ? undefined : n.self === "always" ? "0" : `!(${printExpr(n.self)})`;
    const conditions = [
      n.condition ? `(${printExpr(n.condition)})` : undefined,
      self,
      n.device ? `arc_on_device(${this.device})` : undefined,
    ].filter((c) => c !== undefined);
    return conditions.length ? conditions.join(" && ") : undefined;
  }

  /** The variable that `onDevice` and `there` use. */
  number({ device }: Placed): string[] {
    return device ? [`const int ${this.device} = (${printExpr(device)});`] : [];
  }

  /** Calls that apply to the construct's device. */
  there({ device }: Placed, calls: readonly string[]): string[] {
    return device ? [`arc_device_enter(${this.device});`, ...calls, "arc_device_leave();"] : [...calls];
  }

  /** A block with the construct's device number in a variable. */
  private numbered(n: Placed, lines: readonly string[]): readonly string[] {
    return n.device ? ["{", ...indent([...this.number(n), ...lines]), "}"] : lines;
  }

  guarded(n: Task, lines: readonly string[], original: () => string): readonly string[] {
    const test = this.onDevice(n);
    if (test === undefined) return lines;
    const written = original().split("\n");
    const alone = n.hostAlone ? ["#pragma omp parallel num_threads(1)", "{", ...written, "}"] : written;
    return this.numbered(n, [`if (${test})`, ...indent(lines), "else {", ...alone, "}"]);
  }

  whereOn(n: Placed, lines: readonly string[]): readonly string[] {
    const test = this.onDevice(n);
    if (test === undefined) return lines;
    return this.numbered(n, [`if (${test}) {`, ...indent(lines), "}"]);
  }

  site(site: Site): string[] {
    return [
      `static const arc_site ${this.here} = {${JSON.stringify(site.loc.file)}, ${site.loc.line}, ${JSON.stringify(site.what)}};`,
    ];
  }

  items(
    site: Site,
    items: readonly DataItem[],
    name = this.itemList,
    parts: PresentParts = new Map(),
  ): string[] {
    const row = (i: DataItem) => {
      const text = itemText(i, isOpenMp(site), parts);
      if (typeof text === "string") return text;
      this.diagnostics.push(text);
      return [];
    };
    if (!isCounted(items))
      return [`__extension__ const arc_item ${name}[] = {`, ...indent(items.flatMap(row)), "};"];
    return [
      `arc_list ${name} __attribute__((cleanup(arc_list_end))) = {0, 0, 0};`,
      ...items.flatMap((i) =>
        [row(i)]
          .flat()
          .map((text) => forEach(i.each ?? [], `arc_list_add(&${name}, (arc_item)${text.slice(0, -1)});`)),
      ),
    ];
  }

  /** The number of the items, and their list, as arguments. */
  passed(items: readonly DataItem[], name = this.itemList): string {
    return isCounted(items) ? `${name}.n, ${name}.items` : `${items.length}, ${name}`;
  }

  async(a: Async | undefined): string {
    return a === undefined ? "ARC_SYNC" : a === "default" ? "ARC_NOVAL" : `(int)(${printExpr(a)})`;
  }

  wait(list: WaitList | undefined, async: string): string[] {
    if (!list) return [];
    const { queues, elsewhere = [] } = list;
    // Queues of two devices cannot wait for each other, so the host waits.
    const others = elsewhere.flatMap(({ device, queues: theirs }) => [
      `arc_device_enter((int)(${printExpr(device)}));`,
      this.waitFor(theirs, "ARC_SYNC"),
      "arc_device_leave();",
    ]);
    return queues.length === 0 && others.length > 0 ? others : [...others, this.waitFor(queues, async)];
  }

  private waitFor(queues: readonly Expr[], async: string): string {
    if (queues.length === 0) return `arc_wait(&${this.here}, ${async}, 0, 0);`;
    return `arc_wait(&${this.here}, ${async}, ${queues.length}, __extension__ (const int[]){${queues.map((q) => printExpr(q)).join(", ")}});`;
  }
}
