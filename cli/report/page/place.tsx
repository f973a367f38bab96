/** A place of the user's source, as a link to it in the view of sources. */
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
  /** The line alone, where the file goes without saying. */
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

/** Of `src/edges.c:13`, or of words that name no place. */
export function PlaceOf({ data, place }: { readonly data: PageData; readonly place: string }) {
  const [, file, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  return file === undefined ? <span>{place}</span> : <Place data={data} file={file} line={Number(line)} />;
}
