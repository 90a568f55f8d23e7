import { dataApiDefaults, namesIn, type DataApiSettings } from '#contract/data-api'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../audit/audit.ts'
import type { OwnSettings, SettingsStore } from './settings-store.ts'

type Deps = {
  store: SettingsStore
  record: RecordChange
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
} as const satisfies Record<keyof DataApiSettings, string>

export function createDataApi({ store, record, jwtSecret }: Deps) {
  async function shown(caller: Caller, ref: string, settings: ReadonlyMap<string, string>) {
    const secret = await jwtSecret(caller, ref)
    return { ...settingsIn(settings), ...(secret === undefined ? {} : { jwt_secret: secret }) }
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
    async get(caller: Caller, ref: string) {
      return shown(caller, ref, (await store.read(ref)).settings)
    },

    async update(caller: Caller, ref: string, changes: DataApiChanges, origin: Origin) {
      return store.transaction(async (tx) => {
        const project = await store.lock(tx, ref)
        if (!project) throw new ApiError('project_not_found')
        const { database, connections, settings } = await store.read(ref)
        const before = settingsIn(settings)
        if (changes.db_pool != null && changes.db_pool > connections) {
          const message = `db_pool: the database takes ${connections} connections in all`
          throw new ApiError('invalid_input', message)
        }
        if (changes.db_schema != null) {
          await checkSchemas(ref, changes.db_schema, before.db_schema)
        }
        const wanted = ownOf(changes)
        const after = new Map([...new Map([...settings, ...wanted])].flatMap(whatIsSet))
        await record(tx, {
          organizationId: project.organization_id,
          actor: caller,
          action: 'dataApi.update',
          target: `project:${ref}`,
          change: { before, after: settingsIn(after) },
          origin,
        })
        // Last: it can not be taken back when something here fails.
        if (wanted.size > 0) await store.write(ref, database, wanted)
        return shown(caller, ref, after)
      })
    },
  }
}
export type DataApi = ReturnType<typeof createDataApi>

function settingsIn(own: ReadonlyMap<string, string>): DataApiSettings {
  const rows = Number(own.get(nameOf.max_rows))
  const pool = Number(own.get(nameOf.db_pool))
  return {
    db_schema: own.get(nameOf.db_schema) ?? dataApiDefaults.db_schema,
    db_extra_search_path:
      own.get(nameOf.db_extra_search_path) ?? dataApiDefaults.db_extra_search_path,
    max_rows: Number.isInteger(rows) && rows > 0 ? rows : dataApiDefaults.max_rows,
    db_pool: Number.isInteger(pool) && pool > 0 ? pool : null,
  }
}

/** Nought connections are as many as the installation gives, as in the public protocol. */
function ownOf({
  db_schema,
  db_extra_search_path,
  max_rows,
  db_pool,
}: DataApiChanges): OwnSettings {
  const list = (names: string | null) => (names === null ? null : namesIn(names).join(', '))
  const own: OwnSettings = new Map()
  if (db_schema !== undefined) own.set(nameOf.db_schema, list(db_schema))
  if (db_extra_search_path !== undefined) {
    own.set(nameOf.db_extra_search_path, list(db_extra_search_path))
  }
  if (max_rows !== undefined) own.set(nameOf.max_rows, max_rows === null ? null : String(max_rows))
  if (db_pool !== undefined) own.set(nameOf.db_pool, db_pool ? String(db_pool) : null)
  return own
}

const whatIsSet = ([name, value]: [string, string | null]): [string, string][] =>
  value === null ? [] : [[name, value]]
