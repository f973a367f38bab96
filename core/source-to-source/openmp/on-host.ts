/**
 * Regions for the host's threads: without `target` and what moves data. OpenACC allows it, as data actions concern only
 * memory that the device does not share (3.3, section 2.6.3). With `target`, gcc reaches arrays through pointers that it
 * makes for the region, and knows less of them.
 */
import { directive, type NewDirective, type Rewrite } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { namesIn } from "../text/scan.ts";

/** Calls that concern devices and queues as such, and no memory of theirs. */
const harmless = /^acc_(init|shutdown|on_device|(get|set)_\w+|wait\w*|async_\w+|device_\w+|queue_\w+)$/;
const namesMemory = ["deviceptr", "use_device", "attach", "detach", "link", "device_resident"];

/** Whether all that the source says of the device's memory is said by clauses that are void on the host. */
export function staysOnHost(text: string, sites: readonly Site[]): boolean {
  const calls = namesIn(text).filter((name) => /^acc_[a-z]/.test(name.text) && !/_t$/.test(name.text));
  const clauses = sites.flatMap((site) => site.directive.clauses);
  return (
    calls.every((name) => harmless.test(name.text)) && !clauses.some(({ name }) => namesMemory.includes(name))
  );
}

const moves = /^(target (data|enter data|exit data|update)|taskwait)$/;
/** Clauses of devices: their data, their order, and sizes that were meant for them. */
const ofDevice = /^(map|is_device_ptr|nowait|depend|defaultmap|if|num_threads|simdlen|dist_schedule)\b/;
const copies = /^(private|firstprivate|reduction)\b/;

export function onHost(site: Site, rewrite: Rewrite): Rewrite {
  const { before, because = [], inside } = rewrite;
  const isControl = ["init", "set"].includes(site.directive.name);
  return {
    ...rewrite,
    directives: rewrite.directives.flatMap(ofThreads),
    before: isControl ? (before ?? []) : [],
    because: [...because.filter((why) => !/^map\(|assertion/.test(why)), ...hostReason(rewrite.directives)],
    ...(inside && {
      inside: inside
        .map((one) => ({ ...one, directives: one.directives.flatMap(ofThreads) }))
        .filter((one) => one.directives.length > 0),
    }),
  };
}

const hostReason = (list: readonly NewDirective[]): readonly string[] =>
  list.some(({ name }) => moves.test(name))
    ? ["nothing runs meanwhile, and data is where the host's threads need it"]
    : list.some(({ name }) => name.startsWith("target"))
      ? ["the region is for the host's threads, which use its memory as it is"]
      : [];

function ofThreads(one: NewDirective): readonly NewDirective[] {
  if (moves.test(one.name)) return [];
  const name = one.name.replace(/^target ?/, "").replace(/^teams distribute (?=parallel for)/, "");
  // Code of teams may depend on their number.
  const isTeams = name.startsWith("teams");
  const clauses = one.clauses.filter(
    ({ text }) => !ofDevice.test(text) && (isTeams || !text.startsWith("num_teams")),
  );
  if (name !== "") return [directive(name, clauses)];
  // One thread, which has copies of its own.
  return clauses.some(({ text }) => copies.test(text)) ? [directive("parallel num_threads(1)", clauses)] : [];
}
