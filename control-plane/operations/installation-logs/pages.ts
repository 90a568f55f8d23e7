import { stat } from 'node:fs/promises'
import {
  installationLevels,
  type InstallationEntry,
  type installationLogs as api,
} from '#contract/operations/installation-logs'
import type { Output, Parsed } from '#contract/endpoint'
import { logFilePath, logFilesIn } from '#kit/log-files'
import { entryOf } from './entries.ts'
import { isGone, linesBackwards, linesForwards, type Line } from './lines.ts'

type Question = Parsed<typeof api.page>
type Page = Output<typeof api.page>
type Place = { file: number; at: number }

/** Bytes that one answer looks through at most. */
const budget = 4 * 1024 * 1024

const named = ({ file, at }: Place) => `${file}.${at}`
function placeOf(cursor: string): Place {
  const [file, at] = cursor.split('.').map(Number)
  return { file: file ?? 0, at: at ?? 0 }
}

/** What of a line is asked for. The text is looked for in the line as it is written, before it costs anything. */
function chooser({ level, program, text }: Question) {
  const low = installationLevels.indexOf(level)
  const needle = text.toLowerCase()
  return (line: Line, file: number): InstallationEntry | undefined => {
    if (needle !== '' && !line.text.toLowerCase().includes(needle)) return undefined
    const entry = entryOf(named({ file, at: line.start }), line.text)
    if (!entry || installationLevels.indexOf(entry.level) < low) return undefined
    return program === undefined || entry.program === program ? entry : undefined
  }
}

async function sizeOf(folder: string, file: number): Promise<number> {
  try {
    return (await stat(logFilePath(folder, file))).size
  } catch (error) {
    if (isGone(error)) return 0
    throw error
  }
}

/** Where whatever is written next will stand. */
async function endOf(folder: string, files: readonly number[]): Promise<Place> {
  const last = files.at(-1) ?? 1
  return { file: last, at: files.length === 0 ? 0 : await sizeOf(folder, last) }
}

/** The installation's own logs, a page at a time. No file is read as a whole. */
export const createLogPages = (folder: string) => ({
  async page(question: Question): Promise<Page> {
    const files = logFilesIn(folder)
    return question.after === undefined
      ? older(folder, files, question)
      : newer(folder, files, question, placeOf(question.after))
  },
})

async function older(folder: string, files: readonly number[], question: Question): Promise<Page> {
  const end = await endOf(folder, files)
  const from = question.before === undefined ? end : placeOf(question.before)
  const choose = chooser(question)
  const entries: InstallationEntry[] = []
  let looked = 0
  for (const file of files.filter((one) => one <= from.file).toReversed()) {
    const size = await sizeOf(folder, file)
    const before = file === from.file ? Math.min(from.at, size) : size
    for await (const line of linesBackwards(logFilePath(folder, file), before)) {
      looked += line.end - line.start
      const entry = choose(line, file)
      if (entry) entries.push(entry)
      if (entries.length === question.limit || looked > budget) {
        const at = { file, at: line.start }
        const isLast = line.start === 0 && file === files[0]
        return answer(entries, isLast ? null : named(at), named(end))
      }
    }
  }
  return answer(entries, null, named(end))
}

/** What was written since, newest first as well. */
async function newer(
  folder: string,
  files: readonly number[],
  question: Question,
  from: Place,
): Promise<Page> {
  const choose = chooser(question)
  const entries: InstallationEntry[] = []
  let looked = 0
  const end = await endOf(folder, files)
  // A place of files that were removed by hand: what comes next begins at the end of those that are there.
  let reached = from.file > end.file ? end : from
  for (const file of files.filter((one) => one >= from.file)) {
    const start = file === from.file ? from.at : 0
    if (file !== from.file) reached = { file, at: 0 }
    for await (const line of linesForwards(logFilePath(folder, file), start)) {
      looked += line.end - line.start
      reached = { file, at: line.end }
      const entry = choose(line, file)
      if (entry) entries.push(entry)
      if (entries.length === question.limit || looked > budget)
        return answer(entries.toReversed(), null, named(reached))
    }
  }
  return answer(entries.toReversed(), null, named(reached))
}

const answer = (entries: InstallationEntry[], olderAt: string | null, newerAt: string): Page => ({
  entries,
  older: olderAt,
  newer: newerAt,
  absent: null,
})
