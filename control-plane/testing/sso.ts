import { randomUUID } from 'node:crypto'
import { ApiError } from '#kit/errors'
import type { SsoGateway, SsoProvider } from '../organizations/sso/gateway.ts'

/** The auth service's side of single sign-on, kept in memory for tests of the control plane alone. */
export function ssoInMemory() {
  const providers = new Map<string, SsoProvider & { domains: readonly string[] }>()
  const people = new Map<string, string[]>()
  const gateway: SsoGateway = {
    service: {
      entityId: 'http://localhost:8000/auth/v1/sso/saml/metadata',
      acsUrl: 'http://localhost:8000/auth/v1/sso/saml/acs',
      metadataUrl: 'http://localhost:8000/auth/v1/sso/saml/metadata?download=true',
      redirectUri: 'http://localhost:8000/auth/v1/callback',
    },
    prepare: async (input) => {
      if (input.saml?.metadata_xml === 'nonsense') {
        throw new ApiError('invalid_input', 'The metadata is not valid XML')
      }
      return { input, metadataXml: input.saml?.metadata_xml }
    },
    save: async (_, { input }, domains, id = randomUUID()) => {
      const { email = '', full_name = '', user_name = '' } = input.saml?.attributes ?? {}
      providers.set(id, {
        id,
        enabled: input.enabled,
        saml: input.saml
          ? {
              entityId: 'https://idp.example.com',
              metadataUrl: input.saml.metadata_url ?? null,
              attributes: { email, full_name, user_name },
            }
          : null,
        oidc: input.oidc ? { issuer: input.oidc.issuer, clientId: input.oidc.client_id } : null,
        updatedAt: new Date(),
        domains,
      })
      return id
    },
    setDomains: async (_, id, domains) => {
      const known = providers.get(id)
      if (known) providers.set(id, { ...known, domains })
    },
    find: async (id) => providers.get(id),
    remove: async (_, id) => void providers.delete(id),
    peopleOf: async (_, id) => people.get(id) ?? [],
  }
  return { gateway, providers, people }
}
