import { toast } from '../../../../ui/floats/toast.ts'
import { below, nameRule, safeName } from './paths.ts'
import type { NewUpload } from './uploads.ts'

const safePath = (path: string) => path.split('/').map(safeName).join('/')

/** A file under the name that it gets, and what it is called on the disk where that is another. */
function asKey(folder: string, path: string, file: File): NewUpload {
  const safe = safePath(path)
  return { file, path: below(folder, safe), ...(safe === path ? {} : { renamedFrom: path }) }
}

/** Which files get another name than they have, in words; undefined where none does. */
export function renamedText(folder: string, files: readonly NewUpload[], shown = 3) {
  const renamed = files.flatMap(({ path, renamedFrom }) =>
    renamedFrom === undefined
      ? []
      : `“${renamedFrom}” is stored as “${folder === '' ? path : path.slice(folder.length + 1)}”.`,
  )
  if (renamed.length === 0) return undefined
  const rest = renamed.length - shown
  return {
    title:
      renamed.length === 1 ? 'A file gets another name' : `${renamed.length} files get other names`,
    description: [...renamed.slice(0, shown), rest > 0 ? `And ${rest} more.` : '', `${nameRule}.`]
      .filter(Boolean)
      .join(' '),
  }
}

/** What was chosen in a dialog; of a folder with the way to each file. */
export const chosenFiles = (folder: string, files: Iterable<File>): NewUpload[] =>
  [...files].map((file) => asKey(folder, file.webkitRelativePath || file.name, file))

/** What was dropped, folders with everything in them. It must be called while the event lasts. */
export async function droppedFiles(folder: string, transfer: DataTransfer): Promise<NewUpload[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found = await Promise.all(entries.map((entry) => filesIn(entry, '')))
  return found.flat().map(({ file, path }) => asKey(folder, path, file))
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

/** Nobody should have to find out by themselves that a file has another name than before. */
export function notifyRenamed(folder: string, files: readonly NewUpload[]): void {
  const text = renamedText(folder, files)
  if (text) toast.warning(text.title, { description: text.description })
}
