import type { ReactNode } from 'react'
import { createIndex } from '#contract/ddl/indexes'
import type { IndexAdvice } from '#contract/observability/query-performance'
import { Badge } from '../../ui/text/Badge.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { numberText } from '../../ui/text/number.ts'

type Props = {
  advice: IndexAdvice
  denial: string | undefined
  onCreate: () => void
  /** For what it is, where that is not on the page already. */
  children?: ReactNode
}

const cost = (value: number) => numberText(Math.round(value))
const kilobytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** One index that was tried out, or the reason why it was not. */
export function AdviceCard({ advice, denial, onCreate, children }: Props) {
  const { schema, table, columns, before, after, size, untried } = advice
  return (
    <div className="card advice">
      <div className="grow">
        <p className="mono">
          {schema}.{table} ({columns.join(', ')})
        </p>
        {before !== null && after !== null ? (
          <p className="muted t12">
            Cost {cost(before)} → {cost(after)}
            {size !== null && `, the index takes ${kilobytes(size)}`}
          </p>
        ) : (
          <p className="muted t12">Not tried: {untried}</p>
        )}
        {children}
      </div>
      {before !== null && after !== null && (
        <Badge tone="success">{Math.round((1 - after / before) * 100)} % cheaper</Badge>
      )}
      <Button disabledReason={denial} onClick={onCreate}>
        Create index
      </Button>
    </div>
  )
}

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
