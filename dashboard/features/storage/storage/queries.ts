import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { databasePolicies } from '#contract/database/database-policies'
import type { Output } from '#contract/endpoint'
import { storage, type FileSort } from '#contract/storage/storage'
import { storageJobs } from '#contract/storage/storage-jobs'
import { storageKeys } from '#contract/storage/storage-keys'
import { storageSettings } from '#contract/storage/storage-settings'
import { storageTrash } from '#contract/storage/storage-trash'
import { storageUse } from '#contract/storage/storage-use'
import { call, q } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import type { TrashFilter } from './search.ts'

export const bucketsQuery = (ref: string) => q(storage.buckets, { ref })
export const bucketQuery = (ref: string, id: string) => q(storage.bucket, { ref, id })
export const usageQuery = (ref: string) => q(storage.usage, { ref })
export const previewQuery = (ref: string, id: string, path: string) =>
  q(storage.download, { ref, id, path }, 30 * 60_000)

export type FolderOrder = { sort: FileSort; order: 'asc' | 'desc'; search: string }
type FolderPage = Output<typeof storage.list>

/** One folder in pages, by cursor: it can be as large as it likes. */
export const folderQuery = (ref: string, id: string, path: string, order: FolderOrder) =>
  infiniteQueryOptions({
    queryKey: [storage.list.name, { ref, id, path, ...order }],
    queryFn: ({ pageParam, signal }) =>
      call(
        storage.list,
        { ref, id, path, ...order, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: FolderPage) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** Asked again every second while one runs. */
export const jobsQuery = (ref: string) => ({
  ...q(storageJobs.jobs, { ref }, 0),
  refetchInterval: ({ state }: { state: { data?: Output<typeof storageJobs.jobs> | undefined } }) =>
    state.data?.some(({ status }) => status === 'RUNNING') ? 1000 : (false as const),
})

type TrashPart = Output<typeof storageTrash.list>

/** What was deleted last comes first, in pages. */
export const trashQuery = (ref: string, { find, bucket }: TrashFilter) =>
  infiniteQueryOptions({
    queryKey: [storageTrash.list.name, { ref, find, bucket }],
    queryFn: ({ pageParam, signal }) =>
      call(
        storageTrash.list,
        {
          ref,
          ...(find && { search: find }),
          ...(bucket && { bucket }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: TrashPart) => next ?? undefined,
    staleTime: 2_000,
  })

/** After one is gone: its own page may still be closing, and nothing is asked of it any more. */
export const ofBucketLists = [storage.buckets, storage.usage, storageTrash.list]
export const ofBuckets = [...ofBucketLists, storage.bucket]
export const ofFiles = [storage.list, storage.usage, storageTrash.list]
export const ofJobs = [storageJobs.jobs]

/** The table of files with its policies, among those whose name is like it. */
export const filesTableQuery = (ref: string) =>
  databaseQuery(databasePolicies.tables, { ref, schema: 'storage', search: 'objects' })

/** What was given away this month. */
export const monthQuery = (ref: string) => q(storageUse.get, { ref })
export const settingsQuery = (ref: string) => q(storageSettings.get, { ref })
export const s3KeysQuery = (ref: string) => q(storageKeys.list, { ref })
/** The limit of a file stands in the list of buckets as well. */
export const ofSettings = [storageSettings.get, storage.buckets]
export const ofS3Keys = [storageKeys.list]
