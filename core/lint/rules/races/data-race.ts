/** Threads, sections, teams or gangs that access the same memory. */
import type { Rule } from "../../model/finding.ts";
import { racing, text, verb, whoOf } from "./race.ts";

const name = "data-race";

export const dataRace: Rule = {
  name,
  severity: "warning",
  summary: "threads use and change the same memory with nothing between them that orders or excludes them",
  page: {
    why: "A race makes the whole program undefined: compilers and processors may show either value, or neither.",
    bad: `int count(void) {
  int n = 0;
#pragma omp parallel
  n++;
  return n;
}`,
    good: `int count(void) {
  int n = 0;
#pragma omp parallel
  {
#pragma omp atomic
    n++;
  }
  return n;
}`,
    source: "OpenMP 5.2, section 1.4.1",
  },
  check: racing(name, "threads", (race) => {
    const { write, other } = race;
    const who = whoOf(race);
    const same = write === other || text(write) === text(other);
    return {
      message: same
        ? `${who} that run at the same time all write ${text(write)}`
        : `${text(write)} is written while another of the ${who} may have ${text(other)}, the same memory, ${verb(other)}`,
      why: "no barrier stands between the two, and no critical section, atomic or lock is around both",
      remedy: "put a barrier between them, or both under one critical section, or give each thread its own",
    };
  }),
};
