import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { withClient } from '#kit/postgres/client'
import { migrate, migrationsIn, type Migration } from '#kit/postgres/migrations'
import { root } from '#kit/root'

/** The platform's own migrations in order of their file names. */
export const platformMigrations = (): Migration[] =>
  migrationsIn(join(root, 'control-plane/platform-database/migrations'))

/** Brings the platform's database up to date; control planes that start together take turns. Says what it was given. */
export const migratePlatform = (
  database: ClientConfig,
  migrations: readonly Migration[],
): Promise<string[]> =>
  withClient(database, (client) =>
    migrate(client, migrations, { table: { schema: 'public', name: 'plinth_migrations' } }),
  )
