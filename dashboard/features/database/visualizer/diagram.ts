import type { DiagramLink, DiagramTable } from '#contract/database/table-shapes'

export type Position = { x: number; y: number }
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
