/** A part of the page with a heading that can be linked to. */
import type { ComponentChildren } from "preact";

interface Props {
  readonly id: string;
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Section = ({ id, title, note, children }: Props) => (
  <section id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>
      {title}{" "}
      <a class="anchor" href={`#at=${id}`} aria-label={`link to ${title}`}>
        #
      </a>
    </h2>
    {note === undefined ? null : <p class="note">{note}</p>}
    {children}
  </section>
);

/** Wide tables and texts scroll by themselves, also by keyboard. */
export const Scroll = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a mouse
  <section class="scroll" aria-label={label} tabIndex={0}>
    {children}
  </section>
);
