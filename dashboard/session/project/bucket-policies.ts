import { quoteLiteral } from '#contract/ddl/sql-text'
import type { Policy } from '#contract/database/pg-meta-shapes'

/** Whether an expression speaks of this bucket. */
export const speaksOf = (bucket: string, ...expressions: (string | null)[]): boolean =>
  expressions.some((sql) => sql?.includes(quoteLiteral(bucket)) ?? false)

/** The policies of files that speak of one bucket. */
export const policiesOf = (bucket: string, policies: readonly Policy[]): Policy[] =>
  policies.filter(({ definition, check }) => speaksOf(bucket, definition, check))
