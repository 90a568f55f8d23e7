import { z } from 'zod'
import { maxVaultSecrets, VaultSecret } from '#contract/integrations/vault'

/** SQL in a project's database, for callers who are authorized already. */
export type RunSql = (
  ref: string,
  sql: { query: string; parameters?: readonly unknown[]; login: 'postgres' },
) => Promise<Record<string, unknown>[]>

/** The id of the key that has sealed a row; null where that is not to be seen, as in a vault of another make. */
const keyOf = `case when secret ~ '^UFYx[A-Za-z0-9+/]{84,}={0,2}$' and length(secret) % 4 = 0
  then encode(substr(decode(secret, 'base64'), 4, 16), 'hex')::uuid end`
const instant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

const Row = VaultSecret.omit({ opens: true }).extend({ key: z.uuid().nullable() })
const Id = z.object({ id: z.uuid() })

const extensionRow = `select exists (select from pg_available_extensions where name = 'supabase_vault') as available,
  exists (select from pg_extension where extname = 'supabase_vault') as installed`
const secretRows = `select id, name, description, ${keyOf} as key, ${instant('created_at')}, ${instant('updated_at')}
  from vault.secrets order by name nulls last, created_at limit $1`

/**
 * In one transaction: whoever writes is waited for, and waits, so that nothing is sealed with an old key behind it. What does not
 * open, because it was damaged, stays as it is.
 */
const resealSql = (keys: readonly string[]) => {
  const old = keys.map((key) => `'${z.uuid().parse(key)}'::uuid`).join(', ')
  const ofOld = `${keyOf} in (${old}) and extensions.plinth_vault_is_whole(
      decode(secret, 'base64'), convert_to(id::text, 'utf8'), nonce)`
  return `do $reseal$
declare
  one record;
  fresh bytea;
begin
  if to_regclass('vault.secrets') is null
    or not exists (select from pg_extension where extname = 'supabase_vault') then
    return;
  end if;
  set local lock_timeout = '5s';
  lock table vault.secrets in share row exclusive mode;
  for one in select id, secret, nonce from vault.secrets where ${ofOld} loop
    fresh := extensions.plinth_vault_nonce();
    update vault.secrets s set nonce = fresh,
      secret = replace(encode(extensions.plinth_vault_seal(
        extensions.plinth_vault_open(decode(one.secret, 'base64'), convert_to(one.id::text, 'utf8'), one.nonce),
        convert_to(one.id::text, 'utf8'), fresh), 'base64'), e'\\n', '')
    where s.id = one.id;
  end loop;
  if exists (select from vault.secrets where ${ofOld}) then
    raise exception 'Some secrets are still sealed with the old key. A trigger on vault.secrets may keep them as they are';
  end if;
end
$reseal$`
}

export type VaultSecretStore = ReturnType<typeof vaultSecretStore>

export function vaultSecretStore(runSql: RunSql) {
  const run = (ref: string, query: string, parameters: readonly unknown[] = []) =>
    runSql(ref, { query, parameters, login: 'postgres' })
  return {
    async extension(ref: string): Promise<{ available: boolean; installed: boolean }> {
      const [row] = await run(ref, extensionRow)
      return { available: row?.['available'] === true, installed: row?.['installed'] === true }
    },

    list: async (ref: string) => z.array(Row).parse(await run(ref, secretRows, [maxVaultSecrets])),

    /** Undefined: there is no such secret. */
    async find(ref: string, id: string): Promise<{ name: string | null } | undefined> {
      const [row] = await run(ref, 'select name from vault.secrets where id = $1', [id])
      return row && z.object({ name: z.string().nullable() }).parse(row)
    },

    async create(
      ref: string,
      {
        name,
        description,
        value,
      }: { name: string | undefined; description: string; value: string },
    ): Promise<string> {
      const [row] = await run(ref, 'select vault.create_secret($1, $2, $3) as id', [
        value,
        name ?? null,
        description,
      ])
      return Id.parse(row).id
    },

    async update(
      ref: string,
      { id, name = null, description = null, value = null }: Change,
    ): Promise<void> {
      await run(ref, 'select vault.update_secret($1, $2, $3, $4)', [id, value, name, description])
    },

    async remove(ref: string, id: string): Promise<void> {
      await run(ref, 'delete from vault.secrets where id = $1', [id])
    },

    /** Undefined: there is no such secret. */
    async value(ref: string, id: string): Promise<string | undefined> {
      const [row] = await run(
        ref,
        'select decrypted_secret as value from vault.decrypted_secrets where id = $1',
        [id],
      )
      return row && z.object({ value: z.string() }).parse(row).value
    },

    /** Seals with the current key what these have sealed. Throws where something of it is left. */
    async reseal(ref: string, keys: readonly string[]): Promise<void> {
      if (keys.length > 0) await run(ref, resealSql(keys))
    },
  }
}

type Change = {
  id: string
  name?: string | null | undefined
  description?: string | null | undefined
  value?: string | null | undefined
}
