type Places = {
  /** Where the function's files lie on this machine. */
  code: string
  /** What else is there for it alone. */
  folder: string
  /** The program of ours that runs it. */
  bootstrap: string
}

/**
 * What a function says, with its files as it knows them: `file:///index.ts:3:9`. Where they lie is the machine's own business, and
 * so are the lines of a stack that are ours.
 */
export function ownPaths({ code, folder, bootstrap }: Places): (text: string) => string {
  const ours = bootstrap.slice(0, bootstrap.lastIndexOf('/') + 1)
  const frame = /^\s+at /
  return (text) => {
    if (!text.includes(folder) && !text.includes(ours)) return text
    return text
      .split('\n')
      .filter((line) => !(frame.test(line) && line.includes(ours)))
      .join('\n')
      .replaceAll(`file://${code}/`, 'file:///')
      .replaceAll(`${code}/`, '/')
      .replaceAll(folder, '')
      .replaceAll(ours, '')
  }
}
