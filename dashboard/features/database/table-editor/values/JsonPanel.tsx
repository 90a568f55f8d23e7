import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { rowJson } from './json.ts'
import type { TableModel } from '../table-model.ts'

type Props = {
  entity: EntityDetail
  model: TableModel
  rows: readonly number[]
  onClose: () => void
}

/** Rows that one looks at as JSON at a time; more are exported. */
const maxRows = 200

/** Rows as JSON, staged changes included, to read and copy. */
export function JsonPanel({ entity, model, rows, onClose }: Props) {
  const { columns } = entity
  const objects = rows.slice(0, maxRows).map((row) =>
    rowJson(
      columns,
      columns.map((_, at) => model.cellAt(row, at)),
    ),
  )
  const code = objects.length === 1 ? objects.join('') : `[\n${objects.join(',\n')}\n]`
  const title =
    rows.length === 1 ? `Row of ${entity.name}` : `${rows.length} rows of ${entity.name}`
  return (
    <SidePanel open size="large" title={`${title} as JSON`} onClose={onClose}>
      <div className="form-stack">
        {rows.length > maxRows && (
          <p className="muted t12">The first {maxRows}. Export the selection to get all of them.</p>
        )}
        <CodeBlock code={code} language="text" what="JSON" />
      </div>
    </SidePanel>
  )
}
