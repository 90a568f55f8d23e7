import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tagsOfLevel, type AiOptInLevel } from '#contract/organizations/ai-opt-in'
import type { AssistantEvent } from '#contract/assistant/assistant'
import { createLog } from '#kit/log'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer } from '../../testing/people.ts'
import { startModelServer, type ModelServerInTests } from '../../testing/model-server.ts'
import { makePausedProject, startTables, type TablesInTests } from '../../testing/assistant.ts'

const apiKey = 'sk-the-key-of-the-platform-0123456789'
let plane: TestControlPlane
let model: ModelServerInTests
let dataPlane: TablesInTests
let base: string
let ada: Person
let bob: Person
/** A member who has asked nothing yet this minute. */
let carl: Person
let eve: Person
let ref: string
let foreign: string
/** Everything that reached the log. */
let logged = ''

beforeAll(async () => {
  model = await startModelServer(() => ({ text: ['Hello'] }))
  dataPlane = await startTables()
  const log = createLog(
    'test',
    'trace',
    new Writable({
      write(piece, _, done) {
        logged += String(piece)
        done()
      },
    }),
  )
  plane = await startControlPlane(log, dataPlane.url, {
    model: { apiKey, baseUrl: model.url, models: ['gpt-5', 'gpt-5-mini'] },
  })
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  carl = await newcomer(plane, 'carl')
  eve = await newcomer(plane, 'eve')
  ref = await makePausedProject(plane, ada, 'Acme', 'Library')
  foreign = await makePausedProject(plane, eve, 'Evil', 'Trap')
  const { organization_id } = await plane.db
    .selectFrom('platform.projects')
    .select('organization_id')
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
  for (const { userId } of [bob, carl]) {
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id, user_id: userId, role: 'Read-only' })
      .execute()
  }
  base = await plane.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await plane.end()
  await model.close()
  await dataPlane.close()
})
beforeEach(async () => {
  model.asked.length = 0
  dataPlane.asked.length = 0
  model.answerWith(() => ({ text: ['Hel', 'lo'] }))
  await optIn('schema')
})

const optIn = (level: AiOptInLevel) =>
  plane.db
    .updateTable('platform.organizations')
    .set({ opt_in_tags: [...tagsOfLevel[level]] })
    .where('slug', '=', 'acme')
    .execute()

const says = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })
const question = (more: object = {}) => ({ ref, messages: [says('What is in here?')], ...more })

function post(who: Person, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${base}/platform/ai/assistant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}
/** The events of an answer, as a browser would read them. */
async function ask(who: Person, body: object): Promise<AssistantEvent[]> {
  const response = await post(who, body)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AssistantEvent)
}
const prompt = () => JSON.stringify(model.asked.at(-1)?.body.messages)

test.each<[string, () => Promise<Response>, number, string]>([
  ['a stranger', () => post(eve, question()), 404, 'project_not_found'],
  ['a project of others', () => post(ada, question({ ref: foreign })), 404, 'project_not_found'],
  ['no project', () => post(ada, { messages: [says('x')] }), 404, 'project_not_found'],
  ['no message', () => post(ada, question({ messages: [] })), 400, 'invalid_input'],
  [
    'a chat that ends with an answer',
    () => post(ada, question({ messages: [{ ...says('x'), role: 'assistant' }] })),
    400,
    'invalid_input',
  ],
  [
    'a system message',
    () => post(ada, question({ messages: [{ ...says('x'), role: 'system' }] })),
    400,
    'invalid_input',
  ],
  [
    'a huge text',
    () => post(ada, question({ messages: [says('x'.repeat(60_001))] })),
    400,
    'invalid_input',
  ],
  [
    'a model that is not offered',
    () => post(ada, question({ model: 'other' })),
    400,
    'invalid_input',
  ],
])('%s is refused and the model is not asked', async (_, send, status, code) => {
  const response = await send()
  const body: unknown = await response.json()
  // Without a ref the input is refused before anybody is looked up.
  if (code === 'project_not_found') expect([400, 404]).toContain(response.status)
  else expect(response.status).toBe(status)
  if (response.status === status) expect(body).toMatchObject({ code })
  expect(model.asked).toEqual([])
  expect(dataPlane.asked).toEqual([])
})

test('the status tells what is configured, and no key', async () => {
  const { status, body } = await bob.call('GET', '/platform/ai/status')
  expect(status).toBe(200)
  expect(body).toEqual({ configured: true, models: ['gpt-5', 'gpt-5-mini'] })
})

test('an answer streams, from the model that was chosen, with the key in the header alone', async () => {
  expect(await ask(ada, question({ model: 'gpt-5-mini' }))).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { type: 'done', cut: false },
  ])
  const [one] = model.asked
  expect(one?.authorization).toBe(`Bearer ${apiKey}`)
  expect(one?.body).toMatchObject({ model: 'gpt-5-mini', stream: true })
  expect(JSON.stringify(one?.body)).not.toContain(apiKey)
  model.answerWith(() => ({ text: ['long'], finish: 'length' }))
  expect((await ask(ada, question())).at(-1)).toEqual({ type: 'done', cut: true })
})

