import { join } from 'node:path'
import { z } from 'zod'

/*
 * A backup of the platform is a folder:
 *   manifest.json                               what it is of, and every file but those of objects, with its digest
 *   keys.sealed                                 the keys, sealed by the passphrase (keys.ts)
 *   platform.tar.gz                             the platform's own database
 *   projects/{ref}/base.tar.gz, facts.json      a project's server, as the provider keeps its backups
 *   objects/{ref}.jsonl, objects/{ref}/{place}  what a project has stored, and one line for each file
 * Functions are rows of the platform's database.
 */
export const names = {
  manifest: 'manifest.json',
  keys: 'keys.sealed',
  platform: 'platform.tar.gz',
  base: (ref: string) => join('projects', ref, 'base.tar.gz'),
  facts: (ref: string) => join('projects', ref, 'facts.json'),
  objectList: (ref: string) => join('objects', `${ref}.jsonl`),
  objects: (ref: string) => join('objects', ref),
}

const Ref = z.string().regex(/^[a-z]{20}$/)
const Digest = z.string().regex(/^[0-9a-f]{64}$/)
const File = z.strictObject({ bytes: z.int().min(0), sha256: Digest })
export type File = z.infer<typeof File>

export const Manifest = z.strictObject({
  format: z.literal('plinth platform backup'),
  version: z.literal(1),
  /** Of the platform that made it. */
  platform: z.string(),
  takenAt: z.iso.datetime(),
  database: File,
  projects: z.array(z.strictObject({ ref: Ref, base: File, facts: File })),
  /** The lists of what projects have stored. Null: it lies in a bucket and is not in here. */
  objects: z.array(z.strictObject({ ref: Ref, list: File })).nullable(),
})
export type Manifest = z.infer<typeof Manifest>

/** One line of a list of objects: two letters, and the version that begins with them. */
export const ObjectLine = z.strictObject({
  place: z.string().regex(/^[a-z0-9-]{2}\/[a-z0-9-]{1,64}$/),
  bytes: z.int().min(0),
  sha256: Digest,
})
export type ObjectLine = z.infer<typeof ObjectLine>

/** A backup that cannot be made or taken as one; the message is for the person at the terminal. */
export class StateError extends Error {}

/** A file in a home that is there while it is being restored. */
export const unfinishedRestore = (home: string) => join(home, 'restore-unfinished')
