import type { Output } from '#contract/endpoint'
import { v1 as api } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { PostgresStore } from './postgres-store.ts'

type Parameters = Output<typeof api.postgresConfig>

/** Numbers of workers are numbers; sizes and times stay as they were written. */
const shape = (settings: Record<string, string>): Parameters =>
  // The store reads only names of the contract, which fromEntries forgets.
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      name.startsWith('max_parallel') ? Number(value) : value,
    ]),
  ) as Parameters

/** What is set for the database of a project. */
export const parametersIn = (store: PostgresStore) => async (ref: string) =>
  shape((await store.read(ref)).settings)

export function v1PostgresRoutes(store: PostgresStore) {
  const read = parametersIn(store)
  return [
    implement(api.postgresConfig, ({ ref }) => read(ref)),
    implement(api.updatePostgresConfig, async ({ ref, ...requested }) => {
      const values = new Map<string, string | number | undefined>()
      const { database, settings } = await store.read(ref)
      for (const name of Object.keys(settings)) values.set(name, undefined)
      for (const [name, value] of Object.entries(requested))
        if (value !== undefined && typeof value !== 'boolean') values.set(name, value)
      if (values.size > 0) await store.set(ref, database, [...values])
      return read(ref)
    }),
    implement(api.changePostgresConfig, async ({ ref, ...wanted }) => {
      const values = Object.entries(wanted).flatMap(([name, value]): [string, string | number][] =>
        value === undefined || typeof value === 'boolean' ? [] : [[name, value]],
      )
      const { database } = await store.read(ref)
      if (values.length > 0) await store.set(ref, database, values)
      return read(ref)
    }),
    implement(api.buckets, ({ ref }) => store.buckets(ref)),
    implement(api.context, async ({ ref }) => {
      const rows = await store.schemas(ref)
      const schemas = rows.map(({ schema }) => ({ name: schema }))
      return { databases: [{ name: rows[0]?.database ?? 'postgres', schemas }] }
    }),
  ]
}
