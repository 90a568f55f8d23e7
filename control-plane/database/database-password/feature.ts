import type { Platform } from '../../platform.ts'
import { createDatabasePassword } from './database-password.ts'
import { databasePasswordStore } from './store.ts'
import { dataPlaneApi } from '#contract/data-plane-api'
import { quoteLiteral } from '#contract/ddl/sql-text'
import type { DataPlane } from '../../data-plane/client.ts'
import { databasePassword as api } from '#contract/database/database-password'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'

type Needs = Pick<Parameters<typeof createDatabasePassword>[0], 'reseal' | 'passwordOf'>

/** Seconds between two looks for changes that were cut short. */
const pace = 15

export function databasePasswordFeature(platform: Platform, needs: Needs) {
  const { db, audited, each } = platform
  const passwords = createDatabasePassword({
    store: databasePasswordStore(db),
    audited,
    ...needs,
    apply: createApply(platform.dataPlane),
    each,
  })
  return {
    routes: databasePasswordRoutes(passwords),
    rounds: [{ seconds: pace, name: 'passwords of databases', run: passwords.settle }],
  }
}

/** Through the data plane, in a session that is the owner already: so it works whatever the old password is. */
const createApply =
  (dataPlane: DataPlane) =>
  async (ref: string, verifier: string): Promise<void> => {
    await dataPlane.ask(dataPlaneApi.query, {
      params: { ref },
      login: 'postgres',
      as: 'plinth-password',
      body: { query: `alter role current_user password ${quoteLiteral(verifier)}` },
    })
  }

const databasePasswordRoutes = (passwords: ReturnType<typeof createDatabasePassword>) => [
  implement(api.set, ({ ref, password }, caller, origin) =>
    passwords.set(caller, ref, password, origin),
  ),
  implement(v1.setDatabasePassword, async ({ ref, password }, caller, origin) => {
    await passwords.set(caller, ref, password, origin)
    return { message: 'Successfully updated password' }
  }),
]
