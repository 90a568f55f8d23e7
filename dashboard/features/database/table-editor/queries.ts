import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { pgMeta } from '#contract/database/pg-meta'
import { tableDefinition } from '#contract/database/table-definition'
import { tableRows } from '#contract/database/rows/table-rows'
import { tableViews } from '#contract/database/table-views'
import { q } from '../../../api/client.ts'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'
import { asInput, type Impersonation } from '../../../modules/roles/impersonation.ts'
import type { View } from './search.ts'

export const listSize = 200

/**
 * Tables and rows change behind our back, by SQL and through the API: what is opened is asked for again. Long enough that
 * the page takes over what its loader has just read.
 */
const shortly = 2_000

export const schemasQuery = (ref: string) => databaseQuery(pgMeta.schemas, { ref })

export type ListOrder = 'name' | 'kind'

/** The side list, part by part: a schema may have thousands of tables. */
export const entitiesQuery = (
  ref: string,
  schema: string,
  search: string,
  { sort = 'name', kinds = '' }: { sort?: ListOrder; kinds?: string } = {},
) =>
  infiniteQueryOptions({
    queryKey: [pgMeta.entities.name, { ref, schema, search, sort, kinds }],
    queryFn: ({ pageParam: offset, signal }) =>
      callDatabase(
        pgMeta.entities,
        {
          ref,
          schema,
          sort,
          limit: listSize,
          offset,
          ...(kinds ? { kinds } : {}),
          ...(search ? { search } : {}),
        },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total, entities }, pages) => {
      const known = pages.reduce((sum, page) => sum + page.entities.length, 0)
      return entities.length > 0 && known < total ? known : undefined
    },
    staleTime: shortly,
    placeholderData: keepPreviousData,
  })

export const entityQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, shortly)

export const rowsQuery = (
  ref: string,
  id: number,
  { filters, sort, limit, cursor, end }: View,
  as?: Impersonation,
) =>
  databaseQuery(
    tableRows.list,
    {
      ref,
      id,
      filters,
      sort,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(end ? { end } : {}),
      ...asInput(as),
    },
    shortly,
  )

export const countQuery = (
  ref: string,
  id: number,
  filters: View['filters'],
  exact: boolean,
  as?: Impersonation,
) => databaseQuery(tableRows.count, { ref, id, filters, exact, ...asInput(as) }, shortly)

export const typesQuery = (ref: string) =>
  databaseQuery(pgMeta.types, { ref, include_table_types: 'false' })

/** Saved views of a table, and how this person has arranged its columns. */
export const tableViewsQuery = (ref: string, schema: string, table: string) =>
  q(tableViews.list, { ref, schema, table })

export const definitionQuery = (ref: string, id: number) =>
  databaseQuery(tableDefinition.get, { ref, id }, shortly)
