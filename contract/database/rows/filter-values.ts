const item = /\s*(?:"((?:[^"]|"")*)"|([^\s",][^,]*?|))\s*(?:,|$)/y

/**
 * Values between commas; one that holds a comma or is empty stands in double quotes, a double quote in it is doubled.
 * Undefined when a double quote is not closed.
 */
export function splitValues(text: string): string[] | undefined {
  const values: string[] = []
  item.lastIndex = 0
  while (item.lastIndex < text.length) {
    const [, quoted, plain] = item.exec(text) ?? []
    if (quoted === undefined && plain === undefined) return undefined
    if (quoted !== undefined) values.push(quoted.replaceAll('""', '"'))
    else if (plain) values.push(plain)
  }
  return values
}

export const joinValues = (values: readonly string[]) =>
  values
    .map((value) =>
      value === '' || /[",]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
    )
    .join(', ')
