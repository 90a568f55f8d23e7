import { tableOrigins, waysToSee } from '#kit/postgres/view-origins'
import type { Catalog } from './catalog.ts'

type ForeignKey = Catalog['foreign_keys'][number]
type View = Catalog['views'][number]
/** A relation that shows the columns of one end of a foreign key, and what they are called there. */
type End = { schema: string; relation: string; columns: string[] }

export type SeenThroughViews = {
  /** Foreign keys as they hold from, to and between views that show their columns. */
  foreignKeys: ForeignKey[]
  /** Columns that together name a row of an exposed view: those of the primary keys behind it. */
  primaryKeyOf(schema: string, name: string): readonly string[]
}

/** What the keys of tables mean for the views that are made of them, directly or through other views. */
export function seenThroughViews({
  views,
  keys,
  foreign_keys,
  schemas,
}: Catalog): SeenThroughViews {
  const origins = tableOrigins(new Map(views.map((view) => [view.id, view.origins])))
  const exposed = views.filter(({ schema }) => schemas.includes(schema))
  const see = (view: View, table: number, columns: readonly number[]): string[][] =>
    waysToSee(origins.get(view.id) ?? [], table, columns).map((way) =>
      way.map((position) => view.columns[position] ?? ''),
    )
  const endsOf = (table: number, columns: readonly number[]): End[] =>
    exposed.flatMap((view) =>
      see(view, table, columns).map((names) => ({
        schema: view.schema,
        relation: view.name,
        columns: names,
      })),
    )
  const primary = new Map(
    exposed.map((view) => {
      const tables = new Set((origins.get(view.id) ?? []).map(({ table }) => table))
      const found = keys.filter(({ table }) => tables.has(table))
      return [idOf(view), found.flatMap(({ table, columns }) => see(view, table, columns)[0] ?? [])]
    }),
  )
  return {
    foreignKeys: foreign_keys.flatMap((key) => {
      const { ends } = key
      const from = endsOf(ends.table, ends.columns)
      const to = endsOf(ends.target, ends.target_columns)
      const own = { schema: key.schema, relation: key.relation, columns: key.columns }
      const other = {
        schema: key.target_schema,
        relation: key.target,
        columns: key.target_columns,
      }
      return [
        ...from.map((end) => between(key, end, other)),
        ...to.map((end) => between(key, own, end)),
        ...from.flatMap((end) => to.map((target) => between(key, end, target))),
      ]
    }),
    primaryKeyOf: (schema, name) => primary.get(idOf({ schema, name })) ?? [],
  }
}

const idOf = ({ schema, name }: { schema: string; name: string }) => JSON.stringify([schema, name])

const between = (key: ForeignKey, from: End, to: End): ForeignKey => ({
  ...key,
  ...from,
  target_schema: to.schema,
  target: to.relation,
  target_columns: to.columns,
})
