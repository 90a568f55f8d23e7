import { infiniteQueryOptions } from '@tanstack/react-query'
import { migrations, type Migration } from '#contract/migrations'
import { callDatabase } from '../../session/database.ts'

const pageSize = 100

/** Newest first, in pages; each goes on before the oldest of the one before. */
export const migrationsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: [migrations.list.name, { ref }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        migrations.list,
        { ref, limit: pageSize, ...(pageParam ? { before: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page: Migration[]) =>
      page.length === pageSize ? page.at(-1)?.version : undefined,
    // Tools change it behind our back.
    staleTime: 2_000,
  })
