export const kinds = ['broadcast', 'presence', 'change', 'system'] as const
export type Kind = (typeof kinds)[number]

/** Something that came over the channel. `at` is in milliseconds since 1970, `text` what a search looks through. */
export type Message = {
  id: number
  at: number
  kind: Kind
  title: string
  payload: unknown
  text: string
}

/** As many as are kept; older ones are let go of. */
export const maxKept = 1000

export type Heard = {
  messages: readonly Message[]
  /** Also of those that are not kept any more. */
  counts: Readonly<Record<Kind, number>>
}

export const nothingHeard: Heard = {
  messages: [],
  counts: { broadcast: 0, presence: 0, change: 0, system: 0 },
}

/** Newest first. */
export function withNew({ messages, counts }: Heard, fresh: readonly Message[]): Heard {
  const more = { ...counts }
  for (const { kind } of fresh) more[kind]++
  return { messages: [...fresh.toReversed(), ...messages].slice(0, maxKept), counts: more }
}

/** Those of a kind, or of all, whose name or content has these words in any case. */
export function matching(
  messages: readonly Message[],
  kind: Kind | 'all',
  words: string,
): readonly Message[] {
  const requested = words.trim().toLowerCase()
  if (kind === 'all' && requested === '') return messages
  return messages.filter(
    (message) =>
      (kind === 'all' || message.kind === kind) &&
      (requested === '' || message.text.toLowerCase().includes(requested)),
  )
}

/** A text that may be JSON; undefined when it is no object. */
export function objectFrom(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // An object's keys are texts; what stands behind them is the sender's to say.
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
