import { createIndex } from '#contract/ddl/indexes'
import type { IndexAdvice } from '#contract/observability/query-performance'

export const keyOfAdvice = ({ schema, table, columns }: IndexAdvice) =>
  JSON.stringify([schema, table, columns])

/** Making the index that was advised; reads and writes go on meanwhile. */
export const changeOf = ({ schema, table, columns }: IndexAdvice) =>
  createIndex({
    schema,
    table,
    columns: columns.map((name) => ({ name })),
    method: 'btree',
    concurrently: true,
  })
