/**
 * Regions inside of `use_device_ptr`. OpenMP's take the address by is_device_ptr. gcc refuses what host_data names, and
 * what is declared inside of it, in regions. Where regions alone use the name, they look its memory up, and nothing is
 * left for host_data to say.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";

/** Variables that only regions inside use. Throws `CannotSay` where these and the host's code would. */
export function ofRegionsAlone(site: Site, sites: readonly Site[]): ReadonlySet<Symbol> {
  const parts = partsOf(site, sites);
  const alone = lookedUp(parts);
  if (alone.size < parts.named.size) refuseBoth(parts);
  return alone;
}

/** Whether a construct around a region has made an address of the device of a variable that regions alone use. */
export const isLookedUp = (region: Site, sym: Symbol, sites: readonly Site[]): boolean =>
  region.around.some((site) => namedBy(site).has(sym) && lookedUp(partsOf(site, sites)).has(sym));

interface Parts {
  /** By use_device_ptr and the like. */
  readonly named: ReadonlySet<Symbol>;
  readonly regions: readonly Site[];
  /** What the host's code inside uses, and what it declares. */
  readonly byHost: ReadonlySet<Symbol>;
  readonly declared: ReadonlySet<Symbol>;
}

function partsOf(site: Site, sites: readonly Site[]): Parts {
  const regions = sites.filter((s) => s.around.includes(site) && ruleOf(s.directive).leaves[0] === "target");
  const [byHost, declared] = [new Set<Symbol>(), new Set<Symbol>()];
  const bodies = new Set<Stmt>(regions.flatMap(({ stmt }) => stmt ?? []));
  if (site.stmt)
    walkStmt(site.stmt, {
      stmt(s) {
        if (bodies.has(s)) return false;
        if (s.kind === "decl") for (const { sym } of s.decls) declared.add(sym);
        return true;
      },
      expr(e) {
        if (e.kind === "ident") byHost.add(e.sym);
      },
    });
  return { named: namedBy(site), regions, byHost, declared };
}

/** Without regions, the host's code may give the address to something that is not seen. */
const lookedUp = ({ named, regions, byHost }: Parts): ReadonlySet<Symbol> =>
  new Set(regions.length > 0 ? [...named].filter((sym) => !byHost.has(sym)) : []);

function refuseBoth({ named, regions, byHost, declared }: Parts): void {
  for (const { directive: d, stmt } of regions) {
    const ofClauses = d.clauses.flatMap((c) => c.vars.map((v) => v.sym));
    const used = [...(stmt ? usesOf(stmt).of.keys() : []), ...ofClauses];
    const own = used.find((sym) => declared.has(sym));
    if (own)
      throw new CannotSay(
        d.loc,
        `the region uses '${own.name}', which is declared inside of what becomes 'host_data', where gcc refuses it`,
        `declare '${own.name}' in front of the 'target data' construct`,
      );
    const both = used.find((sym) => named.has(sym) && byHost.has(sym));
    if (both)
      throw new CannotSay(
        d.loc,
        `the region uses '${both.name}', of which 'host_data' makes an address of the device, where gcc refuses it`,
        "assign the address to a variable that is declared in front of the 'target data' construct, and use that one in the region",
      );
  }
}

const namedBy = ({ directive: { clauses } }: Site): ReadonlySet<Symbol> =>
  new Set(clauses.flatMap((c) => (/^use_device_(ptr|addr)$/.test(c.name) ? c.vars.map((v) => v.sym) : [])));
