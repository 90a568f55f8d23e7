import { logSourceTable } from '#contract/observability/log-sources'
import {
  lostReasons,
  type LogEvent,
  type LogPage,
  type LostEvents,
} from '#contract/observability/logs'

/** Something to print: an entry, or that some could not be kept. `at` in microseconds since 1970. */
export type Piece =
  | { at: number; id: string; event: LogEvent }
  | { at: number; id: string; lost: LostEvents }

/** What a page holds, the oldest first. */
export const piecesOf = ({ events, lost }: LogPage): Piece[] =>
  [
    ...events.map((event) => ({ at: event.timestamp, id: event.id, event })),
    ...lost.map((one) => ({
      at: one.to,
      id: `lost.${one.from}.${one.to}.${one.reason}`,
      lost: one,
    })),
  ].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

/** One JSON object in a line; of entries that are lost it has the one field `lost`. */
export const jsonLine = (piece: Piece): string =>
  JSON.stringify('event' in piece ? piece.event : { lost: piece.lost })

const escapes = { red: '\u001b[31m', yellow: '\u001b[33m', faint: '\u001b[2m', end: '\u001b[0m' }
type Colour = Exclude<keyof typeof escapes, 'end'>
const colours: Partial<Record<LogEvent['level'], Colour>> = { error: 'red', warning: 'yellow' }

/** Longest title of a source, so that messages stand below each other. */
const titleWidth = Math.max(
  ...Object.values(logSourceTable).flatMap(({ title, absent }) => (absent ? [] : [title.length])),
)

/**
 * A line for people: time (UTC), level, source, message. What a project writes is shown and never obeyed: control characters are
 * printed by their codes, and the further lines of a message are indented.
 */
export function textLine(piece: Piece, isColoured: boolean): string {
  const paint = (text: string, colour: Colour | undefined) =>
    isColoured && colour ? `${escapes[colour]}${text}${escapes.end}` : text
  const time = paint(new Date(Math.floor(piece.at / 1000)).toISOString(), 'faint')
  if ('lost' in piece) {
    const { count, reason } = piece.lost
    const entries = count === 1 ? '1 entry was' : `${count} entries were`
    return `${time}  ${paint(`${entries} lost here: ${lostReasons[reason]}`, 'yellow')}`
  }
  const { level, source, event_message: message } = piece.event
  const title = logSourceTable[source].title.padEnd(titleWidth)
  return `${time}  ${paint(level.padEnd(7), colours[level])}  ${title}  ${shown(message)}`
}

/** Without anything that a terminal would act on. */
const shown = (message: string): string =>
  message
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      line.replaceAll(
        // Controls, and characters that turn the direction of writing round.
        // oxlint-disable-next-line no-control-regex -- these are what is looked for
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    )
    .join('\n    ')
