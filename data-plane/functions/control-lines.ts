import type { Readable } from 'node:stream'
import { z } from 'zod'

/** What a worker tells about itself (worker/bootstrap.js). A function could write the same: it only speaks for itself. */
const ControlLine = z.object({
  ready: z.literal(true).optional(),
  failed: z.string().optional(),
  pending: z.number().optional(),
  log: z.string().optional(),
  /** The request that was being answered. A function that writes another one is found by another one. */
  request: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .catch(undefined),
  level: z.enum(['debug', 'log', 'info', 'warn', 'error', 'trace']).optional(),
})
export type ControlLine = z.infer<typeof ControlLine>

const longestLine = 64 * 1024

/** Calls `onLine` for each line of a stream; what is longer than 64 KB is cut. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(0, longestLine)
    for (const line of lines) onLine(line.slice(0, longestLine))
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}

/** Undefined: an ordinary line that the function has written itself. */
export function controlLineOf(line: string): ControlLine | undefined {
  if (!line.startsWith('\u0001')) return undefined
  try {
    return ControlLine.safeParse(JSON.parse(line.slice(1))).data
  } catch {
    return undefined
  }
}
