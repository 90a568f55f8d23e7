import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
const ById = ByRef.extend({ provider_id: z.uuid() })
const reads = inProject('read:Read', 'custom_config_gotrue')
const changes = inProject('write:Update', 'custom_config_gotrue')
const settings = {
  metadata_url: z.string().max(2048).optional(),
  metadata_xml: z
    .string()
    .max(512 * 1024)
    .optional(),
  domains: z.array(z.string().max(253)).max(100).optional(),
  attribute_mapping: z.object({ keys: z.record(z.string(), z.unknown()) }).optional(),
  name_id_format: z.string().max(200).optional(),
}
/** Which attribute of an assertion becomes a claim. */
const MappedKey = z.looseObject({
  name: z.string().optional(),
  names: z.array(z.string()).optional(),
  array: z.boolean().optional(),
})
/** As the project's auth service shows it. */
export const V1SsoProvider = z.looseObject({
  id: z.string(),
  saml: z
    .looseObject({
      entity_id: z.string(),
      metadata_url: z.string().optional(),
      metadata_xml: z.string(),
      attribute_mapping: z.object({ keys: z.record(z.string(), MappedKey).optional() }),
      name_id_format: z.string().optional(),
    })
    .optional(),
  domains: z.array(
    z.looseObject({
      domain: z.string(),
      created_at: z.string().optional(),
      updated_at: z.string().optional(),
    }),
  ),
  created_at: z.string(),
  updated_at: z.string(),
})

/** Identity providers with which users of a project sign in. */
export const v1Sso = {
  ssoProviders: endpoint('v1.ssoProviders', 'GET /v1/projects/:ref/config/auth/sso/providers', {
    needs: reads,
    input: ByRef,
    returns: z.object({ items: z.array(V1SsoProvider) }),
  }),
  createSsoProvider: endpoint(
    'v1.createSsoProvider',
    'POST /v1/projects/:ref/config/auth/sso/providers',
    {
      needs: changes,
      status: 201,
      input: ByRef.extend({ type: z.literal('saml'), ...settings }),
      returns: V1SsoProvider,
    },
  ),
  ssoProvider: endpoint(
    'v1.ssoProvider',
    'GET /v1/projects/:ref/config/auth/sso/providers/:provider_id',
    { needs: reads, input: ById, returns: V1SsoProvider },
  ),
  updateSsoProvider: endpoint(
    'v1.updateSsoProvider',
    'PUT /v1/projects/:ref/config/auth/sso/providers/:provider_id',
    { needs: changes, input: ById.extend(settings), returns: V1SsoProvider },
  ),
  removeSsoProvider: endpoint(
    'v1.removeSsoProvider',
    'DELETE /v1/projects/:ref/config/auth/sso/providers/:provider_id',
    { needs: changes, input: ById, returns: V1SsoProvider },
  ),
}
