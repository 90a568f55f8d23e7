import { useQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { cx } from '../../../ui/cx.ts'
import { counted, numberText } from '../../../ui/text/number.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { barsOf, spanOf, ticksOf, type Bar } from './histogram.ts'
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
