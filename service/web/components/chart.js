/** A line chart of a few series over deals. Series differ by dash and name as well as by colour. */

import { useEffect, useRef } from "../vendor/hooks.js";
import { html } from "./html.js";

const DASHES = [[], [9, 5], [3, 4], [14, 4, 3, 4]];
const COLOURS = ["--chart-1", "--chart-2", "--chart-3", "--chart-4"];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** `x`: the positions; `series`: `[{label, values}]`, `null` where a series has nothing. */
export function Chart({ x, series, label, height = 260 }) {
  const box = useRef(null);
  useEffect(() => {
    let plot = null;
    let gone = false;
    const draw = async () => {
      const { default: UPlot } = await import("../vendor/uplot.js");
      if (gone || !box.current) return;
      const axis = { stroke: colour("--soft"), grid: { stroke: colour("--soft-line"), width: 1 }, font: "15px system-ui" };
      plot = new UPlot(
        {
          width: box.current.clientWidth - 16,
          height,
          legend: { show: false },
          cursor: { show: false },
          scales: { x: { time: false } },
          axes: [{ ...axis, incrs: [1, 2, 5, 10, 20] }, { ...axis, size: 88 }],
          series: [{}, ...series.map((_, place) => ({ stroke: colour(COLOURS[place % 4]), width: 3, dash: DASHES[place % 4], points: { size: 7 } }))],
        },
        [x, ...series.map(({ values }) => values)],
        box.current,
      );
    };
    draw();
    const resize = () => plot?.setSize({ width: box.current.clientWidth - 16, height });
    addEventListener("resize", resize);
    return () => {
      gone = true;
      removeEventListener("resize", resize);
      plot?.destroy();
    };
  }, [JSON.stringify(x), JSON.stringify(series)]);
  return html`
    <figure class="chart" role="img" aria-label=${label}><div ref=${box}></div></figure>
    <div class="legend" aria-hidden="true">${series.map(({ label: name }, place) => html`<span key=${name}><i class=${`swatch w${place % 4} c${place % 4}`}></i>${name}</span>`)}</div>
  `;
}
