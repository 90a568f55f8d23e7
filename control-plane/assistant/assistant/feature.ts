import type { Platform } from '../../platform.ts'
import { createAssistant, type Assistant } from './assistant.ts'
import { assistantStore } from './store.ts'
import { Readable } from 'node:stream'
import { assistant as api, type AssistantEvent } from '#contract/assistant/assistant'
import { implement, implementRaw } from '#kit/http'

type Needs = Pick<Parameters<typeof createAssistant>[0], 'tablesOf'>

/** The assistant, which reads a project's tables as its caller may. */
export const assistantFeature = ({ db, model: server, log }: Platform, { tablesOf }: Needs) => ({
  routes: assistantRoutes(createAssistant({ store: assistantStore(db), server, tablesOf, log })),
})

const assistantRoutes = (assistant: Assistant) => [
  implement(api.status, async () => assistant.status()),
  implementRaw(api.ask, async (input, caller, { reply }) => {
    const left = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) left.abort()
    })
    const events = await assistant.ask(input, caller?.userId ?? '', left.signal)
    if (left.signal.aborted) {
      await events.return(undefined)
      return reply.hijack()
    }
    return (
      reply
        .type('application/x-ndjson; charset=utf-8')
        // A proxy that collects an answer before it passes it on would take the words' liveliness.
        .header('x-accel-buffering', 'no')
        .send(Readable.from(linesOf(events)))
    )
  }),
]

async function* linesOf(events: AsyncGenerator<AssistantEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`
}
