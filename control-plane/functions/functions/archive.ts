import type { Readable } from 'node:stream'
import type { StoredFile } from './store.ts'

/** The files of a version as a zip, in folders below the function's name. */
export async function archiveOf(slug: string, files: readonly StoredFile[], at: Date) {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  for (const { path, content } of files) zip.addBuffer(content, `${slug}/${path}`, { mtime: at })
  zip.end()
  return zip.outputStream as Readable
}
