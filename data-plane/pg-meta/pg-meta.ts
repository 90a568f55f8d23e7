import type { Restriction } from '../projects/restriction.ts'
import type { FastifyInstance } from 'fastify'
import { pgMeta } from '#contract/database/pg-meta'
import { cron } from '#contract/integrations/cron'
import { sqlQuery } from '#contract/database/sql/sql-query'
import { sqlTools } from '#contract/database/sql/sql-tools'
import type { Log } from '#kit/log'
import type { ConnectionBudgets } from '../projects/connection-budget.ts'
import { createBudgets } from '../projects/projects.ts'
import { accessRoutes } from './access/access-routes.ts'
import { advisorRoutes, type AdvisorFactsOf } from './advisors/advisor-routes.ts'
import { createColumn, deleteColumn, updateColumn } from './tables/column-changes.ts'
import { getColumn, listColumns } from './tables/columns.ts'
import { goneSignal } from './cancellable.ts'
import { createConnections, inTransaction, type ConnectionOf, type Who } from './connections.ts'
import { getEntity, listEntities } from './tables/entities.ts'
import { webhookCalls } from '#contract/integrations/webhook-calls'
import { webhookCallHandlers } from './integrations/webhook-calls.ts'
import { cronHandlers, type NextTick } from './integrations/cron.ts'
import { queueRoutes } from './integrations/queues/queue-routes.ts'
import { functionRoutes } from './functions/function-routes.ts'
import { createKnownEntities } from './tables/known-entities.ts'
import { impersonationRoutes } from './access/impersonation-routes.ts'
import { overviewRoutes } from './overview/overview-routes.ts'
import { listPolicies } from './access/policies.ts'
import { rlsRoutes } from './access/rls-routes.ts'
import { queryJson } from './run/query.ts'
import { checkQuery } from './run/query-check.ts'
import { listFunctions } from './tables/sql-functions.ts'
import { listRelations } from './tables/sql-relations.ts'
import { migrationRoutes } from './migrations/migration-routes.ts'
import { objectRoutes, serverRoutes } from './objects/object-routes.ts'
import { rowRoutes } from './rows/row-routes.ts'
import { definitionRoutes } from './rows/row-definition.ts'
import type { ImportOptions } from './rows/import/row-imports.ts'
import { transferRoutes } from './rows/row-transfer.ts'
import { answer, handle, serve, type MetaRoute, type UseSession } from './routes.ts'
import { createRuns } from './run/runs.ts'
import {
  createSchema,
  deleteSchema,
  getSchema,
  listSchemas,
  updateSchema,
} from './tables/schemas.ts'
import { createTable, deleteTable, updateTable } from './tables/table-changes.ts'
import { tableShapeRoutes } from './tables/table-shape-routes.ts'
import { getTable, listTables } from './tables/tables.ts'
import { toolRoutes } from './tools/tool-routes.ts'
import { listTypes } from './tables/types.ts'

type Options = {
  connectionOf: ConnectionOf
  /** Shared with the services that connect to the same servers. */
  budgets?: ConnectionBudgets
  /** What the project's organization may not do now; `connectionOf` then gives who may only read, but to delete. */
  restrictionOf?: (ref: string) => Promise<Restriction | undefined>
  /** After how long an open transaction that nobody touches is rolled back; minutes unless told. */
  transactionIdleMs?: number
  /** What the advisors must know beside the database; by default only which schemas a data API usually has. */
  advisorFactsOf?: AdvisorFactsOf
  imports: ImportOptions
  /** Reckons schedules of jobs. */
  nextTick: NextTick
  log: Log
}

/**
 * What dashboards and tools ask about a project's database, and the SQL they run in it: `/:ref/tables` and so on, below
 * the prefix of `app`. It trusts its caller: who may call is checked by the control plane, which names the database
 * login in `x-plinth-login` and the caller's program in `x-pg-application-name`.
 */
