import { useRouter } from '@tanstack/react-router'
import type { NodeProps } from '@xyflow/react'
import { Fingerprint, KeyRound, LockOpen } from 'lucide-react'
import { memo } from 'react'
import type { DiagramTable } from '#contract/database/table-shapes'
import { Icon } from '../../../ui/Icon.tsx'
import type { OutsideNodeType, TableData, TableNodeType } from './nodes.ts'
import { useIsReadable } from './readable.ts'

export const TableNode = memo(function TableNode({ id, data }: NodeProps<TableNodeType>) {
  const readable = useIsReadable(id)
  const { projectRef, schema, table, pointsTo } = data
  return (
    <div className="diagram-table">
      <div className="diagram-head">
        <TableLink projectRef={projectRef} schema={schema} table={table} />
        {!table.rls_enabled && (
          <span className="exposed" title="Row level security is off">
            <Icon of={LockOpen} size="s" />
            <span className="sr">Row level security is off</span>
          </span>
        )}
      </div>
      {pointsTo.length > 0 && <span className="sr">Points to {pointsTo.join(', ')}</span>}
      {readable && table.columns.map((column) => <Row key={column.name} column={column} />)}
    </div>
  )
})

/** Plain: each of the router's own links follows where one is and prepares what it leads to, here five hundred times. */
function TableLink({ projectRef, schema, table }: Omit<TableData, 'pointsTo'>) {
  const { history } = useRouter()
  const href = `/project/${projectRef}/editor/${table.id}?${new URLSearchParams({ schema }).toString()}`
  return (
    <a
      className="nodrag mono ell"
      href={href}
      title={table.comment ?? table.name}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {table.name}
    </a>
  )
}

function Row({ column }: { column: DiagramTable['columns'][number] }) {
  return (
    <div className="diagram-row">
      <span className="diagram-mark">
        {column.key ? (
          <Icon of={KeyRound} size="xs" />
        ) : (
          column.unique && <Icon of={Fingerprint} size="xs" />
        )}
      </span>
      <span className="mono ell">
        {column.name}
        {!column.nullable && <span className="muted"> *</span>}
      </span>
      <span className="mono muted ell">{column.type}</span>
    </div>
  )
}

export const OutsideNode = memo(function OutsideNode({ data }: NodeProps<OutsideNodeType>) {
  return (
    <div className="diagram-table outside">
      <div className="diagram-head">
        <span className="mono muted ell" title="In another schema">
          {data.name}
        </span>
      </div>
    </div>
  )
})
