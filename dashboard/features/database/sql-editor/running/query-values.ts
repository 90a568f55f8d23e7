import type { Query, Snippet, SnippetChart } from '#contract/database/snippets'

/** What a person can change of a query. */
export type Values = {
  name: string
  sql: string
  description: string | null
  visibility: Snippet['visibility']
  favorite: boolean
  /** How its result was drawn last. Texts that older versions kept have none. */
  chart?: SnippetChart | null
}

/** The values as the server has them, and who owns them. */
export type Saved = Values & { revision: number; ownerId: number; owner: string }

export const unnamed = 'Untitled query'

export const emptyValues: Values = {
  name: unnamed,
  sql: '',
  description: null,
  visibility: 'user',
  favorite: false,
  chart: null,
}

export const savedOf = (snippet: Query): Saved => ({
  name: snippet.name,
  sql: snippet.content.sql,
  description: snippet.description,
  visibility: snippet.visibility,
  favorite: snippet.favorite,
  chart: snippet.content.chart ?? null,
  revision: snippet.revision,
  ownerId: snippet.owner_id,
  owner: snippet.owner.username,
})

/** The longest name that the server takes. */
export const longestName = 200

/** What a copy begins with: private, no favourite, and named after what it is a copy of. */
export function copyOf({ sql, name, description, chart = null }: Values): Values {
  const ending = ' (copy)'
  const short = name.slice(0, longestName - ending.length)
  return { ...emptyValues, sql, description, chart, name: short + ending }
}

const keys = ['name', 'sql', 'description', 'visibility', 'favorite', 'chart'] as const

const sameChart = (a: Values, b: Values) =>
  a.chart === b.chart || JSON.stringify(a.chart ?? null) === JSON.stringify(b.chart ?? null)

export const sameValues = (a: Values, b: Values): boolean =>
  keys.every((key) => a[key] === b[key] || (key === 'chart' && sameChart(a, b)))

export const valuesOf = ({
  name,
  sql,
  description,
  visibility,
  favorite,
  chart = null,
}: Values): Values => ({
  name,
  sql,
  description,
  visibility,
  favorite,
  chart,
})

/**
 * What to show after `sent` was saved as `answer` while the person went on to `now`: their newer changes, and for what
 * they left alone the server's word (it trims names, for one).
 */
export function afterSave(now: Values, sent: Values, answer: Values): Values {
  const merged = { ...now }
  for (const key of keys) if (now[key] === sent[key]) Object.assign(merged, { [key]: answer[key] })
  return merged
}
