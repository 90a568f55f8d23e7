import { useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { LogHistogram } from '#contract/observability/logs'
import { cx } from '../../../ui/cx.ts'
import { counted, numberText } from '../../../ui/text/number.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { clockText, dayText, spanText } from '../../../modules/logs/log-time.ts'
import { histogramQuery } from './queries.ts'
import type { Question } from './question.ts'
import { day, type Range } from '../../../modules/logs/range.ts'

type Props = {
  question: Question
  now: number
  range: Range
  /** It is known what can be asked. */
  enabled: boolean
  /** The list says already what went wrong. */
  isQuiet: boolean
  /** The address of the same page with another range. */
  hrefOf: (range: Range) => string
  onRange: (range: Range) => void
}

/** How many entries there were over time. A bar leads to its time; several are marked by the pointer or with Shift. */
export function Histogram({
  question,
  now,
  range: wanted,
  enabled,
  isQuiet,
  hrefOf,
  onRange,
}: Props) {
  const isNarrow = useNarrow()
  const { data, error, isPlaceholderData } = useQuery({
    ...histogramQuery(question, now, isNarrow ? 30 : 60),
    enabled,
  })
  // Until the next chart is there the one before is shown, with its own times.
  const range = data?.range ?? wanted
  const bars = data ? barsOf(data, range) : []
  const highest = Math.max(0, ...bars.map(({ total }) => total))
  return (
    <section
      className={cx('log-plot', isPlaceholderData && 'is-stale')}
      aria-label="Entries over time"
    >
      <div className="log-plot-box">
        {error && !data ? (
          !isQuiet && <p className="log-plot-note">Could not load the chart. {error.message}</p>
        ) : !data ? (
          <span key="skeleton" className="skel log-plot-skeleton" aria-hidden />
        ) : (
          <>
            {highest > 0 && (
              <span key="highest" className="log-plot-top">
                {numberText(highest)}
              </span>
            )}
            <Bars {...{ bars, highest, range, hrefOf, onRange }} />
          </>
        )}
      </div>
      <Axis range={range} count={isNarrow ? 3 : 8} />
      {data && <BarTable bars={bars} />}
    </section>
  )
}

type BarsProps = Pick<Props, 'range' | 'hrefOf' | 'onRange'> & {
  bars: readonly Bar[]
  highest: number
}
/** The bars that are marked: where that began, and where it is now. */
type Mark = { from: number; to: number }

function Bars({ bars, highest, range, hrefOf, onRange }: BarsProps) {
  const [at, setAt] = useState(bars.length - 1)
  const [mark, setMark] = useState<Mark>()
  const [dragging, setDragging] = useState(false)
  const focused = Math.min(at, bars.length - 1)
  const isMarked = (index: number) =>
    mark !== undefined &&
    index >= Math.min(mark.from, mark.to) &&
    index <= Math.max(mark.from, mark.to)

  function press(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape' && mark) {
      event.preventDefault()
      setMark(undefined)
    }
    if (event.key === 'Enter' && mark && mark.from !== mark.to) {
      event.preventDefault()
      setMark(undefined)
      onRange(spanOf(bars, mark.from, mark.to, range))
    }
    const links = [...event.currentTarget.querySelectorAll('a')]
    const here = links.findIndex((link) => link === event.target)
    const steps: Record<string, number> = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      Home: 0,
      End: bars.length - 1,
    }
    const wanted = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined
    if (wanted === undefined) return
    event.preventDefault()
    const next = Math.min(bars.length - 1, Math.max(0, wanted))
    setAt(next)
    setMark(event.shiftKey ? { from: mark?.from ?? here, to: next } : undefined)
    links[next]?.focus()
  }

  const barAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * bars.length)
    return Math.min(bars.length - 1, Math.max(0, index))
  }
  function begin(event: PointerEvent<HTMLElement>) {
    // A finger scrolls the page.
    if (event.button !== 0 || event.pointerType === 'touch') return
    const index = barAt(event)
    setMark({ from: index, to: index })
    setDragging(true)
  }
  function move(event: PointerEvent<HTMLElement>) {
    if (!dragging || !mark) return
    const to = barAt(event)
    if (to === mark.to) return
    // From here on it is no click on a bar.
    event.currentTarget.setPointerCapture(event.pointerId)
    setMark({ ...mark, to })
  }
  function end() {
    if (!dragging) return
    setDragging(false)
    setMark(undefined)
    if (mark && mark.from !== mark.to) onRange(spanOf(bars, mark.from, mark.to, range))
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the bars inside are links with the same ways
    <div
      className="log-bars"
      onKeyDown={press}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => {
        setDragging(false)
        setMark(undefined)
      }}
      onDragStart={(event) => event.preventDefault()}
    >
      {bars.map((bar, index) => {
        const span = spanOf(bars, index, index, range)
        return (
          <a
            key={bar.from}
            href={hrefOf(span)}
            className={cx('log-bar-item', isMarked(index) && 'is-marked')}
            tabIndex={index === focused ? 0 : -1}
            aria-label={barText(bar)}
            data-tip={barText(bar)}
            onFocus={() => setAt(index)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return
              event.preventDefault()
              onRange(span)
            }}
          >
            {(['error', 'warning', 'info'] as const).map((level) => (
              <span
                key={level}
                className={`is-${level}`}
                style={{ height: `${highest > 0 ? (bar[level] / highest) * 100 : 0}%` }}
              />
            ))}
          </a>
        )
      })}
    </div>
  )
}

