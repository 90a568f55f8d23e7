import { infiniteQueryOptions } from '@tanstack/react-query'
import { snippets } from '#contract/database/snippets'
import type { Output } from '#contract/endpoint'
import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { call, fresh, q } from '../../../../api/client.ts'

export type Section = 'shared' | 'favorites' | 'private'
export const sections: readonly { id: Section; title: string }[] = [
  { id: 'shared', title: 'Shared' },
  { id: 'favorites', title: 'Favorites' },
  { id: 'private', title: 'Private' },
]

const filters = {
  shared: { visibility: 'project' },
  favorites: { favorite: 'true' },
  private: { visibility: 'user' },
} as const

type Page = Output<typeof snippets.list>
export const pageSize = 100

export type Sort = 'name' | 'newest'

/** `name` is matched by the server; `folder` is one of the caller's own, or `none` for what is in none. */
export type Listed = { section: Section; name: string; sort: Sort; folder?: string | undefined }

/** The snippets of a section in pages of 100. */
export const snippetListQuery = (ref: string, { section, name, sort, folder }: Listed) =>
  infiniteQueryOptions({
    queryKey: [snippets.list.name, { ref, section, name, sort, folder }],
    queryFn: ({ pageParam, signal }) =>
      call(
        snippets.list,
        {
          ref,
          ...filters[section],
          limit: pageSize,
          ...(folder ? { folder_id: folder } : {}),
          ...(sort === 'newest'
            ? { sort_by: 'inserted_at' as const, sort_order: 'desc' as const }
            : {}),
          ...(name ? { name } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }: Page) => cursor ?? undefined,
    staleTime: fresh.default,
    placeholderData: (before) => before,
  })

export const snippetCountQuery = (ref: string, name: string) => ({
  ...q(snippets.count, { ref, ...(name ? { name } : {}) }),
  placeholderData: (before: Output<typeof snippets.count> | undefined) => before,
})

export const folderListQuery = (ref: string) => q(snippetFolders.list, { ref })

export const byName = (a: SnippetFolder, b: SnippetFolder) =>
  a.name.localeCompare(b.name, 'en', { sensitivity: 'base' })

/** What a dragged query is known by: other things that are dragged over a folder are not taken. */
const kind = 'application/x-plinth-query'

export const startDrag = (transfer: DataTransfer, id: string) => transfer.setData(kind, id)
export const isQuery = ({ types }: DataTransfer) => types.includes(kind)
export const draggedId = (transfer: DataTransfer) => transfer.getData(kind) || undefined
