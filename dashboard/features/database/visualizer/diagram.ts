import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'

type Position = { x: number; y: number }
export type Positions = ReadonlyMap<number, Position>

/** One line from a column to a column. A key over several columns is several lines. */
export type Line = {
  id: string
  source: number
  sourceColumn: string
  target: number
  targetColumn: string
  name: string
}

/** A table of another schema that something here points to; only its name is shown. */
export type Outside = { id: number; name: string }

export function linesOf(links: readonly DiagramLink[]): Line[] {
  return links.flatMap((link) =>
    link.source_columns.map((sourceColumn, at) => ({
      id: `${link.source}.${link.name}.${at}`,
      source: link.source,
      sourceColumn,
      target: link.target,
      targetColumn: link.target_columns[at] ?? '',
      name: link.name,
    })),
  )
}

export function outsidesOf(
  tables: readonly DiagramTable[],
  links: readonly DiagramLink[],
): Outside[] {
  const inside = new Set(tables.map(({ id }) => id))
  const found = new Map<number, string>()
  for (const { target, target_name: name } of links)
    if (name !== null && !inside.has(target)) found.set(target, name)
  return [...found].map(([id, name]) => ({ id, name }))
}

/** Sizes of the diagram's boxes in pixels; its style sheet and its pictures keep to them. */
export const boxWidth = 264
export const headHeight = 36
export const rowHeight = 24
export const boxHeight = (columns: number) => headHeight + rowHeight * columns + 4

/** Where the middle of a column's row is below the top of its box. */
export const rowMiddle = (at: number) => headHeight + rowHeight * at + rowHeight / 2

/** A line with the data of its SVG path: it leaves its column to the left and comes to its target from the right. */
export type DrawnLine = Line & { path: string }

/** How far below the top of its box each column's line ends; a box without columns is met in the middle of its head. */
function columnTops(tables: readonly DiagramTable[]) {
  const tops = new Map(
    tables.map(({ id, columns }) => [
      id,
      new Map(columns.map(({ name }, row) => [name, rowMiddle(row)])),
    ]),
  )
  return (id: number, column: string) => tops.get(id)?.get(column) ?? headHeight / 2
}

/** What draws lines between boxes wherever those are; a line to something without a place is not drawn. */
export function lineDrawer(tables: readonly DiagramTable[], lines: readonly Line[]) {
  const topOf = columnTops(tables)
  return (places: Positions): DrawnLine[] =>
    lines.flatMap((line) => {
      const from = places.get(line.source)
      const to = places.get(line.target)
      if (!from || !to) return []
      return [
        {
          ...line,
          path:
            line.source === line.target
              ? loop(
                  from,
                  topOf(line.source, line.sourceColumn),
                  topOf(line.target, line.targetColumn),
                )
              : curve(
                  { x: from.x, y: from.y + topOf(line.source, line.sourceColumn) },
                  { x: to.x + boxWidth, y: to.y + topOf(line.target, line.targetColumn) },
                ),
        },
      ]
    })
}

/** A key of a table to itself: both ends at the left, where the line does not cross the box. */
const loop = ({ x, y }: Position, from: number, to: number) =>
  `M${x} ${y + from} C${x - 40} ${y + from} ${x - 40} ${y + to} ${x} ${y + to}`

function curve(from: Position, to: Position): string {
  const bend = Math.max(40, Math.abs(from.x - to.x) / 2)
  return `M${from.x} ${from.y} C${from.x - bend} ${from.y} ${to.x + bend} ${to.y} ${to.x} ${to.y}`
}
