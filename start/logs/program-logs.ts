import { StringDecoder } from 'node:string_decoder'
import { redactText } from '#data-plane/logs/redact'
import type { LogFiles } from '#kit/log-files'

/** Characters of one line; what is longer is cut and counts as text. */
const maxLine = 64 * 1024
const errorLevel = 50

/** A login in an address: `postgres://user:secret@host`. */
const redacted = (text: string): string =>
  redactText(text).replaceAll(/(:\/\/[^\s:/@]*):[^\s/@]+@/g, '$1:[redacted]@')

/** Every text in a value without what lets somebody in. */
function redactedIn(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value)
  if (Array.isArray(value)) return value.map(redactedIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactedIn(one)]))
}

function parsed(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Something that only begins like an entry.
    return undefined
  }
}

/**
 * Keeps what a program writes, a line at a time: its entries as they are, and anything else, such as the trace of a crash, as an
 * entry of level error.
 */
export function keepOutput(program: string, files: Pick<LogFiles, 'write'>, now = Date.now) {
  const decoder = new StringDecoder('utf8')
  let rest = ''

  function keep(line: string): void {
    const text = line.trimEnd()
    if (text === '') return
    const entry = parsed(text) ?? {
      level: errorLevel,
      time: now(),
      program,
      msg: text.slice(0, maxLine),
    }
    files.write(JSON.stringify(redactedIn(entry)))
  }

  return {
    write(piece: Buffer): void {
      const lines = (rest + decoder.write(piece)).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(keep)
      if (rest.length > maxLine) {
        keep(rest)
        rest = ''
      }
    },
    /** The program has ended: what it began to say is all that it says. */
    end(): void {
      keep(rest)
      rest = ''
    },
  }
}
