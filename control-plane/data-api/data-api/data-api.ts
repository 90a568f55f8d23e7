import {
  dataApiDefaults,
  namesIn,
  newTablesChoices,
  type DataApiSettings,
  type NewTables,
} from '#contract/data-api/data-api'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { OwnSettings, SettingsStore } from './settings-store.ts'

type Deps = {
  store: SettingsStore
  audited: Audited
  /** What the caller may see of the secret that tokens are signed with: undefined when nothing. */
  jwtSecret: (caller: Caller, ref: string) => Promise<string | undefined>
}

/** What is named is changed; null takes the default back. */
export type DataApiChanges = {
  [K in keyof DataApiSettings]?: DataApiSettings[K] | null | undefined
}

/** How each is called in the database. */
const nameOf = {
  db_schema: 'db_schemas',
  db_extra_search_path: 'db_extra_search_path',
  max_rows: 'db_max_rows',
  db_pool: 'db_pool',
  new_tables: 'new_tables',
  rate_limit: 'rate_limit',
} as const satisfies Record<keyof DataApiSettings, string>

export function createDataApi({ store, audited, jwtSecret }: Deps) {
  async function shown(
    caller: Caller,
    ref: string,
    settings: ReadonlyMap<string, string>,
    granted: boolean,
  ) {
    const secret = await jwtSecret(caller, ref)
    return {
      ...settingsIn(settings, granted),
      ...(secret === undefined ? {} : { jwt_secret: secret }),
    }
  }

  /** A new name must be one of a schema; what stands there already may stay. */
  async function checkSchemas(ref: string, list: string, before: string): Promise<void> {
    const known = namesIn(before)
    const added = namesIn(list).filter((name) => !known.includes(name))
    const [missing] = added.length > 0 ? await store.missingSchemas(ref, added) : []
    if (missing !== undefined) {
      throw new ApiError('invalid_input', `db_schema: there is no schema "${missing}"`)
    }
  }

  return {
    /** What holds, without any secret, for features whose callers are already authorized. */
    async settingsOf(ref: string): Promise<DataApiSettings> {
      const { settings, granted } = await store.read(ref)
      return settingsIn(settings, granted)
    },

    async get(caller: Caller, ref: string) {
      const { settings, granted } = await store.read(ref)
      return shown(caller, ref, settings, granted)
    },

    async update(caller: Caller, ref: string, changes: DataApiChanges, origin: Origin) {
      const { after, granted } = await audited(
        { caller, ref, origin },
        'dataApi.update',
        async () => {
          const { database, connections, settings, granted } = await store.read(ref)
          const before = settingsIn(settings, granted)
          if (changes.db_pool != null && changes.db_pool > connections) {
            const message = `db_pool: the database takes ${connections} connections in all`
            throw new ApiError('invalid_input', message)
          }
          if (changes.db_schema != null) {
            await checkSchemas(ref, changes.db_schema, before.db_schema)
          }
          const requested = ownOf(changes)
          const after = new Map([...new Map([...settings, ...requested])].flatMap(whatIsSet))
          return {
            after,
            granted,
            change: { before, after: settingsIn(after, granted) },
            last: async () => {
              if (requested.size > 0)
                await store.write(ref, database, requested, grantsOf(changes, after))
            },
          }
        },
      )
      return shown(caller, ref, after, granted)
    },
  }
}
export type DataApi = ReturnType<typeof createDataApi>

/** The schemas that a project's data API exposes, with commas. */
export const createExposedSchemas =
  (store: Pick<SettingsStore, 'read'>) =>
  async (ref: string): Promise<string> => {
    const { settings, granted } = await store.read(ref)
    return settingsIn(settings, granted).db_schema
  }

/** `granted`: what a new table is granted where nothing is said. */
function settingsIn(own: ReadonlyMap<string, string>, granted: boolean): DataApiSettings {
  const rows = Number(own.get(nameOf.max_rows))
  const pool = Number(own.get(nameOf.db_pool))
  const rate = Number(own.get(nameOf.rate_limit))
  return {
    db_schema: own.get(nameOf.db_schema) ?? dataApiDefaults.db_schema,
    db_extra_search_path:
      own.get(nameOf.db_extra_search_path) ?? dataApiDefaults.db_extra_search_path,
    max_rows: Number.isInteger(rows) && rows > 0 ? rows : dataApiDefaults.max_rows,
    db_pool: Number.isInteger(pool) && pool > 0 ? pool : null,
    new_tables: newTablesIn(own) ?? (granted ? 'granted' : 'private'),
    rate_limit: Number.isInteger(rate) && rate > 0 ? rate : null,
  }
}

const newTablesIn = (own: ReadonlyMap<string, string>): NewTables | undefined =>
  newTablesChoices.find((choice) => choice === own.get(nameOf.new_tables))

/** Which default privileges have to be set: also those of a schema that is exposed from now on. */
function grantsOf(changes: DataApiChanges, after: ReadonlyMap<string, string>) {
  const newTables = newTablesIn(after)
  if (!newTables || (changes.new_tables === undefined && changes.db_schema === undefined)) {
    return undefined
  }
  const exposed = namesIn(after.get(nameOf.db_schema) ?? dataApiDefaults.db_schema)
  return { newTables, schemas: exposed.filter((name) => !servicesOwn.includes(name)) }
}

/** In these only the services make tables. */
const servicesOwn = ['auth', 'storage', 'realtime', 'extensions', 'graphql_public', 'pgmq_public']

/** Nought connections are as many as the installation gives, as in the public protocol. */
function ownOf({
  db_schema,
  db_extra_search_path,
  max_rows,
  db_pool,
  new_tables,
  rate_limit,
}: DataApiChanges): OwnSettings {
  const list = (names: string | null) => (names === null ? null : namesIn(names).join(', '))
  const own: OwnSettings = new Map()
  if (db_schema !== undefined) own.set(nameOf.db_schema, list(db_schema))
  if (db_extra_search_path !== undefined) {
    own.set(nameOf.db_extra_search_path, list(db_extra_search_path))
  }
  if (max_rows !== undefined) own.set(nameOf.max_rows, max_rows === null ? null : String(max_rows))
  if (db_pool !== undefined) own.set(nameOf.db_pool, db_pool ? String(db_pool) : null)
  // Where nothing is said it is as the default privileges happen to be, so the default is said too.
  if (new_tables !== undefined) own.set(nameOf.new_tables, new_tables ?? dataApiDefaults.new_tables)
  if (rate_limit !== undefined) {
    own.set(nameOf.rate_limit, rate_limit === null ? null : String(rate_limit))
  }
  return own
}

const whatIsSet = ([name, value]: [string, string | null]): [string, string][] =>
  value === null ? [] : [[name, value]]
