import { sqlOf } from '#contract/ddl/change'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { Select, SelectField } from '../../../../ui/controls/Select.tsx'
import {
  columnNames,
  columnsOf,
  keyName,
  readSample,
  tableFor,
  type Delimiter,
  type DraftColumn,
  type ImportDraft,
} from './import-draft.ts'

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

type ImportColumnsProps = {
  columns: readonly DraftColumn[]
  target: readonly string[] | 'new'
  onChange: (at: number, part: Partial<DraftColumn>) => void
}

const nowhere = ' nowhere'
const types = [
  'text',
  'int8',
  'int4',
  'numeric',
  'float8',
  'bool',
  'date',
  'timestamptz',
  'timestamp',
  'time',
  'uuid',
  'jsonb',
  'json',
  'bytea',
  'text[]',
]

/** The first rows of the file, and above each column where it goes. */
function ImportColumns({ columns, target, onChange }: ImportColumnsProps) {
  const rows = Math.max(0, ...columns.map(({ examples }) => examples.length))
  return (
    <section
      className="import-preview scroll"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable
      tabIndex={0}
      aria-label="First rows of the file"
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ head }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns of a file are told apart by their place
              <th key={at} scope="col" className="mono ell" title={head}>
                {head}
              </th>
            ))}
          </tr>
          <tr>
            {columns.map((column, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <td key={at}>
                {target === 'new' ? (
                  <Select
                    label={`Type of ${column.head}`}
                    options={[
                      { value: nowhere, label: 'Leave out' },
                      ...types.map((value) => ({ value, label: value })),
                    ]}
                    value={column.into === null ? nowhere : column.type}
                    onChange={(value) =>
                      onChange(
                        at,
                        value === nowhere
                          ? { into: null }
                          : { type: value, into: column.into ?? column.head },
                      )
                    }
                  />
                ) : (
                  <Select
                    label={`Column for ${column.head}`}
                    options={[
                      { value: nowhere, label: 'Leave out' },
                      ...target.map((value) => ({ value, label: value })),
                    ]}
                    value={column.into ?? nowhere}
                    onChange={(value) => onChange(at, { into: value === nowhere ? null : value })}
                  />
                )}
              </td>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map(({ examples, into }, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- see above
                <td key={at} className={into === null ? 'mono ell faint' : 'mono ell'}>
                  {examples[row] === '' ? <i className="nul">empty</i> : examples[row]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
