import { sqlOf } from '#contract/ddl/change'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import { SelectField } from '../../../../ui/controls/SelectField.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { columnNames, type Delimiter } from './import-guess.ts'
import {
  columnsOf,
  keyName,
  readSample,
  tableFor,
  type DraftColumn,
  type ImportDraft,
} from './import-draft.ts'
import { ImportColumns } from './ImportColumns.tsx'

type Props = {
  draft: ImportDraft
  onDraft: (draft: ImportDraft) => void
  target: readonly string[] | 'new'
  schema: string
  name: string
  onName: (name: string) => void
  tableKey: string | undefined
  onKey: (key: string | undefined) => void
}

const delimiterWords: { value: Delimiter; label: string }[] = [
  { value: ',', label: 'Comma' },
  { value: '\t', label: 'Tab' },
  { value: ';', label: 'Semicolon' },
  { value: '|', label: 'Bar' },
]
const numbered = ' numbered'

/** How the file is read, and which of its columns goes where. */
export function ImportForm(props: Props) {
  const { draft, onDraft, target, schema, name, onName, tableKey, onKey } = props
  const { columns } = draft
  const read = (change: Partial<ImportDraft>) => {
    const next = { ...draft, ...change }
    onDraft({ ...next, columns: columnsOf(next, target) })
  }
  const change = (at: number, part: Partial<DraftColumn>) => {
    if (part.into !== undefined && columns[at]?.into === tableKey) onKey(part.into ?? undefined)
    onDraft({
      ...draft,
      columns: columns.map((column, i) => (i === at ? { ...column, ...part } : column)),
    })
  }
  const keys = columns.flatMap(({ into }) => into ?? [])
  return (
    <>
      {target === 'new' && (
        <div className="import-grid">
          <TextField
            label={`New table in ${schema}`}
            mono
            autoComplete="off"
            value={name}
            onChange={(event) => onName(columnNames([event.target.value]).join(''))}
          />
          <SelectField
            label="Primary key"
            options={[
              {
                value: numbered,
                label: `New column ${keyName(columns)}`,
                detail: 'numbers the rows',
              },
              ...keys.map((value) => ({ value, label: value })),
            ]}
            value={tableKey ?? numbered}
            onChange={(value) => onKey(value === numbered ? undefined : value)}
          />
        </div>
      )}
      <div className="import-grid">
        <SelectField
          label="Delimiter"
          options={delimiterWords}
          value={draft.delimiter}
          onChange={(delimiter) =>
            read({ delimiter, sample: readSample(draft.text, draft.whole, delimiter) })
          }
        />
        <div className="form-stack">
          <Checkbox
            label="The first row names the columns"
            checked={draft.header}
            onChange={(event) => read({ header: event.target.checked })}
          />
          <Checkbox
            label="Treat empty values as NULL"
            checked={draft.emptyIsNull}
            onChange={(event) => onDraft({ ...draft, emptyIsNull: event.target.checked })}
          />
          <Checkbox
            label="Skip invalid rows and import the others"
            checked={draft.skipBad}
            onChange={(event) => onDraft({ ...draft, skipBad: event.target.checked })}
          />
        </div>
      </div>
      <ImportColumns columns={columns} target={target} onChange={change} />
      {target === 'new' && (
        <details className="review-inverse">
          <summary>SQL that makes the table</summary>
          <CodeBlock
            code={sqlOf(tableFor(schema, name || 'imported', columns, tableKey).statements)}
            language="sql"
            what="SQL"
          />
        </details>
      )}
    </>
  )
}
