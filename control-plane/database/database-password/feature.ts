import type { Platform } from '../../platform.ts'
import { createApply } from './apply.ts'
import { createDatabasePassword } from './database-password.ts'
import { databasePasswordRoutes } from './routes.ts'
import { databasePasswordStore } from './store.ts'

type Needs = Pick<Parameters<typeof createDatabasePassword>[0], 'reseal' | 'passwordOf'>

/** Seconds between two looks for changes that were cut short. */
const pace = 15

export function databasePasswordFeature(platform: Platform, needs: Needs) {
  const { db, record, projects, each } = platform
  const passwords = createDatabasePassword({
    store: databasePasswordStore(db),
    record,
    ...needs,
    apply: createApply(platform.dataPlane),
    tell: projects.tell,
    each,
  })
  return {
    routes: databasePasswordRoutes(passwords),
    rounds: [{ seconds: pace, name: 'passwords of databases', run: passwords.settle }],
  }
}
