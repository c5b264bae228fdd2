/** @import { Currency } from '#src/page/api/answers.ts' */
/** @import { CurvePoint } from '#src/page/api/priceCurve.js' */
import { html } from 'htm/preact'
import { compactAmount } from '#src/page/amounts/amounts.js'

const [width, height, left, right, top, bottom] = [360, 264, 60, 12, 12, 28]

/**
 * Curves of the price impact at sizes around the chosen one, in percent of the input's value. Losses are negative.
 * @param {{ points: readonly CurvePoint[] | undefined, currency: Currency, amount: bigint }} props `points` are undefined until they
 * are read; `currency` is that of the sizes.
 */
export function CurvePanel({ points, currency, amount }) {
  const title = html`<h2 id="curve-title">Price impact by size</h2>`
  if (points === undefined || points.length < 2)
    return html`<section class="card curve" aria-labelledby="curve-title">
      ${title}
      <p class="note">
        ${points && 'No curve: one of the currencies has no dollar price, or no other size has a route.'}
      </p>
    </section>`
  const sizeOf = (/** @type {CurvePoint} */ point) => compactAmount(point.amount, currency.decimals)

  return html`<section class="card curve" aria-labelledby="curve-title">
    ${title}
    <${Chart} points=${points} chosen=${points.findIndex((each) => each.amount === amount)} sizeOf=${sizeOf} />
    <p class="legend">
      <span class="all">All costs</span><span class="pools">Pools only</span>
      <span>sizes in ${currency.symbol}</span>
    </p>
    <table class="unseen">
      <caption>Price impact by size</caption>
      <thead>
        <tr><th scope="col">Size</th><th scope="col">All costs</th><th scope="col">Pools only</th></tr>
      </thead>
      <tbody>
        ${points.map(
          (point) => html`<tr key=${point.amount}>
            <th scope="row">${sizeOf(point)} ${currency.symbol}</th>
            <td>${percentWords(point.total)}</td>
            <td>${percentWords(point.swap)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/** @param {{ points: readonly CurvePoint[], chosen: number, sizeOf: (point: CurvePoint) => string }} props */
function Chart({ points, chosen, sizeOf }) {
  const ticks = ticksOf(points.flatMap(({ total, swap }) => [total, swap, 0]))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const x = (/** @type {number} */ at) => left + (at / (points.length - 1)) * (width - left - right)
  const y = (/** @type {number} */ percent) =>
    top + ((high - percent) / (high - low)) * (height - top - bottom)
  const line = (/** @type {'total' | 'swap'} */ key) =>
    points.map((point, at) => `${x(at).toFixed(1)},${y(point[key]).toFixed(1)}`).join(' ')
  const isLabelled = (/** @type {number} */ at) => at % 2 === Math.max(0, chosen) % 2
  const here = points[chosen]

  return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
    ${ticks.map(
      (tick) => html`<g key=${tick} class=${tick === 0 ? 'zero' : 'grid'}>
        <line x1=${left} x2=${width - right} y1=${y(tick)} y2=${y(tick)} />
        <text x=${left - 8} y=${y(tick) + 4} text-anchor="end">${percentWords(tick)}</text>
      </g>`,
    )}
    ${points.map(
      (point, at) =>
        isLabelled(at) &&
        html`<text key=${at} x=${x(at)} y=${height - 6} text-anchor="middle">${sizeOf(point)}</text>`,
    )}
    ${here && html`<line class="here" x1=${x(chosen)} x2=${x(chosen)} y1=${top} y2=${height - bottom} />`}
    <polyline class="all" points=${line('total')} />
    <polyline class="pools" points=${line('swap')} />
    ${
      here &&
      html`<circle class="all" cx=${x(chosen)} cy=${y(here.total)} r="4.5" />
        <circle class="pools" cx=${x(chosen)} cy=${y(here.swap)} r="4.5" />`
    }
  </svg>`
}

/** @param {number} percent */
const percentWords = (percent) =>
  `${percent < 0 ? '−' : ''}${Number(Math.abs(percent).toPrecision(3))}%`

/**
 * Three to seven round numbers at equal distances that enclose all values.
 * @param {readonly number[]} values
 */
function ticksOf(values) {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const step = niceCeiling(Math.max(max - min, 0.02) / 4)
  const [from, to] = [Math.floor(min / step), Math.max(Math.ceil(max / step), 0)]
  return Array.from({ length: Math.max(to - from, 1) + 1 }, (_, at) => (from + at) * step)
}

/**
 * The smallest number of at least `value` that is 1, 2 or 5 times a power of ten.
 * @param {number} value
 */
function niceCeiling(value) {
  const unit = 10 ** Math.floor(Math.log10(value))
  return unit * ([1, 2, 5].find((each) => each * unit >= value) ?? 10)
}
