/** The data embedded in the page. */
import type { PageData } from "../model/page-data.ts";

export function readData(): PageData {
  const data = JSON.parse(document.getElementById("arc-report")?.textContent ?? "") as PageData;
  if (data.format !== 3) throw new Error(`this page cannot show data of format ${String(data.format)}`);
  return data;
}
