import {
  Background,
  Controls,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  ViewportPortal,
  type NodeProps,
  useStore as useFlow,
  type ReactFlowState,
} from '@xyflow/react'
import { Fingerprint, KeyRound, LockOpen } from 'lucide-react'
import { useState, memo, useMemo, useEffect, createContext, useContext } from 'react'
import { useRouter } from '@tanstack/react-router'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { DiagramTable } from '#contract/database/table-shapes'
import { Icon } from '../../../ui/Icon.tsx'
import type { Placed } from './arrange.ts'
import { DiagramBar } from './DiagramBar.tsx'
import type { DiagramData } from './queries.ts'
import {
  useDiagram,
  nodesOf,
  placesOf,
  type DiagramNode,
  type OutsideNodeType,
  type TableData,
  type TableNodeType,
} from './use-diagram.ts'
import { linesOf, lineDrawer } from './diagram.ts'
import '@xyflow/react/dist/base.css'

const TableNode = memo(function TableNode({ id, data }: NodeProps<TableNodeType>) {
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

const OutsideNode = memo(function OutsideNode({ data }: NodeProps<OutsideNodeType>) {
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

/** How many boxes are drawn between two frames: what a slow machine draws without a pause that is felt. */
const portion = 30

/** What is there at once and what follows: hidden boxes have their places, so that the whole is fitted from the start. */
const firstOnes = (nodes: DiagramNode[]): DiagramNode[] =>
  nodes.map((node, at) => (at < portion ? node : { ...node, hidden: true }))

/** Shows hidden boxes a portion at a time, so that a large diagram never stands still while it opens. */
function useGradual(
  nodes: readonly DiagramNode[],
  setNodes: (change: (nodes: DiagramNode[]) => DiagramNode[]) => void,
): void {
  const hidden = nodes.some((node) => node.hidden)
  useEffect(() => {
    if (!hidden) return undefined
    const frame = requestAnimationFrame(() =>
      setNodes((all) => {
        let left = portion
        return all.map((node) => (node.hidden && left-- > 0 ? { ...node, hidden: false } : node))
      }),
    )
    return () => cancelAnimationFrame(frame)
  }, [hidden, nodes, setNodes])
}

type Props = {
  projectRef: string
  schema: string
  data: DiagramData
  places: readonly Placed[]
  hasOwn: boolean
  hasShared: boolean
  /** The reader's own layout is forgotten. */
  onReset: () => void
}

const kinds = { table: TableNode, outside: OutsideNode }

/** The tables of a schema and what points from one to another. Give it a key per layout. */
export function Diagram(props: Props) {
  return (
    <ReactFlowProvider>
      <OpenDiagram {...props} />
    </ReactFlowProvider>
  )
}

function OpenDiagram({ projectRef, schema, data, places, hasOwn, hasShared, onReset }: Props) {
  const [start] = useState(() => firstOnes(nodesOf(projectRef, schema, data, places)))
  const [nodes, setNodes, onNodesChange] = useNodesState(start)
  useGradual(nodes, setNodes)
  const readable = useReadable()
  const diagram = useDiagram({ projectRef, schema, data, onReset })
  return (
    <>
      <div className="bar diagram-bar">
        <DiagramBar
          projectRef={projectRef}
          tables={data.tables}
          busy={diagram.arranging}
          hasOwn={hasOwn}
          hasShared={hasShared}
          onFind={diagram.find}
          onArrange={() => void diagram.arrange()}
          onShare={diagram.share}
          onReset={diagram.reset}
          onExport={(kind) => void diagram.exportAs(kind)}
        />
      </div>
      <div className="diagram">
        <ReadableProvider value={readable}>
          <ReactFlow
            nodes={nodes}
            nodeTypes={kinds}
            onNodesChange={onNodesChange}
            onNodeDragStop={diagram.moved}
            nodesConnectable={false}
            elementsSelectable
            deleteKeyCode={null}
            fitView
            fitViewOptions={{ maxZoom: 1, padding: 0.1, includeHiddenNodes: true }}
            minZoom={0.05}
            maxZoom={2}
            proOptions={{ hideAttribution: true }}
            aria-label={`Diagram of ${schema}`}
          >
            <Background gap={24} />
            <DiagramLines data={data} nodes={nodes} />
            <Controls showInteractive={false} />
          </ReactFlow>
        </ReadableProvider>
        <ul className="diagram-legend" aria-label="Legend">
          <li>
            <Icon of={KeyRound} size="xs" /> Primary key
          </li>
          <li>
            <Icon of={Fingerprint} size="xs" /> Unique
          </li>
          <li>
            <span aria-hidden>*</span> Never NULL
          </li>
          <li>
            <Icon of={LockOpen} size="xs" /> Row level security off
          </li>
        </ul>
      </div>
    </>
  )
}

type DiagramLinesProps = { data: DiagramData; nodes: readonly DiagramNode[] }

/**
 * What points from one table to another. One picture: the library's own edges each follow every move of the whole
 * diagram, and five hundred of them make that slow.
 */
function DiagramLines({ data, nodes }: DiagramLinesProps) {
  const draw = useMemo(() => lineDrawer(data.tables, linesOf(data.links)), [data])
  const places = new Map(placesOf(nodes).map(({ id, x, y }) => [id, { x, y }]))
  const chosen = new Set(nodes.filter(({ selected }) => selected).map(({ id }) => Number(id)))
  return (
    <ViewportPortal>
      <svg className="diagram-lines" aria-hidden>
        {draw(places).map(({ id, path, source, target }) => (
          <LinePath key={id} path={path} chosen={chosen.has(source) || chosen.has(target)} />
        ))}
      </svg>
    </ViewportPortal>
  )
}

const LinePath = memo(function LinePath({ path, chosen }: { path: string; chosen: boolean }) {
  return <path d={path} className={chosen ? 'chosen' : undefined} />
})

/** Pixels around the part that is seen whose tables are drawn whole, so that none is empty when it comes into sight. */
const margin = 300

/** From farther away nobody reads columns. */
const readableZoom = 0.4

type Ids = ReadonlySet<string>
const createReadable = () => createStore<{ ids: Ids }>(() => ({ ids: new Set() }))
const Readable = createContext(createReadable())
const ReadableProvider = Readable.Provider

/**
 * Which tables can be read: from afar or out of sight nobody reads columns, and five hundred tables of them would be slow
 * to draw. Found once per move; a table that followed every move by itself would make each move slow.
 */
function useReadable() {
  const [readable] = useState(createReadable)
  const found = useFlow(readableIds, sameIds)
  useEffect(() => readable.setState({ ids: found }), [found, readable])
  return readable
}

const useIsReadable = (id: string) => useStore(useContext(Readable), ({ ids }) => ids.has(id))

const none: Ids = new Set()

function readableIds({ transform: [left, top, zoom], width, height, nodes }: ReactFlowState): Ids {
  if (zoom < readableZoom) return none
  const isSeen = (x: number, y: number, w: number, h: number) =>
    x * zoom + left < width + margin &&
    (x + w) * zoom + left > -margin &&
    y * zoom + top < height + margin &&
    (y + h) * zoom + top > -margin
  return new Set(
    nodes
      .filter(({ position: { x, y }, width: w = 0, height: h = 0 }) => isSeen(x, y, w, h))
      .map(({ id }) => id),
  )
}

const sameIds = (a: Ids, b: Ids) =>
  a === b || (a.size === b.size && [...a].every((id) => b.has(id)))
