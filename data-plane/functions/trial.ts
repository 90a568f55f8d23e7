import { randomUUID } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import type { FunctionCode, FunctionTrial } from '#contract/functions/functions-internal'
import type { ProjectConnection } from '#contract/internal'
import { ApiError } from '#kit/errors'
import { createLimiter, perKey } from '#kit/concurrency'
import { environmentOf } from './environment.ts'
import { Fault } from './faults.ts'
import type { FunctionSource } from './source.ts'
import type { Workers } from './workers.ts'

/** Of one project, beside the one that runs: each is a process that compiles. */
const maxQueued = 5

/** Starts code once before it becomes a version, with all that the function would see, so that what cannot start never serves. */
export function createTrials({ source, workers }: { source: FunctionSource; workers: Workers }) {
  const full = () => new ApiError('rate_limited')
  const oneAtATime = perKey(() => createLimiter({ concurrency: 1, maxQueued, full }))
  return async (project: ProjectConnection, code: FunctionCode): Promise<FunctionTrial> => {
    const all = await source.of(project.ref)
    const served = { id: randomUUID(), slug: '', version: 0, versionId: '', verifyJwt: false }
    const environment = environmentOf(project, all, served)
    try {
      const { ref } = project
      const output = await oneAtATime(ref, () => workers.tryOut({ ref, environment }, code))
      return output === undefined ? { outcome: 'started', reason: '' } : failureOf(output)
    } catch (error) {
      if (!(error instanceof Fault) || error.fault !== 'NO_RUNTIME') throw error
      return { outcome: 'not_tried', reason: error.message }
    }
  }
}

/** Characters that are looked through: the code chooses what it says. */
const longestOutput = 4000
const bootError = /^worker boot error: /

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function inWords(reason: string): string {
  if (reason === 'did not listen in time') return 'It did not call Deno.serve in time'
  return /^(?:exit|signal) \w+$/.test(reason) ? `It ended before it served (${reason})` : reason
}

/** The output of a worker at its end, as `FunctionTrial` has it. */
export function failureOf(output: string): FunctionTrial {
  const text = stripVTControlCharacters(output.slice(0, longestOutput)).replace(bootError, '')
  const [, file, line, column] = /file:\/\/\/([^\s:?#]+):(\d+):(\d+)/.exec(text) ?? []
  const place = file === undefined ? {} : { place: `${decoded(file)}:${line}:${column}` }
  // Below the message come the line of the code and the stack, which the place stands for.
  const [message = ''] = text.split(/\n\s+at |\n\s*[|\n]|\s+at file:\/\/\//)
  const reason = message
    .replace(/^(?:TypeError: (?=SyntaxError|Module not found)|Uncaught )/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { outcome: 'failed', reason: inWords(reason).slice(0, 500), ...place }
}
