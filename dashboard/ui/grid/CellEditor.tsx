import type { ProvideEditorComponent } from '@glideapps/glide-data-grid'
import { Maximize2 } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, useLayoutEffect } from 'react'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { OptionList } from '../lists/OptionList.tsx'
import { Keys } from '../text/Keys.tsx'
import { fromField, inField } from '../text/line-ends.ts'
import { withText, type OurCell } from './cell-value.ts'
import type { ColumnView, EditorKind } from './grid-types.ts'
import { attend, typedAhead } from './type-ahead.ts'
import { spread } from './json-text.ts'
import { LinkChoices, type ChoiceKeys } from './LinkChoices.tsx'

/** The editor that floats over a cell: a list for values one can choose, else a field that grows. */
export const CellEditor: ProvideEditorComponent<OurCell> = (props) => {
  const { editor } = props.value.data.column
  return editor === 'bool' || editor === 'choice' ? (
    <ChoiceEditor {...props} />
  ) : (
    <TextEditor {...props} />
  )
}

type Props = Parameters<ProvideEditorComponent<OurCell>>[0]

function TextEditor({ value, initialValue, onChange, onFinishedEditing, target }: Props) {
  const { column, view, load, typeAhead, expand } = value.data
  const { lookup } = column
  // `value` follows what is typed.
  const [original] = useState(value.data.view.text)
  const [typed, setTyped] = useState(() =>
    initialValue === undefined ? (original ?? '') : typedAhead(typeAhead, initialValue),
  )
  const box = useHeldFocus<HTMLDivElement>()
  const placed = useRef(false)
  const choices = useRef<ChoiceKeys>(null)
  const [loading, setLoading] = useState(Boolean(view.cut && load))
  const [failed, setFailed] = useState<string>()
  const [problem, setProblem] = useState<string>()

  const latest = useRef(typed)
  /** What the field began with: keeping that is no change. */
  const start = useRef(original ?? '')
  useEffect(() => {
    // Leaving by a click takes what the grid was told last.
    if (initialValue !== undefined) onChange(withText(value, latest.current))
    return attend(typeAhead, (key) => {
      if (key === 'Enter') keep(latest.current, [0, 1])
      else type(latest.current + key)
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- told once, when the editor opens
  }, [])

  useEffect(() => {
    if (!view.cut || !load) return undefined
    let gone = false
    load().then(
      (whole) => {
        if (gone) return
        start.current = whole ?? ''
        latest.current = start.current
        setTyped(start.current)
        setLoading(false)
      },
      (error: unknown) => {
        if (!gone) setFailed(error instanceof Error ? error.message : 'It could not be loaded')
      },
    )
    return () => {
      gone = true
    }
  }, [view.cut, load])

  function type(text: string) {
    latest.current = text
    setTyped(text)
    setProblem(undefined)
    onChange(withText(value, text))
  }
  /** A value that cannot be right stays in the editor, with the reason. */
  function keep(text: string, movement: readonly [-1 | 0 | 1, -1 | 0 | 1]) {
    const wrong = text === start.current ? undefined : column.problem?.(text)
    if (wrong === undefined)
      onFinishedEditing(text === start.current ? undefined : withText(value, text), movement)
    else setProblem(wrong)
    return wrong === undefined
  }
  const tall = column.editor === 'json' || typed.includes('\n') || typed.length > 60
  return (
    <div
      ref={box}
      className={tall ? 'cell-editor tall' : 'cell-editor'}
      style={{ minWidth: Math.max(target.width, tall ? 320 : 120) }}
    >
      {failed !== undefined || loading ? (
        <p className="cell-editor-note">{failed ?? 'Loading the whole value'}</p>
      ) : (
        <textarea
          aria-label={`Edit ${column.name}`}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened to be typed in
          autoFocus
          spellCheck={false}
          rows={1}
          value={inField(typed)}
          placeholder={original === null ? 'NULL' : 'EMPTY'}
          onFocus={({ currentTarget }) => {
            if (placed.current) return
            placed.current = true
            const end = currentTarget.value.length
            currentTarget.setSelectionRange(initialValue === undefined ? 0 : end, end)
          }}
          onChange={(event) => type(fromField(latest.current, event.target.value))}
          onKeyDown={(event) => {
            const chosen = choices.current?.(event.key)
            if (chosen) event.stopPropagation()
            if (chosen) return event.preventDefault()
            if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
              // The page saves what it has, and this belongs to it when the press arrives there.
              if (!keep(latest.current, [0, 0])) event.preventDefault()
              return undefined
            }
            const movement = movementOf(event)
            if (!movement) return undefined
            // The grid would take the value of the last render, which may lack what was typed last.
            event.preventDefault()
            event.stopPropagation()
            keep(latest.current, movement)
            return undefined
          }}
        />
      )}
      {problem !== undefined && (
        <p className="cell-editor-note err" role="alert">
          {problem}
        </p>
      )}
      {lookup && (
        <LinkChoices
          label={column.name}
          keys={choices}
          typed={typed === original ? '' : typed}
          lookup={lookup}
          onChoose={(chosen) =>
            onFinishedEditing(withText(value, chosen.value, chosen.others), [0, 0])
          }
        />
      )}
      <EditorFoot
        column={column}
        onValue={(text) => onFinishedEditing(withText(value, text), [0, 0])}
        onType={type}
        onSpread={column.editor === 'json' ? () => type(spread(latest.current)) : undefined}
        onExpand={
          expand &&
          (() => {
            onFinishedEditing(undefined, [0, 0])
            expand()
          })
        }
      />
    </div>
  )
}

/** Enter goes on below, Tab beside; Shift+Enter is a new line. */
function movementOf({
  key,
  shiftKey,
}: KeyboardEvent): readonly [-1 | 0 | 1, -1 | 0 | 1] | undefined {
  if (key === 'Enter') return shiftKey ? undefined : [0, 1]
  if (key === 'Tab') return shiftKey ? [-1, 0] : [1, 0]
  return undefined
}

const nullChoice = '\u0000null'

type ChoiceEditorProps = Parameters<ProvideEditorComponent<OurCell>>[0]

/** One of the values that a type has. */
function ChoiceEditor({ value, onFinishedEditing, target }: ChoiceEditorProps) {
  const { column, typeAhead } = value.data
  const values = column.editor === 'bool' ? ['true', 'false'] : (column.choices ?? [])
  const options = [
    ...values.map((choice) => ({ value: choice, label: choice })),
    ...(column.nullable ? [{ value: nullChoice, label: 'NULL' }] : []),
  ]
  const text = value.data.view.text
  const box = useHeldFocus<HTMLDivElement>()
  // The list is searched by what is typed once it has the focus.
  useEffect(() => attend(typeAhead, () => undefined), [typeAhead])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter chooses; the grid must not take it as well
    <div
      ref={box}
      className="cell-editor"
      style={{ minWidth: Math.max(target.width, 160) }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.stopPropagation()
      }}
    >
      <OptionList
        label={`Value of ${column.name}`}
        options={options}
        value={text ?? nullChoice}
        search="Find a value"
        onSelect={(chosen) => {
          onFinishedEditing(withText(value, chosen === nullChoice ? null : chosen), [0, 0])
        }}
      />
    </div>
  )
}

