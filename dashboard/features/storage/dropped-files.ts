import { below, safeName } from './paths.ts'
import type { NewUpload } from './uploads.ts'

const safePath = (path: string) => path.split('/').map(safeName).join('/')

/** What was chosen in a dialog; of a folder with the way to each file. */
export const chosenFiles = (folder: string, files: Iterable<File>): NewUpload[] =>
  [...files].map((file) => ({
    file,
    path: below(folder, safePath(file.webkitRelativePath || file.name)),
  }))

/** What was dropped, folders with everything in them. It must be called while the event lasts. */
export async function droppedFiles(folder: string, transfer: DataTransfer): Promise<NewUpload[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found = await Promise.all(entries.map((entry) => filesIn(entry, '')))
  return found.flat().map(({ file, path }) => ({ file, path: below(folder, safePath(path)) }))
}

async function filesIn(entry: FileSystemEntry, way: string): Promise<NewUpload[]> {
  const path = below(way, entry.name)
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, path }]
  }
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const inside: NewUpload[] = []
  for (;;) {
    // It tells a part at a time, and nothing when it is through.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return inside
    for (const one of part) inside.push(...(await filesIn(one, path)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
