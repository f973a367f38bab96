/** The page of `arc report --html`: sections in the order in which people ask, errors first. */
import { type ComponentChildren, render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageData } from "../model/page-data.ts";
import { useAddress } from "./address.ts";
import { Build } from "./build.tsx";
import { Compared } from "./compared.tsx";
import { readData } from "./data.ts";
import { History } from "./history.tsx";
import { Later, plan } from "./later.tsx";
import { Loops } from "./loops.tsx";
import { Measured } from "./measured.tsx";
import { Passes } from "./passes.tsx";
import { Problems } from "./problems.tsx";
import { Schedule, scheduledLoops } from "./schedule.tsx";
import { Source } from "./source.tsx";
import { Variants } from "./variants.tsx";
import { Verification } from "./verification.tsx";

type Theme = "auto" | "light" | "dark";

/** Moves the focus without changing the page's address, which holds the current view. */
function toVariants(event: Event): void {
  event.preventDefault();
  document.getElementById("variants")?.focus();
}

function Page({ data }: { readonly data: PageData }) {
  const [choice, change] = useAddress();
  const [theme, setTheme] = useState<Theme>("auto");
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    if (choice.at === undefined) return;
    const row = choice.v === undefined ? null : document.getElementById(`variant-${choice.v}`);
    (row ?? document.getElementById(choice.at))?.scrollIntoView();
  }, [choice.at, choice.v]);
  // Anything of ten thousand variants is looked for once, and not at each key that is pressed.
  const isScheduled = useMemo(() => scheduledLoops(data).length > 0, [data]);
  const sections = [
    ["problems", `Problems (${data.problems.length})`],
    ["variants", "Variants"],
    ["compare", "Compare"],
    ...(data.earlier === undefined ? [] : [["history", "History"]]),
    ...(data.variants.some(({ hardware = [] }) => hardware.some(({ loops }) => loops.length > 0))
      ? [["loops", "Loops"]]
      : []),
    ...(isScheduled ? [["schedule", "Schedule"]] : []),
    ...(data.passes === undefined ? [] : [["passes", "Passes"]]),
    ...(data.measured === undefined ? [] : [["runs", "Runs"]]),
    ["build", "Last build"],
    ["verification", "Verification"],
    ["source", "Source"],
  ] as const;
  // Up to the section that the address names everything is made at once, so that it stays where it is scrolled to.
  const named = sections.findIndex(([id]) => id === choice.at);
  const later = (id: string, make: () => ComponentChildren) => (
    <Later now={sections.findIndex(([one]) => one === id) <= named}>{make}</Later>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which leaves what is looked at in the address alone */}
      <a class="skip" href="#variants" onClick={toVariants}>
        to the variants
      </a>
      <header>
        <h1>
          {data.project}{" "}
          <small>
            built by arc {data.arc}, report of {new Date(data.createdAt).toISOString().slice(0, 10)}
          </small>
        </h1>
        <nav aria-label="sections">
          {sections.map(([id, title]) => (
            <a key={id} href={`#at=${id}`}>
              {title}
            </a>
          ))}
          <label>
            colours{" "}
            <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
              <option value="auto">as the system</option>
              <option value="light">light</option>
              <option value="dark">dark</option>
            </select>
          </label>
        </nav>
      </header>
      <main>
        <Problems data={data} />
        <Variants data={data} choice={choice} change={change} />
        {later("compare", () => (
          <Compared data={data} choice={choice} />
        ))}
        {later("history", () => (
          <History data={data} choice={choice} change={change} />
        ))}
        {later("loops", () => (
          <Loops data={data} />
        ))}
        {later("schedule", () => (
          <Schedule data={data} choice={choice} change={change} />
        ))}
        {later("passes", () => (
          <Passes data={data} choice={choice} change={change} />
        ))}
        {later("runs", () => (
          <Measured data={data} choice={choice} change={change} />
        ))}
        {later("build", () => (
          <Build data={data} />
        ))}
        {later("verification", () => (
          <Verification data={data} />
        ))}
        {later("source", () => (
          <Source data={data} choice={choice} change={change} />
        ))}
      </main>
    </>
  );
}

const place = document.getElementById("app");
if (place !== null) {
  place.replaceChildren();
  render(<Page data={readData()} />, place);
  plan();
}
