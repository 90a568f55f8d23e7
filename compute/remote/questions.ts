import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ServerLogEntry } from '#contract/observability/server-log'
import type { VaultKeys } from '../provider.ts'
import { received, SentError } from './errors.ts'

/** What an agent needs of a control plane: the keys of a project's vault, or that entries of a server's log are taken. */
export const Question = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('vault keys'), ref: z.string() }),
  z.object({
    kind: z.literal('server log'),
    ref: z.string(),
    entries: z.array(ServerLogEntry),
  }),
])
export type Question = z.infer<typeof Question>
export const AskedQuestion = z.object({ id: z.string(), question: Question })
export const Answer = z.object({
  id: z.string(),
  result: z.unknown().optional(),
  error: SentError.optional(),
})
export type Answer = z.infer<typeof Answer>

/** Bytes are hexadecimal on their way. */
export const SentVaultKeys = z.object({
  current: z.string(),
  keys: z.array(z.tuple([z.string(), z.hex()])),
  gone: z.array(z.string()),
})
export const sentKeys = ({ current, keys, gone }: VaultKeys): z.infer<typeof SentVaultKeys> => ({
  current,
  keys: [...keys].map(([id, key]) => [id, Buffer.from(key).toString('hex')]),
  gone: [...gone],
})
export function receivedKeys(answer: unknown): VaultKeys {
  const { current, keys, gone } = SentVaultKeys.parse(answer)
  return { current, gone, keys: new Map(keys.map(([id, key]) => [id, Buffer.from(key, 'hex')])) }
}

/** Milliseconds in which a control plane answers; then another one is asked. */
const answerMs = 15_000
/** Milliseconds for which whoever asks waits for any of them. */
const patienceMs = 60_000

type Waiting = {
  question: Question
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  /** Asked of a control plane, which may have gone since. */
  askedUntil: number
}

/**
 * Questions that wait until a control plane comes for them. An agent never calls a control plane: those that know its token come
 * to it, and it need not know where they are. One that is not answered in time is asked again, so an answer may come twice.
 */
export function createQuestions({ answerWithinMs = answerMs, waitMs = patienceMs } = {}) {
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()

  function next(): { id: string; question: Question } | undefined {
    for (const [id, one] of waiting) {
      if (one.askedUntil > performance.now()) continue
      one.askedUntil = performance.now() + answerWithinMs
      return { id, question: one.question }
    }
    return undefined
  }
  const oneMore = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const go = () => {
        listeners.delete(go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      listeners.add(go)
      signal.addEventListener('abort', go)
    })

  return {
    /** Rejects with what the control plane's answer says, or when none has answered in a minute. */
    ask: (question: Question): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // Of no other question, also of an agent that is started anew: an answer to one before says nothing here.
        const id = randomUUID()
        const late = setTimeout(() => {
          waiting.delete(id)
          reject(new Error('No control plane answers'))
        }, waitMs)
        const over = () => {
          clearTimeout(late)
          waiting.delete(id)
        }
        waiting.set(id, {
          question,
          askedUntil: 0,
          resolve: (result) => {
            over()
            resolve(result)
          },
          reject: (error) => {
            over()
            reject(error)
          },
        })
        for (const tell of listeners) tell()
      }),
    /** The next question, or undefined when none has come in that time. */
    async next(
      ms: number,
      gone: AbortSignal,
    ): Promise<{ id: string; question: Question } | undefined> {
      const end = performance.now() + ms
      for (;;) {
        const found = gone.aborted ? undefined : next()
        const left = end - performance.now()
        if (found || left <= 0 || gone.aborted) return found
        const woken = new AbortController()
        const signal = AbortSignal.any([gone, woken.signal])
        // One that nobody answered in time is due again without a word.
        const again = delay(Math.min(left, answerWithinMs), undefined, { signal }).catch(() => {})
        await Promise.race([oneMore(signal), again])
        woken.abort()
      }
    },
    answer({ id, result, error }: Answer): void {
      const one = waiting.get(id)
      if (error) one?.reject(received(error))
      else one?.resolve(result)
    },
  }
}
export type Questions = ReturnType<typeof createQuestions>
