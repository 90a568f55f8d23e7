import { customPrefix, customProvider } from './custom-providers.ts'
import type { Fetch } from './oidc-client.ts'
import type { ExternalProvider } from './external-providers.ts'
import type { AuthTenant } from '../tenant.ts'

/** The provider that people of this tenant can sign in with under a name; undefined when none is on. */
export async function findProvider(
  tenant: AuthTenant,
  name: string,
): Promise<ExternalProvider | undefined> {
  if (name.startsWith(customPrefix)) return customProvider(tenant, name)
  return tenant.config.external.find((provider) => provider.name === name)
}

/** How a provider is reached: addresses named by whoever runs the platform are trusted, others are guarded. */
export function reachOf(provider: ExternalProvider, guarded: Fetch): Fetch {
  return provider.guarded ? guarded : (url, init) => fetch(url, init)
}
