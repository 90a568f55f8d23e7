import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint'
import { pgMeta } from '#contract/database/pg-meta'
import { projectOverview } from '#contract/projects/project-overview'
import { tableShapes } from '#contract/database/table-shapes'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

/** The schema that the data API serves unless a request asks for another one. */
export const apiSchema = 'public'

const pageSize = 100
const shortly = 2000

const after = (shown: number, total: number) => (shown < total ? shown : undefined)

/** Tables and views in name order, a page at a time. */
export const tablesQuery = (ref: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [pgMeta.entities.name, { ref, schema: apiSchema, search, pages: pageSize }],
    queryFn: ({ pageParam: offset, signal }) =>
      callDatabase(
        pgMeta.entities,
        { ref, schema: apiSchema, limit: pageSize, offset, ...(search ? { search } : {}) },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last: Output<typeof pgMeta.entities>, all) =>
      after(all.flatMap(({ entities }) => entities).length, last.total),
    staleTime: shortly,
  })

export const functionsQuery = (ref: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [projectOverview.apiFunctions.name, { ref, search, pages: pageSize }],
    queryFn: ({ pageParam: offset, signal }) =>
      callDatabase(
        projectOverview.apiFunctions,
        { ref, schema: apiSchema, limit: pageSize, offset, ...(search ? { search } : {}) },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last: Output<typeof projectOverview.apiFunctions>, all) =>
      after(all.flatMap(({ functions }) => functions).length, last.total),
    staleTime: shortly,
  })

export const tableQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, shortly)

/** With what each role of the API may do. */
export const shapeQuery = (ref: string, id: number) =>
  databaseQuery(tableShapes.shape, { ref, id }, shortly)

export const functionQuery = (ref: string, id: number) =>
  databaseQuery(projectOverview.apiFunctions, { ref, schema: apiSchema, id }, shortly)
