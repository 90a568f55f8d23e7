import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { setEditorPreference, useEditorPreferences } from './editor/editor-preferences.ts'

const least = 15
const most = 85
const within = (split: number) => Math.round(Math.min(most, Math.max(least, split)) * 10) / 10

/** The line between editor and results: dragged, or moved with the arrows. */
export function SplitHandle() {
  const split = useEditorPreferences((preferences) => preferences.split)
  const handle = useRef<HTMLDivElement>(null)
  const move = (next: number) => setEditorPreference({ split: within(next) })

  function drag(event: PointerEvent<HTMLDivElement>) {
    const box = handle.current?.parentElement?.getBoundingClientRect()
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    move(((event.clientY - box.top) / box.height) * 100)
  }
  function press(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowUp: -2, ArrowDown: 2, PageUp: -10, PageDown: 10 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(split + step)
  }
  return (
    <div
      ref={handle}
      className="sql-split"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a separator that moves is a control, a line is not
      role="separator"
      aria-label="Height of the editor"
      aria-orientation="horizontal"
      aria-valuenow={Math.round(split)}
      aria-valuemin={least}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onDoubleClick={() => move(60)}
      onKeyDown={press}
    />
  )
}
