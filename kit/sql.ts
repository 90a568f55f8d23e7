/** Quotes an SQL identifier. A NUL can not be part of one, so it is refused here and not by the server. */
export function quoteIdent(name: string): string {
  if (name.includes('\0')) throw new TypeError('An identifier can not contain a NUL character')
  return `"${name.replaceAll('"', '""')}"`
}

/** Quotes an SQL string literal; for DDL, which takes no parameters. Everything else uses parameters. */
export function quoteLiteral(value: string): string {
  if (value.includes('\0')) throw new TypeError('A literal can not contain a NUL character')
  const escaped = value.replaceAll("'", "''")
  return escaped.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`
}