export function pgMetaRoutes(
  app: FastifyInstance,
  {
    connectionOf,
    budgets = createBudgets(),
    restrictionOf = () => Promise.resolve(undefined),
    transactionIdleMs,
    advisorFactsOf,
    imports,
    nextTick,
    log,
  }: Options,
): void {
  const connections = createConnections(connectionOf, budgets, log)
  const read: UseSession = (who, work) => connections.use(who, work)
  const write: UseSession = (who, work) =>
    connections.use(who, (client) => inTransaction(client, () => work(client)))
  const runs = createRuns(connections, log, transactionIdleMs)
  const entityOf = createKnownEntities()
  const transfer = transferRoutes(connections, entityOf, log, imports)
  app.addHook('onClose', async () => {
    await transfer.close()
    await runs.close()
    await connections.close()
  })
  const routes = [
    ...catalogRoutes(read, write),
    ...functionRoutes(read, write),
    ...toolRoutes(read),
    ...rowRoutes(connections, read, write, entityOf),
    ...transfer.routes,
    ...definitionRoutes(read, entityOf),
    ...impersonationRoutes(read),
    ...accessRoutes(read, write),
    ...rlsRoutes(read, (who, work) => connections.useAndReset(who, work), entityOf),
    ...tableShapeRoutes(read),
    ...overviewRoutes(read),
    ...advisorRoutes(read, (who, work) => connections.useAtOnce(who, work), advisorFactsOf),
    ...objectRoutes(read, write),
    ...serverRoutes(read, write),
    ...cronRoutes(read, write, nextTick),
    ...webhookRoutes(read, write),
    ...queueRoutes(read, write),
    ...migrationRoutes(read, (who, work) => connections.useAndReset(who, work)),
    handle(sqlQuery.query, async (input, { reply, who }) => {
      const json = await queryJson(connections, who, { ...input, gone: goneSignal(reply.raw) })
      return reply.type('application/json; charset=utf-8').send(json)
    }),
    handle(sqlQuery.run, async (input, { reply, who }) =>
      reply
        .type('application/x-ndjson; charset=utf-8')
        .send(await runs.start(at(who, input), input)),
    ),
    handle(sqlQuery.runFile, async (input, { reply, who }) =>
      reply
        .type('application/x-ndjson; charset=utf-8')
        .send(await runs.startFile(at(who, input), input)),
    ),
    handle(sqlQuery.filePiece, (input, { who }) => runs.piece(who, input)),
    handle(sqlQuery.cancel, (input, { who }) => runs.cancel(at(who, input), input.id)),
    handle(sqlTools.check, ({ query }) => checkQuery(query)),
    answer(read, sqlTools.functions, listFunctions),
    answer(read, sqlTools.relations, (db) => listRelations(db)),
    handle(sqlTools.endTransaction, (input, { who }) => runs.end(who, input)),
  ]
  serve(app, routes, restrictionOf)
}

/** Where a run goes on. */
const at = (who: Who, { replica }: { replica?: string | undefined }): Who => ({ ...who, replica })

const catalogRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, pgMeta.schemas, listSchemas),
  answer(read, pgMeta.schema, (db, { id }) => getSchema(db, id)),
  answer(write, pgMeta.createSchema, createSchema),
  answer(write, pgMeta.updateSchema, updateSchema),
  answer(write, pgMeta.deleteSchema, deleteSchema),
  answer(read, pgMeta.tables, listTables),
  answer(read, pgMeta.table, (db, { id }) => getTable(db, id)),
  answer(write, pgMeta.createTable, createTable),
  answer(write, pgMeta.updateTable, updateTable),
  answer(write, pgMeta.deleteTable, deleteTable),
  answer(read, pgMeta.columns, listColumns),
  answer(read, pgMeta.column, (db, { id }) => getColumn(db, id)),
  answer(write, pgMeta.createColumn, createColumn),
  answer(write, pgMeta.updateColumn, updateColumn),
  answer(write, pgMeta.deleteColumn, deleteColumn),
  answer(read, pgMeta.types, listTypes),
  answer(read, pgMeta.policies, listPolicies),
  answer(read, pgMeta.entities, listEntities),
  answer(read, pgMeta.entity, (db, { id }) => getEntity(db, id)),
]

const webhookRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, webhookCalls.hooks, webhookCallHandlers.hooks),
  answer(write, webhookCalls.settings, webhookCallHandlers.settings),
  answer(read, webhookCalls.deliveries, webhookCallHandlers.deliveries),
  answer(read, webhookCalls.delivery, webhookCallHandlers.delivery),
  answer(read, webhookCalls.replayable, webhookCallHandlers.replayable),
  answer(write, webhookCalls.replay, webhookCallHandlers.replay),
  answer(read, webhookCalls.preview, webhookCallHandlers.preview),
  answer(write, webhookCalls.test, webhookCallHandlers.test),
]

function cronRoutes(read: UseSession, write: UseSession, nextTick: NextTick): MetaRoute[] {
  const jobs = cronHandlers(nextTick)
  return [
    answer(read, cron.list, jobs.list),
    answer(read, cron.preview, jobs.preview),
    answer(read, cron.runs, jobs.runs),
    answer(read, cron.results, jobs.results),
    answer(write, cron.create, jobs.create),
    answer(write, cron.update, jobs.update),
    answer(write, cron.remove, jobs.remove),
    answer(write, cron.run, jobs.run),
  ]
}
