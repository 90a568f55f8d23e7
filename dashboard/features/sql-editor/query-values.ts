import type { Snippet } from '#contract/snippets'

/** What a person can change of a query. */
export type Values = {
  name: string
  sql: string
  description: string | null
  visibility: Snippet['visibility']
  favorite: boolean
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
}

export const savedOf = (snippet: Snippet): Saved => ({
  name: snippet.name,
  sql: snippet.content.sql,
  description: snippet.description,
  visibility: snippet.visibility,
  favorite: snippet.favorite,
  revision: snippet.revision,
  ownerId: snippet.owner_id,
  owner: snippet.owner.username,
})

/** The longest name that the server takes. */
export const longestName = 200

/** What a copy begins with: private, no favourite, and named after what it is a copy of. */
export function copyOf({ sql, name, description }: Values): Values {
  const ending = ' (copy)'
  const short = name.slice(0, longestName - ending.length)
  return { ...emptyValues, sql, description, name: short + ending }
}

const keys = ['name', 'sql', 'description', 'visibility', 'favorite'] as const

export const sameValues = (a: Values, b: Values): boolean => keys.every((key) => a[key] === b[key])

export const valuesOf = ({ name, sql, description, visibility, favorite }: Values): Values => ({
  name,
  sql,
  description,
  visibility,
  favorite,
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
