import { afterAll, beforeAll, expect, test } from 'vitest'
import { aiOptInTags } from '#contract/organizations/ai-opt-in'
import type { AssistantEvent } from '#contract/assistant/assistant'
import type { ApiError } from '#kit/errors'
import { silentLog } from '#kit/log'
import { createAssistant, type Assistant } from './assistant.ts'
import { startModelServer, type ModelServerInTests } from '../../testing/model-server.ts'

let model: ModelServerInTests
beforeAll(async () => {
  model = await startModelServer(() => ({ hang: [] }))
})
afterAll(() => model.close())

const store = { project: async () => ({ name: 'Library', tags: [] }) }
const ref = 'abcdefghijklmnopqrst'
const input = {
  ref,
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }],
}
const create = (wait: { quiet: number; total: number }) =>
  createAssistant({
    store,
    server: { baseUrl: model.url, models: ['m'] },
    tablesOf: () => Promise.resolve([]),
    log: silentLog,
    wait,
  })
const never = new AbortController().signal

test('without a model every question is refused, and the status says so', async () => {
  const assistant = createAssistant({
    store,
    server: undefined,
    tablesOf: () => Promise.resolve([]),
    log: silentLog,
  })
  expect(assistant.status()).toEqual({ configured: false, models: [] })
  await expect(assistant.ask(input, 'ada', never)).rejects.toMatchObject({
    code: 'ai_not_configured',
    status: 503,
  })
})

test('a model that never says anything is given up', async () => {
  await expect(create({ quiet: 50, total: 60_000 }).ask(input, 'ada', never)).rejects.toMatchObject(
    {
      code: 'ai_timeout',
    },
  )
  await model.asked.at(-1)?.left
})

test('a model that falls silent, or never ends, is given up after what it said', async () => {
  model.answerWith(() => ({ hang: ['Well'] }))
  for (const wait of [
    { quiet: 1000, total: 60_000 },
    { quiet: 60_000, total: 1000 },
  ]) {
    const events: AssistantEvent[] = []
    for await (const event of await create(wait).ask(input, 'ada', never)) events.push(event)
    expect(events).toMatchObject([
      { type: 'text', text: 'Well' },
      { type: 'error', code: 'ai_timeout' },
    ])
  }
})

test('who leaves before the model speaks frees their place', async () => {
  model.answerWith(() => ({ hang: [] }))
  const assistant = create({ quiet: 60_000, total: 60_000 })
  for (let i = 0; i < 10; i += 1) {
    const leave = new AbortController()
    const asking = assistant.ask(input, 'ada', leave.signal)
    leave.abort()
    for await (const event of await asking) throw new Error(`nobody is there for ${event.type}`)
  }
})

test('without a key no header is sent', async () => {
  model.answerWith(() => ({ text: ['Hi'] }))
  const events: AssistantEvent[] = []
  for await (const event of await create({ quiet: 60_000, total: 60_000 }).ask(
    input,
    'ada',
    never,
  )) {
    events.push(event)
  }
  expect(events.at(-1)).toEqual({ type: 'done', cut: false })
  expect(model.asked.at(-1)?.authorization).toBeUndefined()
})

async function answerOf(assistant: Assistant, question: typeof input): Promise<object[]> {
  const events: object[] = []
  const left = new AbortController().signal
  for await (const event of await assistant.ask(question, 'ada', left)) events.push(event)
  return events
}

/** What a question ends with: an event, or the refusal that came instead of an answer. */
const outcome = (): Promise<object[]> =>
  answerOf(create({ quiet: 60_000, total: 60_000 }), input).catch((error: ApiError) => [
    { status: error.status, code: error.code },
  ])

test.each([
  [401, 502, 'ai_refused'],
  [403, 502, 'ai_refused'],
  [404, 502, 'ai_model_unknown'],
  [400, 502, 'ai_rejected'],
  [422, 502, 'ai_rejected'],
  [429, 429, 'ai_busy'],
  [500, 502, 'ai_unavailable'],
  [504, 504, 'ai_timeout'],
])('a %i of the provider is told as %i %s, after one question', async (answered, status, code) => {
  model.asked.length = 0
  model.answerWith(() => ({ status: answered, error: 'Something of the provider' }))
  expect(await outcome()).toEqual([{ status, code }])
  // A retry behind the person's back costs twice.
  expect(model.asked).toHaveLength(1)
})

test('a connection that is cut, and an end without a reason, are told after what came', async () => {
  for (const reply of [{ cut: ['Half an '] }, { stopped: ['Half an '] }]) {
    model.answerWith(() => reply)
    expect(await outcome()).toEqual([
      { type: 'text', text: 'Half an ' },
      { type: 'error', code: 'ai_unavailable', message: 'The response was interrupted' },
    ])
  }
})

test('nobody listens there: the model does not answer', async () => {
  const assistant = createAssistant({
    store,
    server: { baseUrl: 'http://127.0.0.1:9/v1', models: ['m'] },
    tablesOf: () => Promise.resolve([]),
    log: silentLog,
  })
  await expect(assistant.ask(input, 'ada', never)).rejects.toMatchObject({ code: 'ai_unavailable' })
})

test('secrets in a question do not leave', async () => {
  model.asked.length = 0
  model.answerWith(() => ({ text: ['Hi'] }))
  const text = `Why does psql postgres://postgres:hunter2@db/x fail with sbp_${'0a'.repeat(20)}?`
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }]
  await answerOf(create({ quiet: 60_000, total: 60_000 }), { ref, messages })
  const prompt = JSON.stringify(model.asked[0]?.body.messages)
  expect(prompt).toContain('Why does psql')
  expect(prompt).not.toContain('hunter2')
  expect(prompt).not.toContain('sbp_0a')
})

test('a model that only looks things up is stopped', async () => {
  model.asked.length = 0
  model.answerWith(() => ({ call: { name: 'list_tables', arguments: {} } }))
  const assistant = createAssistant({
    store: { project: async () => ({ name: 'Library', tags: [aiOptInTags.schema] }) },
    server: { baseUrl: model.url, models: ['m'] },
    tablesOf: () => Promise.resolve([]),
    log: silentLog,
  })
  expect((await answerOf(assistant, input)).at(-1)).toEqual({ type: 'done', cut: true })
  expect(model.asked).toHaveLength(6)
})

test('a database that is away is no reason not to answer', async () => {
  model.asked.length = 0
  model.answerWith(() => ({ text: ['Hi'] }))
  const assistant = createAssistant({
    store: { project: async () => ({ name: 'Library', tags: [aiOptInTags.schema] }) },
    server: { baseUrl: model.url, models: ['m'] },
    tablesOf: () => Promise.reject(new Error('away')),
    log: silentLog,
  })
  expect((await answerOf(assistant, input)).at(-1)).toEqual({ type: 'done', cut: false })
  expect(JSON.stringify(model.asked[0]?.body)).toContain('cannot be read at the moment')
})
