import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '#kit/postgres/files'
import { assertSame, digestOf, whenThere } from './files.ts'
import { openKeys, type Keys } from './keys.ts'
import { Manifest, names, StateError, type File } from './layout.ts'
import { checkObjects } from './objects.ts'

/** What is in a backup, if it is whole and the passphrase opens it. */
export type Verified = { manifest: Manifest; keys: Keys }

/**
 * Reads all of a backup back. Whoever does not know the passphrase can have changed nothing of it: the digest of the
 * manifest is sealed with the keys, and the manifest has the digests of everything else.
 * @throws StateError
 */
export async function verifyBackup(
  from: string,
  passphrase: string,
  say: (line: string) => void,
): Promise<Verified> {
  const sealed = await readIfExists(join(from, names.keys))
  if (sealed === undefined) throw new StateError(`${from} is no backup of a platform`)
  const keys = await openKeys(sealed, passphrase)
  const file = join(from, names.manifest)
  const { sha256 } = await whenThere(names.manifest, digestOf(file))
  if (sha256 !== keys.manifest) {
    throw new StateError('the backup is damaged: manifest.json is not what was written')
  }
  const manifest = Manifest.parse(JSON.parse(await readFile(file, 'utf8')))
  const check = async (name: string, expected: File) =>
    assertSame(name, await whenThere(name, digestOf(join(from, name))), expected)
  await check(names.platform, manifest.database)
  for (const { ref, base, facts } of manifest.projects) {
    await check(names.base(ref), base)
    await check(names.facts(ref), facts)
  }
  let count = 0
  for (const { ref, list } of manifest.objects ?? []) {
    await check(names.objectList(ref), list)
    count += await checkObjects(from, ref)
  }
  const stored = manifest.objects ? `${count} stored files` : 'stored files lie in a bucket'
  say(`read back: ${manifest.projects.length} projects, ${stored}, of ${manifest.takenAt}`)
  return { manifest, keys }
}
