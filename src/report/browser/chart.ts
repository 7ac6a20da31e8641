import uPlot from 'uplot';
import {type Child, element} from './dom.ts';

/** One line of a chart. */
interface Line {
  readonly label: string;
  /** A custom property of the style sheet, such as `--accent`. */
  readonly color: string;
  readonly values: readonly (number | undefined)[];
  readonly style?: 'line' | 'area' | 'bars';
  readonly width?: number;
  readonly dash?: readonly number[];
}

/** A horizontal line with a name. */
interface Level {
  readonly label: string;
  readonly value: number;
}

/** A sign at the top of a chart, over the call it belongs to. */
export interface Mark {
  readonly index: number;
  readonly shape: 'elision' | 'fold' | 'drop' | 'failed';
}

export interface ChartOptions {
  readonly title: string;
  readonly note: string;
  readonly lines: readonly Line[];
  readonly levels?: readonly Level[];
  readonly marks?: readonly Mark[];
  readonly formatAxis: (value: number) => string;
  readonly format: (value: number | undefined) => string;
  readonly range: (low: number, high: number) => [number, number];
  /** More about the call at an index, for the hover. */
  readonly details?: (index: number) => readonly string[];
}

const HEIGHT = 240;
const SYNC_KEY = 'calls';

/** A chart over model calls, with a legend above and the values under the pointer. `start` draws it once it is in the page. */
export function chart(options: ChartOptions): {readonly node: HTMLElement; start(): () => void} {
  const plotBox = element('div', {class: 'plot', role: 'img', 'aria-label': `${options.title}. ${options.note}`});
  const tooltip = element('div', {class: 'tooltip', role: 'status'});
  const node = element(
    'figure',
    {},
    element('figcaption', {}, element('h2', {}, options.title), element('p', {}, options.note)),
    legend(options),
    element('div', {class: 'plot-frame'}, plotBox, tooltip),
  );
  return {
    node,
    start: () => {
      const plot = new uPlot(plotOptions(options, plotBox, tooltip), plotData(options), plotBox);
      const observer = new ResizeObserver(() => plot.setSize({width: plotBox.clientWidth, height: HEIGHT}));
      observer.observe(plotBox);
      return () => {
        observer.disconnect();
        plot.destroy();
      };
    },
  };
}

function legend({lines, marks = []}: ChartOptions): HTMLElement {
  const shapes = [...new Set(marks.map((mark) => mark.shape))];
  const names = {elision: 'elided', fold: 'folded', drop: 'dropped', failed: 'fold failed'};
  const item = (sign: Child, label: string): HTMLElement => element('li', {}, sign, label);
  return element(
    'ul',
    {class: 'legend'},
    lines.map(({label, color, dash}) => {
      const swatch = element('span', {class: dash ? 'swatch dashed' : 'swatch'});
      swatch.style.setProperty('--swatch', `var(${color})`);
      return item(swatch, label);
    }),
    shapes.map((shape) => item(element('span', {class: `sign ${shape}`}), names[shape])),
  );
}

function plotData({lines}: ChartOptions): uPlot.AlignedData {
  const length = Math.max(...lines.map((line) => line.values.length), 0);
  const calls = Array.from({length}, (_, index) => index + 1);
  return [calls, ...lines.map((line) => line.values.map((value) => value ?? null))];
}

function plotOptions(options: ChartOptions, box: HTMLElement, tooltip: HTMLElement): uPlot.Options {
  const color = (name: string): string => getComputedStyle(box).getPropertyValue(name).trim();
  const axis = {
    stroke: color('--muted'),
    font: '12px system-ui, sans-serif',
    ticks: {show: false},
    border: {show: false},
  };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    padding: [18, 12, 0, 0],
    legend: {show: false},
    cursor: {sync: {key: SYNC_KEY}, y: false, drag: {x: false, y: false}, points: {size: 7}},
    scales: {
      x: {time: false, range: (_, low, high) => [Math.min(low, 1) - 0.5, Math.max(high, 2) + 0.5]},
      y: {range: (_, low, high) => options.range(low ?? 0, high ?? 0)},
    },
    axes: [
      {...axis, grid: {show: false}, size: 28, incrs: [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000]},
      {
        ...axis,
        size: 56,
        grid: {stroke: color('--line'), width: 1},
        values: (_, values) => values.map((value) => options.formatAxis(value)),
      },
    ],
    series: [{}, ...options.lines.map((line) => series(line, color))],
    hooks: {
      drawClear: [(plot) => drawLevels(plot, options.levels ?? [], color)],
      draw: [(plot) => drawMarks(plot, options.marks ?? [], color)],
      setCursor: [(plot) => showValues(plot, options, tooltip)],
    },
  };
}

