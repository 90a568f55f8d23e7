import { setImmediate } from 'node:timers/promises'
import { originsIn, type Origin } from '#kit/postgres/view-origins'

/** What the catalogs of a project's database say about the exposed schemas, as the query below returns it. */
export type Catalog = {
  relations: {
    schema: string
    name: string
    /** pg_class.relkind */
    kind: 'r' | 'v' | 'm' | 'f' | 'p'
    /** Bits of pg_relation_is_updatable: 4 update, 8 insert, 16 delete. */
    writable: number
    /** The same bits: changes that run no code but the server's own. */
    plain: number
    primary_key: string[] | null
    columns: CatalogColumn[] | null
  }[]
  functions: {
    schema: string
    name: string
    args: { name: string; type: string; optional: boolean; variadic: boolean }[] | null
    returns: 'void' | 'scalar' | 'composite'
    /** The relation whose rows it returns, if they have one. */
    relation: { schema: string; name: string } | null
    set: boolean
    /** The domain that it returns, where its name is a media type: `text/html`. In lower case. */
    media: string | null
    bytes: boolean
    /** Declared to return one row at most. */
    one: boolean
    /** The relation whose row is its only argument. */
    of: { schema: string; name: string } | null
    /** pg_proc.provolatile */
    volatility: 'v' | 's' | 'i'
    /** `name=value` of its SET clauses. */
    settings: string[] | null
  }[]
  /** Aggregates of one argument that return a domain whose name is a media type. */
  handlers: {
    schema: string
    name: string
    media: string
    bytes: boolean
    /** The relation whose rows it takes; null when any rows. */
    of: { schema: string; name: string } | null
  }[]
  foreign_keys: {
    name: string
    schema: string
    relation: string
    columns: string[]
    target_schema: string
    target: string
    target_columns: string[]
    /** The columns can hold a value once only, so the other side sees one row at most. */
    unique: boolean
    /** pg_class.oid and attnums of both ends: views know columns by these. */
    ends: { table: number; columns: number[]; target: number; target_columns: number[] }
  }[]
  /** Views of any schema, since one may be made of another. */
  views: {
    id: number
    schema: string
    name: string
    origins: readonly Origin[]
    /** attnum to name */
    columns: Record<string, string>
  }[]
  /** Primary keys of the tables that views are made of. */
  keys: { table: number; columns: number[] }[]
  /** The login that asks, and the roles that it can take. */
  roles: { name: string; login: boolean; settings: { name: string; value: string }[] | null }[]
  schemas: string[]
}
export type CatalogColumn = {
  name: string
  /** As SQL spells it, schema-qualified unless built in, with its modifier: `character varying(10)`. */
  type: string
  /** Name of the type below all domains: `jsonb`, `tsvector`, `int4`. */
  base: string
  array: boolean
  default: string | null
  generated: boolean
  representation: Representation | null
}

/**
 * How values of a domain look to the outside, where the database has functions for it: those of its casts to and from
 * JSON, and from text. Postgres itself heeds no casts of domains, so the functions are called here.
 */
export type Representation = {
  /** domain → json: in answers. */
  out?: Place
  /** json → domain: in bodies. */
  in?: Place
  /** text → domain: in filters. */
  filter?: Place
}
type Place = { schema: string; name: string }

/** Rows read before other work gets a turn: some milliseconds, however large the schema is. */
const rowsAtOnce = 300
/** So many letters of a view's rule take as long as a row. */
const lettersOfRow = 2000

/** Puts the rows of the query together without holding up the requests of other projects. */
export async function parseCatalog(
  rows: readonly (readonly (string | null)[])[],
): Promise<Catalog> {
  const catalog: Catalog = {
    relations: [],
    functions: [],
    handlers: [],
    foreign_keys: [],
    views: [],
    keys: [],
    roles: [],
    schemas: [],
  }
  let read = 0
  for (const [list, item] of rows) {
    read += list === 'views' ? 1 + (item?.length ?? 0) / lettersOfRow : 1
    if (read >= rowsAtOnce) {
      read = 0
      await setImmediate()
    }
    // The query names the lists, and makes their items in the types' shapes.
    const target = catalog[list as keyof Catalog] as unknown[]
    const found = JSON.parse(item ?? 'null') as unknown
    target.push(
      list === 'views' ? viewOf(found as Catalog['views'][number] & { rule: string }) : found,
    )
  }
  return catalog
}

/** A view's rule is long, and nothing but the origins of its columns is wanted of it. */
const viewOf = ({ rule, ...view }: Catalog['views'][number] & { rule: string }) => ({
  ...view,
  origins: originsIn(rule),
})
