import { forwardRef, useCallback, useEffect, useImperativeHandle, useRef } from 'react'
import { loadCodeFace } from '../../../../ui/code/code-face.ts'
import { useCodeBox } from '../../../../ui/code/use-code-box.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import type { Shown, SqlBox, SqlBoxEvents } from './sql-box.ts'

type Props = { shown: Shown; events: SqlBoxEvents }

/** Loads the code editor and its face; also ahead of time, for pages that will need it. */
export function loadSqlBox() {
  void loadCodeFace()
  return import('./sql-box.ts')
}

/** The code editor, loaded when it is first on the screen. */
export const SqlText = forwardRef<SqlBox | undefined, Props>(function SqlText(
  { shown, events },
  ref,
) {
  // The editor lives longer than one render: it always calls the newest handlers.
  const latest = useRef(events)
  useEffect(() => {
    latest.current = events
  })
  const load = useCallback(async () => {
    const { createSqlBox } = await loadSqlBox()
    return (place: HTMLElement) =>
      createSqlBox(place, {
        onEdit: (id, sql) => latest.current.onEdit(id, sql),
        onRun: () => latest.current.onRun(),
        onRunAtCursor: () => latest.current.onRunAtCursor(),
        onAsk: () => latest.current.onAsk(),
        onSave: () => latest.current.onSave(),
        catalog: () => latest.current.catalog(),
        functions: (name) => latest.current.functions(name),
        problems: (text, signal) => latest.current.problems(text, signal),
      })
  }, [])
  const { element, box, failure, retry } = useCodeBox(load)

  useImperativeHandle(ref, () => box, [box])
  const { id, sql, version, readOnly, wrap } = shown
  useEffect(() => {
    // The text itself lives in the editor; only another query or a newer version is put there.
    box?.show({ id, sql, version, readOnly, wrap })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `sql` changes with every key, and came from the editor
  }, [box, id, version, readOnly, wrap])

  useEffect(() => {
    // Ready to type at once; on a phone that would cover half the page with a keyboard.
    if (!matchMedia('(pointer: coarse)').matches) box?.focus()
  }, [box, id])

  return (
    <div className="sql-text">
      <div ref={element} className="sql-text-box" />
      {!box && !failure && <EditorSkeleton />}
      {failure && <ErrorNote what="the editor" error={failure} onRetry={retry} />}
    </div>
  )
})

const lines = [240, 320, 180, 280, 120]

/** Lines where the text will be. */
export function EditorSkeleton() {
  return (
    <div className="sql-text-wait" aria-busy>
      <progress className="sr" aria-label="Loading the editor" />
      {lines.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}
