import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '#kit/root'

const name = '.plinth'

/**
 * The home of the platform that is meant where none is named: `.plinth` in the folder `from` or the nearest one above it, else in the
 * folder of this installation. Above `from` only one of this user, or of root, counts: what somebody else has put into /tmp must not
 * hear what is said to the platform.
 */
export function findHome(
  from: string,
  installation: string = root,
  user: number | undefined = process.getuid?.(),
): string {
  if (ownerOf(join(from, name)) !== undefined) return name
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const home = join(dirname(folder), name)
    const owner = ownerOf(home)
    if (owner !== undefined && [0, user].includes(owner)) return home
  }
  const own = join(installation, name)
  return ownerOf(own) === undefined ? name : own
}

/** Undefined where there is no such folder. */
function ownerOf(folder: string): number | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() ? stat.uid : undefined
}
