import { one, type Db } from '../store.ts'

export type CustomProviderRow = {
  id: string
  provider_type: 'oauth2' | 'oidc'
  /** With its prefix: `custom:mycompany`. */
  identifier: string
  name: string
  client_id: string
  sealed_client_secret: string
  acceptable_client_ids: string[]
  scopes: string[]
  pkce_enabled: boolean
  attribute_mapping: Record<string, string>
  authorization_params: Record<string, string>
  enabled: boolean
  issuer: string | null
  skip_nonce_check: boolean
  authorization_url: string | null
  token_url: string | null
  userinfo_url: string | null
  created_at: Date
  updated_at: Date
}

const names = [
  ...(['id', 'provider_type', 'identifier', 'name', 'client_id', 'sealed_client_secret'] as const),
  ...(['acceptable_client_ids', 'scopes', 'pkce_enabled', 'attribute_mapping'] as const),
  ...(['authorization_params', 'enabled', 'issuer', 'skip_nonce_check'] as const),
  ...(['authorization_url', 'token_url', 'userinfo_url', 'created_at', 'updated_at'] as const),
]
const columns = names.join(', ')

export async function customProviders(db: Db, type?: string): Promise<CustomProviderRow[]> {
  const sql = `select ${columns} from auth.custom_oauth_providers
    where $1::text is null or provider_type = $1 order by identifier`
  const { rows } = await db.query<CustomProviderRow>(sql, [type ?? null])
  return rows
}

export function customProviderBy(
  db: Db,
  identifier: string,
): Promise<CustomProviderRow | undefined> {
  return one(db, `select ${columns} from auth.custom_oauth_providers where identifier = $1`, [
    identifier,
  ])
}

/** Adds a provider or brings it up to date, by its id. */
export async function saveCustomProvider(db: Db, row: CustomProviderRow): Promise<void> {
  const places = names.map((_, index) => `$${index + 1}`).join(', ')
  const changes = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`)
  const sql = `insert into auth.custom_oauth_providers (${columns}) values (${places})
    on conflict (id) do update set ${changes.join(', ')}`
  const values = names.map((name) => {
    const value = row[name]
    const isMap = name === 'attribute_mapping' || name === 'authorization_params'
    return isMap ? JSON.stringify(value) : value
  })
  await db.query(sql, values)
}

export async function deleteCustomProvider(db: Db, identifier: string): Promise<boolean> {
  const sql = 'delete from auth.custom_oauth_providers where identifier = $1'
  return (await db.query(sql, [identifier])).rowCount === 1
}
