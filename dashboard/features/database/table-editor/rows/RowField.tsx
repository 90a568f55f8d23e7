import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import { cellHeadLength, type NewCell } from '#contract/database/rows/table-rows'
import { messageOf } from '../../../../api/client.ts'
import type { CellView, EditorKind, Lookup } from '../../../../ui/grid/grid-types.ts'
import { LinkChoices, type ChoiceKeys } from '../../../../ui/grid/LinkChoices.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../../ui/controls/TextField.tsx'
import { ValueArea } from '../../../../ui/text/ValueArea.tsx'
import { CompositeFields, fieldsOf, type Attribute } from '../values/CompositeFields.tsx'
import {
  editorOf,
  lockedBecause,
  newCellView,
  typedCell,
  typeLabel,
  typeTip,
} from '../grid/grid-columns.ts'

type Props = {
  column: EntityColumn
  isNew: boolean
  isKey: boolean
  /** What the row holds now, staged changes included; undefined in a row to be made. */
  shown: CellView | undefined
  /** What was chosen here; undefined while nothing was. */
  value: NewCell | undefined
  /** Why it cannot be saved. */
  problem?: string | undefined
  onValue: (value: NewCell) => void
  /** Values of other columns that come with one that was chosen. */
  onOthers: (values: Readonly<Record<string, string>>) => void
  load: () => Promise<string | null>
  /** The fields of its type, when it has some. */
  attributes?: readonly Attribute[] | undefined
  /** Finds rows that a foreign key may refer to. */
  lookup?: Lookup | undefined
  /** Looks for a file to refer to. */
  onFile?: (() => void) | undefined
}

/** Of these no value has line breaks; a field of one line would take them from any other. */
const oneLine = new Set<EditorKind>(['number', 'date', 'time', 'moment', 'uuid', 'bytes'])

/** One column of a row: its value, and the values that cannot be typed. */
export function RowField({
  column,
  isNew,
  isKey,
  shown,
  value,
  onValue,
  onOthers,
  load,
  ...of
}: Props) {
  const { lookup, attributes, onFile, problem } = of
  const [picking, setPicking] = useState(false)
  const choices = useRef<ChoiceKeys>(null)
  const [failed, setFailed] = useState<string>()
  const view = value === undefined && shown ? shown : newCellView(column, value)
  const fixed = lockedBecause(column) !== undefined
  const cut = view.cut === true
  const put = (text: string | null) => onValue(typedCell(column, text))
  const byFields = attributes && fieldsOf(view.text, attributes.length) ? attributes : undefined

  const label = (
    <span className="row">
      {isKey && <Icon of={KeyRound} size="xs" />}
      <span className="ell">{column.name}</span>
      <span className="mono faint" title={typeTip(column)}>
        {typeLabel(column)}
      </span>
    </span>
  )
  const ends = !fixed && (
    <span className="row field-values">
      {isNew && column.default_value !== null && (
        <button type="button" className="link" onClick={() => onValue({ default: true })}>
          Default
        </button>
      )}
      {lookup && (
        <button
          type="button"
          className="link"
          aria-expanded={picking}
          onClick={() => setPicking(!picking)}
        >
          Choose a row
        </button>
      )}
      {onFile && (
        <button type="button" className="link" onClick={onFile}>
          Choose a file
        </button>
      )}
      {byFields && (
        <button
          type="button"
          className="link"
          aria-expanded={picking}
          onClick={() => setPicking(!picking)}
        >
          Edit its fields
        </button>
      )}
      {column.is_nullable && (
        <button type="button" className="link" onClick={() => onValue(null)}>
          NULL
        </button>
      )}
    </span>
  )
  const help = fixed
    ? 'The database fills this in.'
    : (column.comment ??
      (column.default_value && isNew ? `Default: ${column.default_value}` : undefined))
  const placeholder = view.look === 'auto' ? 'auto' : view.text === null ? 'NULL' : 'EMPTY'

  const editor = editorOf(column)
  // A file is changed in its panel: a field with its digits would hold up the page.
  const isFile = editor === 'bytes' && (view.text ?? '').length > cellHeadLength
  if (cut || isFile) {
    const fetch = () => load().then(put, (error: unknown) => setFailed(messageOf(error)))
    return (
      <TextArea
        label={label}
        mono
        disabled
        value={`${view.text?.slice(0, 400) ?? ''}…`}
        error={failed}
        labelEnd={
          editor !== 'bytes' && (
            <button type="button" className="link" onClick={() => void fetch()}>
              Load the whole value
            </button>
          )
        }
        help={editor === 'bytes' && 'Open the cell in a panel to see, replace or download it.'}
      />
    )
  }
  if (!fixed && (editor === 'bool' || editor === 'choice')) {
    const choices = editor === 'bool' ? ['true', 'false'] : column.enums
    return (
      <SelectField
        label={column.name}
        help={help}
        error={problem}
        labelEnd={ends}
        placeholder={placeholder}
        options={choices.map((choice) => ({ value: choice, label: choice }))}
        value={view.text ?? undefined}
        onChange={put}
      />
    )
  }
  const control = {
    label,
    mono: true,
    help,
    error: problem,
    labelEnd: ends,
    placeholder,
    disabled: fixed,
    spellCheck: false,
    autoComplete: 'off',
    value: view.text ?? '',
  }
  const long = column.format === 'text' || (view.text ?? '').length > 60
  const rows = editor === 'json' ? 5 : editor === 'text' && long ? 2 : 1
  return (
    <>
      {oneLine.has(editor) ? (
        <TextField
          {...control}
          onChange={(event) => put(event.target.value)}
          onKeyDown={(event) => choices.current?.(event.key) && event.preventDefault()}
        />
      ) : (
        <ValueArea
          {...control}
          rows={rows}
          onText={put}
          onKeyDown={(event) => {
            if (choices.current?.(event.key)) event.preventDefault()
            else if (rows === 1 && event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }
          }}
        />
      )}
      {byFields && picking && (
        <CompositeFields attributes={byFields} text={view.text} disabled={fixed} onText={put} />
      )}
      {lookup && picking && (
        <LinkChoices
          label={column.name}
          keys={choices}
          typed={typeof value === 'string' ? value : ''}
          lookup={lookup}
          onChoose={(chosen) => {
            put(chosen.value)
            onOthers(chosen.others ?? {})
            setPicking(false)
          }}
        />
      )}
    </>
  )
}
