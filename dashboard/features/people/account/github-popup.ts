/** How often it is looked whether the window is still open, and how long (requirements §4). */
const pollMs = 500
const timeoutMs = 5 * 60_000
const stateLength = 32

const stateKey = 'plinth.authorization-state'
const answerKey = 'plinth.authorization-answer'

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
type OtherWindow = { closed: boolean; close(): void; location: { href: string } }

export type Outcome =
  /** The other place said yes. */
  | { kind: 'authorized' }
  /** It said no, in its words. */
  | { kind: 'refused'; message: string }
  /** The window was closed, or five minutes have passed. */
  | { kind: 'closed' }
  | { kind: 'expired' }
  /** The browser opened no window. */
  | { kind: 'blocked' }

type Options = {
  /** Opens an empty window; called at once, while the browser still knows that a person pressed something. */
  open: () => OtherWindow | null
  /** The address to show in it; the other place comes back with the `state` that is given here. */
  addressFor: (state: string) => Promise<string>
  kept: Kept
}

/** 32 random letters and digits. */
export function newState(): string {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  // 248 is the largest multiple of 62 in a byte: above it some signs would come up more often.
  const bytes = () => [...crypto.getRandomValues(new Uint8Array(64))].filter((byte) => byte < 248)
  let state = ''
  while (state.length < stateLength)
    state += bytes()
      .map((byte) => signs[byte % signs.length])
      .join('')
  return state.slice(0, stateLength)
}

/**
 * Asks another place, such as GitHub, for something in a window of its own, and waits until that has come back, was closed,
 * or five minutes are over (requirements §4). Throws what `addressFor` throws.
 */
export async function authorizeInWindow({ open, addressFor, kept }: Options): Promise<Outcome> {
  const state = newState()
  kept.removeItem(answerKey)
  kept.setItem(stateKey, state)
  const other = open()
  if (!other) {
    kept.removeItem(stateKey)
    return { kind: 'blocked' }
  }
  try {
    other.location.href = await addressFor(state)
  } catch (error) {
    kept.removeItem(stateKey)
    other.close()
    throw error
  }
  return new Promise((resolve) => {
    const began = Date.now()
    const timer = setInterval(() => {
      const answer = answerTo(state, kept)
      const over = Date.now() - began >= timeoutMs
      if (!answer && !other.closed && !over) return
      clearInterval(timer)
      const closed = other.closed
      // A window at a place that cuts itself off from others looks closed while it is not: its answer stays welcome.
      if (answer || !closed) kept.removeItem(stateKey)
      kept.removeItem(answerKey)
      if (!closed) other.close()
      resolve(answer ?? { kind: closed ? 'closed' : 'expired' })
    }, pollMs)
  })
}

/**
 * In the other window, at its end: leaves the answer for the window that asked. False when the state is not the one that was
 * stored: then nobody here asked for this.
 */
export function leaveAnswer(
  kept: Kept,
  { state, refusal }: { state: string | undefined; refusal: string | undefined },
): boolean {
  const asked = kept.getItem(stateKey)
  if (!state || asked === null || asked !== state) return false
  kept.setItem(answerKey, JSON.stringify({ state, refusal: refusal ?? null }))
  return true
}

function answerTo(state: string, kept: Kept): Outcome | undefined {
  const text = kept.getItem(answerKey)
  if (text === null) return undefined
  // Only leaveAnswer writes it, always in this form.
  const answer = JSON.parse(text) as { state: string; refusal: string | null }
  if (answer.state !== state) return undefined
  return answer.refusal === null
    ? { kind: 'authorized' }
    : { kind: 'refused', message: answer.refusal }
}
