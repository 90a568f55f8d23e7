import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { Choice, Lookup } from './grid-types.ts'

/** True: the key was for the choices, and the field that has the focus is to leave it alone. */
export type ChoiceKeys = (key: string) => boolean

type Props = {
  label: string
  /** For the field beside it: the arrows go through the choices, and Enter takes the one they stand at. */
  keys?: Ref<ChoiceKeys>
  /** Narrows the rows that are offered. */
  typed: string
  lookup: Lookup
  onChoose: (choice: Choice) => void
}
type Found = {
  of: string
  options: Choice[]
  next: string | undefined
  note: string | undefined
}

/** Milliseconds of quiet before what is typed is looked for. */
const quiet = 200

/** Rows of the table that a column refers to, by what is typed; more of them on demand. */
export function LinkChoices({ label, keys, typed, lookup, onChoose }: Props) {
  const [found, setFound] = useState<Found>()
  const [failed, setFailed] = useState<string>()
  const [requested, setRequested] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      () => {
        lookup(typed, requested, stop.signal).then(
          (page) => {
            setFailed(undefined)
            setFound((before) => {
              const kept = requested !== undefined && before?.of === typed ? before.options : []
              const { found, next, note } = page
              return { of: typed, options: [...kept, ...found], next, note }
            })
          },
          (error: unknown) => {
            if (!stop.signal.aborted)
              setFailed(error instanceof Error ? error.message : 'The rows could not be read')
          },
        )
      },
      requested === undefined ? quiet : 0,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed, requested, lookup])
  /** Where the arrows stand; -1 is the field itself. */
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLUListElement>(null)
  const [searched, setSearched] = useState(typed)
  if (searched !== typed) {
    setSearched(typed)
    setRequested(undefined)
    setActive(-1)
  }
  const options = found?.options ?? []
  function go(to: number) {
    setActive(to)
    list.current?.children.item(to)?.scrollIntoView({ block: 'nearest' })
  }
  useImperativeHandle(keys, () => (key) => {
    const chosen = options[active]
    if (key === 'Enter' && chosen) onChoose(chosen)
    else if (key === 'ArrowDown' && active < options.length - 1) go(active + 1)
    else if (key === 'ArrowDown' && found?.next !== undefined) setRequested(found.next)
    else if (key === 'ArrowUp' && active >= 0) go(active - 1)
    else return false
    return true
  })
  if (failed !== undefined) return <p className="cell-editor-note err">{failed}</p>
  if (!found) return <p className="cell-editor-note">Looking for rows</p>
  const note = found.note && <p className="cell-editor-note">{found.note}</p>
  if (found.options.length === 0)
    return (
      <>
        <p className="cell-editor-note">No row matches</p>
        {note}
      </>
    )
  return (
    <>
      <ul
        key={found.of}
        ref={list}
        className="link-choices scroll"
        aria-label={`Rows for ${label}`}
      >
        {found.options.map((choice, at) => (
          <li key={JSON.stringify([choice.value, choice.others])}>
            <button
              type="button"
              className={at === active ? 'is-active' : undefined}
              // The editor would lose the focus, and with it be closed, before the click has come.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              <span className="mono ell">{wholeKey(choice)}</span>
              <span className="faint ell">{choice.detail}</span>
            </button>
          </li>
        ))}
        {found.next !== undefined && (
          <li>
            <button
              type="button"
              className="more"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => setRequested(found.next)}
            >
              More rows
            </button>
          </li>
        )}
      </ul>
      <span className="sr" aria-live="polite">
        {options[active] && `${options[active].value} ${options[active].detail}`}
      </span>
      {note}
    </>
  )
}

const wholeKey = ({ value, others = {} }: Choice) => [value, ...Object.values(others)].join(', ')
