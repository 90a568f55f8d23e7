import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, type Db } from '#control-plane/platform-database/database'
import { silentLog } from '#kit/log'
import { preparePostgres } from '#kit/postgres/runtime'
import type { Place } from './platform.ts'

type Home = Pick<Place, 'home'>

/** What the platform has written down, to be looked at from outside, or changed as only time does. */
export async function withPlatformDatabase<T>(
  { home }: Home,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  const runtime = await preparePostgres(home)
  const { db } = openDatabase(
    {
      host: join(runtime.sockets, 'platform'),
      port: 5432,
      user: 'plinth',
      password: readFileSync(join(home, 'platform-password'), 'utf8').trim(),
      database: 'plinth',
      max: 2,
    },
    silentLog,
  )
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

/** As if every change of a compute size had been ordered yesterday: the next one need not wait. */
export const ageResizes = (platform: Home): Promise<unknown> =>
  withPlatformDatabase(platform, (db) =>
    db
      .updateTable('platform.project_resizes')
      .set({ ordered_at: new Date(Date.now() - 24 * 60 * 60 * 1000) })
      .execute(),
  )
