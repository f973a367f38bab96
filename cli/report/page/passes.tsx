/** What the passes did to a kernel, and how each changed its region. */
import type { PageData, PassesOfKernel } from "../model/page-data.ts";
import type { Choice } from "./address.ts";
import { TextDiff } from "./compared.tsx";
import { PlaceOf } from "./place.tsx";
import { Section } from "./section.tsx";

interface Props {
  readonly data: PageData;
  readonly choice: Choice;
  readonly change: (part: Choice) => void;
}

const nameOf = ({ variant, kernel }: PassesOfKernel): string => `${variant}, ${kernel}`;

export function Passes({ data, choice, change }: Props) {
  const all = data.passes ?? [];
  const shown = all.find((one) => nameOf(one) === choice.passes) ?? all[0];
  if (shown === undefined) return null;
  const names = [
    ...new Set([...shown.remarks.map(({ pass }) => pass), ...shown.changes.map(({ pass }) => pass)]),
  ];
  return (
    <Section
      id="passes"
      title="What the passes did"
      note="In the order in which they ran. A dash: the pass looked and changed nothing, and says why. The region is in arc's own notation, with directives as keywords."
    >
      <p class="controls">
        <label>
          kernel{" "}
          <select value={nameOf(shown)} onChange={(event) => change({ passes: event.currentTarget.value })}>
            {all.map((one) => (
              <option key={nameOf(one)}>{nameOf(one)}</option>
            ))}
          </select>
        </label>
      </p>
      <ol class="passes">
        {names.map((pass) => (
          <Pass key={`${nameOf(shown)} ${pass}`} data={data} pass={pass} of={shown} />
        ))}
      </ol>
    </Section>
  );
}

function Pass({
  data,
  pass,
  of,
}: {
  readonly data: PageData;
  readonly pass: string;
  readonly of: PassesOfKernel;
}) {
  const remarks = of.remarks.filter((one) => one.pass === pass);
  const changes = of.changes.filter((one) => one.pass === pass);
  return (
    <li>
      <strong class={changes.length > 0 || remarks.some(({ applied }) => applied) ? "did" : "dim"}>
        {pass}
      </strong>
      {remarks.map(({ applied, message, file, line }, i) => (
        <p key={i} class={applied ? undefined : "dim"}>
          {applied ? "" : "– "}
          {message} (<PlaceOf data={data} place={`${file}:${line}`} />)
        </p>
      ))}
      {changes.map(({ before, after }, i) => (
        <TextDiff
          key={i}
          title="the region's text"
          label={`what ${pass} changed`}
          before={data.texts[before] ?? ""}
          after={data.texts[after] ?? ""}
        />
      ))}
    </li>
  );
}
