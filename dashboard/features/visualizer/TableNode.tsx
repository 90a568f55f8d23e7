import { useRouter } from '@tanstack/react-router'
import { Position, useStore, type NodeProps, type ReactFlowState } from '@xyflow/react'
import { Fingerprint, KeyRound, LockOpen } from 'lucide-react'
import { memo } from 'react'
import type { DiagramTable } from '#contract/table-shapes'
import { Icon } from '../../ui/Icon.tsx'
import type { End, OutsideNodeType, TableData, TableNodeType } from './nodes.ts'

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

/** Where lines end, as the library looks for it. Its own part for that also follows the pointer, a thousand times here. */
const Ends = ({ ends }: { ends: readonly End[] }) =>
  ends.map(({ id, type, top }) => {
    const side = type === 'source' ? Position.Left : Position.Right
    return (
      <span
        key={id}
        className={`react-flow__handle react-flow__handle-${side} ${type}`}
        data-handleid={id}
        data-handlepos={side}
        style={{ top }}
      />
    )
  })

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
        <TableLink projectRef={projectRef} schema={schema} table={table} />
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

/** Plain: each of the router's own links follows where one is and prepares what it leads to, here five hundred times. */
function TableLink({ projectRef, schema, table }: Omit<TableData, 'ends'>) {
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
      <Ends ends={data.ends} />
    </div>
  )
})
