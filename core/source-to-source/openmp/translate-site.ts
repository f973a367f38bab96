/** Translates one OpenACC directive to OpenMP. */
import { CannotSay, type Rewrite } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { compute } from "./compute.ts";
import type { ToOpenMp } from "./context.ts";
import { loop } from "./loop.ts";
import { onHost } from "./on-host.ts";
import {
  atomic,
  cache,
  control,
  data,
  declare,
  enterOrExit,
  hostData,
  routine,
  update,
  wait,
} from "./other.ts";

type Translate = (site: Site, context: ToOpenMp) => Rewrite;

const table: Readonly<Record<string, Translate>> = {
  parallel: compute,
  "parallel loop": compute,
  serial: compute,
  "serial loop": compute,
  kernels: compute,
  "kernels loop": compute,
  loop,
  data,
  "enter data": enterOrExit,
  "exit data": enterOrExit,
  update,
  host_data: hostData,
  atomic,
  wait,
  init: control,
  shutdown: control,
  set: control,
  cache,
  declare,
  routine,
};

/** Throws `CannotSay`. */
export function toOpenMp(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d } = site;
  const translate = table[d.name];
  if (translate) {
    const rewrite = translate(site, context);
    return context.onHost ? onHost(site, rewrite) : rewrite;
  }
  throw new CannotSay(d.loc, `'${d.name}' has no counterpart in OpenMP`, "write the code without it");
}
