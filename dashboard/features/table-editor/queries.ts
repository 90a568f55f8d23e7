import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pgMeta } from '#contract/pg-meta'
import { tableRows } from '#contract/table-rows'
import { databaseQuery } from '../../session/database.ts'
import type { View } from './search.ts'

export const listSize = 200

/**
 * Tables and rows change behind our back, by SQL and through the API: what is opened is asked for again. Long enough that
 * the page takes over what its loader has just read.
 */
const shortly = 2_000

export const schemasQuery = (ref: string) => databaseQuery(pgMeta.schemas, { ref })

/** The side list. What is beyond the first part of a long list is found by its name. */
export const entitiesQuery = (ref: string, schema: string, search: string) =>
  queryOptions({
    ...databaseQuery(
      pgMeta.entities,
      {
        ref,
        schema,
        limit: listSize,
        ...(search ? { search } : {}),
      },
      shortly,
    ),
    placeholderData: keepPreviousData,
  })

export const entityQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, shortly)

export const rowsQuery = (ref: string, id: number, { filters, sort, limit, cursor }: View) =>
  databaseQuery(
    tableRows.list,
    { ref, id, filters, sort, limit, ...(cursor === undefined ? {} : { cursor }) },
    shortly,
  )

export const countQuery = (ref: string, id: number, filters: View['filters'], exact: boolean) =>
  databaseQuery(tableRows.count, { ref, id, filters, exact }, shortly)

export const typesQuery = (ref: string) =>
  databaseQuery(pgMeta.types, { ref, include_table_types: 'false' })