function barText({ from, to, total, error, warning }: Bar): string {
  const parts = [
    counted(total, 'entry', 'entries'),
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
  ]
  return `${spanText(from, to)}: ${parts.join(', ')}`
}

function Axis({ range, count }: { range: Range; count: number }) {
  const ticks = ticksOf(range, count)
  const length = range.to - range.from
  const text = (at: number) =>
    length > 2 * day ? dayText(at) : clockText(at, length < 10 * 60_000)
  return (
    <div className="log-axis" aria-hidden>
      {ticks.map((at) => (
        <span key={at} style={{ left: `${((at - range.from) / length) * 100}%` }}>
          {text(at)}
        </span>
      ))}
    </div>
  )
}

/** The chart in words and figures, for those who do not see it. */
function BarTable({ bars }: { bars: readonly Bar[] }) {
  const filled = bars.filter(({ total }) => total > 0)
  return (
    <div className="sr">
      <table>
        <caption>Entries by time and level. Times without entries are left out.</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Info</th>
            <th scope="col">Warnings</th>
            <th scope="col">Errors</th>
          </tr>
        </thead>
        <tbody>
          {filled.map((bar) => (
            <tr key={bar.from}>
              <th scope="row">{spanText(bar.from, bar.to)}</th>
              <td>{numberText(bar.info)}</td>
              <td>{numberText(bar.warning)}</td>
              <td>{numberText(bar.error)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A bar: what was written from `from`, up to but not at `to` (milliseconds since 1970). */
type Bar = Range & { info: number; warning: number; error: number; total: number }

/** More than this are too thin to point at. */
const most = 240

/** All bars of a range, also those without entries, which an answer may leave out. */
export function barsOf({ step, bars }: LogHistogram, range: Range): Bar[] {
  if (!(step > 0)) return []
  // Where the first bar begins tells how all of them lie.
  const offset = (bars[0]?.at ?? range.from) % step
  const start = Math.floor((range.from - offset) / step) * step + offset
  const count = Math.min(most, Math.max(1, Math.ceil((range.to - start) / step)))
  const known = new Map(bars.map((bar) => [Math.round((bar.at - start) / step), bar]))
  return Array.from({ length: count }, (_, at) => {
    const { info = 0, warning = 0, error = 0 } = known.get(at) ?? {}
    const from = start + at * step
    return { from, to: from + step, info, warning, error, total: info + warning + error }
  })
}

/** The time of some bars, cut to the range that they lie in. */
export function spanOf(bars: readonly Bar[], a: number, b: number, range: Range): Range {
  const from = bars[Math.min(a, b)]?.from ?? range.from
  const to = bars[Math.max(a, b)]?.to ?? range.to
  const cut = { from: Math.max(from, range.from), to: Math.min(to, range.to) }
  return cut.from < cut.to ? cut : { from, to }
}

/** Round steps of a clock, in milliseconds. */
const clockSteps = [1, 5, 15, 30]
  .map((s) => s * 1000)
  .concat([1, 2, 5, 10, 15, 30].map((min) => min * 60_000))
  .concat([1, 2, 3, 6, 12, 24, 48, 96, 168, 336].map((h) => h * 3_600_000))

/** At which times the axis is labelled, at most `count`: round ones in the reader's zone. */
export function ticksOf({ from, to }: Range, count: number): number[] {
  const step = clockSteps.find((ms) => (to - from) / ms <= count) ?? to - from
  const zone = new Date(from).getTimezoneOffset() * 60_000
  const first = Math.ceil((from - zone) / step) * step + zone
  return Array.from({ length: count + 1 }, (_, at) => first + at * step).filter((at) => at < to)
}
