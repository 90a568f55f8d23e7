import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Values } from './inputs.ts'
import { type Person, type TestControlPlane } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'

export const foreignRef = 'v'.repeat(20)
export const ownRef = 'm'.repeat(20)

/** Somebody with one of everything, and the names that inputs call these things by. */
export type Victim = {
  person: Person
  marks: string[]
  values: Values
  byFeature: Record<string, Values>
}

const publicJwk = {
  ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
  kid: 'key of the victim',
}

/** Only the row of a paused project, which nothing looks after: no call of a stranger may ever come as far as a database. */
export async function insertProject(
  plane: TestControlPlane,
  organizationId: string,
  ref: string,
): Promise<void> {
  await sql`
    insert into platform.projects (ref, organization_id, name, status, region, cloud_provider, compute_size, db_version, sealed_secrets)
    values (${ref}, ${organizationId}, ${ref}, 'INACTIVE', 'local', 'AWS', 'micro', '17.10', '')`.execute(
    plane.db,
  )
}

export async function createVictim(plane: TestControlPlane): Promise<Victim> {
  const owner = await newcomer(plane, 'victim')
  await insertProject(plane, (await organizationOf(owner, 'Victim')).id, foreignRef)
  const base = '/platform/organizations/victim'
  const idOf = async (path: string, body: object): Promise<unknown> => {
    const method = path.endsWith('tax-ids') ? 'PUT' : 'POST'
    const made = await owner.call(method, path, body)
    if (made.status >= 300) throw new Error(`${path}: ${JSON.stringify(made.body)}`)
    return made.body['id']
  }
  const app = {
    name: 'Victim app',
    website: 'https://victim.example.com',
    redirect_uris: ['https://victim.example.com/callback'],
    scopes: ['projects:read'],
  }
  const invited = { email: 'guest.of.victim@example.com', role_id: 3 }
  const ids = {
    app: await idOf(`${base}/oauth/apps`, app),
    invitation: await idOf(`${base}/members/invitations`, invited),
    token: await idOf('/platform/profile/access-tokens', { name: 'Victim token' }),
    taxId: await idOf(`${base}/tax-ids`, { type: 'eu_vat', country: 'DE', value: 'DE123456789' }),
    invoice: await idOf(`${base}/billing/credits/top-up`, { amount: 5000 }),
    apiKey: await idOf(`/v1/projects/${foreignRef}/api-keys`, {
      type: 'secret',
      name: 'victim_key',
    }),
    signingKey: await idOf(`/v1/projects/${foreignRef}/config/auth/signing-keys`, {
      algorithm: 'EdDSA',
    }),
    thirdParty: await idOf(`/v1/projects/${foreignRef}/config/auth/third-party-auth`, {
      custom_jwks: { keys: [publicJwk] },
    }),
    storageKey: await idOf(`/platform/storage/${foreignRef}/credentials`, {
      description: 'Key of the victim',
    }),
    snippet: randomUUID(),
    notification: randomUUID(),
  }
  const content = { schema_version: '1.0', content_id: ids.snippet, sql: 'select 1' }
  await sql`
    insert into platform.snippets (id, project_id, owner_id, name, type, visibility, content)
    select ${ids.snippet}, id, ${owner.userId}, 'Victim', 'sql', 'project', ${JSON.stringify(content)}
    from platform.projects where ref = ${foreignRef}`.execute(plane.db)
  await sql`
    insert into platform.notifications (id, user_id, name, priority, title, message)
    values (${ids.notification}, ${owner.userId}, 'test', 'Info', 'Victim news', 'Nobody else reads this')`.execute(
    plane.db,
  )
  const backup = await sql<{ id: string }>`
    insert into platform.backups (project_id, reason, status, taken_at, size_bytes, tables, rows, failure, expires_at)
    select id, 'manual', 'COMPLETED', now(), 1, 1, 1, 'None, says the victim', now() + interval '1 day'
    from platform.projects where ref = ${foreignRef} returning id`.execute(plane.db)
  const backupId = Number(backup.rows[0]?.id)
  return {
    person: owner,
    marks: ['ictim', foreignRef, owner.userId, ids.snippet, ids.notification],
    values: {
      slug: 'victim',
      organization_slug: 'victim',
      organization: 'victim',
      target_organization_slug: 'victim',
      ref: foreignRef,
      project: foreignRef,
      project_ref: foreignRef,
      gotrue_id: owner.userId,
      invoice_id: ids.invoice,
      role_id: 1,
      role_scoped_projects: [foreignRef],
      projectRef: foreignRef,
    },
    byFeature: {
      snippets: { id: ids.snippet },
      apiKeys: { id: ids.apiKey, name: 'mine_now' },
      signingKeys: { id: ids.signingKey },
      thirdPartyAuth: { tpa_id: ids.thirdParty, custom_jwks: { keys: [publicJwk] } },
      storageKeys: { id: ids.storageKey },
      backups: { id: backupId },
      'backups.clone': { cloneBackupId: backupId },
      'pg-meta': { id: 16384 },
      'pg-meta.column': { id: '16384.1' },
      'pg-meta.update-column': { id: '16384.1' },
      'pg-meta.delete-column': { id: '16384.1' },
      'table-rows': { id: 16384 },
      oauthApps: { id: ids.app, ...app },
      invitations: { id: ids.invitation, token: 'A'.repeat(43) },
      accessTokens: { id: ids.token },
      'billing.taxIdsRemove': { id: ids.taxId },
      documents: { id: 'data-processing-addendum' },
      'git.set': { archive_url: 'https://git.example.com/books/{commit}.tar.gz' },
      'git.deploy': { commit: 'a'.repeat(40) },
      notifications: { ids: [ids.notification] },
    },
  }
}
