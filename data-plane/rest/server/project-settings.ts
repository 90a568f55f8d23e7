import type { Log } from '#kit/log'
import { catalogRole, type ProjectDatabase } from '../database.ts'
import type { ServingSettings } from '../requests/incoming.ts'
import { checkSetting, SettingError } from './server-settings.ts'
import { listOf } from './setting-table.ts'
import { ownSql } from './settings-in-database.ts'

const grantPage =
  'In the dashboard, the table editor offers it under API access when the table is edited.'

/**
 * How a project's database wants its data API served: `alter role authenticator set pgrst.db_schemas = 'public, app'`.
 * What it does not say, or says wrongly, stays as the installation has it. An empty list of schemas exposes none.
 */
export async function projectSettings(
  database: ProjectDatabase,
  installed: ServingSettings,
  log: Log,
): Promise<ServingSettings> {
  const transaction = { statements: [{ text: ownSql, values: [] }] }
  const [rows = []] = await database.run(catalogRole, transaction)
  const own = new Map(rows.map(([name, value]) => [name ?? '', value ?? '']))

  function settingOf(name: string): string | undefined {
    const value = own.get(name)
    try {
      if (value !== undefined && value !== '') {
        checkSetting(`pgrst.${name}`, name.replaceAll('_', '-'), value)
      }
      return value
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      log.warn({ err: error, ref: database.connection.ref }, 'A setting cannot be used')
      return undefined
    }
  }
  const schemas = settingOf('db_schemas')
  const path = settingOf('db_extra_search_path')
  database.limitConnections(Number(settingOf('db_pool')) || undefined)
  return {
    ...installed,
    grantPage,
    ...(schemas === undefined ? {} : { exposedSchemas: listOf(schemas) }),
    ...(path === undefined ? {} : { extraSearchPath: listOf(path) }),
  }
}
