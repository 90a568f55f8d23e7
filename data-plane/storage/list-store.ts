import type { Statement } from '../projects/transaction.ts'

/** One line of a list; a folder has no id. */
export type Listed = {
  name: string
  id: string | null
  updated_at: string | null
  created_at: string | null
  last_accessed_at: string | null
  metadata: Record<string, unknown> | null
}

const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const json = `jsonb_build_object('name', l.name, 'id', l.id, 'updated_at', ${iso('l.updated_at')},
  'created_at', ${iso('l.created_at')}, 'last_accessed_at', ${iso('l.last_accessed_at')}, 'metadata', l.metadata)`

/** What lies right below a prefix, by full name, behind `after`. No delimiter: everything below it. */
export const listLevel = (ask: {
  bucket: string
  prefix: string
  delimiter: string
  after: string
  max: number
  offset?: number
  descending: boolean
  /** Without the object that stands for the folder itself, which has no name in it. */
  onlyInside?: boolean
}): Statement => ({
  text: `select ${json} from storage.list_level($1, $2, $3, $4, $5::int, $6::boolean) l
    where not $8::boolean or l.name <> $2 limit $9::int offset $7::int`,
  values: [
    ask.bucket,
    ask.prefix,
    ask.delimiter,
    ask.after,
    String(ask.max + (ask.offset ?? 0) + (ask.onlyInside ? 1 : 0)),
    String(ask.descending),
    String(ask.offset ?? 0),
    String(ask.onlyInside ?? false),
    String(ask.max),
  ],
})

/** The same level, folders first, by a column; or what of it begins so, whatever the case. */
export const listLevelBy = (ask: {
  bucket: string
  prefix: string
  beginning: string
  column: string
  descending: boolean
  max: number
  offset: number
}): Statement => ({
  text: `select ${json} from storage.list_level_by($1, $2, $3, $4, $5::boolean) l
    where l.name <> $2 limit $6::int offset $7::int`,
  values: [
    ask.bucket,
    ask.prefix,
    ask.beginning,
    ask.column,
    String(ask.descending),
    String(ask.max),
    String(ask.offset),
  ],
})

/**
 * A level by a moment of its objects, which is the second cell; its folders come first, by name, as they have none. Behind
 * the line of `after`, which has a moment unless it is a folder.
 */
export function listLevelByMoment(ask: {
  bucket: string
  prefix: string
  column: 'created_at' | 'updated_at'
  descending: boolean
  after: { moment: string | undefined; name: string } | undefined
  max: number
}): Statement {
  const beyond = ask.descending ? '<' : '>'
  const { name = null, moment = null } = ask.after ?? {}
  return {
    text: `select ${json}, to_jsonb(l.${ask.column}) #>> '{}' from storage.list_level_by($1, $2, '', $3, $4::boolean) l
      where $5::text is null or case
        when $6::text is null then l.id is not null or left(l.name, -1) collate "C" ${beyond} left($5, -1)
        else l.id is not null and (l.${ask.column}, l.name collate "C") ${beyond} ($6::timestamptz, $5)
      end limit $7::int`,
    values: [
      ask.bucket,
      ask.prefix,
      ask.column,
      String(ask.descending),
      name,
      moment,
      String(ask.max),
    ],
  }
}

/** Objects below a prefix by a moment, which is the second cell, to the microsecond; behind the moment and name of `after`. */
export function listByMoment(ask: {
  bucket: string
  prefix: string
  column: 'created_at' | 'updated_at'
  descending: boolean
  after: { moment: string; name: string } | undefined
  max: number
}): Statement {
  const [direction, beyond] = ask.descending ? ['desc', '<'] : ['asc', '>']
  const behind = ask.after
    ? `and (l.${ask.column}, l.name collate "C") ${beyond} ($4::timestamptz, $5)`
    : 'and ($4::text is null and $5::text is null)'
  return {
    text: `select ${json}, to_jsonb(l.${ask.column}) #>> '{}' from storage.objects l
      where l.bucket_id = $1 and l.name collate "C" >= $2 and l.name collate "C" < storage.prefix_end($2) ${behind}
      order by l.${ask.column} ${direction}, l.name collate "C" ${direction} limit $3::int`,
    values: [
      ask.bucket,
      ask.prefix,
      String(ask.max),
      ask.after?.moment ?? null,
      ask.after?.name ?? null,
    ],
  }
}
