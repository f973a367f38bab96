/** Failed actions, with findings at their positions and the tool's output. */
import type { PageData } from "../model/page-data.ts";
import { Place } from "./place.tsx";
import { Section } from "./section.tsx";

export function Problems({ data }: { readonly data: PageData }) {
  const { problems } = data;
  if (problems.length === 0)
    return (
      <Section id="problems" title="Problems">
        <p class="good">Nothing that was built or compared failed.</p>
      </Section>
    );
  return (
    <Section id="problems" title={`Problems: ${problems.length}`}>
      {problems.map(({ address, message, findings, log }) => (
        <article class="problem" key={address} id={`problem-${address}`}>
          <h3>
            <code>{address}</code>
          </h3>
          <p>{message}</p>
          {findings.map((finding, i) => (
            <p key={i}>
              <span class={finding.severity}>{finding.severity}</span>{" "}
              <Place data={data} file={finding.loc.file} line={finding.loc.line} /> {finding.message}
              {finding.why === undefined ? null : <small> why: {finding.why}</small>}
              {finding.remedy === undefined ? null : <small> remedy: {finding.remedy}</small>}
            </p>
          ))}
          {log === "" ? null : (
            <details>
              <summary>what its tool said</summary>
              <pre>{log}</pre>
            </details>
          )}
        </article>
      ))}
    </Section>
  );
}
