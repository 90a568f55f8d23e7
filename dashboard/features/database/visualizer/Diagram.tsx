import {
  Background,
  Controls,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  ViewportPortal,
} from '@xyflow/react'
import { Fingerprint, KeyRound, LockOpen } from 'lucide-react'
import { useState, memo, useMemo, useEffect } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import type { Placed } from './arrange.ts'
import { DiagramBar } from './DiagramBar.tsx'
import { nodesOf, placesOf, type DiagramNode } from './nodes.ts'
import type { DiagramData } from './queries.ts'
import { ReadableProvider, useReadable } from './readable.ts'
import { OutsideNode, TableNode } from './TableNode.tsx'
import { useDiagram } from './use-diagram.ts'
import { linesOf } from './diagram.ts'
import { lineDrawer } from './drawn-lines.ts'
import '@xyflow/react/dist/base.css'

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
