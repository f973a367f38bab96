/** What the diagrams are drawn with: named, so that nothing else of the library is in the page. */
export { axisX, barX, dot, line, plot, pointer, text, tip } from "@observablehq/plot";
