import { one, type Db } from '../store.ts'

export type SamlKeyRow = { sealed_private_key: string; certificate: string }

export const savedSamlKey = (db: Db): Promise<SamlKeyRow | undefined> =>
  one<SamlKeyRow>(db, 'select sealed_private_key, certificate from auth.saml_keys', [])

/** Whoever comes first: the key that stands, which may be another's. */
export async function saveSamlKey(db: Db, key: SamlKeyRow): Promise<SamlKeyRow> {
  await db.query(
    'insert into auth.saml_keys (sealed_private_key, certificate) values ($1, $2) on conflict do nothing',
    [key.sealed_private_key, key.certificate],
  )
  return (await savedSamlKey(db)) ?? key
}
