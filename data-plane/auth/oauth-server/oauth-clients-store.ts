import { one, type Db } from '../store.ts'

export type OAuthClientRow = {
  id: string
  client_secret_hash: string | null
  registration_type: 'dynamic' | 'manual'
  client_type: 'public' | 'confidential'
  token_endpoint_auth_method: 'none' | 'client_secret_basic' | 'client_secret_post'
  redirect_uris: string[]
  grant_types: string[]
  client_name: string | null
  client_uri: string | null
  logo_uri: string | null
  created_at: Date
  updated_at: Date
}

export type OAuthClientValues = Omit<OAuthClientRow, 'id' | 'created_at' | 'updated_at'>

const columns = `id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris,
  grant_types, client_name, client_uri, logo_uri, created_at, updated_at`

export function clientById(db: Db, id: string): Promise<OAuthClientRow | undefined> {
  return one(db, `select ${columns} from auth.oauth_clients where id = $1`, [id])
}

export async function clientPage(
  db: Db,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ clients: OAuthClientRow[]; total: number }> {
  const sql = `select ${columns} from auth.oauth_clients order by created_at desc, id limit $1 offset $2`
  const { rows } = await db.query<OAuthClientRow>(sql, [perPage, (page - 1) * perPage])
  const count = await one<{ total: number }>(
    db,
    'select count(*)::int as total from auth.oauth_clients',
    [],
  )
  return { clients: rows, total: count?.total ?? 0 }
}

/** Adds a client, or brings one up to date; undefined when there is none to bring up to date. */
export function saveClient(
  db: Db,
  values: OAuthClientValues,
  at: Date,
  id?: string,
): Promise<OAuthClientRow | undefined> {
  const given = [
    id ?? null,
    values.client_secret_hash,
    values.registration_type,
    values.client_type,
    values.token_endpoint_auth_method,
    values.redirect_uris,
    values.grant_types,
    values.client_name,
    values.client_uri,
    values.logo_uri,
    at,
  ]
  const added = `insert into auth.oauth_clients
       (id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
        client_name, client_uri, logo_uri, created_at, updated_at)
     values (coalesce($1::uuid, gen_random_uuid()), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${columns}`
  const changed = `update auth.oauth_clients set client_secret_hash = $2, registration_type = $3, client_type = $4,
        token_endpoint_auth_method = $5, redirect_uris = $6, grant_types = $7, client_name = $8, client_uri = $9,
        logo_uri = $10, updated_at = $11 where id = $1 returning ${columns}`
  return one(db, id === undefined ? added : changed, given)
}

export async function deleteClient(db: Db, id: string): Promise<boolean> {
  return (await db.query('delete from auth.oauth_clients where id = $1', [id])).rowCount === 1
}
