import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { folderQuery, type FolderOrder } from '../queries.ts'

/** What lies in a folder, as far as it has been read. */
export function useFolder(projectRef: string, bucket: string, path: string, order: FolderOrder) {
  const query = useInfiniteQuery(folderQuery(projectRef, bucket, path, order))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries), [data])
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return { entries, error, hasMore: hasNextPage, more, retry: () => void refetch() }
}
