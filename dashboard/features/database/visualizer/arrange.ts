import { graphlib, layout } from '@dagrejs/dagre'
import { boxWidth } from './diagram.ts'

export type Box = { id: number; height: number }
export type Connection = { source: number; target: number }
export type Placed = { id: number; x: number; y: number }

const gap = 32

/** Where boxes stand well: those with connections from left to right, all others in rows below. */
export function arrange(boxes: readonly Box[], connections: readonly Connection[]): Placed[] {
  const known = new Set(boxes.map(({ id }) => id))
  const real = connections.filter(
    ({ source, target }) => source !== target && known.has(source) && known.has(target),
  )
  const connected = new Set(real.flatMap(({ source, target }) => [source, target]))
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: 112 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, height } of boxes)
    if (connected.has(id)) graph.setNode(String(id), { width: boxWidth, height })
  // From what is pointed to, so that it stands left of what points to it.
  for (const { source, target } of real) graph.setEdge(String(target), String(source))
  if (connected.size > 0) layout(graph)
  const placed = boxes
    .filter(({ id }) => connected.has(id))
    .map(({ id, height }) => {
      const node = graph.node(String(id))
      return { id, x: Math.round(node.x - boxWidth / 2), y: Math.round(node.y - height / 2) }
    })
  const heights = new Map(boxes.map(({ id, height }) => [id, height]))
  const bottom = Math.max(0, ...placed.map(({ id, y }) => y + (heights.get(id) ?? 0) + 2 * gap))
  const alone = boxes.filter(({ id }) => !connected.has(id))
  return [...placed, ...inRows(alone, placed.length > 0 ? bottom : 0)]
}

/** Side by side, as many in a row as make the whole about square. */
export function inRows(boxes: readonly Box[], top: number): Placed[] {
  const perRow = Math.max(4, Math.ceil(Math.sqrt(boxes.length * 1.6)))
  const placed: Placed[] = []
  let y = top
  for (let at = 0; at < boxes.length; at += perRow) {
    const row = boxes.slice(at, at + perRow)
    row.forEach(({ id }, column) => placed.push({ id, x: column * (boxWidth + gap), y }))
    y += Math.max(...row.map(({ height }) => height)) + gap
  }
  return placed
}
