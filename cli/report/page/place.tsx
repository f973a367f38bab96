/** A link from a position in the user's source to the source view. */
import type { PageData } from "../model/page-data.ts";

export function Place({
  data,
  file,
  line,
  short = false,
}: {
  readonly data: PageData;
  readonly file: string;
  readonly line: number;
  /** Show only the line, where the file is obvious. */
  readonly short?: boolean;
}) {
  const words = short ? String(line) : `${file}:${line}`;
  return data.sources[file] === undefined ? (
    <code>{words}</code>
  ) : (
    <a href={`#at=source&file=${encodeURIComponent(file)}&line=${line}`} title={`${file}:${line}`}>
      <code>{words}</code>
    </a>
  );
}

/** Links `src/edges.c:13`; words that are not a position stay text. */
export function PlaceOf({ data, place }: { readonly data: PageData; readonly place: string }) {
  const [, file, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  return file === undefined ? <span>{place}</span> : <Place data={data} file={file} line={Number(line)} />;
}
