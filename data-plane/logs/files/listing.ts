import { join } from 'node:path'
import { readIfExists } from '#kit/postgres/files'
import { dayOf, folderOfDay, spanOfDay, type Span } from './days.ts'
import { readFileName, replacesName, type LogFile } from './file-names.ts'
import { namesIn, type ProjectFolders } from './project-folders.ts'

/** A file to be read: `path` from the project's folder on, and where in time its entries lie. */
export type Source = {
  path: string
  kind: 'lines' | 'packed'
  span: Span
  /** Where the entries of a packed file are counted already, and whether by host and path, too. */
  counts?: { path: string; fields: 'all' | 'few' }
}

/**
 * The files that together have every entry of a project in a span once. They may be gone when they are opened, because they
 * were sealed or packed meanwhile; then they are listed again.
 */
export async function listSources(
  folders: ProjectFolders,
  ref: string,
  span: Span,
  known: ReadonlyMap<string, Span>,
): Promise<Source[]> {
  const found: Source[] = []
  const [from, to] = [dayOf(span.from), dayOf(span.to - 1)]
  for (const day of await folders.days(ref)) {
    if (day < from || day > to) continue
    const files = await filesOfDay(folders.ofDay(ref, day))
    const counts = new Map(
      files.flatMap((file) =>
        file.kind === 'counts'
          ? [[file.key, { path: join(folderOfDay(day), file.name), fields: file.fields }] as const]
          : [],
      ),
    )
    for (const file of files) {
      const source = sourceOf(file, day, known, counts.get(file.key))
      if (source && source.span.from < span.to && source.span.to > span.from) found.push(source)
    }
  }
  return found
}

function sourceOf(
  file: LogFile,
  day: number,
  known: ReadonlyMap<string, Span>,
  counts: Source['counts'],
): Source | undefined {
  const path = join(folderOfDay(day), file.name)
  if (file.kind === 'packed')
    return { path, kind: 'packed', span: file.span, ...(counts && { counts }) }
  if (file.kind === 'sealed') return { path, kind: 'lines', span: file.span }
  if (file.kind === 'active')
    return { path, kind: 'lines', span: known.get(file.key) ?? spanOfDay(day) }
  return undefined
}

/** What a folder of a day has, without what is hidden by a file that has its entries too. */
export async function filesOfDay(folder: string): Promise<LogFile[]> {
  const files = await settled(folder)
  const hidden = await hiddenKeys(folder, files)
  return files.filter(({ kind, key }) => kind === 'replaces' || !hidden.has(key))
}

/**
 * Names are not read at one moment. A file that is packed first has its new name and then loses the old one, so a list that
 * was read meanwhile may have neither; the next one has the new name. Two lists that are the same were not read meanwhile.
 */
async function settled(folder: string): Promise<LogFile[]> {
  let before = await namesIn(folder)
  for (;;) {
    const names = await namesIn(folder)
    if (names.length === before.length && names.every((name, at) => name === before[at]))
      return names.map(readFileName).filter((file) => file !== undefined)
    before = names
  }
}

/** Keys of files whose entries a packed file has that is there already. */
export async function hiddenKeys(folder: string, files: readonly LogFile[]): Promise<Set<string>> {
  const packed = new Set(files.filter(({ kind }) => kind === 'packed').map(({ key }) => key))
  const hidden = new Set<string>()
  for (const { kind, key } of files) {
    if (kind !== 'replaces' || !packed.has(key)) continue
    for (const each of await replacedBy(folder, key)) hidden.add(each)
  }
  return hidden
}

/** The keys that a file replaces. It is removed last, so where it is gone, so are those. */
export async function replacedBy(folder: string, key: string): Promise<string[]> {
  const text = await readIfExists(join(folder, replacesName(key)))
  return text === undefined ? [] : text.split('\n').filter((line) => line !== '')
}
