import { checkedProvider } from '#compute/provider'
import type { ControlPlaneOptions } from './options.ts'
import { secretsOf } from './projects/projects/spec.ts'
import { roleLookRoutes } from './operations/role-looks/routes.ts'
import { roleLookStore } from './operations/role-looks/store.ts'
import { projectStore } from './projects/projects/store.ts'

/** The same options with a provider that looks at the roles of a project whenever it has started its server, and keeps what it found. */
export function withCheckedCompute(given: ControlPlaneOptions) {
  const { secrets, log } = given
  const store = projectStore(given.database.db)
  const looks = roleLookStore(given.database.db)
  const { provider, settled } = checkedProvider(
    given.compute,
    async (ref) => {
      const row = await store.findAny(ref)
      if (!row) throw new Error(`No row for project ${ref}`)
      return secretsOf(secrets, row).adminPassword
    },
    log,
    looks.keep,
  )
  return {
    options: { ...given, compute: provider },
    store,
    looksSettled: settled,
    lookRoutes: roleLookRoutes(looks),
  }
}
