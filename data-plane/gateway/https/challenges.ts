import type { IncomingMessage } from 'node:http'
import { AcmeToken } from '#contract/internal-api'
import type { Log } from '#kit/log'
import { hostOf } from '../hosts.ts'
import type { CertificateSource } from './source.ts'

/** Where an authority looks for the answer to its challenge (RFC 8555, section 8.3). */
export const challengePath = '/.well-known/acme-challenge/'

/** Questions that wait at a time. Anybody can ask for anything here, and each question goes on to the control plane. */
const mostWaiting = 64
const name = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

export type ChallengeAnswer = { status: 200 | 404 | 503; text: string }

/** Answers certificate authorities, at the name and with the token of an order that is under way, and nothing else. */
export function createChallenges(source: Pick<CertificateSource, 'challengeAnswer'>, log: Log) {
  let waiting = 0
  const nothing = { status: 404, text: 'Not found\n' } as const

  return {
    /** Undefined: it is no question of an authority. */
    async answer(request: IncomingMessage): Promise<ChallengeAnswer | undefined> {
      const { url = '', method, headers } = request
      if (!url.startsWith(challengePath)) return undefined
      const token = url.slice(challengePath.length)
      const host = hostOf(headers.host)
      if (method !== 'GET' || !AcmeToken.safeParse(token).success || !name.test(host))
        return nothing
      if (waiting >= mostWaiting) return { status: 503, text: 'Too many requests\n' }
      waiting += 1
      try {
        const text = await source.challengeAnswer(host, token)
        return text === null ? nothing : { status: 200, text }
      } catch (error) {
        log.warn({ err: error, host }, 'A challenge of a certificate authority stays unanswered')
        return { status: 503, text: 'Try again\n' }
      } finally {
        waiting -= 1
      }
    },
  }
}
export type Challenges = ReturnType<typeof createChallenges>
