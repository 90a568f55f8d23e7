import { createHash } from 'node:crypto'
import { roleOfKey, type ApiKey, type ApiKeyType } from '#contract/projects/api-keys'
import { newSecret } from '#kit/ids'
import type { ApiKeyRow } from './store.ts'

export type LegacyKeys = { anonKey: string; serviceKey: string }

/** Characters of a key behind its kind that people may see: enough to tell it from others, too few to guess the rest. */
const recognized = 5

/** What a key is known by: 256 random bits cannot be found again from their hash, so it needs no salt. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export function newApiKey(type: ApiKeyType) {
  const kind = `sb_${type}_`
  const key = newSecret(kind)
  return { key, sha256: hashOfKey(key), prefix: key.slice(0, kind.length + recognized) }
}

/** A key as the API shows it; `key` is its text, when the caller is to see all of it. */
export const shownKey = (row: ApiKeyRow, key: string | undefined): ApiKey => ({
  id: row.id,
  type: row.type,
  name: row.name,
  api_key: key ?? `${row.prefix}${'·'.repeat(20)}`,
  prefix: row.prefix,
  hash: Buffer.from(row.sha256, 'hex').toString('base64url'),
  description: row.description,
  secret_jwt_template: row.type === 'secret' ? { role: roleOfKey.secret } : null,
  inserted_at: row.inserted_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** The two keys that are tokens, under the names that programs look for. */
export const legacyKeyOf = (role: 'anon' | 'service_role', api_key: string): ApiKey => ({
  id: role,
  type: 'legacy',
  name: role,
  api_key,
  prefix: api_key.slice(0, 8),
  hash: null,
  description: `Legacy ${role} API key`,
  secret_jwt_template: null,
  inserted_at: null,
  updated_at: null,
  last_used_at: null,
})
