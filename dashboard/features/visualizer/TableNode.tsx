import { Link } from '@tanstack/react-router'
import { Handle, Position, useStore, type NodeProps, type ReactFlowState } from '@xyflow/react'
import { Fingerprint, KeyRound, LockOpen } from 'lucide-react'
import { memo } from 'react'
import type { DiagramTable } from '#contract/table-shapes'
import { Icon } from '../../ui/Icon.tsx'
import type { End, OutsideNodeType, TableNodeType } from './nodes.ts'

/** Pixels around the part that is seen whose tables are drawn whole, so that none is empty when it comes into sight. */
const margin = 300

type Box = { x: number; y: number; width: number; height: number }

/** From afar or out of sight nobody reads columns, and five hundred tables of them would be slow to draw. */
const isReadable =
  ({ x, y, width, height }: Box) =>
  ({ transform: [left, top, zoom], ...pane }: ReactFlowState) =>
    zoom >= 0.4 &&
    x * zoom + left < pane.width + margin &&
    (x + width) * zoom + left > -margin &&
    y * zoom + top < pane.height + margin &&
    (y + height) * zoom + top > -margin

const Ends = ({ ends }: { ends: readonly End[] }) =>
  ends.map(({ id, type, top }) => (
    <Handle
      key={id}
      id={id}
      type={type}
      position={type === 'source' ? Position.Left : Position.Right}
      isConnectable={false}
      style={{ top }}
    />
  ))

export const TableNode = memo(function TableNode({
  data,
  positionAbsoluteX: x,
  positionAbsoluteY: y,
  width = 0,
  height = 0,
}: NodeProps<TableNodeType>) {
  const readable = useStore(isReadable({ x, y, width, height }))
  const { projectRef, schema, table, ends } = data
  return (
    <div className="diagram-table">
      <div className="diagram-head">
        <Link
          className="nodrag mono ell"
          to="/project/$ref/editor/$id"
          params={{ ref: projectRef, id: String(table.id) }}
          search={{ schema }}
          title={table.comment ?? table.name}
        >
          {table.name}
        </Link>
        {!table.rls_enabled && (
          <span className="exposed" title="Row level security is off">
            <Icon of={LockOpen} size="s" />
            <span className="sr">Row level security is off</span>
          </span>
        )}
      </div>
      {readable && table.columns.map((column) => <Row key={column.name} column={column} />)}
      <Ends ends={ends} />
    </div>
  )
})

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
      <Ends ends={data.ends} />
    </div>
  )
})
