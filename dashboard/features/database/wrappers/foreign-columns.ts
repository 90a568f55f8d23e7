export type ForeignColumn = { name: string; type: string }

/**
 * Columns as people write them, a line each: `id int8`, `"First name" varchar(20)`. Undefined when a line is none. A type
 * is kept to what types are made of, so that nothing else can stand behind a name.
 */
export function foreignColumns(text: string): ForeignColumn[] | undefined {
  const columns: ForeignColumn[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, quoted, plain, type = ''] =
      /^\s*(?:"((?:[^"]|"")+)"|([^\s"]+))\s+(.+?)\s*,?\s*$/.exec(line) ?? []
    const name = quoted?.replaceAll('""', '"') ?? plain
    if (name === undefined || !isType(type)) return undefined
    columns.push({ name, type })
  }
  return columns.length > 0 ? columns : undefined
}

const isType = (text: string) =>
  /^(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)(?:\.(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*))?(?: (?:varying|precision|with(?:out)? time zone|time zone))*(?:\(\d+(?:, ?-?\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])*$/.test(
    text,
  )
