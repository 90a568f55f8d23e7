import { tableTransfer } from '#contract/database/table-transfer'
import type { Log } from '#kit/log'
import type { Connections } from '../connections.ts'
import type { EntityOf } from '../tables/known-entities.ts'
import { handle, type MetaRoute } from '../routes.ts'
import { checkedFilters } from './checked-filters.ts'
import { exportRows } from './row-export.ts'
import { createImports, type ImportOptions } from './import/row-imports.ts'

/** Whole tables in and out, as files. */
export function transferRoutes(
  connections: Connections,
  entityOf: EntityOf,
  log: Log,
  options: ImportOptions,
) {
  const imports = createImports(connections, log, options)
  const routes: MetaRoute[] = [
    handle(tableTransfer.export, async (input, { reply, who }) => {
      const entity = await connections.use(who, (db) => entityOf(db, who, input.id))
      const request = { ...input, filters: await checkedFilters(input.filters) }
      const { type, stream } = await exportRows(connections, log, who, entity, request)
      return reply.type(type).send(stream)
    }),
    handle(tableTransfer.start, (input, { who }) => imports.start(who, input)),
    handle(tableTransfer.imports, (_, { who }) => imports.list(who)),
    handle(tableTransfer.state, (input, { who }) => imports.state(who, input.import)),
    handle(tableTransfer.badRows, async (input, { who, reply }) =>
      reply.type('text/csv; charset=utf-8').send(await imports.badRows(who, input.import)),
    ),
    handle(tableTransfer.piece, (input, { who }) => imports.piece(who, input)),
    handle(tableTransfer.finish, (input, { who }) => imports.finish(who, input.import)),
    handle(tableTransfer.cancel, (input, { who }) => imports.cancel(who, input.import)),
  ]
  return { routes, close: imports.close }
}
