import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { EnabledMode } from '#contract/ddl/triggers'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../session/project/database.ts'

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000

/** What is beyond the first part of a long list is found by its name. */
export const triggerTablesQuery = (
  ref: string,
  schema: string,
  { search = '', kinds }: { search?: string; kinds?: readonly string[] | undefined } = {},
) =>
  queryOptions({
    ...databaseQuery(
      pgMeta.entities,
      {
        ref,
        schema,
        limit: 100,
        ...(search ? { search } : {}),
        ...(kinds ? { kinds: kinds.join(',') } : {}),
      },
      shortly,
    ),
    placeholderData: keepPreviousData,
  })

/** How it is enabled, in words: what Postgres calls origin, replica, always, disabled. */
export const modeNames: Record<EnabledMode, string> = {
  ORIGIN: 'Enabled',
  ALWAYS: 'Always',
  REPLICA: 'Replica only',
  DISABLED: 'Disabled',
}

export const modes = [
  { value: 'ORIGIN', label: 'Enabled', detail: 'not for replicated rows' },
  { value: 'ALWAYS', label: 'Always', detail: 'also for replicated rows' },
  { value: 'REPLICA', label: 'Replica only', detail: 'only for replicated rows' },
  { value: 'DISABLED', label: 'Disabled', detail: 'never' },
] as const
