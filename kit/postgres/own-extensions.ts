import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../root.ts'

/**
 * Extensions of ours, in SQL alone: a folder for each, with its control file and its scripts. They have the names, schemas,
 * functions and results of the public extensions that people's migrations ask for, whose own programs are not part of this Postgres.
 * None of them asks for a superuser: a script runs as whoever creates the extension and gives nobody a right that they have not got,
 * so there is nothing to gain by standing in its way. What needs more is the platform's, and lies in `data-plane/schema`.
 */
const folder = join(root, 'kit/postgres/extensions')

/** Names of files and what is in them, in the order of the names. A long script has parts, `NAME@1-....sql` and so on, that are joined. */
function ownFiles(): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:control|sql)$/.test(entry.name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const texts = new Map<string, string>()
  for (const { name, parentPath } of files) {
    const whole = name.replace(/@.*(?=\.sql$)/, '')
    texts.set(whole, (texts.get(whole) ?? '') + readFileSync(join(parentPath, name), 'utf8'))
  }
  return texts
}

/** Such as `pgmq`. */
export const ownExtensionNames = (): string[] =>
  [...ownFiles().keys()].flatMap((file) => /^(.+)\.control$/.exec(file)?.[1] ?? [])

/** What another edition of the programs differs in. */
export const ownExtensionsText = (): string => JSON.stringify([...ownFiles()])

/** Lays them into the folder of extensions of a copy of the programs; one that the server brings itself is left as it is. */
export async function addOwnExtensions(extensions: string): Promise<void> {
  const there = new Set(readdirSync(extensions))
  for (const [file, text] of ownFiles()) {
    const name = /^(.+?)(?:--.*)?\.(?:control|sql)$/.exec(file)?.[1]
    if (there.has(`${name}.control`)) continue
    await writeFile(join(extensions, file), text, { flag: 'wx', mode: 0o644 })
  }
}
