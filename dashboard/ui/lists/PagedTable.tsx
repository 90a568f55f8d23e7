import type { ComponentProps } from 'react'
import { Button } from '../controls/Button.tsx'
import { Table } from './Table.tsx'

type Props<Row> = Omit<ComponentProps<typeof Table<Row>>, 'error' | 'onRetry' | 'pageSize'> & {
  /** The part of an infinite query that shows and moves it. */
  query: {
    error: Error | null
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
}

/** A list in a card whose pages come from the server one after the other, newest first: there is nothing to leaf through here. */
export function PagedTable<Row>({ query, ...table }: Props<Row>) {
  return (
    <>
      <div className="card">
        <Table
          {...table}
          error={query.error}
          onRetry={() => void query.refetch()}
          pageSize={Number.MAX_SAFE_INTEGER}
        />
      </div>
      {query.hasNextPage && (
        <div className="more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  )
}
