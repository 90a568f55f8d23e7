import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { fileSorts, type FileSort } from '#contract/storage/storage'
import { type FolderOrder, folderQuery } from '../queries.ts'
import { textParams, type SearchOf } from '../../../../session/search-params.ts'

/** What the address of the explorer holds; `file` is the one that is looked at. */
export const explorerParams = textParams('path', 'file', 'q', 'sort', 'order')
export type ExplorerSearch = {
  [Name in keyof SearchOf<typeof explorerParams>]?: string | undefined
}

/** An address can hold anything; what is not known counts as not said. */
export const orderOf = ({ sort, order, q = '' }: ExplorerSearch): FolderOrder => ({
  sort: fileSorts.find((one) => one === sort) ?? 'name',
  order: order === 'desc' ? 'desc' : 'asc',
  search: q.trim(),
})

export const sortNames: Record<FileSort, string> = {
  name: 'Name',
  created_at: 'Time created',
  updated_at: 'Time modified',
  last_accessed_at: 'Time last accessed',
}

type View = { view: 'list' | 'columns' }
/** How this person looks at files, kept in this browser. */
export const useView = create<View>()(
  persist((): View => ({ view: 'list' }), { name: 'plinth.storage-view' }),
)

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
