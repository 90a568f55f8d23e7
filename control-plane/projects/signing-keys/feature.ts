import type { Platform } from '../../platform.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'
import { signingKeyStore } from './store.ts'
import { signingKeys as api } from '#contract/projects/signing-keys'
import { implement } from '#kit/http'

/** What signs the tokens of a project's users. */
export function signingKeysFeature({ db, audited, secrets }: Platform) {
  const store = signingKeyStore(db)
  const keys = createSigningKeys({ store, secrets, audited })
  return { routes: signingKeyRoutes(keys), first: keys.first, forService: keys.forService }
}

const signingKeyRoutes = (keys: SigningKeys) => [
  implement(api.list, ({ ref }) => keys.list(ref)),
  implement(api.create, (input, caller, origin) => keys.create(caller, input, origin)),
  implement(api.legacy, ({ ref }) => keys.legacy(ref)),
  implement(api.importLegacy, ({ ref }) => keys.legacy(ref)),
  implement(api.get, ({ ref, id }) => keys.get(ref, id)),
  implement(api.update, (input, caller, origin) => keys.update(caller, input, origin)),
  implement(api.remove, (input, caller, origin) => keys.remove(caller, input, origin)),
]