function series(
  {label, color: name, style = 'line', width = 1.5, dash}: Line,
  color: (name: string) => string,
): uPlot.Series {
  const stroke = color(name);
  return {
    label,
    stroke,
    width: style === 'bars' ? 0 : width,
    points: {show: (plot) => plot.data[0].length < 30 && style !== 'bars'},
    ...(style === 'area' ? {fill: `${stroke}1f`} : {}),
    ...(style === 'bars' ? {fill: stroke} : {}),
    ...(style === 'bars' && uPlot.paths.bars ? {paths: uPlot.paths.bars({size: [0.7, 12]})} : {}),
    ...(dash ? {dash: [...dash]} : {}),
  };
}

function drawLevels(plot: uPlot, levels: readonly Level[], color: (name: string) => string): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  for (const {label, value} of levels) {
    const y = Math.round(plot.valToPos(value, 'y', true));
    if (y < bbox.top || y > bbox.top + bbox.height) {
      continue;
    }
    ctx.strokeStyle = color('--muted');
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.fillStyle = color('--muted');
    ctx.fillText(label, bbox.left + 4 * ratio, y - 2 * ratio);
  }
  ctx.restore();
}

function drawMarks(plot: uPlot, marks: readonly Mark[], color: (name: string) => string): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  const drawn = new Map<number, number>();
  ctx.save();
  for (const {index, shape} of marks) {
    const before = drawn.get(index) ?? 0;
    drawn.set(index, before + 1);
    const x = plot.valToPos(index + 1, 'x', true);
    const y = bbox.top - 9 * ratio;
    ctx.strokeStyle = ctx.fillStyle = color(shape === 'failed' ? '--alert' : '--ink');
    ctx.lineWidth = 1.5 * ratio;
    drawShape(ctx, shape, x + 11 * ratio * before, y, 4 * ratio);
    if (before > 0) {
      continue;
    }
    ctx.globalAlpha = 0.25;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
  ctx.restore();
}

function drawShape(ctx: CanvasRenderingContext2D, shape: Mark['shape'], x: number, y: number, size: number): void {
  ctx.beginPath();
  switch (shape) {
    case 'elision':
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y - size);
      ctx.lineTo(x, y + size);
      ctx.fill();
      return;
    case 'fold':
      ctx.arc(x, y, size, 0, 2 * Math.PI);
      ctx.fill();
      return;
    case 'drop':
      ctx.fillRect(x - size, y - size, 2 * size, 2 * size);
      return;
    case 'failed':
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.moveTo(x + size, y - size);
      ctx.lineTo(x - size, y + size);
      ctx.stroke();
  }
}

function showValues(plot: uPlot, {lines, format, details}: ChartOptions, tooltip: HTMLElement): void {
  const {idx, left = -1} = plot.cursor;
  const isOver = idx !== undefined && idx !== null && left >= 0;
  tooltip.classList.toggle('visible', isOver);
  if (!isOver) {
    return;
  }
  tooltip.replaceChildren(
    element('strong', {}, `Call ${idx + 1}`),
    element(
      'dl',
      {},
      lines.map(({label, values}) => [element('dt', {}, label), element('dd', {}, format(values[idx]))]),
    ),
    ...(details?.(idx) ?? []).map((line) => element('p', {}, line)),
  );
  const offset = plot.over.offsetLeft + left;
  const isRight = left > plot.over.clientWidth / 2;
  tooltip.style.left = isRight ? 'auto' : `${offset + 14}px`;
  tooltip.style.right = isRight ? `${plot.root.clientWidth - offset + 14}px` : 'auto';
}
