/** A key, or a place in an array; a key that holds one of `.:[]"`, or is empty, stands in double quotes. */
const part = /(?:^|(?<!^)\.)(?:"((?:[^"]|"")*)"|([^.:"[\]]+))|\[(-?\d{1,9})\]/y

/** The keys and places that a path such as `address.lines[0]` leads through; undefined when it is none. */
export function readJsonPath(path: string): string[] | undefined {
  const parts: string[] = []
  if (path.includes('\0')) return undefined
  part.lastIndex = 0
  while (part.lastIndex < path.length) {
    const [, quoted, plain, place] = part.exec(path) ?? []
    const found = quoted?.replaceAll('""', '"') ?? plain ?? place
    if (found === undefined) return undefined
    parts.push(found)
  }
  return parts.length > 0 ? parts : undefined
}
