import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Log } from '#kit/log'
import type { Backups, Provider, ReadReplicas, VaultKeysOf } from '../provider.ts'
import { Facts, signMs } from './agent.ts'
import { received, sent, SentError } from './errors.ts'
import { AskedQuestion, sentKeys, type Answer, type Question } from './questions.ts'
import { verbs, type Group } from './verbs.ts'

type Options = {
  /** Where the agent answers. */
  url: string
  token: string
  vaultKeys?: VaultKeysOf
  log: Log
  /** Milliseconds for which an agent that does not answer is asked again: it may be started anew. */
  patienceMs?: number
  /** Milliseconds between two looks at what the agent knows by itself. */
  factsMs?: number
}

const Line = z.object({ result: z.unknown().optional(), error: SentError.optional() })

/** Nobody answers, or nobody any more: whether what was asked is done is not known, and it is asked again. */
class UnreachableError extends Error {
  override name = 'UnreachableError'
}

/** The servers of an agent (`agent.ts`), as the provider that it has runs them. */
export function createRemoteProvider(options: Options): Provider {
  const { url, token, vaultKeys, log, patienceMs = 60_000, factsMs = 15_000 } = options
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const closing = new AbortController()
  let takeLog: Parameters<NonNullable<Provider['onServerLog']>>[0] | undefined
  let facts: Facts = none

  /** @throws UnreachableError when the connection is lost, or falls silent */
  async function once(path: string, body: string): Promise<z.infer<typeof Line>> {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), signMs * 4)
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), signMs * 4)
    }
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers,
        body,
        signal: silence.signal,
      })
      let text = ''
      const decoder = new TextDecoder()
      for await (const part of response.body ?? []) {
        heard()
        text += decoder.decode(part, { stream: true })
      }
      return Line.parse(JSON.parse(text))
    } catch (error) {
      throw new UnreachableError(`The agent for databases does not answer`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  async function run(group: Group, name: string, args: unknown[]): Promise<unknown> {
    const known: Record<string, { returns: z.ZodType }> = verbs[group]
    const given = args.at(-1) === undefined ? args.slice(0, -1) : args
    const until = performance.now() + patienceMs
    for (;;) {
      try {
        const { result, error } = await once(`/do/${group}/${name}`, JSON.stringify(given))
        if (error) throw received(error)
        return known[name]?.returns.parse(result)
      } catch (error) {
        if (!(error instanceof UnreachableError) || closing.signal.aborted) throw error
        if (performance.now() > until) throw error
        log.warn({ err: error, verb: name }, 'the agent for databases is asked again')
        await delay(againMs, undefined, { signal: closing.signal, ref: false })
      }
    }
  }
  /** All verbs of a group as functions; that each takes and gives what its type says is what `verbs` is checked for. */
  const all = (group: Group): unknown =>
    Object.fromEntries(
      Object.keys(verbs[group]).map((name) => [
        name,
        (...args: unknown[]) => run(group, name, args),
      ]),
    )

  async function answerTo(question: Question): Promise<unknown> {
    if (question.kind === 'server log') {
      if (!takeLog) throw new Error('Nobody takes what servers write to their logs')
      return takeLog(question.ref, question.entries)
    }
    if (!vaultKeys) throw new Error('Nobody has the keys of vaults')
    return sentKeys(await vaultKeys(question.ref))
  }
  /** Comes to the agent for its questions, one after the other, until the end. */
  async function follow(): Promise<void> {
    let answers: Answer[] = []
    while (!closing.signal.aborted) {
      try {
        const response = await fetch(`${url}/questions`, {
          method: 'POST',
          headers,
          body: JSON.stringify(answers),
          signal: AbortSignal.any([closing.signal, AbortSignal.timeout(60_000)]),
        })
        if (!response.ok) throw new Error(`The agent for databases answered ${response.status}`)
        answers = []
        const { next } = Questions.parse(await response.json())
        if (!next) continue
        const { id, question } = next
        answers = [
          await answerTo(question).then(
            (result) => ({ id, result }),
            (error: unknown) => ({ id, error: sent(error) }),
          ),
        ]
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, 'the agent for databases cannot be reached')
        await pause(againMs)
      }
    }
  }
  async function lookAtFacts(foundOut: () => void): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)])
        const response = await fetch(`${url}/facts`, { headers, signal })
        if (!response.ok) throw new Error(`The agent for databases answered ${response.status}`)
        facts = Facts.parse(await response.json())
        foundOut()
      } catch (error) {
        if (!closing.signal.aborted)
          log.debug({ err: error }, 'the agent has not said what it knows')
      }
      await pause(facts === none ? againMs : factsMs)
    }
  }
  const pause = (ms: number) =>
    delay(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
  let known: Promise<void> | undefined
  /** Comes to the agent from now on; resolves when what it knows by itself is known here. */
  const begin = () =>
    (known ??= new Promise((foundOut) => {
      void follow()
      void lookAtFacts(foundOut)
    }))

  const provider = all('provider') as Omit<Provider, 'close'>
  const backups = all('backups') as Omit<Backups, 'read'>
  return {
    ...provider,
    async prepare() {
      await Promise.all([begin(), provider.prepare()])
    },
    capacity: () => facts.capacity,
    upgradeFailure: (ref) => facts.upgradeFailures[ref],
    onServerLog(take) {
      takeLog = take
    },
    backups: {
      ...backups,
      async read({ ref, id }) {
        const path = `/backups/${encodeURIComponent(ref)}/${encodeURIComponent(id)}`
        const response = await fetch(`${url}${path}`, { headers, signal: closing.signal })
        if (!response.ok || !response.body) {
          const { error } = Line.parse(await response.json())
          throw error ? received(error) : new Error(`The agent answered ${response.status}`)
        }
        return {
          // The same stream; two declarations of its type.
          stream: Readable.fromWeb(response.body as ReadableStream),
          bytes: Number(response.headers.get('content-length')),
        }
      },
    },
    replicas: all('replicas') as ReadReplicas,
    close() {
      closing.abort()
      return Promise.resolve()
    },
  }
}

const Questions = z.object({ next: AskedQuestion.nullable() })
const againMs = 500
const none: Facts = { upgradeFailures: {} }
