import type { Node } from '@xyflow/react'
import type { DiagramTable } from '#contract/database/table-shapes'
import type { Placed } from './arrange.ts'
import { outsidesOf, boxHeight, boxWidth, headHeight } from './diagram.ts'
import type { DiagramData } from './queries.ts'

export type TableData = {
  projectRef: string
  schema: string
  table: DiagramTable
  /** The tables it points to, for those who cannot see the lines. */
  pointsTo: readonly string[]
}
export type TableNodeType = Node<TableData, 'table'>
export type OutsideNodeType = Node<{ name: string }, 'outside'>
export type DiagramNode = TableNodeType | OutsideNodeType

/** Boxes whose places and sizes are known, so that nothing has to be measured first. */
export function nodesOf(
  projectRef: string,
  schema: string,
  data: DiagramData,
  places: readonly Placed[],
): DiagramNode[] {
  const at = new Map(places.map(({ id, x, y }) => [id, { x, y }]))
  const boxOf = (id: number, height: number) => ({
    id: String(id),
    position: at.get(id) ?? { x: 0, y: 0 },
    width: boxWidth,
    height,
    // Said as measured, too, so that nothing moves when they are.
    measured: { width: boxWidth, height },
    // None: the library would look for the ends of lines in each box, and draw all boxes anew when it has looked.
    handles: [],
  })
  const outsides = outsidesOf(data.tables, data.links)
  const pointsTo = targetNames(data, new Map(outsides.map(({ id, name }) => [id, name])))
  return [
    ...data.tables.map((table): TableNodeType => ({
      ...boxOf(table.id, boxHeight(table.columns.length)),
      type: 'table',
      data: { projectRef, schema, table, pointsTo: pointsTo.get(table.id) ?? [] },
    })),
    ...outsides.map(({ id, name }): OutsideNodeType => ({
      ...boxOf(id, headHeight),
      type: 'outside',
      data: { name },
    })),
  ]
}

function targetNames({ tables, links }: DiagramData, outsides: ReadonlyMap<number, string>) {
  const names = new Map([...outsides, ...tables.map(({ id, name }) => [id, name] as const)])
  const found = new Map<number, string[]>()
  for (const { source, target } of links) {
    const name = names.get(target)
    const known = found.get(source) ?? []
    if (name !== undefined && !known.includes(name)) found.set(source, [...known, name])
  }
  return found
}

export const placesOf = (nodes: readonly DiagramNode[]): Placed[] =>
  nodes.map(({ id, position }) => ({
    id: Number(id),
    x: Math.round(position.x),
    y: Math.round(position.y),
  }))
