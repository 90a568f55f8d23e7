import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from '#kit/root'
import { api } from '../api.ts'
import { clientCalls } from '../testing/client-schemas.ts'
import { misfits, type JsonSchema } from '../testing/fits.ts'

/** The public command line client, which refuses an answer that is not of the schema it has for it. */
const program = join(root, 'node_modules/@supabase/cli-linux-x64/bin/supabase')

/** Is refused always, with its reason: its answer is never read. */
const refused = /^v1Elsewhere\.|^v1\.(?:rootKey|updateRootKey|updatePooler)$/

/** Where an answer may be more than the client has words for, and why that is so. */
const known: Record<string, Record<string, string>> = {
  'v1.functionBody': { 'the answer': 'a form with the files, which the client reads as such' },
  'v1.authConfig': { '.smtp_admin_email': 'checked when it is set' },
  'v1.updateAuthConfig': { '.smtp_admin_email': 'checked when it is set' },
  // The client takes names and types that it does not know.
  'v1.securityAdvisors': {
    '.lints[].name': 'findings that are ours',
    '.lints[].metadata.type': 'kinds of things that are ours',
  },
  'v1.performanceAdvisors': {
    '.lints[].name': 'findings that are ours',
    '.lints[].metadata.type': 'kinds of things that are ours',
  },
  'v1.upgradeEligibility': {
    '.target_upgrade_versions[].postgres_version': 'the major version that is installed, 17',
  },
  'v1.upgradeStatus': { '.databaseUpgradeStatus.error': 'a sentence; the client takes any' },
  'v1.restoreVersions': {
    '.available_versions[].postgres_engine': 'the major version that is installed, 17',
  },
  // The client reads this one in parts, and switches on what it finds in it.
  'v1.config': {
    '.data.attributes.pooler': 'one for all projects',
    '.data.attributes.api.db_pool_acquisition_timeout': 'none of the settings here',
    '.data.attributes.api.db_pool_max_lifetime': 'none of the settings here',
    '.data.attributes.api.db_pool_max_idletime': 'none of the settings here',
    '.data.attributes.realtime.connection_pool': 'null is as many as the installation gives',
    '.data.attributes.storage.upstream_target': 'not here',
    '.data.attributes.storage.migration_version': 'not here',
    '.data.attributes.storage.features.purge_cache': 'not here',
    '.data.attributes.storage.features.iceberg_catalog': 'not here',
    '.data.attributes.storage.features.vector_buckets': 'not here',
  },
}
const ssoName = 'a format of names that the auth service takes as it is given'
for (const name of ['createSsoProvider', 'updateSsoProvider', 'removeSsoProvider', 'ssoProvider'])
  known[`v1.${name}`] = { '.saml.name_id_format': ssoName }
known['v1.ssoProviders'] = { '.items[].saml.name_id_format': ssoName }
for (const name of ['logDrains', 'createLogDrain', 'updateLogDrain'])
  for (const setting of ['url', 'http', 'gzip', 'headers'])
    (known[`v1.${name}`] ??= {})[
      `.data${name === 'logDrains' ? '[]' : ''}.attributes.config.${setting}`
    ] = 'of the shape that the type of the drain has'

const plain = (request: string) => request.replaceAll(/:\w+|\{\w+\}/g, '{}')

test.runIf(existsSync(program))(
  'every answer of the Management API is one that the public command line client takes',
  { timeout: 60_000 },
  () => {
    const ours = new Map(
      Object.values(api)
        .flatMap((feature) => Object.values(feature))
        .map((endpoint) => [plain(`${endpoint.method} ${endpoint.path}`), endpoint]),
    )
    const calls = clientCalls(program).filter(({ response }) => response.kind === 'json')
    const compared = calls.flatMap(({ method, path, answer }) => {
      const endpoint = ours.get(plain(`${method} ${path}`))
      if (!endpoint || refused.test(endpoint.name)) return []
      // What zod writes is JSON Schema, of which JsonSchema is the part that is compared.
      const schema = z.toJSONSchema(endpoint.returns, { unrepresentable: 'any' }) as JsonSchema
      return [{ name: endpoint.name, wrong: misfits(schema, answer) }]
    })
    expect(compared.length).toBeGreaterThan(90)
    const placeOf = (wrong: string) => wrong.split(': ')[0] ?? ''
    const unknown = compared.flatMap(({ name, wrong }) =>
      wrong.filter((one) => !known[name]?.[placeOf(one)]).map((one) => `${name} ${one}`),
    )
    expect(unknown).toEqual([])
    const found = new Set(
      compared.flatMap(({ name, wrong }) => wrong.map((one) => `${name} ${placeOf(one)}`)),
    )
    const gone = Object.entries(known)
      .flatMap(([name, places]) => Object.keys(places).map((place) => `${name} ${place}`))
      .filter((one) => !found.has(one))
    expect(gone).toEqual([])
  },
)
