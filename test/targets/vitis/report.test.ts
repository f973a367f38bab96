import { describe, expect, it } from "vitest";
import { readReport } from "../../../targets/vitis/report.ts";

const profile = (period: string, luts: number, loops: string) => `<?xml version="1.0"?>
<!-- made by hand -->
<profile>
  <UserAssignments><TopModelName>work</TopModelName><TargetClockPeriod>3.33</TargetClockPeriod></UserAssignments>
  <PerformanceEstimates>
    <SummaryOfTimingAnalysis><unit>ns</unit><EstimatedClockPeriod>${period}</EstimatedClockPeriod></SummaryOfTimingAnalysis>
    <SummaryOfLoopLatency>${loops}</SummaryOfLoopLatency>
  </PerformanceEstimates>
  <AreaEstimates>
    <Resources><BRAM_18K>12</BRAM_18K><DSP>7</DSP><FF>900</FF><LUT>${luts}</LUT><URAM>0</URAM></Resources>
    <AvailableResources><BRAM_18K>1200</BRAM_18K><DSP>700</DSP><FF>90000</FF><LUT>10000</LUT></AvailableResources>
  </AreaEstimates>
</profile>`;
const loops = `<rows><Name>rows</Name><TripCount>100</TripCount><Latency>900</Latency>
  <columns><Name>columns</Name><TripCount>8</TripCount><PipelineII>4</PipelineII><PipelineDepth>9</PipelineDepth></columns>
</rows>`;

describe("the report reader", () => {
  it("finds loops with their intervals, nested ones too, and what the design takes of the device", () => {
    const report = readReport(new Map([["csynth.xml", profile("2.5", 500, loops)]]));
    expect(report.loops).toEqual([
      { name: "rows", pipelined: false },
      { name: "columns", pipelined: true, ii: 4 },
    ]);
    expect(report.resources).toMatchObject({ luts: 500, dsps: 7, rams: 12, ffs: 900 });
    expect(report.percent).toMatchObject({ luts: 5, dsps: 1, rams: 1 });
    expect(report.fmax).toBe(400);
  });

  it("prefers the kernels' own files, and takes the largest for the whole: a function is part of its caller", () => {
    const report = readReport(
      new Map([
        ["csynth.xml", profile("9", 1, "")],
        ["inner_csynth.xml", profile("5", 100, "")],
        ["work_csynth.xml", profile("4", 400, loops)],
      ]),
    );
    expect(report).toMatchObject({ fmax: 250, resources: { luts: 400 } });
    expect(report.loops).toHaveLength(2);
  });

  it.each(["", "{}", "<profile>", "<a></b>", "<a><b></a></b>", "text"])("takes %s without harm", (text) => {
    expect(readReport(new Map([["csynth.xml", text]]))).toMatchObject({
      loops: [],
      resources: {},
      problems: ["csynth.xml: it is no XML"],
    });
  });

  it("ignores files with other names", () => {
    expect(readReport(new Map([["vitis.log", "<profile/>"]]))).toEqual({
      loops: [],
      resources: {},
      percent: {},
      problems: [],
    });
  });
});