test('the model sees of the project what the organization opted in to', async () => {
  const result = {
    type: 'result',
    result: { sql: 'select title from books', columns: ['title'], rows: [['The row of a book']] },
  }
  const failure = { type: 'result', result: { sql: 'selec 1', error: 'syntax error at selec' } }
  const messages = [{ role: 'user', parts: [result, failure, { type: 'text', text: 'Why?' }] }]
  const seen = async (level: AiOptInLevel) => {
    await optIn(level)
    await ask(ada, question({ messages }))
    const text = prompt()
    const tools = (model.asked.at(-1)?.body.tools ?? []).map((one) => one.function.name).toSorted()
    return {
      schema: text.includes('public.books (id int8 primary key, title text)'),
      log: text.includes('syntax error at selec'),
      data: text.includes('The row of a book'),
      tools: tools.join(' '),
      reads: dataPlane.asked.length,
    }
  }
  expect(await seen('disabled')).toEqual({
    schema: false,
    log: false,
    data: false,
    tools: '',
    reads: 0,
  })
  const tools = 'describe_table list_tables'
  expect(await seen('schema')).toMatchObject({ schema: true, log: false, data: false, tools })
  expect(await seen('schema_and_log')).toMatchObject({
    schema: true,
    log: true,
    data: false,
    tools,
  })
  expect(await seen('schema_and_log_and_data')).toMatchObject({
    schema: true,
    log: true,
    data: true,
    tools,
  })
  // Defaults and comments stay at home on every level.
  expect(prompt()).not.toContain('hunter2')
  expect(prompt()).not.toContain('drop every table')
})

test('the tables are read as the login that only reads, also for an owner; a read-only member may ask', async () => {
  await ask(ada, question())
  await ask(bob, question())
  expect(dataPlane.asked).toEqual(
    Array.from({ length: 2 }, () => ({
      url: `/internal/pg-meta/${ref}/tables?limit=1000`,
      login: 'plinth_read_only',
    })),
  )
})

test('the model looks tables up, and only in this project', async () => {
  model.answerWith((_, count) => {
    if (count === 1)
      return {
        call: {
          name: 'describe_table',
          arguments: { ref: foreign, schema: 'public', name: 'readers' },
        },
      }
    if (count === 2) return { call: { name: 'list_tables', arguments: { search: 'book' } } }
    return { text: ['Done.'] }
  })
  expect((await ask(ada, question())).map(({ type }) => type)).toEqual([
    'tool',
    'tool',
    'text',
    'done',
  ])
  expect(prompt()).toContain('public.readers (id int8 primary key')
  expect(dataPlane.asked.every(({ url }) => url.includes(ref))).toBe(true)
  expect(dataPlane.asked).toHaveLength(1)
})

test('a model that calls a tool to run SQL gets none, and nothing runs', async () => {
  model.answerWith((_, count) =>
    count === 1
      ? { call: { name: 'run_sql', arguments: { sql: 'drop table books' } } }
      : { text: ['I cannot.'] },
  )
  await ask(ada, question())
  expect(dataPlane.asked.map(({ url }) => url)).toEqual([
    `/internal/pg-meta/${ref}/tables?limit=1000`,
  ])
})

test('a busy provider is told with the seconds to wait; its words and the key stay here', async () => {
  logged = ''
  model.answerWith(() => ({
    status: 429,
    error: `Quota of ${apiKey} is used up`,
    headers: { 'retry-after': '7' },
  }))
  const response = await post(ada, question())
  const body = await response.text()
  expect(response.status).toBe(429)
  expect(JSON.parse(body)).toMatchObject({ code: 'ai_busy' })
  expect(body).not.toContain('Quota')
  expect(response.headers.get('retry-after')).toBe('7')
  expect(logged).toContain('the model did not answer')
  expect(logged).not.toContain(apiKey)
})

test('the model is left when the browser leaves, and a person has a few questions at a time', async () => {
  model.answerWith(() => ({ hang: ['Thinking'] }))
  const leaves = Array.from({ length: 3 }, () => new AbortController())
  const open = await Promise.all(leaves.map(({ signal }) => post(carl, question(), signal)))
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await post(carl, question())).status).toBe(429)
  // Somebody else is not held up by it.
  model.answerWith(() => ({ text: ['Hi'] }))
  expect(await ask(bob, question())).toHaveLength(2)
  for (const leave of leaves) leave.abort()
  await Promise.all(model.asked.slice(0, 3).map(({ left }) => left))
  await expect.poll(async () => (await post(carl, question())).status).toBe(200)
})

test('too many questions in a minute are refused', async () => {
  const many = await Promise.all(
    Array.from({ length: 40 }, () => post(bob, question({ messages: [] }))),
  )
  const refused = many.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
})
