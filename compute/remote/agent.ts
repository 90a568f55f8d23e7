import { fastify } from 'fastify'
import { z } from 'zod'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { sameSecret } from '#kit/ids'
import type { Log } from '#kit/log'
import type { Provider, VaultKeysOf } from '../provider.ts'
import { sent } from './errors.ts'
import { Answer, createQuestions, receivedKeys } from './questions.ts'
import { verbs, type Group } from './verbs.ts'

/** What an agent knows of its provider without asking a server; whoever calls keeps it. */
export const Facts = z.object({
  capacity: z.object({ memoryBytes: z.number(), cores: z.number() }).optional(),
  upgradeFailures: z.record(z.string(), z.object({ reason: z.string(), at: z.string() })),
})
export type Facts = z.infer<typeof Facts>

/** Milliseconds between two signs of life while something is worked at. */
export const signMs = 5000
/** Milliseconds that somebody who comes for questions waits for one. */
const questionMs = 20_000

type Options = {
  /** Makes the provider; the keys of vaults are asked of a control plane. */
  open: (vaultKeys: VaultKeysOf) => Provider
  /** Whoever knows it may do everything with every project. */
  token: string
  log: Log
  questions?: Parameters<typeof createQuestions>[0]
}

/**
 * A provider for control planes in other processes, over HTTP (`remote.ts`). What is begun goes on when whoever asked for it has gone:
 * asked again, the provider finds it done, or does what is left.
 *
 * `POST /do/{group}/{verb}` has the arguments as a JSON array. Its answer begins at once and has an empty line every few seconds, so
 * that a lost connection is noticed; its last line is `{"result": ...}` or `{"error": ...}`.
 */
export function createAgent({ open, token, log, questions: times }: Options) {
  const questions = createQuestions(times)
  const provider = open(async (ref) =>
    receivedKeys(await questions.ask({ kind: 'vault keys', ref })),
  )
  provider.onServerLog?.(async (ref: string, entries: ServerLogEntry[]) => {
    await questions.ask({ kind: 'server log', ref, entries })
  })
  let prepared: Promise<void> | undefined
  /** Once; what failed is tried again by the next that asks. */
  const prepare = () =>
    (prepared ??= provider.prepare().catch((error: unknown) => {
      prepared = undefined
      throw error
    }))
  const groups = {
    provider: { ...provider, prepare },
    backups: provider.backups ?? {},
    replicas: provider.replicas ?? {},
  }

  /** The work of one verb, with arguments that fit it; undefined: there is no such verb. */
  function workOf(group: string, name: string, args: unknown) {
    if (!Object.hasOwn(verbs, group)) return undefined
    const known: Record<string, { args: z.ZodType<unknown[]> }> = verbs[group as Group]
    const verb = Object.hasOwn(known, name) ? known[name] : undefined
    const provided: object = groups[group as Group]
    const run: unknown = Reflect.get(provided, name)
    if (!verb || typeof run !== 'function') return undefined
    const given = verb.args.parse(args)
    return (): Promise<unknown> => run.apply(provided, given)
  }

  const app = fastify({ bodyLimit: 16 * 1024 * 1024, forceCloseConnections: true })
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (!sameSecret(headers.authorization ?? '', `Bearer ${token}`))
      await reply.status(401).send({ error: { name: 'Error', message: 'The token is wrong' } })
  })
  app.setErrorHandler((error, _request, reply) => {
    const isTheirs =
      error instanceof z.ZodError || (error as { statusCode?: number }).statusCode === 400
    if (!isTheirs) log.error({ err: error }, 'an agent could not answer')
    return reply.status(isTheirs ? 400 : 500).send({ error: sent(error) })
  })

  app.post('/do/:group/:verb', (request, reply) => {
    const { group, verb } = z.object({ group: z.string(), verb: z.string() }).parse(request.params)
    const work = workOf(group, verb, request.body)
    if (!work) return reply.status(404).send({ error: { name: 'Error', message: 'No such verb' } })
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'application/x-ndjson' })
    raw.write('\n')
    const signs = setInterval(() => raw.write('\n'), signMs)
    const end = (answer: object) => {
      clearInterval(signs)
      raw.end(JSON.stringify(answer))
    }
    void work().then(
      (result) => end({ result }),
      (error: unknown) => end({ error: sent(error) }),
    )
    return reply
  })

  app.get('/backups/:ref/:id', async (request, reply) => {
    const key = z.object({ ref: z.string(), id: z.string() }).parse(request.params)
    try {
      if (!provider.backups?.read) throw new Error('This provider keeps no files of backups')
      const { stream, bytes } = await provider.backups.read(key)
      return await reply
        .header('content-type', 'application/octet-stream')
        .header('content-length', bytes)
        .send(stream)
    } catch (error) {
      return reply.status(422).send({ error: sent(error) })
    }
  })

  app.get('/facts', async (): Promise<Facts> => {
    const capacity = provider.capacity?.()
    const refs = provider.upgradeFailure ? await provider.list() : []
    const failures = refs.flatMap((ref) => {
      const failure = provider.upgradeFailure?.(ref)
      return failure ? [[ref, failure] as const] : []
    })
    return {
      ...(capacity && { capacity }),
      upgradeFailures: Object.fromEntries(failures),
    }
  })

  app.post('/questions', async (request, reply) => {
    const answers = z.array(Answer).parse(request.body)
    for (const answer of answers) questions.answer(answer)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const next = await questions.next(questionMs, gone.signal)
    return { next: next ?? null }
  })

  return {
    app,
    /** Makes the provider ready before anybody asks; the log says why it could not be. */
    prepare,
    async close(): Promise<void> {
      await app.close()
      await provider.close()
    },
  }
}
