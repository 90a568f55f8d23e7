import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'

type Props = {
  label: string
  count: number
  /** Says what a row is, so that it keeps its state when the list moves. */
  keyOf: (index: number) => string
  row: (index: number, isFocused: boolean) => ReactNode
  hasMore: boolean
  onMore: () => void
  /** A key on the row that has the focus; true: it was meant for the list. */
  onKey: (event: KeyboardEvent, index: number) => boolean
}

export const rowHeight = 36
/** Rows that are drawn above and below what is seen. */
const margin = 10
/** The next page is asked for when so many rows are left below. */
const ahead = 60

/** A list of any length of which only what is seen is drawn. Arrows move the focus; one row at a time can be tabbed to. */
export function VirtualRows({ label, count, keyOf, row, hasMore, onMore, onKey }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [focused, setFocused] = useState(0)
  const requested = useRef<number>(undefined)
  const at = Math.min(focused, Math.max(0, count - 1))
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + margin)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const isNearEnd = hasMore && last + ahead >= count
  useEffect(() => {
    if (isNearEnd) onMore()
  }, [isNearEnd, onMore, count])
  useEffect(() => {
    if (requested.current === undefined) return
    const target = box.current?.querySelector<HTMLElement>(
      `[data-row="${requested.current}"] .file-name`,
    )
    if (!target) return
    requested.current = undefined
    target.focus({ preventScroll: true })
  })

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(count - 1, index))
    const element = box.current
    if (!element) return
    const top = next * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight
    requested.current = next
    setFocused(next)
  }
  function onKeyDown(event: KeyboardEvent) {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }
    const next = moves[event.key]
    if (next !== undefined) moveTo(next)
    else if (!onKey(event, at)) return
    event.preventDefault()
  }

  return (
    <div
      ref={box}
      className="file-scroll scroll"
      // Where the row with the focus is scrolled away, the box itself has to be reachable.
      tabIndex={at >= first && at < last ? undefined : 0}
      onScroll={({ currentTarget: { scrollTop: top, clientHeight: height } }) =>
        setView({ top, height })
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the rows' own buttons bubble here */}
      <ul
        aria-label={label}
        style={{ height: count * rowHeight }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const index = target.closest<HTMLElement>('[data-row]')?.dataset['row']
          if (index !== undefined) setFocused(Number(index))
        }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const index = first + offset
          return (
            <li
              key={keyOf(index)}
              data-row={index}
              aria-setsize={hasMore ? -1 : count}
              aria-posinset={index + 1}
              style={{ top: index * rowHeight }}
            >
              {row(index, index === at)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
