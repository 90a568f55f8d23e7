import {
  dataApiDefaults,
  namesIn,
  type DataApiSettings,
  type NewTables,
} from '#contract/data-api/data-api'

/** The form: lists of names, and numbers as the reader types them. */
export type DataApiValues = {
  enabled: boolean
  schemas: readonly string[]
  searchPath: readonly string[]
  maxRows: string
  /** Empty: as many as the installation gives. */
  pool: string
  newTables: NewTables
  /** Empty: no limit. */
  rateLimit: string
}
export type DataApiField = keyof DataApiValues

export function valuesOf(settings: DataApiSettings): DataApiValues {
  const schemas = namesIn(settings.db_schema)
  return {
    enabled: schemas.length > 0,
    // Who switches it on again begins with what a new project has.
    schemas: schemas.length > 0 ? schemas : namesIn(dataApiDefaults.db_schema),
    searchPath: namesIn(settings.db_extra_search_path),
    maxRows: String(settings.max_rows),
    pool: settings.db_pool === null ? '' : String(settings.db_pool),
    newTables: settings.new_tables,
    rateLimit: settings.rate_limit === null ? '' : String(settings.rate_limit),
  }
}

/** What the form says, as the endpoint takes it. */
const settingsOf = ({
  enabled,
  schemas,
  searchPath,
  maxRows,
  pool,
  newTables,
  rateLimit,
}: DataApiValues): DataApiSettings => ({
  db_schema: enabled ? schemas.join(', ') : '',
  db_extra_search_path: searchPath.join(', '),
  max_rows: Number(maxRows),
  db_pool: pool.trim() === '' ? null : Number(pool),
  new_tables: newTables,
  rate_limit: rateLimit.trim() === '' ? null : Number(rateLimit),
})

/** What differs from what is saved. */
export function changesOf(values: DataApiValues, settings: DataApiSettings) {
  const before: DataApiSettings = { ...settings }
  const after = settingsOf(values)
  const list = (text: string) => namesIn(text).join(', ')
  return {
    ...(list(after.db_schema) !== list(before.db_schema) && { db_schema: after.db_schema }),
    ...(list(after.db_extra_search_path) !== list(before.db_extra_search_path) && {
      db_extra_search_path: after.db_extra_search_path,
    }),
    ...(after.max_rows !== before.max_rows && { max_rows: after.max_rows }),
    ...(after.db_pool !== before.db_pool && { db_pool: after.db_pool }),
    ...(after.rate_limit !== before.rate_limit && { rate_limit: after.rate_limit }),
    ...(after.new_tables !== before.new_tables && { new_tables: after.new_tables }),
  }
}

const isWhole = (text: string, least: number, max: number) =>
  /^\s*\d+\s*$/.test(text) && Number(text) >= least && Number(text) <= max

/** What is wrong, by field. */
export function problemsIn(values: DataApiValues): Partial<Record<DataApiField, string>> {
  const { enabled, schemas, maxRows, pool, rateLimit } = values
  return {
    ...(enabled && schemas.length === 0 && { schemas: 'Choose at least one schema' }),
    ...(!isWhole(maxRows, 1, 1_000_000) && { maxRows: 'A whole number from 1 to 1000000' }),
    ...(pool.trim() !== '' &&
      !isWhole(pool, 1, 1000) && {
        pool: 'Enter a whole number from 1 to 1000, or leave it empty',
      }),
    ...(rateLimit.trim() !== '' &&
      !isWhole(rateLimit, 1, 1_000_000) && {
        rateLimit: 'Enter a whole number from 1 to 1000000, or leave it empty',
      }),
  }
}

const fieldOf: Record<string, DataApiField> = {
  db_schema: 'schemas',
  db_extra_search_path: 'searchPath',
  max_rows: 'maxRows',
  db_pool: 'pool',
  new_tables: 'newTables',
  rate_limit: 'rateLimit',
}

/** The field that a refusal is about, and what it says; without a field where it is about none. */
export function refusalIn(message: string): { field?: DataApiField; text: string } {
  const [, name = '', text = ''] = /^(\w+): (.+)$/s.exec(message) ?? []
  const field = fieldOf[name]
  if (!field) return { text: message }
  return { field, text: text.replace(/^./, (first) => first.toUpperCase()) }
}
