import { useEffect, useState } from 'react'
import type { Lookup } from './grid-types.ts'

type Props = {
  label: string
  /** Narrows the rows that are offered. */
  typed: string
  lookup: Lookup
  onChoose: (value: string) => void
}
type Found = { of: string; options: { value: string; detail: string }[]; next: string | undefined }

/** Milliseconds of quiet before what is typed is looked for. */
const quiet = 200

/** Rows of the table that a column refers to, by what is typed; more of them on demand. */
export function LinkChoices({ label, typed, lookup, onChoose }: Props) {
  const [found, setFound] = useState<Found>()
  const [failed, setFailed] = useState<string>()
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(
      () => {
        lookup(typed, wanted, stop.signal).then(
          (page) => {
            setFailed(undefined)
            setFound((before) => {
              const kept = wanted !== undefined && before?.of === typed ? before.options : []
              return { of: typed, options: [...kept, ...page.found], next: page.next }
            })
          },
          (error: unknown) => {
            if (!stop.signal.aborted)
              setFailed(error instanceof Error ? error.message : 'The rows could not be read')
          },
        )
      },
      wanted === undefined ? quiet : 0,
    )
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed, wanted, lookup])
  const [searched, setSearched] = useState(typed)
  if (searched !== typed) {
    setSearched(typed)
    setWanted(undefined)
  }
  if (failed !== undefined) return <p className="cell-editor-note err">{failed}</p>
  if (!found) return <p className="cell-editor-note">Looking for rows</p>
  if (found.options.length === 0) return <p className="cell-editor-note">No row matches</p>
  return (
    <ul className="link-choices scroll" aria-label={`Rows for ${label}`}>
      {found.options.map(({ value, detail }) => (
        <li key={value}>
          <button
            type="button"
            // The editor would lose the focus, and with it be closed, before the click has come.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(value)}
          >
            <span className="mono ell">{value}</span>
            <span className="faint ell">{detail}</span>
          </button>
        </li>
      ))}
      {found.next !== undefined && (
        <li>
          <button
            type="button"
            className="more"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setWanted(found.next)}
          >
            More rows
          </button>
        </li>
      )}
    </ul>
  )
}
