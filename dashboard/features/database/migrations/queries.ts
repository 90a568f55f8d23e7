import { infiniteQueryOptions } from '@tanstack/react-query'
import { migrationTools } from '#contract/database/migration-tools'
import { migrations, type Migration } from '#contract/database/migrations'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

const pageSize = 100

/** Newest first, in pages; each goes on before the oldest of the one before. */
export const migrationsQuery = (ref: string, search = '') =>
  infiniteQueryOptions({
    queryKey: [migrations.list.name, { ref, search }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        migrations.list,
        {
          ref,
          limit: pageSize,
          ...(pageParam ? { before: pageParam } : {}),
          ...(search ? { search } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page: Migration[]) =>
      page.length === pageSize ? page.at(-1)?.version : undefined,
    // Tools change it behind our back.
    staleTime: 2_000,
  })

export const driftQuery = (ref: string) => databaseQuery(migrationTools.drift, { ref }, 2_000)

/** A migration can change anything about the structure, so everything that was read of it is old. */
export const ofMigrations = [migrations.list, migrationTools.drift]

/** Every migration that is recorded, to compare files with. */
export async function allMigrations(ref: string): Promise<Migration[]> {
  const all: Migration[] = []
  let before: string | undefined
  do {
    const page: Migration[] = await callDatabase(migrations.list, {
      ref,
      limit: 500,
      ...(before ? { before } : {}),
    })
    all.push(...page)
    before = page.length === 500 ? page.at(-1)?.version : undefined
  } while (before)
  return all
}
