import { Select } from '../../../../ui/controls/Select.tsx'
import type { DraftColumn } from './import-draft.ts'

type Props = {
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
export function ImportColumns({ columns, target, onChange }: Props) {
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
