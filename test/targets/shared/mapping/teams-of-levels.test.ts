/** Gangs and workers around lanes as teams; test/programs/acc/teams-of-workers.c runs them. */
import { describe, expect, it } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const rows = (clauses: string, inner = "vector reduction(+:s)") => `
int row[101]; double v[1000], y[100];
void f(int n) {
#pragma acc parallel loop ${clauses}
  for (int i = 0; i < n; i++) {
    double s = 0;
#pragma acc loop ${inner}
    for (int k = row[i]; k < row[i + 1]; k++) s += v[k];
    y[i] = s;
  }
}`;
const sizeOfTeams = (source: string) =>
  /launch_bounds__\((\d+)\)[\s\S]*arc_teams = (\d+)l/.exec(kernelOf(source, "cuda").text)?.slice(1);

describe("a loop of gangs or workers around lanes", () => {
  it.each([
    ["of no size", "gang worker", "256"],
    ["of gangs of no size", "gang", "256"],
    ["of a number of workers and lanes", "gang worker num_workers(4) vector_length(32)", "128"],
    ["of workers that the loop names", "gang worker num_workers(2) vector_length(32)", "64"],
  ])("%s has teams in groups of so many items", (_, clauses, items) => {
    expect(sizeOfTeams(rows(clauses))).toEqual([items, items]);
    expect(remarksOf(rows(clauses), "cuda")).toEqual(["4:13 shared-by-teams"]);
  });

  it.each([
    ["in gangs of a given number", rows("gang worker num_gangs(8)")],
    ["in groups that teams do not fill", rows("gang worker num_workers(3) vector_length(20)")],
    ["of gangs with a number of lanes", rows("gang vector_length(64)")],
    ["of gangs whose workers have a number", rows("gang", "worker(4) vector reduction(+:s)")],
    ["of gangs whose lanes have a number", rows("gang", "vector(64) reduction(+:s)")],
    ["around workers alone", rows("gang worker", "seq")],
  ])("%s stays as written", (_, source) => {
    expect(sizeOfTeams(source)).toBeUndefined();
  });
});
