import { databaseObjects } from '#contract/database/database-objects'
import { databasePrivileges } from '#contract/database/database-privileges'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

const shortly = 2_000
const maxTables = 500

/** Privileges change by SQL too, so what is opened is asked for again. */
export const tablePrivilegesQuery = (ref: string, id: number) =>
  databaseQuery(databasePrivileges.tables, { ref, relation_id: id }, shortly)

export const columnPrivilegesQuery = (ref: string, id: number) =>
  databaseQuery(databasePrivileges.columns, { ref, table_id: id }, shortly)

export const rolesQuery = (ref: string) =>
  databaseQuery(databaseObjects.roles, { ref, include_system_schemas: 'false' })

/** Names only; in a schema with more tables than this, the one that is meant is found by typing. */
export const tablesQuery = (ref: string, schema: string, search: string) =>
  databaseQuery(
    pgMeta.entities,
    { ref, schema, limit: maxTables, ...(search ? { search } : {}) },
    shortly,
  )
