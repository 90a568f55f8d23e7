import type { ProvideEditorComponent } from '@glideapps/glide-data-grid'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { EditorFoot } from './EditorFoot.tsx'
import type { OurCell } from './grid-cell.ts'
import { OptionList } from '../OptionList.tsx'
import { attend, typedAhead } from './type-ahead.ts'
import { useHeldFocus } from './use-held-focus.ts'

const nullChoice = '\u0000null'

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

const textOf = (cell: OurCell) => cell.data.view.text
const changed = (cell: OurCell, text: string | null): OurCell => ({
  ...cell,
  copyData: text ?? '',
  data: { ...cell.data, view: { text } },
})

function TextEditor({ value, initialValue, onChange, onFinishedEditing, target }: Props) {
  const { column, view, load, typeAhead } = value.data
  // `value` follows what is typed.
  const [original] = useState(textOf(value))
  const [typed, setTyped] = useState(() =>
    initialValue === undefined ? (original ?? '') : typedAhead(typeAhead, initialValue),
  )
  const box = useHeldFocus<HTMLDivElement>()
  const placed = useRef(false)
  const [loading, setLoading] = useState(Boolean(view.cut && load))
  const [failed, setFailed] = useState<string>()

  const latest = useRef(typed)
  useEffect(() => {
    // Leaving by a click takes what the grid was told last.
    if (initialValue !== undefined) onChange(changed(value, latest.current))
    return attend(typeAhead, (key) => {
      if (key === 'Enter') onFinishedEditing(changed(value, latest.current), [0, 1])
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
        setTyped(whole ?? '')
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
    onChange(changed(value, text))
  }
  const tall = column.editor === 'json' || typed.includes('\n') || typed.length > 60
  return (
    <div
      ref={box}
      className="cell-editor"
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
          rows={tall ? Math.min(14, Math.max(5, typed.split('\n').length)) : 1}
          value={typed}
          placeholder={original === null ? 'NULL' : 'EMPTY'}
          onFocus={({ currentTarget }) => {
            if (placed.current) return
            placed.current = true
            const end = currentTarget.value.length
            currentTarget.setSelectionRange(initialValue === undefined ? 0 : end, end)
          }}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            const movement = movementOf(event)
            if (!movement) return
            // The grid would take the value of the last render, which may lack what was typed last.
            event.preventDefault()
            event.stopPropagation()
            const { value: text } = event.currentTarget
            const touched = text !== (original ?? '')
            onFinishedEditing(touched ? changed(value, text) : undefined, movement)
          }}
        />
      )}
      <EditorFoot
        column={column}
        onValue={(text) => onFinishedEditing(changed(value, text), [0, 0])}
      />
    </div>
  )
}

function ChoiceEditor({ value, onFinishedEditing, target }: Props) {
  const { column, typeAhead } = value.data
  const values = column.editor === 'bool' ? ['true', 'false'] : (column.choices ?? [])
  const options = [
    ...values.map((choice) => ({ value: choice, label: choice })),
    ...(column.nullable ? [{ value: nullChoice, label: 'NULL' }] : []),
  ]
  const text = textOf(value)
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
          onFinishedEditing(changed(value, chosen === nullChoice ? null : chosen), [0, 0])
        }}
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
