import { Position, type Edge, type Node } from '@xyflow/react'
import type { DiagramTable } from '#contract/table-shapes'
import type { Placed } from './arrange.ts'
import { endsOf, linesOf, outsidesOf } from './diagram.ts'
import { boxHeight, boxWidth, headHeight, rowMiddle } from './diagram-size.ts'
import type { DiagramData } from './queries.ts'

/** Where a line ends at a box: left where the key is, right at what it points to. */
export type End = { id: string; type: 'source' | 'target'; top: number }
export type TableData = { projectRef: string; schema: string; table: DiagramTable; ends: End[] }
export type OutsideData = { name: string; ends: End[] }
export type TableNodeType = Node<TableData, 'table'>
export type OutsideNodeType = Node<OutsideData, 'outside'>
export type DiagramNode = TableNodeType | OutsideNodeType

const sourceEnd = (column: string) => `from ${column}`
const targetEnd = (column: string) => `to ${column}`

const handleOf = ({ id, type, top }: End) => ({
  id,
  type,
  position: type === 'source' ? Position.Left : Position.Right,
  x: type === 'source' ? 0 : boxWidth,
  y: top,
  width: 1,
  height: 1,
})

/** Boxes with their ends, whose places are known, so that nothing has to be measured first. */
export function nodesOf(
  projectRef: string,
  schema: string,
  data: DiagramData,
  places: readonly Placed[],
): DiagramNode[] {
  const at = new Map(places.map(({ id, x, y }) => [id, { x, y }]))
  const ends = endsOf(linesOf(data.links))
  const size = { width: boxWidth }
  // Said as measured, too, so that nothing moves when they are.
  const tall = (height: number) => ({ height, measured: { width: boxWidth, height } })
  const tables = data.tables.map((table): TableNodeType => {
    const mine = ends.get(table.id)
    const held = table.columns.flatMap(({ name }, row): End[] => {
      const top = rowMiddle(row)
      return [
        ...(mine?.sources.has(name)
          ? [{ id: sourceEnd(name), type: 'source', top } satisfies End]
          : []),
        ...(mine?.targets.has(name)
          ? [{ id: targetEnd(name), type: 'target', top } satisfies End]
          : []),
      ]
    })
    return {
      ...size,
      id: String(table.id),
      type: 'table',
      position: at.get(table.id) ?? { x: 0, y: 0 },
      ...tall(boxHeight(table.columns.length)),
      data: { projectRef, schema, table, ends: held },
      handles: held.map(handleOf),
    }
  })
  const outsides = outsidesOf(data.tables, data.links).map(({ id, name }): OutsideNodeType => {
    const held = [...(ends.get(id)?.targets ?? [])].map((column): End => ({
      id: targetEnd(column),
      type: 'target',
      top: headHeight / 2,
    }))
    return {
      ...size,
      id: String(id),
      type: 'outside',
      position: at.get(id) ?? { x: 0, y: 0 },
      ...tall(headHeight),
      data: { name, ends: held },
      handles: held.map(handleOf),
    }
  })
  return [...tables, ...outsides]
}

export function edgesOf({ tables, links }: DiagramData): Edge[] {
  const shown = new Set([
    ...tables.map(({ id }) => id),
    ...outsidesOf(tables, links).map(({ id }) => id),
  ])
  return linesOf(links)
    .filter(({ source, target }) => shown.has(source) && shown.has(target))
    .map((line) => ({
      id: line.id,
      source: String(line.source),
      sourceHandle: sourceEnd(line.sourceColumn),
      target: String(line.target),
      targetHandle: targetEnd(line.targetColumn),
      ariaLabel: `${line.name}: ${line.sourceColumn} to ${line.targetColumn}`,
    }))
}

export const placesOf = (nodes: readonly DiagramNode[]): Placed[] =>
  nodes.map(({ id, position }) => ({
    id: Number(id),
    x: Math.round(position.x),
    y: Math.round(position.y),
  }))