/** Milliseconds in which the grid, by its own timers, may still reach for the focus after an editor has opened. */
const contestedMs = 250

/**
 * Puts the focus into the field inside the element, and keeps it there until the grid has calmed down. An editor that ends while it
 * has the focus gives it back to what had it before: the grid lets go of it a moment later than it says, and keys would be lost.
 */
function useHeldFocus<E extends HTMLElement>() {
  const box = useRef<E>(null)
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const end = performance.now() + contestedMs
    let frame = 0
    function hold() {
      const inside = box.current?.contains(document.activeElement)
      if (!inside) box.current?.querySelector<HTMLElement>('textarea, input')?.focus()
      if (performance.now() < end) frame = requestAnimationFrame(hold)
    }
    hold()
    return () => cancelAnimationFrame(frame)
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      const isInside = element?.contains(document.activeElement) === true
      if (isInside && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [before])
  return box
}

type EditorFootProps = {
  column: ColumnView
  /** Takes a value and ends the editing. */
  onValue: (text: string | null) => void
  /** Puts a value into the field. */
  onType: (text: string) => void
  onSpread: (() => void) | undefined
  onExpand: (() => void) | undefined
}

const pickers: Partial<Record<EditorKind, 'date' | 'time' | 'datetime-local'>> = {
  date: 'date',
  time: 'time',
  moment: 'datetime-local',
}
const now: Partial<Record<EditorKind, { label: string; value: string }>> = {
  date: { label: 'Today', value: 'today' },
  time: { label: 'Now', value: 'now' },
  moment: { label: 'Now', value: 'now' },
}

/** Values that cannot be typed, and how to save or cancel what was typed. */
function EditorFoot({ column, onValue, onType, onSpread, onExpand }: EditorFootProps) {
  const { editor = 'text' } = column
  const picker = pickers[editor]
  const present = now[editor]
  return (
    <div className="cell-editor-foot">
      {column.nullable && (
        <Button variant="ghost" onClick={() => onValue(null)}>
          NULL
        </Button>
      )}
      {editor === 'text' && column.problem?.('') === undefined && (
        <Button variant="ghost" onClick={() => onValue('')}>
          Empty
        </Button>
      )}
      {present && (
        <Button variant="ghost" onClick={() => onValue(present.value)}>
          {present.label}
        </Button>
      )}
      {picker && (
        <input
          className="moment-picker"
          type={picker}
          step={picker === 'date' ? undefined : 1}
          aria-label={`Pick ${column.name}`}
          onChange={({ target }) => target.value && onType(target.value.replace('T', ' '))}
        />
      )}
      {editor === 'uuid' && (
        <Button variant="ghost" onClick={() => onValue(crypto.randomUUID())}>
          Random
        </Button>
      )}
      {onSpread && (
        <Button variant="ghost" onClick={onSpread}>
          Format
        </Button>
      )}
      <span className="grow" />
      {onExpand && (
        <IconButton icon={Maximize2} iconSize="s" label="Open in a panel" onClick={onExpand} />
      )}
      <Keys of="enter" />
      <span>Save</span>
      <Keys of="Esc" />
      <span>Cancel</span>
    </div>
  )
}
